import { sql } from 'kysely'
import type { LineDetail, LineItem } from '../../../server/db/column-types.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { allOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { parseCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { maskedName } from '../../../shared/person-names.ts'
import {
  type FindablePayable,
  type Payable,
  type Settlement,
  settlementsIn,
  pendingPayments,
  alertStaff,
  definePayable,
} from '../../payments/api.ts'
import {
  type AmountKind,
  categories,
  type Category,
  chargeNumber,
  keyOf,
  priceText,
  type Proof,
  rangeOf,
} from '../rules.ts'
import { storeFiles } from './files.ts'
import { holdFrom, soldOut, takeNumber } from './stock.ts'
import { latestDefinitions } from '../../../server/fields/sets.ts'

const KIND = 'general'
const settlements = settlementsIn('general_settlement', 'charge_id')

/** Data that identifies an open item: its number or owner, and a proof of ownership. */
interface TypeProof {
  typeId: number
  named: string
  proof: Proof
  proven: string
}

interface Charge {
  id: number
  type_id: number
  title: string
  category: Category
  gl_account: string
  status: string
  in_parts: 0 | 1
  amount_kind: string
  number_label: string
  item_label: string
  item_number: string | null
  payer_name: string
  due_date: string | null
  is_numbered: boolean
  stock_number: string | null
  has_number: boolean
  paid_at: Date | null
  details: LineDetail[]
  items: LineItem[]
}

async function read(tx: Tx, company: CompanyId, id: number, lock = false): Promise<Charge | undefined> {
  const { rows } = await sql<Charge>`
    SELECT c.id, c.type_id, t.title, t.category, t.gl_account, t.status, t.in_parts, t.amount_kind, t.number_label, t.item_label, c.item_number,
      c.payer_name, c.due_date, c.is_numbered, c.stock_number, c.paid_at, c.details, c.items,
      EXISTS (SELECT FROM payment_stock s WHERE s.company_id = c.company_id AND s.charge_id = c.id) AS has_number
    FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
    WHERE c.company_id = ${company} AND c.id = ${id} ${lock ? sql`FOR NO KEY UPDATE OF c` : sql``}`.execute(tx)
  return rows[0]
}

