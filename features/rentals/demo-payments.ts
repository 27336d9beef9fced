import { sql } from 'kysely'
import type { LineItem } from '../../server/db/column-types.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { formatInstant } from '../../shared/dates.ts'
import { dayOf, type DemoOrder, legsOf, paidSteps, writeHistory } from '../payments/demo-rows.ts'
import { type Method, methods, orderStatus, type Quote, sharesOf } from '../payments/rules.ts'
import { type FeeBook, quoteOf } from '../payments/rules-fees.ts'
import { settingsOf } from '../payments/api.ts'
import { withItsFee } from './server/paid-by.ts'
import { rentalPayable } from './server/payable.ts'

const PROVIDER = 'sandbox-history'
const DAY = 86_400_000
const MINUTE = 60_000

interface Row {
  id: number
  number: string
  title: string
  startsAt: Date
  endsAt: Date
  status: 'confirmed' | 'in_use' | 'completed' | 'no_show' | 'cancelled'
  priceCents: number
  depositCents: number
  withheldCents: number
  name: string
  email: string
  person: string | null
  items: LineItem[]
  glAccount: string
  createdAt: Date
  updatedAt: Date
}

/**
 * Calculates the refund of a reservation and the time of the refund. If that time is in the future, the refund is still
 * due.
 */
function refundOfDemo(row: Row, now: Date): { cents: number; at: Date } {
  const total = row.priceCents + row.depositCents
  const day = new Date(row.endsAt.getTime() + DAY)
  switch (row.status) {
    case 'cancelled':
      return { cents: total, at: new Date(Math.min(row.updatedAt.getTime() + 3 * DAY, day.getTime())) }
    case 'completed':
      return { cents: row.depositCents - row.withheldCents, at: day }
    case 'no_show':
      return { cents: row.depositCents, at: day }
    default:
      return { cents: 0, at: now }
  }
}

const digitsOf = (at: Date) => String(Math.floor(at.getTime() / 1000) % 10_000).padStart(4, '0')

interface Paying {
  fees: FeeBook
  zone: string
  method: Method
}

/** Builds the payment of a reservation with its line items and its refund. The refund includes its share of the fee. */
function orderOf(row: Row, { fees, zone, method }: Paying, refund: { cents: number; at: Date } | null): DemoOrder {
  const paid = row.priceCents + row.depositCents
  const at = new Date(row.createdAt.getTime() + 2 * MINUTE)
  const quote = quoteOf(fees, { on: dayOf(at), kind: 'rental', method, location: 1 }, paid)
  const paidAt = new Date(at.getTime() + MINUTE)
  const ref = `rental_${row.id}`
  const line = { orderId: 0, line: 1, amountCents: paid, feeCents: quote.feeCents, settledCents: paid }
  const isWhole = refund !== null && refund.cents >= paid
  const refundCents = refund === null ? 0 : isWhole ? quote.totalCents : withItsFee(line, refund.cents)
  const retained = sharesOf([quote], quote.totalCents - refundCents).lines[0]
  const gone: Quote = {
    billCents: paid - (retained?.billCents ?? 0),
    feeCents: quote.feeCents - (retained?.feeCents ?? 0),
    absorbedFeeCents: quote.absorbedFeeCents - (retained?.absorbedFeeCents ?? 0),
    totalCents: refundCents,
  }
  return {
    ...{ kind: rentalPayable.kind, type: rentalPayable.label, number: row.number, glAccount: row.glAccount },
    title: row.title,
    details: [
      { name: 'reference', value: row.number },
      { name: 'From', value: formatInstant(row.startsAt, zone) },
      { name: 'Until', value: formatInstant(row.endsAt, zone) },
    ],
    ...{ items: row.items, at, status: isWhole ? orderStatus.refund : orderStatus.success, location: 4, method },
    ...{ payType: 1, quote, payerName: row.name, payerEmail: row.email, person: row.person },
    methodLabel: method === methods.echeck ? `Checking account ending ${digitsOf(at)}` : `Visa ending ${digitsOf(at)}`,
    ...{ provider: PROVIDER, refunded: refundCents, returnCode: null, disputed: false, paidAt },
    steps: [
      ...paidSteps(at, paidAt),
      ...(isWhole ? [{ from: orderStatus.success, to: orderStatus.refund, event: 'refunded', at: refund.at }] : []),
    ],
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }],
    transfers: [
      ...legsOf('capture', quote, false, ref, paidAt),
      ...(refund && refundCents > 0 ? legsOf('refund', gone, false, `re_${ref}`, refund.at) : []),
    ],
  }
}

/**
 * Adds payments for paid reservations, with refunds of deposits and cancellations. The totals of payment reports then
 * match the reservations.
 */
export async function payReservations(tx: Tx, company: CompanyId, now: Date, zone: string): Promise<void> {
  const { fees } = await settingsOf(tx, company)
  const { rows } = await sql<Row>`
    SELECT v.id, v.number, v.title, v.starts_at AS "startsAt", v.ends_at AS "endsAt", v.status, v.price_cents AS "priceCents",
      v.security_deposit_cents AS "depositCents", v.withheld_cents AS "withheldCents", v.name, v.email, p.email AS person, v.items,
      s.gl_account AS "glAccount", v.created_at AS "createdAt", v.updated_at AS "updatedAt"
    FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
    LEFT JOIN person p ON p.company_id = v.company_id AND p.id = v.person_id
    WHERE v.company_id = ${company} AND v.status IN ('confirmed', 'in_use', 'completed', 'no_show', 'cancelled')
      AND v.price_cents + v.security_deposit_cents > 0
    ORDER BY v.created_at, v.starts_at, v.title`.execute(tx)
  const sums: { id: number; paid: number; refund: number }[] = []
  const orders = rows.map((row, n) => {
    const refund = refundOfDemo(row, now)
    const isDone = refund.cents > 0 && refund.at < now
    const paid = row.priceCents + row.depositCents
    sums.push({ id: row.id, paid: isDone ? paid - refund.cents : paid, refund: isDone ? 0 : refund.cents })
    return orderOf(row, { fees, zone, method: n % 4 === 0 ? methods.echeck : methods.card }, isDone ? refund : null)
  })
  await writeHistory(tx, company, fees, orders, new Map(rows.map(({ id, number }) => [number, id])))
  await sql`
    INSERT INTO rental_settlement (company_id, reservation_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
    SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref,
      CASE t.credit_account WHEN 'payable_municipality' THEN 'credit' ELSE 'reversal' END, t.amount_cents, t.at
    FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
    WHERE l.company_id = ${company} AND l.kind = ${rentalPayable.kind}
      AND 'payable_municipality' IN (t.debit_account, t.credit_account)`.execute(tx)
  await sql`
    UPDATE rental_reservation v SET paid_cents = x.paid, refund_cents = x.refund
    FROM jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) AS x(id bigint, paid bigint, refund bigint)
    WHERE v.company_id = ${company} AND v.id = x.id`.execute(tx)
}
