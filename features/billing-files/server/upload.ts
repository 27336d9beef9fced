import { createReadStream } from 'node:fs'
import { attach, type ReceivedFile, scanFile } from '../../../server/attachments/keep.ts'
import { callerName, implement, signedIn } from '../../../server/call.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { malformed, notFound, rejected } from '../../../server/errors.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { importColumns, unmappedIn } from '../../../server/columns.ts'
import { isValidMapping, titlesOf } from '../../../server/import-columns.ts'
import { undoableImport, whenUndone } from '../../../server/undo-imports.ts'
import { say } from '../../../shared/messages.ts'
import { settleColumns } from '../../utility-accounts/api.ts'
import {
  billFiles,
  changeBillingFile,
  chooseBillingColumns,
  chooseBillingSheet,
  previewBills,
  returnBillingFile,
} from '../contract.ts'
import { billingFileStates } from '../states.ts'
import { isZip } from './bundle.ts'
import { fileStateStore } from './file-store.ts'
import { PREVIEW_JOB, IMPORT_JOB } from './preview.ts'

/**
 * Saves the file and queues its preview, unless the first line shows a wrong file type. The screen shows the preview
 * when it is ready.
 */
export const previewBillsCall = implement(previewBills, async (call) => {
  const { context, company, largeFile } = call
  const name = largeFile.name.slice(0, 200)
  const content = () => createReadStream(largeFile.path)
  // The portal checks the content of a zip or workbook later, in a job.
  const isPacked = await isZip(content())
  if (!isPacked)
    await settleColumns(context, company.id, content).catch((error: unknown) => {
      throw error instanceof FileRefused ? rejected(error.message) : error
    })
  const state = await scanFile(call, billFiles, company.id, { name, content })
  const storedFile = await context.files.write(company.id, content())
  const received: ReceivedFile = {
    ...storedFile,
    call,
    use: billFiles,
    owner: company.id,
    name,
    contentType: isPacked ? 'application/zip' : 'text/csv',
    preview: null,
    takenAt: null,
    state,
  }
  try {
    const fileId = await call.inCompany(async (tx) => {
      const { id } = await tx
        .insertInto('billing_file')
        .values({
          company_id: company.id,
          name,
          source: 'upload',
          sender: callerName(call),
          received_at: context.clock.now(),
          state: 'previewing',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await attach(tx, received, id)
      const detail = { file: name, bytes: storedFile.bytes }
      await recordCreation(tx, fileStateStore, { scope: company.id, id, event: 'upload', actor: actorOf(call), detail })
      await context.jobs.enqueue(tx, PREVIEW_JOB, { company: company.id, file: id })
      return id
    })
    return {
      success: true as const,
      message: 'File received. The preview is being prepared. Nothing has changed yet.',
      fileId,
    }
  } catch (error) {
    await context.files.remove(storedFile.path)
    throw error
  }
})

export const returnBillingFileCall = implement(returnBillingFile, (call) =>
  call.reading(async (tx) => {
    const row = await tx
      .selectFrom('billing_file')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('id', '=', call.body.fileId)
      .executeTakeFirst()
    if (!row) throw notFound('This file was not found.')
    return {
      id: row.id,
      name: row.name,
      source: row.source,
      sender: row.sender,
      receivedAt: row.received_at.toISOString(),
      state: row.state,
      problem: row.problem,
      changedMeanwhile: row.differs_from_preview,
      linesRead: row.lines_read,
      linesDone: row.lines_done,
      errorCount: row.error_count,
      accountsCreated: row.accounts_created,
      accountsUpdated: row.accounts_updated,
      billsCreated: row.bills_created,
      billsChanged: row.bills_changed,
      billsUnchanged: row.bills_unchanged,
      billedCents: row.billed_cents,
      receivedCents: row.received_cents,
      adjustmentsCreated: row.adjustments_created,
      adjustedCents: row.adjusted_cents,
      shutoffsChanged: row.shutoffs_changed,
      documentsStored: row.documents_stored,
      documentsMissing: row.documents_missing,
      columns: row.state === 'mapping' ? row.columns : null,
      sheets: row.state === 'mapping' || row.state === 'previewed' ? (row.mapping?.sheets ?? []) : [],
      sheet: row.mapping?.sheet ?? '',
      undoableImport: await undoableImport(tx, call, row.import_id),
      can: buttonsFrom(billingFileStates, row.state, { as: 'staff', privileges: signedIn(call).privileges }),
    }
  }),
)

export const chooseBillingColumnsCall = implement(chooseBillingColumns, (call) =>
  call.inCompany(async (tx) => {
    const { fileId: id, mapping: chosen } = call.body
    const row = await tx
      .selectFrom('billing_file')
      .select(['mapping', 'columns'])
      .where('company_id', '=', call.company.id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw notFound('This file was not found.')
    const columns = importColumns.get(row.mapping?.kind ?? '')
    if (!row.mapping || !row.columns || !columns) throw rejected(say`The columns of this file are already chosen.`)
    const headers = row.columns.headers.map(({ name }) => name)
    if (!isValidMapping({ headers, columns }, chosen)) throw malformed('Choose the columns again.')
    const missing = unmappedIn(columns, chosen)
    if (missing.length > 0) throw rejected(say`Choose a column for: ${titlesOf(columns, missing)}.`)
    const patch = { mapping: JSON.stringify({ ...row.mapping, ...chosen }), columns: null }
    const step = { scope: call.company.id, id, actor: actorOf(call) }
    await transition(tx, fileStateStore, { ...step, event: 'map', patch })
    await call.context.jobs.enqueue(tx, PREVIEW_JOB, { company: call.company.id, file: id })
    return { success: true as const, message: 'Columns saved. The preview is being prepared.' }
  }),
)

export const chooseBillingSheetCall = implement(chooseBillingSheet, (call) =>
  call.inCompany(async (tx) => {
    const { fileId: id, sheet } = call.body
    const { mapping, state } = await tx
      .selectFrom('billing_file')
      .select(['mapping', 'state'])
      .where('company_id', '=', call.company.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('This file was not found.'))
    const message = say`The workbook has no sheet with the name “${sheet}”.`
    if (!mapping?.sheets?.some(({ name }) => name === sheet)) throw rejected(message, { sheet: message })
    const { kind, hash, sheets } = mapping
    // The portal guesses the columns of the other sheet.
    const patch = { mapping: JSON.stringify({ kind, hash, sheets, sheet, columns: [], values: {} }), columns: null }
    await transition(tx, fileStateStore, {
      ...{ scope: call.company.id, id, actor: actorOf(call), patch },
      event: state === 'mapping' ? 'map' : 'correct',
    })
    await call.context.jobs.enqueue(tx, PREVIEW_JOB, { company: call.company.id, file: id })
    return { success: true as const, message: 'The preview of the other sheet is being prepared.' }
  }),
)

// The state of the file changes in the transaction of the undo.
whenUndone('bills', async (tx, call, importId) => {
  const { id } = await tx
    .selectFrom('billing_file')
    .select('id')
    .where('company_id', '=', call.company.id)
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  await transition(tx, fileStateStore, { scope: call.company.id, id, event: 'undo', actor: actorOf(call) })
})

export const changeBillingFileCall = implement(changeBillingFile, (call) =>
  call.inCompany(async (tx) => {
    const { fileId: id, event } = call.body
    const { message } = await transition(tx, fileStateStore, {
      scope: call.company.id,
      id,
      event,
      actor: actorOf(call),
    })
    if (event === 'import') await call.context.jobs.enqueue(tx, IMPORT_JOB, { company: call.company.id, file: id })
    return { success: true as const, message }
  }),
)
