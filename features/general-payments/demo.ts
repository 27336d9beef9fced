import { type Selectable, sql } from 'kysely'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import type { DemoCompany, Household } from '../../database/towns/town.ts'
import type { Schema } from '../../server/db/schema.ts'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import { answersOf, chargedItems } from '../../shared/fields/answers.ts'
import { dayOf, type DemoOrder, legsOf, paidSteps, writeHistory } from '../payments/demo-rows.ts'
import {
  type Method,
  methods,
  OFFICE,
  type OfficeMethod,
  officeMethods,
  orderStatus,
  type Quote,
} from '../payments/rules.ts'
import { type FeeBook, quoteOf } from '../payments/rules-fees.ts'
import { settingsOf } from '../payments/api.ts'
import { definitionOf, demoTypes, type DemoType } from './demo-types.ts'
import { amountOf, answersText, chargeNumber, detailsOf, keyOf, slugOf, type TypeForm, usualType } from './rules.ts'
import { FIELDS_KIND, newLinkCode, rowOf } from './server/change-types.ts'
import { generalPayable } from './server/payable.ts'

/** The sandbox gateway has no record of these past payments, so its reconciler must not query them. */
const PROVIDER = 'sandbox-history'
const HOUR = 3_600_000
const DAYS = 365

type Row = Omit<
  Selectable<Schema['general_charge']>,
  'company_id' | 'name_key' | 'person_id' | 'held_until' | 'made_by' | 'status' | 'search_text' | 'answers'
> & { answers: object }

interface CreatedType {
  id: number
  form: TypeForm
  fieldSet: number
  of: DemoType
}

interface Scene {
  random: Random
  company: CompanyId
  zone: string
  now: Date
  today: string
  fees: FeeBook
  households: readonly Household[]
  rows: Row[]
  /** Functions that create the orders. They run after the charges have their ids. */
  payments: (() => DemoOrder)[]
}

const demoOf = async (
  { db, clock }: Demo,
  demoCompany: DemoCompany,
  its: { company: CompanyId; households: readonly Household[] },
) => {
  const types = demoTypes[demoCompany.company.subdomain]
  if (!types) return
  await tenancyOn(db.app)(its.company, async (tx) => {
    const { timezone: zone } = await zoneOf(tx, its.company)
    const now = clock.now()
    const { fees } = await settingsOf(tx, its.company)
    const scene: Scene = {
      random: randomFrom(demoCompany.seed + 13),
      company: its.company,
      zone,
      now,
      today: dateIn(zone, now),
      fees,
      households: its.households,
      rows: [],
      payments: [],
    }
    const made = await writeTypes(tx, scene, types)
    for (const type of made) (type.of.items ? listItems : fillIn)(scene, type)
    await writeCharges(tx, scene, made)
    const payables = new Map(scene.rows.map(({ id, item_number }) => [item_number ?? chargeNumber(id), id]))
    const orders = scene.payments.map((make) => make()).toSorted((a, b) => a.at.getTime() - b.at.getTime())
    await writeHistory(tx, its.company, fees, orders, payables)
    await sql`
      INSERT INTO general_settlement (company_id, charge_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
      SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref,
        CASE t.credit_account WHEN 'payable_municipality' THEN 'credit' ELSE 'reversal' END, t.amount_cents, t.at
      FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
      WHERE l.company_id = ${its.company} AND l.kind = ${generalPayable.kind}
        AND 'payable_municipality' IN (t.debit_account, t.credit_account)`.execute(tx)
  })
}

async function zoneOf(tx: Tx, company: CompanyId) {
  const { rows } = await sql<{ timezone: string }>`
    SELECT z.zone AS timezone FROM company c JOIN timezone z ON z.id = c.timezone_id WHERE c.id = ${company}`.execute(
    tx,
  )
  return rows[0] ?? { timezone: 'America/New_York' }
}

