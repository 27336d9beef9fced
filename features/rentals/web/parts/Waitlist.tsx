import { Plural, Trans } from '@lingui/react/macro'
import { useId } from 'react'
import { longInstant } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { staffWaitlist, type WaitlistEntry } from '../../contract-waitlist.ts'
import { staffPath } from '../../rules.ts'
import { spanText } from '../../../../web/time-text.ts'
import { Code, Text } from '../../../../web/ui/Text.tsx'

/** Waitlist of a resource or of one reservation, in order. Renders nothing if it is empty. */
export function Waitlist({ resourceId, reservationId }: { resourceId: number; reservationId?: number }) {
  const id = useId()
  const { data } = useResponse(staffWaitlist, { resourceId, ...(reservationId !== undefined && { reservationId }) })
  const waitlisted = data?.waitlisted ?? []
  if (waitlisted.every((one) => one.id === reservationId)) return null
  return (
    <section aria-labelledby={id} className="my-6">
      <h3 id={id} className="mb-2 text-base">
        <Trans>Waitlist</Trans>
      </h3>
      <ol className="flex list-decimal flex-col gap-2 ps-6 text-table">
        {waitlisted.map((one) => (
          <One key={one.id} of={one} />
        ))}
      </ol>
    </section>
  )
}

const One = ({ of: { id, number, name, guests, since, ...of } }: { of: WaitlistEntry }) => (
  <li>
    <Link className="link" to={staffPath(id)}>
      {number}
    </Link>{' '}
    <Code>{name}</Code>
    <span className="block">
      <Text>{of.title}</Text>, <Text>{spanText(of)}</Text>
      {of.pieces > 1 && (
        <>
          <Text>,</Text> <Trans>quantity: {of.pieces}</Trans>
        </>
      )}
    </span>
    <span className="block text-muted">
      {guests > 0 && (
        <>
          <Plural value={guests} one="# person" other="# people" />
          <Text>,</Text>{' '}
        </>
      )}
      <Trans>waiting since {longInstant(since)}</Trans>
    </span>
  </li>
)
