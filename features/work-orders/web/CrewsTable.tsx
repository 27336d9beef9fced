import { Trans } from '@lingui/react/macro'
import { Plus, Users } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { workCrews } from '../list.ts'
import { CrewFromQuery } from './CrewSlideOut.tsx'

/** List of crews that orders can be assigned to. */
export function CrewsTable() {
  const open = ({ id }: { id: number }) => setQuery({ crew: String(id) })
  return (
    <>
      <ListScreen
        of={workCrews}
        level={2}
        rowName={({ name }) => name}
        actions={{ view: open }}
        onRow={open}
        headActions={
          may('work_orders', 'update') && (
            <Button icon={Plus} onClick={() => setQuery({ crew: 'new' })}>
              <Trans>New crew</Trans>
            </Button>
          )
        }
        empty={
          <EmptyState icon={Users} title={<Trans>No crews yet</Trans>}>
            <Trans>Each crew member sees the crew’s work in the work order list and on their phone.</Trans>
          </EmptyState>
        }
      />
      <CrewFromQuery />
    </>
  )
}
