import * as z from 'zod/mini'
import { companyId, rowId, searchLine } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { type FieldType, fieldTypes } from '../../shared/fields/definition.ts'
import { codeOf } from '../../shared/form-parts.ts'
import { done } from '../../shared/responses.ts'
import { MAX_FILE_LENGTH } from './rules.ts'

/** Each kind of records needs the permission of its area (`server/contents.ts`). */
const staff: Access = { audience: 'municipality' }

/** Names of the kinds, which features declare as contents. */
export const recordKinds = {
  form: 'Form',
  'rental-resource': 'Rental resource',
  'request-category': 'Request category',
  'inspection-template': 'Inspection template',
  'maintenance-plan': 'Maintenance plan',
} as const
export type RecordKind = keyof typeof recordKinds

const kind = codeOf(recordKinds, 'Choose a kind of records.')
const fieldType = z.nullable(z.enum(Object.keys(fieldTypes) as [FieldType]))

/** Difference between a record and a newer content (`server/content-differences.ts`). */
export const difference = z.object({
  part: z.string(),
  label: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  before: z.string(),
  after: z.string(),
  types: z.nullable(z.object({ before: fieldType, after: fieldType })),
  isConflict: z.boolean(),
})

/** Content of a new record: its settings as text, and its questions by step. */
const preview = z.object({
  title: z.string(),
  settings: z.array(z.object({ label: z.string(), text: z.string() })),
  steps: z.array(z.object({ title: z.string(), questions: z.array(z.string()) })),
})

/** Hash of the preview. If the preview changed since, the record is not saved. */
const digest = z.string().check(z.maxLength(64))
const created = z.extend(done, { id: z.number(), path: z.string() })

export const exportRecord = downloadCall({
  path: 'muni/export/record',
  summary: 'Downloads a record that staff built as JSON',
  access: staff,
  body: z.object({ companyId, kind, id: rowId }),
})

const file = {
  companyId,
  kind,
  content: z.string().check(z.maxLength(MAX_FILE_LENGTH, 'This file is too large. The limit is 500,000 characters.')),
  /** Existing record that takes the content of the file. Null for a new record. */
  id: z.nullable(rowId),
}

export const compareRecordFile = endpoint({
  path: 'muni/compare/record/file',
  summary: 'Returns the changes that the import of a JSON file would make',
  access: staff,
  body: z.object(file),
  response: z.object({ preview, differences: z.array(difference), digest }),
})

/** Creates a draft from a file, or changes a record. Questions stay a draft until staff publish them. */
export const importRecordFile = formCall({
  path: 'muni/import/record/file',
  summary: 'Imports a JSON file into a new or an existing record',
  access: staff,
  body: z.object({ ...file, digest }),
  response: created,
})

export const MAX_SHARED = 50

export const sharedRecords = endpoint({
  path: 'muni/return/shared/records',
  summary: 'Returns the records of one kind that other municipalities share',
  access: staff,
  body: z.object({ companyId, kind, search: z._default(searchLine(100), '') }),
  response: z.object({
    records: z.array(
      z.object({
        municipalityId: z.number(),
        municipality: z.string(),
        id: z.number(),
        title: z.string(),
        /** Null if staff never changed the record. */
        changedAt: z.nullable(z.string()),
      }),
    ),
    /** True if more records match. */
    more: z.boolean(),
  }),
})

const ofShared = { companyId, kind, municipalityId: rowId, id: rowId }

export const sharedRecord = endpoint({
  path: 'muni/return/shared/record',
  summary: 'Returns a preview of a record that another municipality shares',
  access: staff,
  body: z.object(ofShared),
  response: z.object({
    municipality: z.string(),
    preview,
    /** Texts about the other municipality, with their replacements in the copy. */
    replaced: z.array(z.object({ before: z.string(), after: z.string(), count: z.int() })),
    /** Sentences that may still be about the other municipality. */
    mentions: z.array(z.string()),
    digest,
  }),
})

export const copySharedRecord = formCall({
  path: 'muni/take/shared/record',
  summary: 'Copies a record of another municipality as a draft',
  access: staff,
  body: z.object({ ...ofShared, digest }),
  response: created,
})
