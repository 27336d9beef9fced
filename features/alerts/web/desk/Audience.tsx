import { Trans, Plural } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { countAudience } from '../../contract-staff.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { longInstant } from '../../../../web/clock.ts'

export type Audience = ResponseOf<typeof countAudience>

export const Reach = ({ of: { people, email, text, call: calls } }: { of: Audience['counted'] }) => (
  <Trans>
    This alert will reach <Plural value={people} one="# person" other="# people" />:{' '}
    <Plural value={email} one="# email" other="# emails" />,{' '}
    <Plural value={text} one="# text message" other="# text messages" /> and{' '}
    <Plural value={calls} one="# call" other="# calls" />.
  </Trans>
)

export const Cost = ({ of: { segments, minutes } }: { of: Audience['cost'] }) => (
  <Trans>
    Billed usage: up to <Plural value={segments} one="# text segment" other="# text segments" /> and{' '}
    <Plural value={minutes} one="# call minute" other="# call minutes" />, not counting retried calls.
  </Trans>
)

export function SecondPerson({ of: { secondPerson, over }, className }: { of: Audience; className?: string }) {
  if (secondPerson === '') return null
  return (
    <Notice tone="info" {...(className && { className })}>
      {secondPerson === 'severity' ? (
        <Trans>This alert has the highest severity, so someone else must approve it.</Trans>
      ) : (
        <Trans>
          This alert will go to more than <Plural value={over} one="# person" other="# people" />, so someone else must
          approve it.
        </Trans>
      )}
    </Notice>
  )
}

/** Shows the recipients, time and cost before staff send an alert. Sending can't be undone. */
export function Leaves({ audience, sendAt }: { audience: Audience; sendAt: string | null }) {
  const [now] = useState(() => new Date().toISOString())
  return (
    <>
      <p>
        <Reach of={audience.counted} />{' '}
        <strong>
          {sendAt && sendAt > now ? (
            <Trans>The alert will go out on {longInstant(sendAt)}.</Trans>
          ) : (
            <Trans>The alert will go out immediately.</Trans>
          )}
        </strong>
      </p>
      <p className="mt-2 text-muted">
        <Cost of={audience.cost} />
      </p>
    </>
  )
}
