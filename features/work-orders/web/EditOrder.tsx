import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type WorkOrderDetails, orderDetails, saveOrder } from '../contract.ts'
import { useChoices } from './choices.ts'
import { type OrderDetails, reloadOrders } from './fresh.ts'
import { OrderFields } from './OrderFields.tsx'
import { PartsField } from './PartsField.tsx'

/** Form to edit the details of an order. */
export function EditOrder({ order, onClose }: { order: OrderDetails; onClose: () => void }) {
  const { details, department, assignee, crew } = order
  const choices = useChoices({
    department,
    assignee,
    crew: crew?.name ?? '',
    ids: [details.departmentId, details.assignedTo, details.crewId],
  })
  const form = useZodForm(orderDetails, {
    defaultValues: details,
    basis: details,
    draft: { name: `work-order:${order.id}` },
  })
  const save = async (values: WorkOrderDetails) => {
    toast((await call(saveOrder, { ...values, orderId: order.id, basis: form.basis })).message)
    await reloadOrders()
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Edit work order {order.number}</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <OrderFields form={form} once={form.field} choices={choices} />
      <PartsField form={form} />
    </FormSlideOut>
  )
}
