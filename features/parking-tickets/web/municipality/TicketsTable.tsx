import { Trans } from '@lingui/react/macro'
import { CircleParking } from 'lucide-react'
import { setQuery } from '../../../../web/go.ts'
import { useCaseMarks } from '../../../../web/cases/use-case-marks.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { tickets } from '../../list.ts'
import { contestCase } from '../../contract.ts'
import { ticketStates } from '../../states.ts'

/** List of all tickets. Tickets with an unread message about their contest are marked. */
export function TicketsTable() {
  const marks = useCaseMarks(contestCase)
  const open = ({ id }: { id: number }) => setQuery({ ticket: String(id) })
  return (
    <ListScreen
      of={tickets}
      level={2}
      rowName={({ citation }) => citation}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={CircleParking} title={<Trans>No tickets yet</Trans>}>
          <Trans>Add your violation codes first. Then enter tickets here, or import them from a file.</Trans>
        </EmptyState>
      }
      cells={{
        citation: ({ citation, contestId }) => (
          <>
            <strong>{citation}</strong>
            <Text>{contestId !== null && marks.unread(contestId)}</Text>
          </>
        ),
        plate: ({ plate }) => <span className="whitespace-nowrap">{plate}</span>,
        status: ({ status, hearing, contestId }) => (
          <>
            <Text>{contestId !== null && marks.present(contestId)}</Text>
            <StateBadge of={ticketStates} state={status} />
            {hearing && (
              <span className="ms-2 text-sm">
                <Trans>Hearing {shortInstant(hearing)}</Trans>
              </span>
            )}
          </>
        ),
      }}
    />
  )
}
