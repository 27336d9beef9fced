import * as z from 'zod/mini'
import { companyId, rowId } from './body-parts.ts'
import { type Access, downloadCall, endpoint } from './endpoint.ts'
import { choice, defineList, filters, instant, text, whole } from './list.ts'
import { done } from './responses.ts'
import { type Attachments, type AttachmentsInput, defineAttachments } from './attachments.ts'
import { LARGE_FILE_BYTES } from './file-types.ts'
import type { OfficeArea } from './areas.ts'
import type { Permission } from './privileges.ts'

/** Maximum length of the field `columns` of an import. */
const MAX_COLUMNS_CHARS = 100_000

/**
 * Declares the rules of files that are read once and not stored, such as an imported list. The upload call checks the
 * content.
 */
export const defineImportedFiles = (
  use: Pick<AttachmentsInput, 'kind' | 'unnamed' | 'access'> & Partial<AttachmentsInput>,
): Attachments =>
  defineAttachments({
    subject: 'company',
    accepts: [],
    maxBytes: LARGE_FILE_BYTES,
    maxFiles: 1,
    unsupportedType: 'Upload a CSV or XLSX file.',
    fieldBytes: 4 * MAX_COLUMNS_CHARS,
    ...use,
  })

/**
 * Fields sent with an imported file. In the mode `preview`, the import only reports its effect and changes nothing.
 * `columns` is a `fileMapping`, or '' to let the portal guess the columns and ask if it is unsure. Without this field, the
 * file needs the exact column names. `digest` is that of the preview. If the import would have another result, it changes
 * nothing.
 */
export const importFields = {
  mode: z._default(z.enum(['preview', 'import']), 'preview'),
  rowErrors: z._default(z.enum(['refuse', 'leave out']), 'refuse'),
  columns: z.optional(
    z.string().check(z.maxLength(MAX_COLUMNS_CHARS, 'These corrections are too long. Correct the rows in the file.')),
  ),
  digest: z.optional(z.string().check(z.maxLength(64))),
}

/** Columns of one file, as JSON in the field `columns` of an import. */
export const columnMapping = z.object({
  /** Our name of each column of the file, or '' to leave the column out. */
  columns: z.array(z.string().check(z.maxLength(60))).check(z.maxLength(1000)),
  /** Values of columns that the file lacks, for all rows. */
  values: z.record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(200))),
})
export type ColumnMapping = z.output<typeof columnMapping>

/** Maximum number of rows that staff can correct without a new file. */
export const MAX_CORRECTED_ROWS = 50

/** Cells that replace those of a row. The portal replaces them before it parses the row. */
export const correctedRow = z.object({
  /** Number of the line or row in the file. */
  line: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
  cells: z
    .array(
      z.object({
        /** Index of the column. */
        at: z.int().check(z.minimum(0), z.maximum(999)),
        text: z.string().check(z.maxLength(2000, 'Enter up to 2,000 characters.')),
      }),
    )
    .check(z.minLength(1), z.maxLength(1000)),
})
export type CorrectedRow = z.output<typeof correctedRow>
export const correctedRows = z
  .array(correctedRow)
  .check(z.maxLength(MAX_CORRECTED_ROWS, 'Correct up to 50 rows here, and the other rows in the file.'))

export const sheetName = z.string().check(z.maxLength(200))

/**
 * Choices of staff for one file: its sheet, columns and corrected rows. Without columns, the portal guesses the columns
 * of the sheet.
 */
export const fileMapping = z.extend(columnMapping, {
  sheet: z.optional(sheetName),
  corrections: z.optional(correctedRows),
})
export type FileMapping = z.output<typeof fileMapping>

/** Column of a file for the correction of its rows. */
interface FileColumn {
  /** Name in the file. */
  name: string
  /** Our name, or '' if the import ignores the column. */
  to: string
  /** Our title. */
  title: string
}

