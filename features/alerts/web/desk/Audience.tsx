import { Trans, Plural } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { countAudience } from '../../contract-staff.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { longInstant } from '../../../../web/clock.ts'

export type Audience = ResponseOf<typeof countAudience>

export const Reach = ({ of: { people, email, text, call: calls } }: { of: Audience['counted'] }) => (
  <Trans>
    It reaches <Plural value={people} one="# person" other="# people" />:{' '}
    <Plural value={email} one="# mail" other="# mails" />, <Plural value={text} one="# text" other="# texts" /> and{' '}
    <Plural value={calls} one="# call" other="# calls" />.
  </Trans>
)

export const Cost = ({ of: { segments, minutes } }: { of: Audience['cost'] }) => (
  <Trans>
    Texts are paid as <Plural value={segments} one="# segment" other="# segments" /> and calls as{' '}
    <Plural value={minutes} one="# minute" other="# minutes" /> at most, if each is answered the first time.
  </Trans>
)

export function SecondPerson({ of: { secondPerson, over }, className }: { of: Audience; className?: string }) {
  if (secondPerson === '') return null
  return (
    <Notice tone="info" {...(className && { className })}>
      {secondPerson === 'severity' ? (
        <Trans>Of the highest severity: a second person has to approve it.</Trans>
      ) : (
        <Trans>To more than {over} people: a second person has to approve it.</Trans>
      )}
    </Notice>
  )
}

/** Shows recipients, time and cost before sending, which can't be undone. */
export function Leaves({ audience, sendAt }: { audience: Audience; sendAt: string | null }) {
  const [now] = useState(() => new Date().toISOString())
  return (
    <>
      <p>
        <Reach of={audience.counted} />{' '}
        <strong>
          {sendAt && sendAt > now ? (
            <Trans>It is sent on {longInstant(sendAt)}.</Trans>
          ) : (
            <Trans>It is sent at once.</Trans>
          )}
        </strong>
      </p>
      <p className="mt-2 text-muted">
        <Cost of={audience.cost} />
      </p>
    </>
  )
}
