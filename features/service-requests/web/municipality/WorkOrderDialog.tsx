import { Trans, useLingui } from '@lingui/react/macro'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { Checkbox, DateField, optionsOf, Select } from '../../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { type Bound, forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { workChoices } from '../../../work-orders/contract.ts'
import { severityLabels } from '../../../work-orders/rules.ts'
import { openOrder, workOrderForm } from '../../contract-staff.ts'
import { type Details, reloadRequests } from './fresh.ts'

const MAX_LENGTH = 120
const STANDARD = '1'

/**
 * Dialog that creates a work order for a request. The request's status then follows the work order: in progress, then
 * completed.
 */
export function WorkOrderDialog({
  request,
  order,
  onClose,
}: Pick<Details, 'request' | 'order'> & { onClose: () => void }) {
  const { t } = useLingui()
  const { id: subjectId, number, title, location } = request
  const { data: choices } = useResponse(workChoices, {})
  const form = useZodForm(workOrderForm, {
    defaultValues: {
      title: (location ? `${title}, ${location}` : title).slice(0, MAX_LENGTH),
      ...order,
      severity: STANDARD,
      assignedTo: null,
      withFiles: true,
    },
    draft: { name: `request-order:${subjectId}` },
  })
  return (
    <FormDialog
      title={t`Open a work order from ${number}`}
      form={form}
      submit={<Trans>Open work order</Trans>}
      onSubmit={async (values) => {
        toast((await call(openOrder, { ...values, subjectId })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The requester will get an update when the work starts and when it is done. They cannot see what you enter
          here.
        </Trans>
      </p>
      <TextField label={t`Task`} maxLength={MAX_LENGTH} autoComplete="off" {...form.field('title')} />
      <TextArea label={t`Description`} optional rows={3} maxLength={4000} {...form.field('description')} />
      <div className="grid gap-4 md:grid-cols-2">
        <Select label={t`Priority`} options={optionsOf(severityLabels)} {...form.field('severity')} />
        <DateField label={t`Due`} optional min={page().today} {...form.field('dueOn')} />
        <AssigneeField label={t`Assigned to`} among={choices?.people ?? []} {...form.choice('assignedTo')} />
        <AssigneeField label={t`Crew`} among={choices?.crews ?? []} {...form.choice('crewId')} />
      </div>
      <Checkbox label={t`Include the photos from the request`} {...form.field('withFiles')} />
    </FormDialog>
  )
}

interface AssigneeFieldProps extends Bound<number | null> {
  label: string
  among: readonly { id: number; name: string }[]
}

/** Dropdown for the person or crew that gets the work order. The field may stay empty. */
function AssigneeField({ among, value, onChange, ...rest }: AssigneeFieldProps) {
  const { t } = useLingui()
  return (
    <Select
      {...rest}
      value={value === null ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      options={[
        { value: '', label: t`Not assigned` },
        ...among.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
