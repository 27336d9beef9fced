import { useLingui } from '@lingui/react/macro'
import { typePhone } from '../../../shared/phone.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { AttachFiles, idsOf } from '../../../web/cases/AttachFiles.tsx'
import { ContactFields, LeaveEmpty } from '../../../web/cases/ContactFields.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { StateField, TextArea, TextField, ZipField } from '../../../web/ui/TextField.tsx'
import { requestForm, sendRequest, supportCase } from '../contract.ts'
import { categories, type Prefill } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

export type SendRequestResponse = ResponseOf<typeof sendRequest>
const subjects = Object.entries(categories).map(([value, label]) => ({ value, label }))

/** Creates the form state with initial values. A saved draft takes precedence. */
export const useRequestForm = (prefill: Partial<Prefill>) =>
  useZodForm(requestForm, {
    defaultValues: {
      category: '' as never,
      message: '',
      files: [],
      leaveEmpty: '',
      name: [prefill.firstName, prefill.lastName].filter(Boolean).join(' '),
      email: prefill.email ?? '',
      phone: typePhone(prefill.phone ?? ''),
      accountNumber: prefill.accountNumber ?? '',
      address: prefill.address ?? '',
      city: prefill.city ?? '',
      state: prefill.state ?? '',
      zipcode: prefill.zipcode ?? '',
    },
    draft: { name: 'support', leaveOut: ['leaveEmpty'] },
    plain: sendRequest,
  })

interface Props {
  form: ReturnType<typeof useRequestForm>
  /** Id of the form, because the submit buttons are outside it. */
  id: string
  onSent: (sent: SendRequestResponse) => void
  /** Called when an upload starts or ends, because the form cannot be sent during an upload. */
  onBusy: (busy: boolean) => void
  children?: React.ReactNode
}

/** Support request form (spec 2.7): topic, message and contact details. */
export function RequestForm({ form, id, onSent, onBusy, children }: Props) {
  const { t } = useLingui()
  return (
    <Form
      id={id}
      form={form}
      onSubmit={async ({ files, ...values }) => onSent(await call(sendRequest, { ...values, files: idsOf(files) }))}
    >
      <Select
        label={t`What do you need help with?`}
        placeholder={t`Choose one`}
        options={subjects}
        {...form.field('category')}
      />
      <TextArea
        label={t`Message`}
        hint={t`What did you want to do, and what happened instead? Never write passwords or card numbers here.`}
        rows={5}
        maxLength={4000}
        {...form.field('message')}
      />
      <AttachFiles of={supportCase} field={form.choice('files')} onBusy={onBusy} />
      <ContactFields field={form.field} mailed={t`We will send our reply to this email address.`} />
      <TextField
        label={t`Account Number`}
        optional
        autoComplete="off"
        hint={t`Printed on your bill.`}
        {...form.field('accountNumber')}
      />
      <FieldGroup id={`${id}-address`} label={t`Service Address`} optional>
        <div className="grid grid-cols-2 gap-4 md:grid-cols-[1fr_4.5rem_7rem]">
          <TextField
            className="col-span-2 md:col-span-3"
            label={t`Street`}
            autoComplete="street-address"
            {...form.field('address')}
          />
          <TextField
            className="max-md:col-span-2"
            label={t`City`}
            autoComplete="address-level2"
            {...form.field('city')}
          />
          <StateField {...form.field('state')} />
          <ZipField {...form.field('zipcode')} />
        </div>
      </FieldGroup>
      <LeaveEmpty field={form.field('leaveEmpty')} />
      <Text>{children}</Text>
    </Form>
  )
}
