import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { tooLarge } from '../../../shared/file-types.ts'
import {
  addImportPreset,
  importPresets,
  presetFields,
  presetFile,
  presetKindLabels,
} from '../../../shared/import-presets.ts'
import type { ColumnMapping, ColumnsReport } from '../../../shared/imports.ts'
import { translated } from '../../../shared/messages.ts'
import { reload } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { ImportColumns, proposedMapping } from '../../../web/ui/office/ImportColumns.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { useUpload } from '../../../web/ui/upload.ts'

const schema = z.extend(presetFields, {
  file: z
    .custom<File | null>((file) => file instanceof File, 'Choose a file.')
    .check(z.refine((file) => !file || file.size <= presetFile.maxBytes, { error: tooLarge(presetFile) })),
})
type Values = z.output<typeof schema>

interface FileColumns {
  report: ColumnsReport
  mapping: ColumnMapping
  /** File and content that the columns belong to. */
  file: File
  kind: string
}

/** Panel that adds a preset: staff choose a file of the billing system, check its columns, and save them. */
export function AddPreset({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(schema, {
    defaultValues: { name: '', kind: '' as never, file: null },
    draft: { name: 'add-import-preset', leaveOut: ['file'] },
  })
  const { upload, send } = useUpload()
  const file = form.choice('file')
  const [read, setRead] = useState<FileColumns | null>(null)
  const columns = read && read.file === file.value && read.kind === form.watch('kind') ? read : null
  const submit = async ({ file: chosen, name, kind }: Values) => {
    if (!chosen) return
    const mode = columns ? 'save' : 'read'
    const mapping = columns ? JSON.stringify(columns.mapping) : ''
    const fields = { name, kind, mode, columns: mapping }
    const response = await send({ takes: addImportPreset, by: presetFile, file: chosen, fields })
    if (!columns)
      return setRead({ report: response.columns, mapping: proposedMapping(response.columns), file: chosen, kind })
    toast(response.message)
    await reload(importPresets.call)
    onClose()
  }
  return (
    <FormSlideOut
      title={<Trans>Add preset</Trans>}
      form={form}
      save={columns ? <Trans>Save preset</Trans> : <Trans>Read columns</Trans>}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={<Trans>Billing system</Trans>}
        hint={<Trans>Municipalities see this name, for example: Riverside Billing 7.</Trans>}
        maxLength={60}
        autoComplete="off"
        {...form.field('name')}
      />
      <Select
        label={<Trans>Content of the file</Trans>}
        placeholder={t`Choose the content`}
        options={Object.entries(presetKindLabels).map(([value, label]) => ({ value, label: translated(label) }))}
        {...form.field('kind')}
      />
      <FilePicker
        accept=".csv,.xlsx"
        hint={<Trans>CSV or Excel (XLSX) from this billing system. The portal stores only the column names.</Trans>}
        label={<Trans>File</Trans>}
        value={file.value}
        onChange={file.onChange}
        error={file.error}
        upload={upload}
      />
      {columns && (
        <ImportColumns
          report={columns.report}
          mapping={columns.mapping}
          disabled={form.formState.isSubmitting}
          onChange={(mapping) => setRead({ ...columns, mapping })}
        />
      )}
    </FormSlideOut>
  )
}
