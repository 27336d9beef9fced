import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { drawers } from '../list.ts'
import { drawerStates } from '../states.ts'
import { DaySheet } from './DaySheet.tsx'

const open = (id: number | null) => setQuery({ drawer: id === null ? null : String(id) })

export default function DrawersScreen() {
  const chosen = Number(useQueryParam('drawer')) || null
  return (
    <>
      <ListScreen
        of={drawers}
        rowName={({ cashier, openedAt }) => `${cashier} ${openedAt.slice(0, 10)}`}
        cells={{ status: ({ status }) => <StateBadge of={drawerStates} state={status} /> }}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
      />
      {chosen !== null && <DaySheet id={chosen} onClose={() => open(null)} />}
    </>
  )
}