/** Returns the index of the column that an error is about, or -1 if the error does not name a column. */
export function columnOfError(columns: readonly FileColumn[], cells: readonly string[], reason: string): number {
  const text = reason.toLowerCase()
  const isQuoted = (part: string) => part !== '' && (text.includes(`“${part}”`) || text.includes(`"${part}"`))
  const scores = columns.map((column, at) => {
    if (column.to === '') return 0
    const names = [column.title, column.to, column.name].map((name) => name.toLowerCase())
    if (names.some(isQuoted)) return 2000
    const value = isQuoted((cells[at] ?? '').trim().toLowerCase()) ? 1000 : 0
    return value + Math.max(...names.map((name) => (name.length > 2 && text.includes(name) ? name.length : 0)))
  })
  const best = Math.max(0, ...scores)
  return best === 0 ? -1 : scores.indexOf(best)
}

/** Columns of a file with the choices of staff. */
export const columnsReport = z.object({
  /** Billing system, if the columns are those of its preset. */
  preset: z.optional(z.string()),
  /** Sheets of a workbook with the number of their rows, if known. Missing in other files. */
  sheets: z.optional(z.array(z.object({ name: z.string(), rows: z.nullable(z.int()) }))),
  /** Name of the sheet that the rows come from. */
  sheet: z.optional(z.string()),
  /** True if staff must check the columns before the preview. */
  isOpen: z.boolean(),
  headers: z.array(
    z.object({
      /** Name of the column in the file. */
      name: z.string(),
      samples: z.array(z.string()),
      /** Our name of the column. Empty if the import leaves the column out. */
      to: z.string(),
      /** Explains why the guess may be wrong. */
      warning: z.string(),
    }),
  ),
  options: z.array(z.object({ name: z.string(), title: z.string() })),
  /** Required columns. A file may lack some of them. */
  required: z.array(
    z.object({
      /** Our name, or alternatives such as 'address|street'. */
      name: z.string(),
      title: z.string(),
      /** Value for all rows if the file lacks the column. Null if the rows need different values. */
      value: z.nullable(z.string()),
      /** Explains how the portal makes the values. Empty if it does not. */
      made: z.string(),
    }),
  ),
})
export type ColumnsReport = z.output<typeof columnsReport>

type KindDetails = readonly [label: string, area: OfficeArea, permission: Permission]

/** Importers, each with its name and the permission that an import needs. */
export const importKinds = {
  addresses: ['Addresses', 'places', 'create'],
  balances: ['Account balances', 'billing_files', 'create'],
  bills: ['Accounts and bills', 'billing_files', 'create'],
  customers: ['Customers', 'customers', 'create'],
  faqs: ['FAQs', 'faqs', 'create'],
  hydrants: ['Hydrants', 'hydrants', 'delete'],
  open_items: ['Open items', 'general_payments', 'update'],
  parcels: ['Parcels', 'places', 'create'],
  parking_tickets: ['Parking tickets', 'parking', 'create'],
  permits: ['Permits and licenses', 'submissions', 'update'],
  registrations: ['Registrations', 'registration', 'update'],
  request_categories: ['Request categories', 'requests', 'update'],
  requests: ['Requests', 'requests', 'update'],
  reservations: ['Reservations', 'rentals', 'create'],
  resources: ['Rental resources', 'rentals', 'create'],
  staff: ['Staff', 'staff', 'create'],
  streets: ['Streets', 'places', 'create'],
  violation_codes: ['Violation codes', 'parking', 'update'],
  work_orders: ['Work orders', 'work_orders', 'create'],
  zones: ['Zones', 'places', 'create'],
} as const satisfies Record<string, KindDetails>
export type ImportKind = keyof typeof importKinds
export const importKindNames = Object.keys(importKinds) as ImportKind[]

/** Kinds that the screen Imports imports. Other screens import the other kinds. */
export const recordKinds = [
  'requests',
  'request_categories',
  'faqs',
  'work_orders',
  'violation_codes',
  'resources',
  'reservations',
  'permits',
  'registrations',
  'customers',
  'staff',
] as const satisfies readonly ImportKind[]
export type RecordKind = (typeof recordKinds)[number]

