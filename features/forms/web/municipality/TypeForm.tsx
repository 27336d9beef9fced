import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import type { Definition } from '../../../../shared/fields/definition.ts'
import { allFields } from '../../../../shared/fields/walk.ts'
import { call } from '../../../../web/call.ts'
import { setQuery } from '../../../../web/go.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { OnceLoaded } from '../../../../web/ui/ResponseView.tsx'
import { Checkbox, DateField, optionsOf, RadioCards, Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { wholeNumber, wholeNumberOrNone } from '../../../../web/ui/whole-number.ts'
import { createFormType, formTypeChoices, saveFormType, showFormType } from '../../contract.ts'
import { formTypes } from '../../list.ts'
import { audiences, categories, feeKinds, type TypeForm, typeForm, type TypeInput, usualType } from '../../rules.ts'
import { EditSlideOut } from '../../../../web/ui/EditSlideOut.tsx'

type TypeFields = ZodForm<TypeInput, TypeForm>

const blank: TypeForm = { ...usualType, title: '', category: 'other', description: '' }
const refresh = () => Promise.all([reload(formTypes.call), reload(showFormType), reload(formTypeChoices)])

export function AddType({ onClose }: { onClose: () => void }) {
  const [template, setTemplate] = useState('')
  const { data } = useResponse(formTypeChoices, {})
  const content = data?.library.find(({ id }) => String(id) === template)?.content
  return (
    <EditSlideOut<TypeInput, TypeForm, ResponseOf<typeof createFormType>>
      title={<Trans>Add form</Trans>}
      rules={typeForm}
      start={blank}
      isNew
      draft="add-form-type"
      onSave={(values) => call(createFormType, { form: values, templateId: template === '' ? null : Number(template) })}
      refresh={refresh}
      onSaved={({ typeId }) => setQuery({ form: String(typeId), work: null })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <LibrarySelect form={form} value={template} onChange={setTemplate} />
          <Inputs form={form} {...(content && { fields: content.definition })} />
        </>
      )}
    </EditSlideOut>
  )
}

interface LibrarySelectProps {
  form: TypeFields
  value: string
  onChange: (template: string) => void
}

