import { findFile } from '../../../server/attachments/keep.ts'
import { type Call, implement } from '../../../server/call.ts'
import { importColumns } from '../../../server/columns.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { csvFileOf } from '../../../server/csv.ts'
import { titlesOf } from '../../../server/import-columns.ts'
import { actorOf, transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { CORRECTION, correctionRow } from '../../../shared/csv.ts'
import { MAX_CORRECTED_ROWS } from '../../../shared/imports.ts'
import { openBillingTable } from '../../utility-accounts/api.ts'
import { billFiles, correctBillingLines, downloadBillingErrors, returnBillingErrors } from '../contract.ts'
import { withBundle } from './bundle.ts'
import { fileStateStore } from './file-store.ts'
import { PREVIEW_JOB } from './preview.ts'

interface InvalidLine {
  line: number
  where: string
  reason: string
  cells: readonly string[]
}

const mappingOf = async (tx: Tx, { company, body }: Call<{ fileId: number }>) => {
  const row = await tx
    .selectFrom('billing_file')
    .select(['mapping', 'state'])
    .where('company_id', '=', company.id)
    .where('id', '=', body.fileId)
    .executeTakeFirst()
  if (!row) throw notFound('This file was not found.')
  return row
}

/** Reads the lines with errors of an uploaded file, up to `max`. The cells include the corrections of staff. */
async function invalidLines(call: Call<{ fileId: number }>, max: number) {
  const { context, company, body } = call
  const { path, reasons, mapping } = await call.reading(async (tx) => {
    const file = await findFile(tx, billFiles, company.id, body.fileId, 1)
    const lines = await tx
      .selectFrom('billing_file_line')
      .select(['line', 'reason'])
      .where('company_id', '=', company.id)
      .where('file_id', '=', body.fileId)
      .where('what', '=', 'invalid')
      .orderBy('line')
      .limit(max)
      .execute()
    if (file.path === null) throw notFound('This file is no longer stored. Upload the file again.')
    return {
      path: file.path,
      reasons: new Map(lines.map(({ line, reason }) => [line, reason])),
      mapping: (await mappingOf(tx, call)).mapping,
    }
  })
  if (reasons.size === 0) return { headers: [], rows: [], mapping }
  return withBundle(
    call,
    () => context.files.read(path),
    async ({ open }) => {
      const table = await openBillingTable(open(), mapping?.sheet)
      const rows: InvalidLine[] = []
      for await (const { line, cells, where } of table.rows({ ...mapping, columns: [], values: {} })) {
        const reason = reasons.get(line)
        if (reason !== undefined) rows.push({ line, where, reason, cells })
        if (rows.length === reasons.size) break
      }
      return { headers: table.headers, rows, mapping }
    },
  )
}

/**
 * Returns the lines with errors of an uploaded file, with their columns and the correction that each line needs. Staff
 * correct this file and upload it with the same columns.
 */
export const downloadBillingErrorsCall = implement(downloadBillingErrors, async (call) => {
  const { headers, rows } = await invalidLines(call, Number.MAX_SAFE_INTEGER)
  const lines = rows.map(({ cells, where, reason }) => correctionRow(headers, cells, where, reason))
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.billing_lines', subject: { kind: 'billing_file', id: call.body.fileId } }),
  )
  return csvFileOf(`lines-with-errors-${call.body.fileId}.csv`, [[...headers, CORRECTION], ...lines])
})

export const returnBillingErrorsCall = implement(returnBillingErrors, async (call) => {
  const { headers, rows, mapping } = await invalidLines(call, MAX_CORRECTED_ROWS)
  const columns = importColumns.get(mapping?.kind ?? '')
  return {
    columns: headers.map((name, at) => {
      const to = mapping?.columns[at] ?? ''
      return { name, to, title: columns && to !== '' ? titlesOf(columns, [to]) : '' }
    }),
    rows: rows.map((row) => ({ ...row, cells: [...row.cells] })),
    corrections: mapping?.corrections ?? [],
  }
})

export const correctBillingLinesCall = implement(correctBillingLines, (call) =>
  call.inCompany(async (tx) => {
    const { fileId: id, corrections } = call.body
    const { mapping } = await mappingOf(tx, call)
    if (!mapping) throw conflict('not_correctable', 'The lines of this file cannot be corrected here.')
    const patch = { mapping: JSON.stringify({ ...mapping, corrections }) }
    await transition(tx, fileStateStore, {
      ...{ scope: call.company.id, id, event: 'correct', actor: actorOf(call) },
      ...{ patch, detail: { lines: corrections.length } },
    })
    await call.context.jobs.enqueue(tx, PREVIEW_JOB, { company: call.company.id, file: id })
    return { success: true as const, message: 'Corrections saved. The preview is being prepared.' }
  }),
)
