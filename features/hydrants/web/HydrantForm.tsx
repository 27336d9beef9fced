import { useLingui } from '@lingui/react/macro'
import { noLocation } from '../../../shared/places.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { forgetDraft, useZodForm } from '../../../web/ui/form.ts'
import { PrintedCodeField, TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { hydrantForm, type HydrantForm as Values } from '../contract.ts'
import { reloadHydrants } from './fresh.ts'
import type { EditorProps } from './editor.ts'

export const blankHydrant: Values = {
  number: '',
  make: '',
  model: '',
  madeYear: '',
  sizeInches: '',
  mainInches: '',
  location: noLocation,
  lastInspectedOn: '',
  nextInspectionOn: '',
  notes: '',
}

export function HydrantForm({ title, start, basis, draft, onClose, onSave }: EditorProps<Values>) {
  const { t } = useLingui()
  const form = useZodForm(hydrantForm, { defaultValues: start, ...(basis && { basis }), draft: { name: draft } })
  const save = async (values: Values) => {
    toast(await onSave(values, form.basis))
    forgetDraft(form)
    await reloadHydrants()
  }
  return (
    <FormSlideOut title={title} form={form} onSubmit={save} onClose={onClose}>
      <PrintedCodeField
        label={t`Number`}
        hint={t`Enter the number painted on the hydrant.`}
        {...form.field('number')}
      />
      <LocationField label={t`Location`} optional {...form.choice('location')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t`Make`} optional autoComplete="off" {...form.field('make')} />
        <TextField label={t`Model`} optional autoComplete="off" {...form.field('model')} />
        <TextField label={t`Year made`} optional inputMode="numeric" {...form.field('madeYear')} />
        <TextField label={t`Size, inches`} optional inputMode="decimal" {...form.field('sizeInches')} />
        <TextField label={t`Water main size, inches`} optional inputMode="decimal" {...form.field('mainInches')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField label={t`Last inspection`} optional {...form.field('lastInspectedOn')} />
        <DateField label={t`Next inspection`} optional {...form.field('nextInspectionOn')} />
      </div>
      <TextArea label={t`Notes`} optional rows={3} {...form.field('notes')} />
    </FormSlideOut>
  )
}
