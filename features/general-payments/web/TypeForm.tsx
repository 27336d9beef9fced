import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { OnceLoaded } from '../../../web/ui/ResponseView.tsx'
import { Checkbox, DateField, optionsOf, RadioCards, Select } from '../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { createPaymentType, savePaymentType, showPaymentType } from '../contract.ts'
import { paymentTypes } from '../list.ts'
import { amountKinds, audiences, categories, proofs, type TypeForm, typeForm, usualType } from '../rules.ts'
import { EditSlideOut } from '../../../web/ui/EditSlideOut.tsx'

type TypeFields = ZodForm<TypeForm, TypeForm>

const blank: TypeForm = { ...usualType, title: '', category: 'other', description: '', glAccount: '' }

const refresh = () => Promise.all([reload(paymentTypes.call), reload(showPaymentType)])

export const AddType = ({ onClose }: { onClose: () => void }) => (
  <EditSlideOut
    title={<Trans>Add payment type</Trans>}
    rules={typeForm}
    start={blank}
    isNew
    draft="add-payment-type"
    onSave={(values) => call(createPaymentType, { form: values })}
    refresh={refresh}
    onSaved={({ typeId }) => setQuery({ type: String(typeId), work: null })}
    onClose={onClose}
  >
    {(form) => <Inputs form={form} />}
  </EditSlideOut>
)

export const EditType = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Edit payment type</Trans>}
    onClose={onClose}
    response={useResponse(showPaymentType, { typeId: id })}
    loading={<Trans>Loading the payment</Trans>}
  >
    {({ form: stored }) => (
      <EditSlideOut
        key={id}
        title={<Trans>Edit {stored.title}</Trans>}
        rules={typeForm}
        start={stored}
        isNew={false}
        draft={`payment-type-${id}`}
        onSave={(values, basis) => call(savePaymentType, { typeId: id, form: values, basis })}
        refresh={refresh}
        onClose={onClose}
      >
        {(form) => <Inputs form={form} />}
      </EditSlideOut>
    )}
  </OnceLoaded>
)

/** Inputs of the form. Hides inputs that do not apply to the selected `amountKind`. */
function Inputs({ form }: { form: TypeFields }) {
  const { t } = useLingui()
  const kind = form.watch('amountKind')
  return (
    <>
      <TextField
        label={t`Title`}
        hint={t`Shown to residents, for example: Dog license`}
        autoComplete="off"
        {...form.field('title')}
      />
      <Select label={t`Category`} options={optionsOf(categories)} {...form.field('category')} />
      <TextArea
        label={t`Text`}
        hint={t`Explain the purpose of the payment, and who pays it.`}
        rows={3}
        optional
        {...form.field('description')}
      />
      <TextField
        label={t`GL account`}
        hint={t`GL account that these payments are credited to`}
        autoComplete="off"
        {...form.field('glAccount')}
      />
      <RadioCards label={t`How is the amount set?`} {...form.choice('amountKind')} options={optionsOf(amountKinds)} />
      {kind === 'fixed' && <MoneyField label={t`Amount`} className="max-w-60" {...form.money('amountCents')} />}
      {kind === 'open' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <MoneyField label={t`Minimum amount`} optional {...form.money('minCents')} />
          <MoneyField label={t`Maximum amount`} optional {...form.money('maxCents')} />
        </div>
      )}
      {kind === 'listed' && (
        <>
          <TextField
            label={t`Label for the item number`}
            hint={t`Payers can also search by name. Example: Parcel number`}
            autoComplete="off"
            {...form.field('itemLabel')}
          />
          <RadioCards
            label={t`Which proof does the payer enter?`}
            {...form.choice('proof')}
            options={optionsOf(proofs)}
          />
          <Checkbox label={t`Allow partial payments`} {...form.field('inParts')} />
        </>
      )}
      {kind !== 'listed' && (
        <TextField
          label={t`Label for the issued number`}
          hint={t`For example: Tag number. Each payment gets the next number. Leave this field empty if you do not issue numbers.`}
          autoComplete="off"
          optional
          {...form.field('numberLabel')}
        />
      )}
      <RadioCards label={t`Who has access?`} {...form.choice('seenBy')} options={optionsOf(audiences)} />
      <DateField label={t`Due`} optional {...form.field('dueDate')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField label={t`Opens on`} optional {...form.field('opensOn')} />
        <DateField label={t`Open until`} optional {...form.field('closesOn')} />
      </div>
    </>
  )
}
