import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { defineColumns } from '../../../server/columns.ts'
import { personColumns } from '../../../server/importers.ts'
import { columnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { rejected } from '../../../server/errors.ts'
import { importAtOnce, importRows, reportInvalidRow, RowError } from '../../../server/imports.ts'
import { type ImportedRows, importSource, type UndoRules } from '../../../server/imported-rows.ts'
import { countRow } from '../../../server/listed-rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { readDay } from '../../../shared/dates.ts'
import { DIRECTION_OVERRIDES } from '../../../shared/visible.ts'
import { formatCents, MAX_CENTS, readAmount } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { importItems, type ItemsReport } from '../contract.ts'
import { keyOf } from '../rules.ts'
import { type PaymentType, readType } from './types.ts'

/** Columns of the file. */
const columns = defineColumns('open_items', {
  needs: ['number', 'name', 'amount'],
  stored: {
    table: 'general_charge',
    columns: {
      ...{ number: 'item_number', name: 'payer_name', address: 'address', amount: 'amount_cents' },
      ...{ due: 'due_date', code: 'notice_code' },
    },
  },
  columns: {
    number: {
      title: 'Number',
      aliases: 'parcel parcel_number parcel_id bill_number account account_number item item_number id invoice_number',
      content: 'code',
      sample: '12-034-0056',
    },
    name: {
      title: 'Name',
      aliases: 'owner owner_name taxpayer taxpayer_name payer customer customer_name',
      sample: 'Ann Lee',
    },
    name_last_first: personColumns.name_last_first,
    address: {
      title: 'Address',
      aliases: 'property_address site_address situs_address service_address location',
      sample: '12 Oak Street',
    },
    amount: {
      title: 'Amount',
      aliases: 'amount_due total total_due balance balance_due tax tax_due total_tax',
      content: 'money',
      sample: '1234.50',
    },
    due: { title: 'Due date', aliases: 'due due_on date_due pay_by', content: 'date', sample: '2027-03-31' },
    code: { title: 'Code', aliases: 'notice_code pin access_code', content: 'code', sample: 'A7K2', isSecret: true },
  },
})

export interface Item {
  number: string
  key: string
  name: string
  address: string
  cents: number
  due: string
  code: string
}

const BATCH = 5000

const undoRules: UndoRules = {
  tables: [{ table: 'general_charge' }],
  uses: [
    {
      from: 'payment_order_line',
      column: 'payable_id',
      of: 'general_charge',
      only: { kind: 'general' },
      after: ['order_id', 'payment_order'],
      cause: 'paid',
    },
  ],
}

/**
 * Imports a list of open items. Adds new items, updates changed items and removes none. One wrong row rejects the whole
 * file.
 */
export const importItemsCall = implement(importItems, async (call) => {
  const { typeId, mode, columns: chosen, digest } = call.body
  let title = ''
  return importAtOnce<ItemsReport>((work) => call.inCompany(work), {
    mode,
    rowErrors: 'refuse',
    columns: chosen,
    digest,
    undo: { source: importSource(call, 'open_items', call.file), rules: undoRules },
    besides: { createdCents: 0, changedCents: 0 },
    work: async (tx, report, changes) => {
      const type = await readType(tx, call.company.id, typeId, true)
      if (type.amountKind !== 'listed')
        throw rejected(
          'This payment type has no list of open items. First set its amount to “From a list of open items”.',
        )
      title = type.title
      await take({ tx, call, type, report, changes })
    },
    record: (tx, counts) =>
      call.audit(tx, {
        action: 'general.items_imported',
        subject: { kind: 'payment_type', id: typeId },
        detail: { title, ...counts },
      }),
  })
})

interface Work {
  tx: Tx
  call: Call<RequestOf<typeof importItems>>
  type: PaymentType
  report: ItemsReport
  changes: ImportedRows
}

async function take(work: Work): Promise<void> {
  const { tx, call, type, report } = work
  const seen = new Map<string, string>()
  let batch: (Item & { where: string })[] = []
  const input = columnsInput(call)
  const table = await openTableOfStaff(tx, () => Readable.from([call.file.content]), input, columns)
  await importRows(rowsOfStaff(tx, table, input, report), {
    report,
    take: ({ texts, where }) => {
      const item = readItem(texts, type)
      const before = seen.get(item.key)
      if (before !== undefined)
        throw new RowError(say`${item.number} is already on ${before.toLowerCase()}. Remove one of the two lines.`)
      seen.set(item.key, where)
      batch.push({ ...item, where })
    },
    write: async () => {
      await writeItems(work, batch)
      batch = []
    },
    every: BATCH,
  })
}

/** @throws RowError if a value is missing or malformed */
export function readItem(texts: ReadonlyMap<string, string>, { proof }: Pick<PaymentType, 'proof'>): Item {
  const text = (name: string) => texts.get(name) ?? ''
  const [number, name, address, amount] = [text('number'), text('name'), text('address'), text('amount')]
  for (const one of [number, name, address, text('code')]) {
    if (/[\uFFFD\p{Cc}]/u.test(one) || !one.isWellFormed() || DIRECTION_OVERRIDES.test(one))
      throw new RowError(
        say`A value contains a hidden or unreadable character. Remove the character, and save the file as UTF-8 text.`,
      )
    if (one.length > 200) throw new RowError(say`A value is longer than ${200} characters.`)
  }
  const key = keyOf(number)
  if (key === '') throw new RowError(say`The number is missing.`)
  if (name === '') throw new RowError(say`The name is missing.`)
  const { cents, problem } = readAmount(amount)
  if (problem === 'limit')
    throw new RowError(say`The amount “${amount}” is over the limit of ${formatCents(MAX_CENTS)}.`)
  if (cents === undefined || cents <= 0)
    throw new RowError(say`“${amount}” is not an amount. Use a format such as 1234.50.`)
  const due = text('due') === '' ? '' : readDay(text('due'), /^(?:19|20|21)/)
  if (due === null)
    throw new RowError(say`The due date “${text('due')}” is not a date. Use a format such as 2027-03-31.`)
  const code = keyOf(text('code'))
  if (proof === 'code' && code.length < 4)
    throw new RowError(say`The code is missing or has fewer than four letters or digits.`)
  return { number, key, name, address, cents, due, code }
}

interface WrittenItem {
  number: string
  created: boolean
  /** Change of the amount, in cents. */
  change: number
}

/** Writes new and changed items. The amount of an item can't fall below its paid amount. */
async function writeItems(
  { tx, call: { company, context }, type, report, changes }: Work,
  items: readonly (Item & { where: string })[],
): Promise<void> {
  if (items.length === 0) return
  const keys = items.map(({ key }) => key)
  await changes.keep('general_charge', 'item_key', keys, { type_id: String(type.id) })
  const paid = await overpaid(tx, company.id, type, items)
  for (const { number, cents, paid_cents } of paid)
    reportInvalidRow(
      report,
      number,
      say`${formatCents(paid_cents)} has already been paid, so the amount cannot be changed to ${formatCents(cents)}.`,
    )
  const now = context.clock.now()
  const { rows } = await sql<WrittenItem>`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
        AS g(number text, key text, name text, address text, cents bigint, due text, code text)
    ), before AS (
      SELECT c.item_key, c.amount_cents FROM general_charge c JOIN given g ON g.key = c.item_key
      WHERE c.company_id = ${company.id} AND c.type_id = ${type.id}
    ), written AS (
      INSERT INTO general_charge AS c (company_id, type_id, item_number, item_key, payer_name, address, amount_cents, due_date, notice_code, created_at, at)
      SELECT ${company.id}::int, ${type.id}::bigint, number, key, name, address, cents, coalesce(nullif(due, '')::date, ${type.dueDate || null}::date), code,
        ${now}::timestamptz, ${now}::timestamptz FROM given
      ON CONFLICT (company_id, type_id, item_key) DO UPDATE SET item_number = excluded.item_number, payer_name = excluded.payer_name,
        address = excluded.address, amount_cents = excluded.amount_cents, due_date = excluded.due_date, notice_code = excluded.notice_code
      WHERE (c.item_number, c.payer_name, c.address, c.amount_cents, c.due_date, c.notice_code)
        IS DISTINCT FROM (excluded.item_number, excluded.payer_name, excluded.address, excluded.amount_cents, excluded.due_date, excluded.notice_code)
      RETURNING c.item_key, c.amount_cents
    )
    SELECT w.item_key AS number, b.item_key IS NULL AS created, w.amount_cents - coalesce(b.amount_cents, 0) AS change
    FROM written w LEFT JOIN before b ON b.item_key = w.item_key`.execute(tx)
  const made = rows.filter(({ created }) => created)
  const results = new Map(rows.map(({ number, created }) => [number, created ? 'created' : 'changed'] as const))
  for (const { key, where } of items) countRow(report, results.get(key) ?? 'unchanged', where)
  const sum = (some: readonly WrittenItem[]) => some.reduce((all, { change }) => all + change, 0)
  report.createdCents += sum(made)
  report.changedCents += sum(rows) - sum(made)
}

async function overpaid(tx: Tx, company: CompanyId, type: PaymentType, items: readonly Item[]) {
  const { rows } = await sql<{ number: string; cents: number; paid_cents: number }>`
    SELECT c.item_number AS number, g.cents, c.paid_cents
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS g(key text, cents bigint)
    JOIN general_charge c ON c.company_id = ${company} AND c.type_id = ${type.id} AND c.item_key = g.key
    WHERE c.paid_cents > g.cents FOR NO KEY UPDATE OF c`.execute(tx)
  return rows
}
