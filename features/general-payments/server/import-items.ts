import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { csvRecords, FileRefused } from '../../../server/csv-records.ts'
import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { toIso } from '../../../shared/dates.ts'
import { formatCents, parseCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { importItems, type ImportReport } from '../contract.ts'
import { keyOf } from '../rules.ts'
import { type PaymentType, readType } from './types.ts'

/** What the columns may be called, in lower case and with underscores. */
const names: Record<string, string> = {
  number: 'number parcel parcel_number parcel_id bill_number account item id',
  name: 'name owner owner_name taxpayer',
  address: 'address property_address site_address situs_address',
  amount: 'amount amount_due total balance tax',
  due: 'due due_date',
  code: 'code notice_code pin',
}
const nameOf = new Map(
  Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

export interface Item {
  number: string
  key: string
  name: string
  address: string
  cents: number
  due: string
  code: string
}

const MOST_KEPT = 500
const BATCH = 5000

/** Ends the transaction without anything of it. */
class TakenBack extends Error {}

/**
 * Takes a list of open items: what is new comes to the list, what changed is changed, what is the same stays as it is, and
 * nothing is removed. A wrong row keeps the whole file out. A rehearsal does the same and takes it back.
 */
export const importItemsCall = implement(importItems, async (call) => {
  const { typeId, mode } = call.body
  const report: ImportReport = {
    imported: mode === 'import',
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    createdCents: 0,
    changedCents: 0,
    wrongCount: 0,
    wrong: [],
  }
  try {
    await call.inCompany(async (tx) => {
      const type = await readType(tx, call.company.id, typeId, true)
      if (type.amountKind !== 'listed')
        throw rejected('This payment has no list. Choose “From a list of open items” as its amount first.')
      await take(tx, call, type, report)
      if (mode === 'rehearse' || report.wrongCount > 0) throw new TakenBack()
      const { wrong: _wrong, imported: _imported, ...counts } = report
      await call.audit(tx, {
        action: 'general.items_imported',
        subject: { kind: 'payment_type', id: typeId },
        detail: { title: type.title, ...counts },
      })
    })
  } catch (error) {
    if (error instanceof FileRefused) throw rejected(error.message, { file: error.message })
    if (!(error instanceof TakenBack)) throw error
    return { ...report, imported: false }
  }
  return report
})

async function take(tx: Tx, call: Call, type: PaymentType, report: ImportReport): Promise<void> {
  const seen = new Map<string, string>()
  let batch: Item[] = []
  const wrong = (where: string, reason: string) => {
    report.wrongCount += 1
    if (report.wrong.length < MOST_KEPT) report.wrong.push({ where, reason })
  }
  const write = async () => {
    await writeItems(tx, call, type, batch, report, wrong)
    batch = []
  }
  for await (const { where, texts, reason } of rowsOf(Readable.from([call.file.content]))) {
    report.read += 1
    const item = reason ?? readItem(texts, type)
    if (typeof item === 'string') {
      wrong(where, item)
      continue
    }
    const before = seen.get(item.key)
    if (before !== undefined) {
      wrong(where, say`${item.number} is on ${before.toLowerCase()} already. Leave one of them out.`)
      continue
    }
    seen.set(item.key, where)
    batch.push(item)
    if (batch.length >= BATCH) await write()
  }
  await write()
}

interface Row {
  where: string
  texts: ReadonlyMap<string, string>
  reason?: string | undefined
}

async function* rowsOf(input: Readable): AsyncGenerator<Row> {
  let head: (string | undefined)[] | null = null
  for await (const { cells, line, reason } of csvRecords(input)) {
    if (!head) {
      head = cells.map((cell) =>
        nameOf.get(
          cell
            .trim()
            .replace(/^\uFEFF/, '')
            .toLowerCase()
            .replaceAll(/[\s:.-]+/g, '_'),
        ),
      )
      for (const needed of ['number', 'name', 'amount'])
        if (!head.includes(needed))
          throw new FileRefused(say`The first line has to name the columns. There is none that is called “${needed}”.`)
      continue
    }
    const texts = new Map(head.flatMap((name, at) => (name === undefined ? [] : [[name, (cells[at] ?? '').trim()]])))
    yield { where: say`Line ${line}`, texts, reason }
  }
  if (!head) throw new FileRefused(say`The file is empty.`)
}

/** An item, or the sentence that says what is wrong with its row. */
function readItem(texts: ReadonlyMap<string, string>, { proof }: Pick<PaymentType, 'proof'>): Item | string {
  const text = (name: string) => texts.get(name) ?? ''
  const [number, name, address, amount] = [text('number'), text('name'), text('address'), text('amount')]
  for (const one of [number, name, address, text('code')]) {
    if (/[\uFFFD\p{Cc}]/u.test(one) || !one.isWellFormed()) return say`A text holds a character that is not UTF-8 text.`
    if (one.length > 200) return say`A text is longer than ${200} characters.`
  }
  const key = keyOf(number)
  if (key === '') return say`The number is missing.`
  if (name === '') return say`The name is missing.`
  const cents = parseCents(amount)
  if (cents === null || cents === 0) return say`The amount “${amount}” is no amount, such as 1234.50.`
  const due = dayIn(text('due'))
  if (due === null) return say`The due date “${text('due')}” is no day, such as 2027-03-31.`
  const code = keyOf(text('code'))
  if (proof === 'code' && code.length < 4) return say`The code is missing, or has fewer than four letters or digits.`
  return { number, key, name, address, cents, due, code }
}

/** YYYY-MM-DD of what a spreadsheet writes; '' where there is none, null where it is no day. */
function dayIn(text: string): string | null {
  if (text === '') return ''
  const [, month = '', date = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  const iso = year === '' ? text : `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!/^(?:19|20|21)\d\d-\d\d-\d\d$/.test(iso)) return null
  const day = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && toIso(day) === iso ? iso : null
}

interface Written {
  number: string
  created: boolean
  /** By how much the amount changed. */
  change: number
}

/** Writes items that are new or say something new. What is paid already may not become less than that. */
async function writeItems(
  tx: Tx,
  { company, house }: Call,
  type: PaymentType,
  items: readonly Item[],
  report: ImportReport,
  wrong: (where: string, reason: string) => void,
): Promise<void> {
  if (items.length === 0) return
  const paid = await overpaid(tx, company.id, type, items)
  for (const { number, cents, paid_cents } of paid)
    wrong(number, say`${formatCents(paid_cents)} is paid already, so it cannot become ${formatCents(cents)}.`)
  const now = house.clock.now()
  const { rows } = await sql<Written>`
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
  const sum = (some: readonly Written[]) => some.reduce((all, { change }) => all + change, 0)
  report.created += made.length
  report.changed += rows.length - made.length
  report.unchanged += items.length - rows.length
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