async function writeTypes(
  tx: Tx,
  { company, now, zone, today }: Scene,
  types: readonly DemoType[],
): Promise<CreatedType[]> {
  const began = midnightIn(zone, addDays(today, -DAYS - 30))
  const forms = types.map(({ form, items }): TypeForm => ({
    ...usualType,
    ...form,
    ...(items && { dueDate: addDays(today, 39) }),
  }))
  const sets = await tx
    .insertInto('field_set')
    .values(
      types.map(({ form, fields }) => ({
        company_id: company,
        kind: FIELDS_KIND,
        name: form.title,
        draft: JSON.stringify(definitionOf(fields)),
        latest_version: fields.length > 0 ? 1 : 0,
        created_at: began,
        updated_at: began,
      })),
    )
    .returning('id')
    .execute()
  const setOf = (at: number): number => sets[at]?.id ?? 0
  await tx
    .insertInto('field_set_version')
    .values(
      types.flatMap(({ fields }, at) =>
        fields.length === 0
          ? []
          : {
              company_id: company,
              field_set_id: setOf(at),
              version: 1,
              definition: JSON.stringify(definitionOf(fields)),
              published_at: began,
              published_by: 'Mainstreet',
            },
      ),
    )
    .execute()
  const rows = await tx
    .insertInto('payment_type')
    .values(
      forms.map((form, at) => ({
        ...rowOf(form),
        company_id: company,
        status: types[at]?.status ?? 'draft',
        slug: slugOf(form.title),
        link_code: newLinkCode(),
        field_set_id: setOf(at),
        created_at: began,
        changed_at: began,
      })),
    )
    .returning('id')
    .execute()
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT ${company}::int, 'payment_type', id, 1, '', 'draft', 'create', created_at, 'system', NULL::bigint, 'Mainstreet' FROM payment_type
      WHERE company_id = ${company}
    UNION ALL SELECT ${company}::int, 'payment_type', id, 2, 'draft', 'open', 'open', created_at, 'system', NULL, 'Mainstreet' FROM payment_type
      WHERE company_id = ${company} AND status <> 'draft'
    UNION ALL SELECT ${company}::int, 'payment_type', id, 3, 'open', 'closed', 'close', ${now}::timestamptz, 'system', NULL, 'Mainstreet' FROM payment_type
      WHERE company_id = ${company} AND status = 'closed'`.execute(tx)
  return types.map((of, at) => ({ of, id: rows[at]?.id ?? 0, form: forms[at] as TypeForm, fieldSet: setOf(at) }))
}

const blankRow = (type_id: number, at: Date): Row => ({
  id: 0,
  type_id,
  item_number: null,
  item_key: null,
  address: '',
  notice_code: '',
  field_set_id: null,
  version: null,
  answers: {},
  answer_text: '',
  details: [],
  items: [],
  payer_name: '',
  email: '',
  amount_cents: 0,
  paid_cents: 0,
  due_date: null,
  is_numbered: false,
  stock_number: null,
  created_at: at,
  at,
  paid_at: null,
})

/**
 * Adds payments with answers, spread over the last year. The oldest come first, so that the issued numbers follow the
 * dates.
 */
function fillIn(scene: Scene, { id: type_id, form, fieldSet, of }: CreatedType): void {
  const { random, today } = scene
  const definition = definitionOf(of.fields)
  const days = Array.from({ length: of.paid }, () => dayIn(random, today, of.months)).toSorted()
  for (const [index, day] of days.entries()) {
    const at = momentOf(scene, day)
    if (at > scene.now) continue
    const { answers } = answersOf(definition, of.answer(random), today)
    const cents = of.openCents ? random.pick(of.openCents) : amountOf(form, definition, answers)
    const payer = someone(scene)
    const number = of.stock ? String(of.stock[0] + index) : null
    const row: Row = {
      ...blankRow(type_id, at),
      ...(of.fields.length > 0 && { field_set_id: fieldSet, version: 1 }),
      answers,
      answer_text: answersText(definition, answers),
      details: detailsOf(definition, answers),
      items: form.amountKind === 'computed' ? chargedItems(form.title, definition, answers) : [],
      payer_name: payer.name,
      email: payer.email,
      amount_cents: cents,
      is_numbered: number !== null,
      stock_number: number,
    }
    scene.rows.push(row)
    // Leaves a few charges unpaid, but only those without an issued number.
    if (number === null && random.chance(0.03)) continue
    payFor(scene, form, row, at, cents)
  }
}

/**
 * Adds a tax roll: one item for each household, and more items for other owners. Many items are paid in full, some in
 * part.
 */
function listItems(scene: Scene, { id: type_id, form, of }: CreatedType): void {
  const { random, households, today } = scene
  const created_at = midnightIn(scene.zone, addDays(today, -120))
  const count = of.items ?? 0
  for (let index = 0; index < count; index += 1) {
    const home = households[index]
    const number = `${String(11 + (index % 40)).padStart(2, '0')}-${String(1 + Math.floor(index / 40)).padStart(3, '0')}-${String(100 + ((index * 37) % 900)).padStart(4, '0')}`
    const name = home?.name ?? `${random.pick(firstNames)} ${random.pick(lastNames)}`
    const cents = random.int(640, 4800) * 100 + random.int(0, 99)
    const row: Row = {
      ...blankRow(type_id, created_at),
      item_number: number,
      item_key: keyOf(number),
      address: home?.address ?? '',
      notice_code: form.proof === 'code' ? `h${String(100_000 + ((index * 7919) % 900_000))}` : '',
      payer_name: name,
      amount_cents: cents,
      due_date: form.dueDate || null,
    }
    scene.rows.push(row)
    // The first items stay unpaid, because the demo tour in `docs/tour` uses one of them.
    if (index < 5 || !random.chance(0.44)) continue
    const at = momentOf(scene, addDays(today, -random.int(1, 118)))
    row.email = home?.email ?? ''
    const isPart = form.inParts && random.chance(0.08)
    payFor(scene, form, row, at, isPart ? Math.round(cents / 2) : cents)
  }
}

/** Returns a random day of the last year. If `months` is set, the day is in one of these months. */
function dayIn(random: Random, today: string, months?: readonly number[]): string {
  const month = months && random.pick(months)
  const ago = random.int(1, DAYS - 2)
  if (month === undefined) return addDays(today, -ago)
  const [year = '', now = '', date = ''] = today.split('-')
  const day = String(random.int(1, 28)).padStart(2, '0')
  const isAhead = month > Number(now) || (month === Number(now) && day >= date)
  return `${isAhead ? Number(year) - 1 : year}-${String(month).padStart(2, '0')}-${day}`
}

const momentOf = ({ random, zone }: Scene, day: string): Date =>
  new Date(
    midnightIn(zone, day).getTime() +
      random.pick([8, 9, 10, 12, 13, 16, 18, 19, 20, 21]) * HOUR +
      random.int(0, HOUR - 1),
  )

function someone({ random, households }: Scene): { name: string; email: string } {
  if (households.length > 0 && random.chance(0.75)) {
    const home = random.pick(households)
    if (home.email) return home
  }
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  return { name: `${first} ${last}`, email: `${first}.${last}@mail.example`.toLowerCase() }
}

/** Pays a charge online or at the counter. A few online payments are refunded a week later. */
function payFor(scene: Scene, form: TypeForm, row: Row, at: Date, cents: number): void {
  const { random, fees, now, payments } = scene
  const office = random.chance(0.08)
  const online = !office && cents > 400_00 && random.chance(0.6) ? methods.echeck : methods.card
  const method = office ? officeMethods.check : online
  const quote = quoteOf(fees, { on: dayOf(at), kind: 'general', method, location: office ? OFFICE : 1 }, cents)
  const paidAt = new Date(at.getTime() + 4000)
  const refundDate = new Date(paidAt.getTime() + 7 * 24 * HOUR)
  const refundedAt = !office && refundDate < now && random.chance(0.012) ? refundDate : null
  Object.assign(row, { at: paidAt, paid_at: paidAt, paid_cents: refundedAt ? 0 : cents })
  payments.push(() => orderOf(form, row, { at, paidAt, refundedAt, office, method, quote }))
}

interface PaymentScenario {
  at: Date
  paidAt: Date
  refundedAt: Date | null
  office: boolean
  method: Method | OfficeMethod
  quote: Quote
}

function orderOf(
  form: TypeForm,
  row: Row,
  { at, paidAt, refundedAt, office, method, quote }: PaymentScenario,
): DemoOrder {
  const reference = row.item_number ?? chargeNumber(row.id)
  const ref = `general_${row.id}`
  const digits = String(Math.floor(at.getTime() / 1000) % 10_000).padStart(4, '0')
  return {
    kind: generalPayable.kind,
    type: generalPayable.label,
    number: reference,
    glAccount: form.glAccount,
    title: form.title,
    details: [
      { name: row.item_number === null ? 'reference' : form.itemLabel, value: reference },
      ...(row.stock_number === null ? [] : [{ name: form.numberLabel, value: row.stock_number }]),
      ...row.details,
    ],
    items: row.items,
    at,
    status: refundedAt ? orderStatus.refund : orderStatus.success,
    location: office ? 5 : 4,
    method,
    payType: quote.billCents === row.amount_cents ? 1 : 2,
    quote,
    payerName: row.payer_name,
    payerEmail: row.email,
    person: null,
    methodLabel:
      method === methods.echeck
        ? `Checking account ending ${digits}`
        : office
          ? `Check no. ${digits}`
          : `Visa ending ${digits}`,
    provider: office ? 'office' : PROVIDER,
    refunded: refundedAt ? quote.totalCents : 0,
    returnCode: null,
    disputed: false,
    paidAt,
    steps: [
      ...paidSteps(at, paidAt),
      ...(refundedAt ? [{ from: orderStatus.success, to: orderStatus.refund, event: 'refunded', at: refundedAt }] : []),
    ],
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }],
    transfers: [
      ...legsOf('capture', quote, office, ref, paidAt),
      ...(refundedAt ? legsOf('refund', quote, office, `re_${ref}`, refundedAt) : []),
    ],
  }
}

/** Inserts all charges in one statement, and their numbers in another. */
async function writeCharges(tx: Tx, { company, rows }: Scene, made: readonly CreatedType[]): Promise<void> {
  const { rows: written } = await sql<{ id: number }>`
    INSERT INTO general_charge (company_id, type_id, item_number, item_key, address, notice_code, field_set_id, version, answers,
      answer_text, details, items, payer_name, email, amount_cents, paid_cents, due_date, is_numbered, stock_number, created_at, at, paid_at)
    SELECT ${company}::int, x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(
      type_id bigint, item_number text, item_key text, address text, notice_code text, field_set_id bigint, version int,
      answers jsonb, answer_text text, details jsonb, items jsonb, payer_name text, email text, amount_cents bigint, paid_cents bigint,
      due_date date, is_numbered boolean, stock_number text, created_at timestamptz, at timestamptz, paid_at timestamptz)
    RETURNING id`.execute(tx)
  for (const [index, row] of rows.entries()) row.id = written[index]?.id ?? 0
  const stock = made.flatMap(({ id, of }) => (of.stock ? [{ id, first: of.stock[0], count: of.stock[1] }] : []))
  await sql`
    INSERT INTO payment_stock (company_id, type_id, number, charge_id)
    SELECT ${company}::int, s.id, n::text, c.id
    FROM jsonb_to_recordset(${JSON.stringify(stock)}::jsonb) AS s(id bigint, first int, count int)
    CROSS JOIN LATERAL generate_series(s.first, s.first + s.count - 1) AS n
    LEFT JOIN general_charge c ON c.company_id = ${company} AND c.type_id = s.id AND c.stock_number = n::text
    ORDER BY s.id, n`.execute(tx)
}

export const demo: DemoPart = { company: demoOf }
