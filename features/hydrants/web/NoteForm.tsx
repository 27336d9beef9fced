import { Trans, useLingui } from '@lingui/react/macro'
import { addMonths } from '../../../shared/dates.ts'
import { noLocation } from '../../../shared/places.ts'
import { page } from '../../../web/page.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { DateField, optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { noteForm, type NoteForm as Values } from '../contract.ts'
import { noteLabels } from '../rules.ts'
import { reloadNotes } from './fresh.ts'
import type { EditorProps } from './editor.ts'

/** Values of a new note. Staff must confirm each note again after one year. */
export const blankNote = (): Values => ({
  kind: 'hazard',
  location: noLocation,
  text: '',
  agreedBy: '',
  agreedOn: '',
  agreedHow: '',
  confirmOn: addMonths(page().today, 12),
})

/** Form for a premise note. The text is not saved as a draft, because drafts are stored in the browser. */
export function NoteForm({ title, start, basis, draft, onClose, onSave }: EditorProps<Values>) {
  const { t } = useLingui()
  const form = useZodForm(noteForm, {
    defaultValues: start,
    ...(basis && { basis }),
    draft: { name: draft, leaveOut: ['text', 'agreedBy', 'agreedHow'] },
  })
  const isPerson = form.watch('kind') === 'person'
  return (
    <FormSlideOut
      title={title}
      form={form}
      onSubmit={async (values) => {
        toast(await onSave(values, form.basis))
        await reloadNotes()
      }}
      onClose={onClose}
    >
      <Select label={t`Subject`} options={optionsOf(noteLabels)} {...form.field('kind')} />
      <LocationField label={t`Location`} {...form.choice('location')} />
      <TextArea
        label={t`Information for responders`}
        hint={t`Staff with access to premise notes can read this information. Each view is logged.`}
        rows={5}
        {...form.field('text')}
      />
      <FieldGroup id="agreed" label={t`Consent`} optional={!isPerson}>
        {isPerson && (
          <p className="mb-2 text-sm">
            <Trans>Save a note about a person only with their consent.</Trans>
          </p>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={t`Name`} optional={!isPerson} autoComplete="off" {...form.field('agreedBy')} />
          <DateField label={t`Consent date`} optional={!isPerson} {...form.field('agreedOn')} />
        </div>
        <TextField
          className="mt-4"
          label={t`Method`}
          optional={!isPerson}
          hint={t`For example: signed form or phone call`}
          autoComplete="off"
          {...form.field('agreedHow')}
        />
      </FieldGroup>
      <DateField
        label={t`Confirmation due`}
        hint={t`By this date, staff must check that the note is still correct.`}
        {...form.field('confirmOn')}
      />
    </FormSlideOut>
  )
}
