import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { noLocation } from '../../../shared/places.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { may } from '../../../web/session.ts'
import { Checkbox, DateField } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm, type ZodForm } from '../../../web/ui/form.ts'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { linesOf, newOrderForm, noStart, openOrder } from '../contract.ts'
import { useChoices } from './choices.ts'
import { FirstDays } from './FirstDays.tsx'
import { reloadOrders } from './fresh.ts'
import { ChecklistField, OrderFields } from './OrderFields.tsx'
import { PartsField } from './PartsField.tsx'
import { DurationField } from './ScheduleOrder.tsx'
import { blankOf, TemplateField } from './TemplateField.tsx'

type NewOrderForm = z.output<typeof newOrderForm>

const blank: NewOrderForm = {
  title: '',
  description: '',
  kind: 'repair',
  severity: 1,
  location: noLocation,
  assetName: '',
  dueOn: '',
  departmentId: null,
  assignedTo: null,
  crewId: null,
  parts: [],
  checklist: '',
  ...noStart,
}

/** Form to open an order manually. Staff add photos afterwards. */
export function NewOrder({ onClose }: { onClose: () => void }) {
  const choices = useChoices()
  const form = useZodForm(newOrderForm, {
    defaultValues: blank,
    draft: { name: 'work-order:new' },
  })
  const save = async ({ checklist, ...values }: NewOrderForm) => {
    const { message, orderId } = await call(openOrder, { ...values, checklist: linesOf(checklist) })
    forgetDraft(form)
    toast(message)
    await reloadOrders()
    setQuery({ panel: null, order: String(orderId) })
  }
  return (
    <FormSlideOut
      title={<Trans>New work order</Trans>}
      form={form}
      save={<Trans>Open work order</Trans>}
      onSubmit={save}
      onClose={onClose}
    >
      <TemplateField form={form} blank={blankOf(blank)} />
      <OrderFields form={form} once={form.field} choices={choices} />
      <StartFields form={form} />
      <ChecklistField {...form.choice('checklist')} />
      <PartsField form={form} />
    </FormSlideOut>
  )
}

/** Fields for the start of a new order, and for the maintenance plan that repeats the order. */
function StartFields({ form }: { form: ZodForm<z.input<typeof newOrderForm>, NewOrderForm> }) {
  const { t } = useLingui()
  const [repeat, startsOn, dueOn] = form.watch(['repeat', 'startsOn', 'dueOn'])
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField label={t`Start`} optional {...form.field('startsOn')} />
        <TextField label={t`Time`} type="time" optional {...form.field('startTime')} />
        <DurationField {...form.choice('minutes')} />
      </div>
      {may('work_orders', 'update') && (
        <Checkbox
          label={t`Repeat`}
          hint={t`The portal also saves a maintenance plan, which opens the next work orders.`}
          {...form.field('repeat')}
        />
      )}
      {repeat && (
        <>
          <RepeatFields form={form} withoutFirstDay />
          <TextField
            label={t`Lead time in days`}
            hint={t`Number of days before its date on which the portal opens a work order.`}
            {...wholeNumber(form.choice('leadDays'))}
          />
          <FirstDays repeats={form.watch('repeats')} startsOn={startsOn || dueOn} />
        </>
      )}
    </>
  )
}
