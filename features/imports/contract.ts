import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { defineImportedFiles, importFields, importReport, recordKinds } from '../../shared/imports.ts'

/** Each kind of record needs the permission of its area. */
const staff: Access = { audience: 'municipality' }

export const recordFile = defineImportedFiles({ kind: 'record_file', unnamed: 'records', access: staff })

export const importRecords = endpoint({
  path: 'muni/import/records',
  summary: 'Imports records of one kind from a CSV or XLSX file or previews the import',
  access: staff,
  takes: 'large-file',
  files: recordFile,
  body: z.object({ companyId, kind: z.enum(recordKinds), ...importFields }),
  response: importReport,
})