/** Importers with sample files. */
export const sampleKinds = [...importKindNames, 'bank_statement', 'lockbox', 'reads', 'records'] as const
export type SampleKind = (typeof sampleKinds)[number]

export const downloadImportSample = downloadCall({
  path: 'muni/download/import/sample',
  summary: 'Downloads a sample file for an import',
  access: { audience: 'municipality' },
  body: z.object({ companyId, kind: z.enum(sampleKinds), format: z.enum(['csv', 'xlsx']) }),
})

/** Days in which staff can undo an import. */
export const UNDO_DAYS = 30

const staff: Access = { audience: 'municipality' }
const importStates = { imported: 'Imported', undone: 'Undone' }
const kindLabels = Object.fromEntries(importKindNames.map((kind) => [kind, importKinds[kind][0]])) as Record<
  ImportKind,
  string
>

/** Imports of the kinds that the staff member may import. */
export const importList = defineList('muni/return/imports', 'Imports', {
  nouns: ['import', 'imports'],
  summary: 'Lists the imports of files',
  access: staff,
  ofCompany: true,
  columns: {
    importedAt: instant('Imported', { sort: 'desc' }),
    kind: choice('Content', kindLabels, { group: true, priority: 1 }),
    file: text('File', { primary: true, chars: 28 }),
    by: text('By', { priority: 3 }),
    created: whole('New'),
    changed: whole('Changed'),
    state: choice('Status', importStates, { group: true, priority: 2 }),
  },
  filters: {
    kind: filters.choice('Content', kindLabels, 'All content'),
    state: filters.choice('Status', importStates, 'All statuses'),
  },
  days: { column: 'importedAt' },
})

export const undoImport = endpoint({
  path: 'muni/undo/import',
  summary: 'Undoes an import: deletes its new rows and restores the changed rows',
  access: staff,
  body: z.object({ companyId, importId: rowId }),
  response: done,
})

/** Row of a preview: its values by the titles of our columns. */
const listedRow = z.object({
  /** Position in the file. Empty if unknown. */
  where: z.string(),
  fields: z.array(
    z.object({
      title: z.string(),
      value: z.string(),
      /** Value before the import, if the import changes it. */
      before: z.optional(z.string()),
    }),
  ),
})
export type ListedRow = z.output<typeof listedRow>

export const importReport = z.object({
  /** True if the import changed data. False after a preview, or if rows with errors stopped the import. */
  imported: z.boolean(),
  read: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /** Id of the completed import. Staff undo the import with it. Missing if the import changed nothing. */
  importId: z.optional(z.int()),
  errorCount: z.int(),
  /** Identifies the result of a preview. Missing in programs that did not ask for columns. */
  digest: z.optional(z.string()),
  /** True if the result differs from that of the preview, so that the import changed nothing. */
  differs: z.optional(z.boolean()),
  /** Number of rows that staff corrected without a new file. */
  correctedRows: z.optional(z.int()),
  /** First rows with errors. Each has its position in the file and an explanation of how to correct it. */
  invalidRows: z.array(
    z.object({
      where: z.string(),
      reason: z.string(),
      /** Number of the line or row. Missing if staff cannot correct it without a new file. */
      line: z.optional(z.int()),
      /** Cells of the row in the file. Only for imports with chosen columns. */
      cells: z.optional(z.array(z.string())),
    }),
  ),
  /** First rows by their result. Missing in programs that did not ask for columns. */
  rows: z.optional(
    z.object({ created: z.array(listedRow), changed: z.array(listedRow), unchanged: z.array(listedRow) }),
  ),
  /** Characters of the file that generated documents can't print. */
  unprintable: z.array(z.string()),
  /** Columns of the file. Missing if the caller did not ask for them. */
  columns: z.optional(columnsReport),
})
export type ImportReport = z.output<typeof importReport>
