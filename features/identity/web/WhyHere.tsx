import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSession, wasExpired } from '../../../web/session.ts'
import { Notice } from '../../../web/ui/Notice.tsx'

interface WhyHereProps {
  /** Message from an earlier step. */
  message: string | null
  /** Advice for an expired session. */
  again: ReactNode
}

/** Reason for the sign-in page, such as an expired session. */
export function WhyHere({ message, again }: WhyHereProps) {
  const session = useSession()
  return (
    <>
      {message !== null && (
        <Notice tone="warning" focusable className="mb-5">
          {message}
        </Notice>
      )}
      {wasExpired() && !session && (
        <Notice tone="warning" className="mb-5" title={<Trans>Your session has ended</Trans>}>
          {again}
        </Notice>
      )}
    </>
  )
}
