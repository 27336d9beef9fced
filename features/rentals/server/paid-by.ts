import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { sharesOf } from '../../payments/rules.ts'

interface PaidLine {
  orderId: number
  line: number
  amountCents: number
  feeCents: number
  /** Amount that has not been refunded, in cents. */
  settledCents: number
}

/** Finds the order line that last paid for a reservation. Refunds use this line. */
export async function paidBy(tx: Tx, company: CompanyId, id: number): Promise<PaidLine | null> {
  const { rows } = await sql<PaidLine>`
    SELECT l.order_id AS "orderId", l.line_no AS line, l.amount_cents AS "amountCents", l.fee_cents AS "feeCents",
      l.settled_cents AS "settledCents"
    FROM rental_settlement s
    JOIN payment_order_line l ON l.company_id = s.company_id AND l.order_id = s.order_id AND l.line_no = s.line_no
    WHERE s.company_id = ${company} AND s.reservation_id = ${id} AND s.kind = 'credit'
    ORDER BY s.id DESC LIMIT 1`.execute(tx)
  return rows[0] ?? null
}

/** Calculates the total of a partial refund: the refunded amount plus its share of the fee. */
export function withItsFee({ amountCents, feeCents, settledCents }: PaidLine, refundCents: number): number {
  const totalCents = amountCents + feeCents
  const quote = { billCents: amountCents, feeCents, absorbedFeeCents: 0, totalCents }
  const leftOf = (netCents: number) => sharesOf([quote], netCents).lines[0]?.billCents ?? 0
  const paidFor = (cents: number) => {
    let net = Math.round((cents * totalCents) / amountCents)
    while (leftOf(net) < cents) net += 1
    while (net > 0 && leftOf(net - 1) >= cents) net -= 1
    return net
  }
  return paidFor(settledCents) - paidFor(Math.max(0, settledCents - refundCents))
}
