import { Trans, useLingui } from '@lingui/react/macro'
import { Select } from '../../../web/ui/Choice.tsx'
import type { FieldBinding } from '../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { formCategories } from '../rules.ts'

interface FormFieldsProps {
  fields: (name: 'title' | 'description' | 'category') => FieldBinding
}

/** Inputs of a form template other than its file. */
export function FormFields({ fields }: FormFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField label={<Trans>Title</Trans>} maxLength={120} autoComplete="off" {...fields('title')} />
      <Select
        label={<Trans>Category</Trans>}
        placeholder={t`Choose a category`}
        options={formCategories.map((name) => ({ value: name, label: name }))}
        {...fields('category')}
      />
      <TextArea
        label={<Trans>Description</Trans>}
        hint={<Trans>Describe who needs this form and why.</Trans>}
        optional
        maxLength={500}
        {...fields('description')}
      />
    </>
  )
}
