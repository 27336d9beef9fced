import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSession, wasExpired } from '../../../web/session.ts'
import { Notice } from '../../../web/ui/Notice.tsx'

interface WhyHereProps {
  /** Message from an earlier step. */
  message: string | null
  /** Content of the notice about an expired session. */
  again: ReactNode
}

/** Notice that explains why the person sees the sign-in page, for example after the session expired. */
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
