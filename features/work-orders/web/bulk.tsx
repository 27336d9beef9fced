import { plural, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CalendarClock, CalendarPlus, CircleCheck, Printer, UserCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { MAX_BULK } from '../../../shared/bulk.ts'
import type { RowOf } from '../../../shared/list.ts'
import { download } from '../../../web/download.ts'
import { runBulk, withReload } from '../../../web/list/bulk.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { page } from '../../../web/page.ts'
import { Checkbox, DateField, Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import type { BulkAction } from '../../../web/ui/office/table/bulk.ts'
import { workChoices } from '../contract.ts'
import {
  assignOrders,
  completeOrders,
  printOrders,
  scheduleOrders,
  scheduleOrdersForm,
  setDueDates,
} from '../contract-bulk.ts'
import type { workOrders } from '../list.ts'
import { reloadOrders } from './fresh.ts'
import { DurationField } from './ScheduleOrder.tsx'

type Row = RowOf<typeof workOrders>
type Result = Awaited<ReturnType<BulkAction<Row>['run']>>

const assignmentOf = (value: string) => {
  const id = Number(value.slice(1))
  return value.startsWith('p') ? { assignedTo: id } : value.startsWith('c') ? { crewId: id } : { departmentId: id }
}

/** Actions on several work orders, and the dialog for their schedule. */
export function useOrderBulk(): { actions: BulkAction<Row>[]; dialog: ReactNode } {
  const { t } = useLingui()
  const [scheduling, setScheduling] = useState<{ rows: readonly Row[]; done: (result: Result) => void } | null>(null)
  const changes: BulkAction<Row>[] = [
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
    {
      label: t`Schedule`,
      icon: CalendarPlus,
      run: (rows) => new Promise<Result>((done) => setScheduling({ rows, done })),
    },
    { label: t`Complete`, icon: CircleCheck, run: (rows) => runBulk(completeOrders, rows, () => ({})) },
  ]
  const actions = may('work_orders', 'update') ? changes : []
  const finish = (result: Result) => {
    setScheduling(null)
    scheduling?.done(result)
  }
  return {
    actions: [...withReload(actions, reloadOrders), { label: t`Print sheets`, icon: Printer, run: printSheets }],
    dialog: scheduling && (
      <ScheduleDialog
        onSchedule={async (schedule) => {
          const { rows } = scheduling
          finish(
            await runBulk(scheduleOrders, rows, ([first]) => ({
              ...schedule,
              before: first ? rows.indexOf(first) : 0,
            })),
          )
        }}
        onClose={() => finish(null)}
      />
    ),
  }
}

/** Downloads the sheets of orders. More than `MAX_BULK` orders are in several files. */
async function printSheets(rows: readonly Row[]): Promise<string> {
  for (let from = 0; from < rows.length; from += MAX_BULK)
    // oxlint-disable-next-line no-await-in-loop -- one download after another, because browsers refuse many together
    await download(printOrders, { ids: rows.slice(from, from + MAX_BULK).map(({ id }) => id) })
  return t`${plural(rows.length, { one: '# sheet was printed.', other: '# sheets were printed.' })}`
}

interface ScheduleDialogProps {
  onSchedule: (schedule: z.output<typeof scheduleOrdersForm>) => Promise<void>
  onClose: () => void
}

function ScheduleDialog({ onSchedule, onClose }: ScheduleDialogProps) {
  const { t } = useLingui()
  const form = useZodForm(scheduleOrdersForm, {
    defaultValues: { day: page().today, time: '08:00', minutes: 60, oneAfterAnother: true },
  })
  return (
    <FormDialog
      title={t`Schedule work orders`}
      submit={t`Schedule`}
      form={form}
      onSubmit={onSchedule}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <DateField label={t`Day`} {...form.field('day')} />
        <TextField label={t`Time`} type="time" {...form.field('time')} />
        <DurationField {...form.choice('minutes')} />
      </div>
      <Checkbox
        label={t`One after another`}
        hint={t`Each work order starts when the one before it ends. Otherwise, all start at this time.`}
        {...form.field('oneAfterAnother')}
      />
    </FormDialog>
  )
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
