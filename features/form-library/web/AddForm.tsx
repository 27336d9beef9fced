import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import * as z from 'zod/mini'
import { pickedTypes, tooLarge } from '../../../shared/file-types.ts'
import { reload } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { useUpload } from '../../../web/ui/upload.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { createForm, formFiles } from '../contract.ts'
import { forms } from '../list.ts'
import { formFields, titleOf } from '../rules.ts'
import { FormFields } from './FormFields.tsx'

/** Rules of the form and its file. The browser checks only the properties known before the upload. */
const schema = z.extend(formFields, {
  file: z
    .custom<File | null>((file) => file instanceof File, 'Choose a file.')
    .check(z.refine((file) => !file || file.size <= formFiles.maxBytes, { error: tooLarge(formFiles) })),
})
type Values = z.output<typeof schema>

/** Form that adds a form template. The user chooses the file first, and the portal proposes a title from its name. */
export function AddForm({ onClose }: { onClose: () => void }) {
  const form = useZodForm(schema, {
    defaultValues: { file: null, title: '', description: '', category: '' as never },
    draft: { name: 'add-form', leaveOut: ['file'] },
  })
  const { upload, send } = useUpload()
  const proposed = useRef('')
  const file = form.choice('file')
  const choose = (chosen: File | null) => {
    file.onChange(chosen)
    const title = form.getValues('title')
    if (!chosen || (title !== '' && title !== proposed.current)) return
    proposed.current = titleOf(chosen.name)
    form.setValue('title', proposed.current, { shouldDirty: true })
    form.clearErrors('title')
  }
  const save = async ({ file: chosen, ...fields }: Values) => {
    if (!chosen) return
    toast((await send({ takes: createForm, by: formFiles, file: chosen, fields })).message)
    await reload(forms.call)
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Add form</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <FilePicker
        accept={pickedTypes(formFiles)}
        hint={<Trans>PDF, Word (.docx), PNG or JPG, up to 5 MB</Trans>}
        label={<Trans>File</Trans>}
        value={file.value}
        onChange={choose}
        error={file.error}
        upload={upload}
      />
      <FormFields fields={form.field} />
    </FormSlideOut>
  )
}
