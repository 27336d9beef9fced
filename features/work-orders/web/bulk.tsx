import { useLingui } from '@lingui/react/macro'
import { CalendarClock, CircleCheck, UserCheck } from 'lucide-react'
import type { RowOf } from '../../../shared/list.ts'
import { runBulk } from '../../../web/list/bulk.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import type { BulkAction } from '../../../web/ui/office/table/bulk.ts'
import { workChoices } from '../contract.ts'
import { assignOrders, completeOrders, setDueDates } from '../contract-bulk.ts'
import type { workOrders } from '../list.ts'
import { reloadOrders } from './fresh.ts'

type Row = RowOf<typeof workOrders>

const assignmentOf = (value: string) => {
  const id = Number(value.slice(1))
  return value.startsWith('p') ? { assignedTo: id } : value.startsWith('c') ? { crewId: id } : { departmentId: id }
}

/** Actions on several work orders. */
export function useOrderBulk(): BulkAction<Row>[] {
  const { t } = useLingui()
  if (!may('work_orders', 'update')) return []
  const actions: BulkAction<Row>[] = [
    {
      label: t`Assign`,
      icon: UserCheck,
      field: (value, set) => <AssignmentChoice value={value} onChange={set} />,
      run: (rows, value) => runBulk(assignOrders, rows, () => assignmentOf(value)),
    },
    {
      label: t`Set due date`,
      icon: CalendarClock,
      field: (value, set) => (
        <DateField label={t`New due date`} value={value} onChange={({ target }) => set(target.value)} />
      ),
      run: (rows, dueOn) => runBulk(setDueDates, rows, () => ({ dueOn })),
    },
    { label: t`Complete`, icon: CircleCheck, run: (rows) => runBulk(completeOrders, rows, () => ({})) },
  ]
  return actions.map((action) => ({
    ...action,
    run: async (rows, value) => {
      const result = await action.run(rows, value)
      await reloadOrders()
      return result
    },
  }))
}

function AssignmentChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLingui()
  const { data } = useResponse(workChoices, {})
  return (
    <Select
      className="md:w-48"
      label={t`Assign to`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t`Choose` },
        ...(data?.crews ?? []).map(({ id, name }) => ({ value: `c${id}`, label: t`Crew: ${name}` })),
        ...(data?.departments ?? []).map(({ id, name }) => ({ value: `d${id}`, label: t`Department: ${name}` })),
        ...(data?.people ?? []).map(({ id, name }) => ({ value: `p${id}`, label: name })),
      ]}
    />
  )
}
