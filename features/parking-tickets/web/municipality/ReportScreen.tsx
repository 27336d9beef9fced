import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { ticketReport } from '../../list.ts'
import { ticketStates } from '../../states.ts'
import { TicketFromQuery } from './TicketSlideOut.tsx'

/** 'Parking Ticket Report' (spec 2.3): issued tickets and their results. */
export default function ReportScreen() {
  const open = ({ id }: { id: number }) => setQuery({ ticket: String(id) })
  return (
    <>
      <ListScreen
        of={ticketReport}
        rowName={({ citation }) => citation}
        actions={{ view: open }}
        onRow={open}
        cells={{
          status: ({ status }) => <StateBadge of={ticketStates} state={status} />,
        }}
      />
      <TicketFromQuery />
    </>
  )
}