/** Charges of the company's payment types as items to pay. */
export const generalPayable: Payable<TypeProof> = {
  kind: KIND,
  label: 'General',
  feeGroups: categories,
  takesCredit: false,
  settled: settlements.sums,

  async find(tx, company, { typeId, named, proof, proven }) {
    const cents = parseCents(proven) ?? -1
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM general_charge
      WHERE company_id = ${company} AND type_id = ${typeId} AND item_key IS NOT NULL
        AND (item_key = ${keyOf(named)} OR name_key = ${named.toLowerCase()})
        AND ${proof === 'amount' ? sql`amount_cents = ${cents}` : sql`notice_code <> '' AND notice_code = ${keyOf(proven)}`}
      LIMIT 2`.execute(tx)
    // If two items match owner and amount, returns neither. The payer must enter the number.
    return rows.length === 1 ? (rows[0]?.id ?? null) : null
  },

  /** Searches the unpaid charges and open items of payment types that are open. */
  async search(tx, company, text, max) {
    const matches = searchTerms(text.toLowerCase()).map((word) => hasPart(sql`r.search_text`, word))
    const { rows } = await sql<FindablePayable>`
      SELECT r.id, coalesce(r.item_number, 'G' || r.id) AS reference, r.payer_name AS name, concat_ws(', ', t.title, nullif(r.address, '')) AS description
      FROM found_general_charge r JOIN payment_type t ON t.company_id = r.company_id AND t.id = r.type_id
      WHERE r.company_id = ${company} AND r.status <> 'paid' AND t.status = 'open' AND ${allOf(matches)}
      ORDER BY r.id DESC LIMIT ${max}`.execute(tx)
    return rows
  },

  /** Finds an open item by its number. Returns null if two items have the same number. */
  async byReference(tx, company, reference) {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM general_charge WHERE company_id = ${company} AND item_key = ${keyOf(reference)} LIMIT 2`.execute(
      tx,
    )
    return rows.length === 1 ? (rows[0]?.id ?? null) : null
  },

  /**
   * Assigns a number when a payer starts to pay.
   * @throws 409 if none is left or the type is closed
   */
  async lock(tx, company, id, now) {
    const charge = await read(tx, company, id, true)
    if (!charge) return false
    if (charge.status !== 'open')
      throw conflict('closed', say`“${charge.title}” is closed and cannot be paid. Nothing was charged.`)
    if (!charge.is_numbered || charge.paid_at !== null) return true
    if (charge.has_number) return true
    const number = await takeNumber(tx, { company, typeId: charge.type_id, chargeId: id })
    if (number === null) throw soldOut(charge.title)
    await sql`
      UPDATE general_charge SET stock_number = ${number}, held_until = ${holdFrom(now)}
      WHERE company_id = ${company} AND id = ${id}`.execute(tx)
    return true
  },

  async owed(tx, company, id) {
    const { rows } = await sql<{ owedCents: number; pendingCents: number; inFull: boolean }>`
      SELECT greatest(c.amount_cents - c.paid_cents, 0) AS "owedCents", ${pendingPayments(company, KIND, id)} AS "pendingCents",
        t.in_parts = 0 AS "inFull"
      FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
      WHERE c.company_id = ${company} AND c.id = ${id}`.execute(tx)
    if (!rows[0]) throw notFound()
    return rows[0]
  },

  async describe(tx, company, id) {
    const charge = await read(tx, company, id)
    if (!charge) throw notFound()
    const { title, category, gl_account, payer_name, item_number, stock_number, due_date } = charge
    const reference = item_number ?? chargeNumber(id)
    const details = [
      { name: item_number === null ? 'reference' : charge.item_label || 'reference', value: reference },
      ...(charge.is_numbered && stock_number !== null ? [{ name: charge.number_label, value: stock_number }] : []),
      ...charge.details,
    ]
    // A stranger may guess the proof of an open item, so its owner's name is masked. Other charges show their answers,
    // because they need a secret link.
    const owner = item_number === null ? [] : [{ name: 'customer', value: maskedName(payer_name) }]
    return {
      glAccount: gl_account,
      feeGroup: category,
      payerName: payer_name,
      reference,
      title,
      details,
      items: charge.items,
      publicView: {
        title,
        details: item_number === null ? details : [...details.slice(0, 1), ...owner],
        dueDate: due_date,
        nothingYet: null,
        closed: charge.status === 'open' ? null : say`“${title}” is closed and cannot be paid.`,
      },
    }
  },

  /** Returns one entry for each payment type with open items. The payment page of the type requests the proof. */
  async paths(tx, company, { isResident, today }) {
    const { rows } = await sql<{
      title: string
      slug: string
      amountKind: AmountKind
      amountCents: number | null
      fieldSet: number
    }>`
      SELECT t.title, t.slug, t.amount_kind AS "amountKind", t.amount_cents AS "amountCents", t.field_set_id AS "fieldSet"
      FROM payment_type t
      WHERE t.company_id = ${company} AND t.status = 'open' AND t.seen_by = ANY (${isResident ? ['everyone', 'signed_in'] : ['everyone']})
        AND coalesce(t.opens_on <= ${today}::date, true) AND coalesce(t.closes_on >= ${today}::date, true)
      ORDER BY t.title_key, t.id LIMIT 100`.execute(tx)
    const computed = rows.filter(({ amountKind }) => amountKind === 'computed').map(({ fieldSet }) => fieldSet)
    const definitions = await latestDefinitions({ tx, company }, computed)
    return rows.map(({ title, slug, amountKind, amountCents, fieldSet }) => {
      const definition = definitions.get(fieldSet)
      return {
        path: `/pay/${slug}`,
        title,
        note: priceText({ amountKind, amountCents, range: definition ? rangeOf(definition) : null }),
      }
    })
  },
  /** Lists the person's unpaid charges, and the unpaid charges that staff sent to the person's confirmed email. */
  async listOwn(tx, company, person) {
    const { rows } = await sql<{ id: number }>`
      SELECT c.id FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
      WHERE c.company_id = ${company} AND c.person_id = ${person} AND c.status IN ('open', 'part') AND t.status = 'open'
      UNION
      SELECT c.id FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
      JOIN person p ON p.company_id = c.company_id AND p.email = c.email
      WHERE p.company_id = ${company} AND p.id = ${person} AND p.email_confirmed_at IS NOT NULL
        AND c.made_by <> '' AND c.status IN ('open', 'part') AND t.status = 'open' ORDER BY 1 DESC LIMIT 20`.execute(tx)
    return rows.map(({ id }) => id)
  },

  async onSettled(tx, company, settlement) {
    await applySettlement(tx, company, 'credit', settlement)
    await storeFiles(tx, company, settlement.payableId)
    const charge = await read(tx, company, settlement.payableId)
    if (!charge?.is_numbered) return
    const number = charge.has_number
      ? charge.stock_number
      : await takeNumber(tx, {
          company,
          typeId: charge.type_id,
          chargeId: charge.id,
          wanted: charge.stock_number ?? undefined,
        })
    await sql`
      UPDATE general_charge SET held_until = NULL, stock_number = ${number} WHERE company_id = ${company} AND id = ${charge.id}`.execute(
      tx,
    )
    if (number !== charge.stock_number) await notifyStaff(tx, company, settlement, charge, number)
  },
  onReversed: (tx, company, settlement) => applySettlement(tx, company, 'reversal', settlement),
}
definePayable(generalPayable)

/** Adds a payment to the paid amount of a charge, or subtracts a reversal from it. */
async function applySettlement(
  tx: Tx,
  company: CompanyId,
  kind: 'credit' | 'reversal',
  settlement: Settlement,
): Promise<void> {
  const { payableId, at } = settlement
  const change = await settlements.keep(tx, company, kind, settlement)
  await sql`
    UPDATE general_charge SET paid_cents = paid_cents + ${change}, at = CASE WHEN paid_at IS NULL THEN ${at} ELSE at END,
      paid_at = coalesce(paid_at, ${at})
    WHERE company_id = ${company} AND id = ${payableId}`.execute(tx)
}

/** Alerts staff if a payment succeeds after its number went to another payer. The payer has paid, so staff must act. */
async function notifyStaff(
  tx: Tx,
  company: CompanyId,
  { orderId, at }: Settlement,
  { title, number_label, stock_number }: Charge,
  number: string | null,
): Promise<void> {
  const message =
    number === null
      ? say`“${title}” was paid, but no numbers are left to issue. Add numbers and send one to the payer, or refund the payment.`
      : say`“${title}” was paid late. The receipt shows ${number_label} ${stock_number ?? ''}, which was issued to another payer. The number issued to this payer is ${number}. Notify the payer.`
  await alertStaff(tx, company, { now: () => at }, orderId, 'stock', message)
}
