import { Trans } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { noLocation } from '../../../shared/places.ts'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { linesOf, newOrderForm, openOrder } from '../contract.ts'
import { useChoices } from './choices.ts'
import { reloadOrders } from './fresh.ts'
import { ChecklistField, OrderFields } from './OrderFields.tsx'

/** Form to open an order manually. Staff add photos afterwards. */
export function NewOrder({ onClose }: { onClose: () => void }) {
  const choices = useChoices()
  const form = useZodForm(newOrderForm, {
    defaultValues: {
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
      checklist: '',
    },
    draft: { name: 'work-order:new' },
  })
  const save = async ({ checklist, ...values }: z.output<typeof newOrderForm>) => {
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
      <OrderFields form={form} once={form.field} choices={choices} />
      <ChecklistField {...form.choice('checklist')} />
    </FormSlideOut>
  )
}
