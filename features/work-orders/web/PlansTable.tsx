import { copyRow } from '../../../web/copy-row.ts'
import { recordActions, RecordButtons, RecordPanels } from '../../shared-records/web/parts/SharedRecords.tsx'
import { copyPlan, returnPlan } from '../contract.ts'
import { Trans } from '@lingui/react/macro'
import { CalendarSync, Plus } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { workPlans } from '../list.ts'
import { PlanFromQuery } from './PlanSlideOut.tsx'

const copy = copyRow(copyPlan, { lists: [workPlans.call], open: (id) => setQuery({ plan: String(id) }) })

/** List of maintenance plans that open recurring orders. */
export function PlansTable() {
  const open = ({ id }: { id: number }) => setQuery({ plan: String(id) })
  return (
    <>
      <ListScreen
        of={workPlans}
        level={2}
        rowName={({ title }) => title}
        actions={{ view: open, copy, ...recordActions('maintenance-plan') }}
        onRow={open}
        headActions={
          may('work_orders', 'update') && (
            <Button icon={Plus} onClick={() => setQuery({ plan: 'new' })}>
              <Trans>New maintenance plan</Trans>
            </Button>
          )
        }
        moreActions={<RecordButtons kind="maintenance-plan" />}
        empty={
          <EmptyState icon={CalendarSync} title={<Trans>No maintenance plans yet</Trans>}>
            <Trans>A plan opens a work order for each date of recurring work, a set number of days in advance.</Trans>
          </EmptyState>
        }
      />
      <PlanFromQuery />
      <RecordPanels kind="maintenance-plan" lists={[workPlans.call, returnPlan]} />
    </>
  )
}
