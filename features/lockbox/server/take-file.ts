import { Readable } from 'node:stream'
import { changeRow, hasRow } from '../../../server/db/rows.ts'
import { type Call, implement } from '../../../server/call.ts'
import { defineColumns } from '../../../server/columns.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { tableRows } from '../../../server/table-rows.ts'
import { rejected } from '../../../server/errors.ts'
import { recordCreation, type TransitionActor } from '../../../server/states.ts'
import { unprintableIn } from '../../../server/emails.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type LockboxReport, importLockboxFile } from '../contract.ts'
import { type BankLine, readLine } from '../rules.ts'
import { matchOf } from './match.ts'
import { lockboxStateStore, post } from './payments.ts'

/** Columns of the file. */
const columns = defineColumns('lockbox', {
  needs: ['account', 'payer', 'amount', 'date', 'trace'],
  columns: {
    account: {
      title: 'Account',
      aliases: 'account_number account_no bill_account',
      content: 'code',
      sample: '100001',
    },
    payer: { title: 'Name', aliases: 'payer payer_name customer customer_name remitter', sample: 'Ann Lee' },
    amount: { title: 'Amount', aliases: 'payment payment_amount', content: 'money', sample: '149.31' },
    date: {
      title: 'Date',
      aliases: 'paid_on payment_date deposit_date effective_date',
      content: 'date',
      sample: '2026-11-20',
    },
    trace: {
      title: 'Trace',
      aliases: 'trace_number trace_no reference confirmation',
      content: 'code',
      sample: 'T-1001',
    },
    currency: { title: 'Currency', aliases: 'currency_code', sample: 'USD' },
  },
})
const MAX_VISIBLE = 500
const MAX_LINES = 20_000

/**
 * Imports a lockbox file. Invalid lines are reported and skipped, unless the caller chose to refuse a file with invalid
 * lines. Each valid line is a separate transaction, identified by its trace number. A second import of the file adds
 * only the missing lines. A preview reports the result and writes nothing.
 */
export const importLockboxFileCall = implement(importLockboxFile, async (call) => {
  const { mode, rowErrors } = call.body
  const report: LockboxReport = {
    imported: false,
    read: 0,
    created: 0,
    createdCents: 0,
    changed: 0,
    changedCents: 0,
    unchanged: 0,
    errorCount: 0,
    invalidRows: [],
    unprintable: [],
  }
  try {
    const lines = await readFile(call, report)
    report.unprintable = await unprintableIn(String(call.company.id), lines.map(({ payer }) => payer).join(''))
    if (report.errorCount > 0 && (rowErrors === 'refuse' || lines.length === 0)) return report
    for (const line of lines) await takeLine(call, line, report)
  } catch (error) {
    if (error instanceof FileRefused) throw rejected(error.message, { file: error.message })
    throw error
  }
  const { invalidRows: _invalidRows, imported: _imported, unprintable: _unprintable, ...counts } = report
  if (mode === 'import')
    await call.inCompany((tx) =>
      call.audit(tx, { action: 'lockbox.file_imported', detail: { file: call.file.name, ...counts } }),
    )
  return { ...report, imported: mode === 'import' }
})

async function readFile(call: Call, report: LockboxReport): Promise<BankLine[]> {
  const { only_usd_currency } = await call.reading((tx) =>
    tx
      .selectFrom('payment_settings')
      .select('only_usd_currency')
      .where('company_id', '=', call.company.id)
      .executeTakeFirstOrThrow(),
  )
  const how = { onlyDollars: only_usd_currency === 1, today: dateIn(call.company.timeZone, call.context.clock.now()) }
  const lines: BankLine[] = []
  const seen = new Map<string, string>()
  const addError = (where: string, reason: string) => {
    report.errorCount += 1
    if (report.invalidRows.length < MAX_VISIBLE) report.invalidRows.push({ where, reason })
  }
  for await (const { texts, where, reason } of tableRows(Readable.from([call.file.content]), columns)) {
    report.read += 1
    if (report.read > MAX_LINES)
      throw new FileRefused(say`A file can have up to ${MAX_LINES} payments. Split it into smaller files.`)
    const one = reason ?? readLine((name) => texts.get(name) ?? '', how)
    const before = typeof one === 'string' ? undefined : seen.get(one.trace)
    if (typeof one === 'string') addError(where, one)
    else if (before !== undefined)
      addError(
        where,
        say`The trace number ${one.trace} is already on ${before.toLowerCase()}. Remove one of the two lines.`,
      )
    else {
      seen.set(one.trace, where)
      lines.push(one)
    }
  }
  return lines
}

async function takeLine(
  call: Call<{ mode: 'preview' | 'import' }>,
  line: BankLine,
  report: LockboxReport,
): Promise<void> {
  const isPreview = call.body.mode === 'preview'
  const work = (tx: Tx) => (isPreview ? checkLine(tx, call, line) : write(tx, call, line))
  const became = await (isPreview ? call.reading(work) : call.inCompany(work))
  if (became === 'known') report.unchanged += 1
  if (became === 'posted') {
    report.created += 1
    report.createdCents += line.cents
  }
  if (became === 'waiting') {
    report.changed += 1
    report.changedCents += line.cents
  }
}

type LineOutcome = 'posted' | 'waiting' | 'known'

async function checkLine(tx: Tx, { company }: Call, line: BankLine): Promise<LineOutcome> {
  if (await hasRow(tx, 'lockbox_payment', { company_id: company.id, trace: line.trace })) return 'known'
  return 'ref' in (await matchOf(tx, company, line)) ? 'posted' : 'waiting'
}

/**
 * Inserts the row first. A concurrent call with the same trace number waits for this row and then counts the payment as
 * already imported.
 */
async function write(tx: Tx, call: Call, line: BankLine): Promise<LineOutcome> {
  const { company, context, file } = call
  const now = context.clock.now()
  const row = await tx
    .insertInto('lockbox_payment')
    .values({
      company_id: company.id,
      trace: line.trace,
      file_name: file.name,
      received_at: now,
      paid_on: line.paidOn,
      account: line.account,
      payer_name: line.payer,
      amount_cents: line.cents,
      currency: line.currency,
      state: 'waiting',
      order_id: null,
      finished_at: null,
      search_text: `${line.trace} ${line.account} ${line.payer}`.toLowerCase(),
    })
    .onConflict((on) => on.columns(['company_id', 'trace']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return 'known'
  const actor: TransitionActor = { as: 'system', caller: call, clock: context.clock }
  const match = await matchOf(tx, company, line)
  const ended =
    'ref' in match
      ? {
          state: 'posted' as const,
          order_id: await post(tx, context, company, {
            trace: line.trace,
            ref: match.ref,
            cents: line.cents,
            actor,
          }),
          finished_at: now,
        }
      : { state: 'waiting' as const, reason: match.why }
  await changeRow(tx, 'lockbox_payment', company.id, row.id, ended)
  const event = ended.state === 'posted' ? 'post' : 'wait'
  await recordCreation(tx, lockboxStateStore, {
    scope: company.id,
    id: row.id,
    event,
    actor,
    detail: { trace: line.trace },
  })
  return ended.state
}
