import { createReadStream } from 'node:fs'
import { implement } from '../../../server/call.ts'
import { moduleOff, notAllowed } from '../../../server/errors.ts'
import { columnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { importSource } from '../../../server/imported-rows.ts'
import { importers, startImporter } from '../../../server/importers.ts'
import { importAtOnce, importRows, refuseParallelImport } from '../../../server/imports.ts'
import { isAreaOn } from '../../../server/modules.ts'
import { mayImport } from '../../../server/undo-imports.ts'
import { importKinds } from '../../../shared/imports.ts'
import { importRecords } from '../contract.ts'

const IMPORT_LOCK = 20_140
const BATCH = 500

export const importRecordsCall = implement(importRecords, (call) => {
  const { kind } = call.body
  const importer = importers.get(kind)
  if (!importer || !mayImport(call, kind)) throw notAllowed()
  if (!isAreaOn(call.company, importKinds[kind][1])) throw moduleOff(importKinds[kind][0])
  return importAtOnce((work) => call.inCompany(work), {
    ...call.body,
    undo: { source: importSource(call, kind, call.largeFile), rules: importer.undo },
    work: async (tx, report, changes) => {
      await refuseParallelImport(tx, IMPORT_LOCK, call.company.id)
      const started = await startImporter(importer, { tx, call, changes }, report)
      const input = columnsInput(call)
      const table = await openTableOfStaff(tx, () => createReadStream(call.largeFile.path), input, importer.columns)
      await importRows(rowsOfStaff(tx, table, input, report), { report, ...started, every: BATCH })
    },
    record: (tx, counts) =>
      call.audit(tx, { action: 'import.finished', detail: { kind, file: call.largeFile.name, ...counts } }),
  })
})
