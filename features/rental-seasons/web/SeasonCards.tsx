import { Trans } from '@lingui/react/macro'
import { formatDate, formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { rentalRounds } from '../contract.ts'
import { applicationStates, roundStates } from '../states.ts'
import type { SeasonCardsProps } from '../../rentals/web/parts/page-parts.ts'
import { lastDayOf } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Round = ResponseOf<typeof rentalRounds>['rounds'][number]

/** Cards for the allocation rounds that accept applications, above the list of resources. */
export default function SeasonCards({ texts, children }: SeasonCardsProps) {
  const response = useResponse(rentalRounds, {})
  return (
    <ResponseView response={response} {...texts}>
      {({ rounds }) => children(<Cards rounds={rounds} />)}
    </ResponseView>
  )
}

/** Renders nothing without rounds. Most companies have no round for most of the year. */
function Cards({ rounds }: { rounds: readonly Round[] }) {
  if (rounds.length === 0) return null
  return (
    <section className="mb-10">
      <h2 className="mb-3 text-h3">
        <Trans>Season-long reservations</Trans>
      </h2>
      <ul className="flex flex-col gap-3">
        {rounds.map((one) => (
          <li key={one.id}>
            <One of={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const One = ({ of }: { of: Round }) => (
  <Card as="div" className="flex flex-wrap items-center justify-between gap-3">
    <div className="min-w-0 flex-1 basis-60">
      <p className="font-bold">{of.name}</p>
      <p className="text-muted">
        <Text>{formatShortDate(of.seasonFrom)}</Text> – <Text>{formatShortDate(of.seasonUntil)}</Text>
        {of.status === 'open' && (
          <>
            {', '}
            <Trans>apply by {formatDate(lastDayOf(of.closesAt))}</Trans>
          </>
        )}
      </p>
    </div>
    {of.own ? <StateBadge of={applicationStates} state={of.own} /> : <StateBadge of={roundStates} state={of.status} />}
    <LinkButton to={`/resource-rentals/season/${of.id}`}>
      <span>
        {of.status === 'open' && !of.own ? <Trans>Apply</Trans> : <Trans>View application round</Trans>}
        <span className="sr-only">
          , <Text>{of.name}</Text>
        </span>
      </span>
    </LinkButton>
  </Card>
)
