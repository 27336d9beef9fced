import { Trans, useLingui } from '@lingui/react/macro'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { DateField, Select } from '../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { type Bound, useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { StaffAt } from '../../calendar/web/parts/StaffAt.tsx'
import { scheduleForm, scheduleOrder } from '../contract.ts'
import { idChoice, useChoices } from './choices.ts'
import { type OrderDetails, reloadOrders } from './fresh.ts'

/** Durations to choose from. In minutes. */
const LENGTHS = [30, 60, 90, 120, 180, 240, 360, 480]

/** Form for the schedule and assignee of an order. Shows which staff are available at that time. */
export function ScheduleOrder({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const { t } = useLingui()
  const { schedule, details, assignee } = order
  const choices = useChoices({ assignee, ids: [null, details.assignedTo] })
  const form = useZodForm(scheduleForm, {
    defaultValues: schedule?.form ?? {
      day: details.dueOn || page().today,
      time: '08:00',
      minutes: 120,
      assignedTo: details.assignedTo,
    },
  })
  const [day, time, length] = form.watch(['day', 'time', 'minutes'])
  return (
    <FormDialog
      title={<Trans>Schedule work order {order.number}</Trans>}
      form={form}
      submit={<Trans>Schedule</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        toast((await call(scheduleOrder, { orderId: order.id, schedule: values })).message)
        await reloadOrders()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <DateField label={t`Day`} {...form.field('day')} />
        <TextField label={t`Time`} type="time" {...form.field('time')} />
        <DurationField {...form.choice('minutes')} />
      </div>
      <Select label={t`Assigned to`} options={choices.people} {...idChoice(form.choice('assignedTo'))} />
      <StaffAt day={day} time={time} minutes={length} exceptItem={order.itemId} />
    </FormDialog>
  )
}

/** Choice of a duration in minutes. Includes the current one. */
export function DurationField({ value, onChange, ...field }: Bound<number>) {
  const { t } = useLingui()
  const formatLength = useFormatLength()
  const lengths = LENGTHS.includes(value) ? LENGTHS : [...LENGTHS, value]
  return (
    <Select
      label={t`Duration`}
      options={lengths.map((minutes) => ({ value: minutes, label: formatLength(minutes) }))}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
      {...field}
    />
  )
}

/** Returns a function that formats minutes, such as '1 h 30 min'. */
export function useFormatLength(): (minutes: number) => string {
  const { t } = useLingui()
  return (minutes) => {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
    if (hours === 0) return t`${rest} min`
    return rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`
  }
}
