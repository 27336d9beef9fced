import { Trans } from '@lingui/react/macro'
import { Dices, Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { shortDay } from '../../../web/clock.ts'
import { go, setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { idIn } from '../../../web/id-in.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { applications, rounds } from '../list.ts'
import { STAFF_PATH } from '../../rentals/rules.ts'
import { applicationStates, roundStates } from '../states.ts'
import { ApplicationSlideOut } from './ApplicationSlideOut.tsx'
import { AddRound } from './RoundSlideOut.tsx'
import { RoundView } from './RoundView.tsx'
import { lastDayOf } from '../../../web/time-text.ts'

const roundPath = (id: number): string => `${STAFF_PATH}?of=seasons&round=${id}`

/** List of allocation rounds, or one round with its applications and lottery results. */
export default function StaffSeasons() {
  const roundId = idIn(useQueryParam('round'))
  return (
    <>
      {roundId !== null ? (
        <>
          <RoundView key={roundId} id={roundId} />
          <Applications />
        </>
      ) : (
        <Rounds />
      )}
      <QueryItem name="application">{(id, close) => <ApplicationSlideOut id={id} onClose={close} />}</QueryItem>
    </>
  )
}

function Rounds() {
  const [adds, setAdds] = useState(false)
  const open = ({ id }: { id: number }) => go(roundPath(id))
  return (
    <>
      <ListScreen
        of={rounds}
        level={2}
        headActions={
          <Button icon={Plus} onClick={() => setAdds(true)}>
            <Trans>Plan a round</Trans>
          </Button>
        }
        rowName={({ name }) => name}
        actions={{ view: open }}
        onRow={open}
        empty={
          <EmptyState icon={Dices} title={<Trans>No rounds yet</Trans>}>
            <Trans>Let leagues and clubs apply for season-long reservations. A lottery allocates the times.</Trans>
          </EmptyState>
        }
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          status: ({ status }) => <StateBadge of={roundStates} state={status} />,
          opensAt: ({ opensAt }) => shortDay(opensAt),
          // Shows the previous day, because the round closes at the end of that day.
          closesAt: ({ closesAt }) => formatShortDate(lastDayOf(closesAt)),
        }}
      />
      {adds && <AddRound onClose={() => setAdds(false)} onAdded={(id) => go(roundPath(id))} />}
    </>
  )
}

function Applications() {
  const open = ({ id }: { id: number }) => setQuery({ application: String(id) })
  return (
    <ListScreen
      of={applications}
      level={2}
      rowName={({ number }) => number}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={Users} title={<Trans>No applications yet</Trans>}>
          <Trans>Residents apply under Rentals while the round is open.</Trans>
        </EmptyState>
      }
      cells={{
        number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
        status: ({ status }) => <StateBadge of={applicationStates} state={status} />,
      }}
    />
  )
}
