import { findFile } from '../../../server/attachments/keep.ts'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { csvFileOf } from '../../../server/csv.ts'
import { CORRECTION, correctionRow } from '../../../shared/csv.ts'
import { openBillingTable } from '../../utility-accounts/api.ts'
import { billFiles, downloadBillingErrors } from '../contract.ts'
import { withBundle } from './bundle.ts'

/**
 * Returns the lines with errors of an uploaded file, with their columns and the correction that each line needs. Staff
 * correct this file and upload it with the same columns.
 */
export const downloadBillingErrorsCall = implement(downloadBillingErrors, async (call) => {
  const { context, company, body } = call
  const { path, reasons } = await call.inCompany(async (tx) => {
    const file = await findFile(tx, billFiles, company.id, body.fileId, 1)
    const lines = await tx
      .selectFrom('billing_file_line')
      .select(['line', 'reason'])
      .where('company_id', '=', company.id)
      .where('file_id', '=', body.fileId)
      .where('what', '=', 'invalid')
      .execute()
    await call.audit(tx, { action: 'export.billing_lines', subject: { kind: 'billing_file', id: body.fileId } })
    if (file.path === null) throw notFound('This file is no longer stored. Upload the file again.')
    return { path: file.path, reasons: new Map(lines.map(({ line, reason }) => [line, reason])) }
  })
  const rows = await withBundle(
    call,
    () => context.files.read(path),
    async ({ open }) => {
      const table = await openBillingTable(open())
      const invalid = [[...table.headers, CORRECTION]]
      for await (const { line, cells, where } of table.rows({ columns: [], values: {} })) {
        const reason = reasons.get(line)
        if (reason !== undefined) invalid.push(correctionRow(table.headers, cells, where, reason))
      }
      return invalid
    },
  )
  return csvFileOf(`lines-with-errors-${body.fileId}.csv`, rows)
})
