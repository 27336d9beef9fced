import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { ticketReport } from '../../list.ts'
import { ticketStates } from '../../states.ts'
import { AskedTicket } from './TicketSlideOut.tsx'

/** 'Parking Ticket Report' (specification 2.3): what was written, and what came of it. */
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
      <AskedTicket />
    </>
  )
}
