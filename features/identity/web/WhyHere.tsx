import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useSession, wasExpired } from '../../../web/session.ts'
import { Notice } from '../../../web/ui/Notice.tsx'

interface WhyHereProps {
  /** What a step before this one said. */
  said: string | null
  /** What to do where the session ran out. */
  again: ReactNode
}

/** Why somebody stands before a sign-in. */
export function WhyHere({ said, again }: WhyHereProps) {
  const session = useSession()
  return (
    <>
      {said !== null && (
        <Notice tone="warning" focusable className="mb-5">
          {said}
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
