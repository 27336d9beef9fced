/** Columns of the files of billing systems, which the platform saves for the imports of all municipalities. */
import * as z from 'zod/mini'
import { basis, line, rowId } from './body-parts.ts'
import { type Access, endpoint, formCall } from './endpoint.ts'
import {
  columnsReport,
  defineImportedFiles,
  importKindNames,
  importKinds,
  type SampleKind,
  sampleKinds,
} from './imports.ts'
import { choice, defineList, fact, filters, instant, text, whole } from './list.ts'
import type { Permission } from './privileges.ts'
import { done } from './responses.ts'

const allow = (permission: Permission): { access: Access; scope: 'none' } => ({
  access: { audience: 'platform', privilege: ['company_setup', permission] },
  scope: 'none',
})

/** Streets and zones have shapes, so their files have no columns to choose. */
type PresetKind = Exclude<SampleKind, 'streets' | 'zones'>
const presetKinds = sampleKinds.filter((kind) => kind !== 'streets' && kind !== 'zones')

const otherLabels = {
  bank_statement: 'Bank statements',
  lockbox: 'Lockbox payments',
  reads: 'Meter readings',
  records: 'Account records',
}
const labels: Record<string, string> = {
  ...Object.fromEntries(importKindNames.map((kind) => [kind, importKinds[kind][0]])),
  ...otherLabels,
}
export const presetKindLabels = Object.fromEntries(presetKinds.map((kind) => [kind, labels[kind]])) as Record<
  PresetKind,
  string
>

export const importPresets = defineList('admin/return/import/presets', 'Import Presets', {
  nouns: ['preset', 'presets'],
  summary: 'Lists the presets for the columns of imported files',
  access: allow('view').access,
  columns: {
    name: text('Billing system', { primary: true, sort: 'asc' }),
    kind: choice('Content', presetKindLabels, { group: true, priority: 1 }),
    used: whole('Columns'),
    savedAt: instant('Saved', { priority: 2 }),
    savedBy: text('By', { priority: 3 }),
    columns: fact(z.array(z.object({ name: z.string(), to: z.string() }))),
  },
  filters: { kind: filters.choice('Content', presetKindLabels, 'All content') },
})

const presetName = line(60).check(z.minLength(1, 'Enter the name of the billing system.'))
export const presetFields = z.object({
  name: presetName,
  kind: z.enum(presetKinds, { error: 'Choose the content of the file.' }),
})

/** File with the columns of a preset. The portal stores only the column names. */
export const presetFile = defineImportedFiles({ kind: 'import_preset', unnamed: 'file', ...allow('create') })

export const addImportPreset = endpoint({
  path: 'admin/add/import/preset',
  summary: 'Reads the columns of a file or saves them as a preset',
  ...allow('create'),
  takes: 'large-file',
  files: presetFile,
  body: z.extend(presetFields, {
    mode: z._default(z.enum(['read', 'save']), 'read'),
    /** A `columnMapping` as JSON, or '' to let the portal guess the columns. */
    columns: z._default(z.string().check(z.maxLength(100_000)), ''),
  }),
  /** `message` is empty if the call only read the file. */
  response: z.object({ columns: columnsReport, message: z.string() }),
})

export const renamedPreset = z.object({ name: presetName })

export const renameImportPreset = formCall({
  path: 'admin/rename/import/preset',
  summary: 'Changes the billing system of a preset',
  ...allow('update'),
  body: z.extend(renamedPreset, { presetId: rowId, basis }),
})

export const removeImportPreset = formCall({
  path: 'admin/remove/import/preset',
  summary: 'Removes a preset',
  ...allow('delete'),
  body: z.object({ presetId: rowId }),
  response: done,
})