/** List for choosing the form template that supplies the title and text of the new form. */
function LibrarySelect({ form, value, onChange }: LibrarySelectProps) {
  const { t } = useLingui()
  const { data } = useResponse(formTypeChoices, {})
  const library = data?.library ?? []
  if (library.length === 0) return null
  return (
    <Select
      label={t`Library form`}
      hint={t`The title, text, settings and questions are copied from the library form. You can change them.`}
      value={value}
      options={[
        { value: '', label: t`None: start with a blank form` },
        ...library.map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
      onChange={({ target }) => {
        onChange(target.value)
        const chosen = library.find(({ id }) => String(id) === target.value)
        if (!chosen) return
        const { title, description, content } = chosen
        form.reset({ ...form.getValues(), ...content?.settings, title, description }, { keepDefaultValues: true })
      }}
    />
  )
}

export const EditType = ({ id, onClose }: { id: number; onClose: () => void }) => (
  <OnceLoaded
    title={<Trans>Edit form</Trans>}
    onClose={onClose}
    response={useResponse(showFormType, { typeId: id })}
    loading={<Trans>Loading form</Trans>}
  >
    {(type) => <Loaded key={id} type={type} onClose={onClose} />}
  </OnceLoaded>
)

function Loaded({ type, onClose }: { type: ResponseOf<typeof showFormType>; onClose: () => void }) {
  const { id, form: stored, published, draft, latestVersion } = type
  return (
    <EditSlideOut<TypeInput, TypeForm, ResponseOf<typeof saveFormType>>
      title={<Trans>Edit {stored.title}</Trans>}
      rules={typeForm}
      start={stored}
      isNew={false}
      draft={`form-type-${id}`}
      onSave={(values, basis) => call(saveFormType, { typeId: id, form: values, basis })}
      refresh={refresh}
      onClose={onClose}
    >
      {(form) => <Inputs form={form} fields={latestVersion > 0 ? published : draft} />}
    </EditSlideOut>
  )
}

/** Field types that a limit on equal answers can compare, such as a day, a street or a choice. */
const LIMITABLE = new Set(['text', 'choice', 'date', 'number', 'address'])

/** Inputs of the form. Hides inputs that do not apply to the current choices. */
function Inputs({ form, fields = { steps: [] } }: { form: TypeFields; fields?: Definition }) {
  const { t } = useLingui()
  const { data } = useResponse(formTypeChoices, {})
  const people = (among: readonly { id: number; name: string }[] | undefined, none: string) => [
    { value: '', label: none },
    ...(among ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <>
      <TextField
        label={t`Title`}
        hint={t`The name that residents see, for example: Block party permit`}
        autoComplete="off"
        {...form.field('title')}
      />
      <Select label={t`Category`} options={optionsOf(categories)} {...form.field('category')} />
      <TextArea
        label={t`Text`}
        hint={t`Describe the purpose of the form and who needs it`}
        rows={3}
        optional
        {...form.field('description')}
      />
      <RadioCards label={t`Who has access?`} {...form.choice('seenBy')} options={optionsOf(audiences)} />
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField label={t`Opens on`} optional {...form.field('opensOn')} />
        <DateField label={t`Open until`} optional {...form.field('closesOn')} />
      </div>
      <FeeInputs form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t`Department`}
          hint={t`This department receives the submissions.`}
          options={people(data?.departments, t`None`)}
          {...form.field('departmentId')}
        />
        <Select
          label={t`Reviewer`}
          hint={t`This reviewer receives the submissions instead of the department.`}
          options={people(data?.people, t`No specific person`)}
          {...form.field('reviewerId')}
        />
      </div>
      <Checkbox label={t`Require a second signer, who gets a link by email`} {...form.field('cosigned')} />
      <LimitInputs form={form} fields={fields} />
      <IssueInputs form={form} />
    </>
  )
}

function FeeInputs({ form }: { form: TypeFields }) {
  const { t } = useLingui()
  const feeKind = form.watch('feeKind')
  return (
    <>
      <RadioCards label={t`How is the fee set?`} {...form.choice('feeKind')} options={optionsOf(feeKinds)} />
      {feeKind === 'fixed' && <MoneyField label={t`Fee`} className="max-w-60" {...form.money('feeCents')} />}
      {feeKind !== 'none' && (
        <TextField
          label={t`GL account`}
          hint={t`GL account that these payments are credited to`}
          autoComplete="off"
          {...form.field('glAccount')}
        />
      )}
    </>
  )
}

/** Inputs for the limits per person and, if `fields` has suitable fields, for equal answers. */
function LimitInputs({ form, fields }: { form: TypeFields; fields: Definition }) {
  const { t } = useLingui()
  const maxSame = form.watch('maxSame')
  const limited = form.watch('limitFields')
  const limitable = allFields(fields).filter(({ type }) => LIMITABLE.has(type))
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t`Maximum submissions per person`}
          hint={t`Leave empty for no limit`}
          optional
          className="max-w-60"
          {...wholeNumberOrNone(form.choice('maxEach'))}
        />
        <TextField label={t`Limit period (days)`} className="max-w-60" {...wholeNumber(form.choice('eachDays'))} />
      </div>
      {limitable.length > 0 && (
        <>
          <TextField
            label={t`Maximum submissions with the same answers`}
            hint={t`For example, if a parade route allows one permit per day, enter 1. Then choose the route and day fields.`}
            optional
            className="max-w-60"
            {...wholeNumberOrNone(form.choice('maxSame'))}
          />
          {maxSame !== null && (
            <fieldset>
              <legend className="font-bold">
                <Trans>Fields to compare</Trans>
              </legend>
              {limitable.map(({ name, label }) => (
                <Checkbox
                  key={name}
                  label={label}
                  checked={limited.includes(name)}
                  onChange={({ target }) =>
                    form
                      .choice('limitFields')
                      .onChange(target.checked ? [...limited, name] : limited.filter((one) => one !== name))
                  }
                />
              ))}
            </fieldset>
          )}
        </>
      )}
    </>
  )
}

function IssueInputs({ form }: { form: TypeFields }) {
  const { t } = useLingui()
  const issues = form.watch('issues')
  return (
    <>
      <TextField
        label={t`Document issued on approval`}
        hint={t`For example: Dog license. Each document gets a number, a PDF and a verification page. Leave empty if approval does not issue a document.`}
        autoComplete="off"
        optional
        {...form.field('issues')}
      />
      {issues !== '' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t`Valid for (months)`}
            hint={t`Leave empty for no expiration`}
            optional
            className="max-w-60"
            {...wholeNumberOrNone(form.choice('validMonths'))}
          />
          <TextField
            label={t`Reminder (days before expiration)`}
            className="max-w-60"
            {...wholeNumber(form.choice('remindDays'))}
          />
        </div>
      )}
    </>
  )
}
