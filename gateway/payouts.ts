import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { lockMovements, type Movement } from '../provider-kit/movements.ts'
import { payoutPages } from '../provider-kit/payout-pages.ts'
import { newId } from '../provider-kit/ids.ts'

/** Processing costs: 2.2% plus ten cents for a card charge, 40 cents for an eCheck. Refunds cost nothing. */
const CARD_BPS = 220
const CARD_FIXED_CENTS = 10
const ECHECK_CENTS = 40
/** Bank fees for a returned eCheck and for a dispute, in cents. */
const RETURN_CENTS = 300
const DISPUTE_CENTS = 1500

/** Number of business days until a payout arrives. Banks transfer no money on weekends. */
const DAYS_TO_ARRIVE = 2

/** Returns the cost in cents that the gateway deducts for a movement. */
export function costOf(type: Movement['type'], method: 'card' | 'echeck', amountCents: number): number {
  if (type === 'capture')
    return method === 'card' ? Math.floor((amountCents * CARD_BPS + 5000) / 10_000) + CARD_FIXED_CENTS : ECHECK_CENTS
  if (type === 'return') return RETURN_CENTS
  return type === 'dispute' ? DISPUTE_CENTS : 0
}

/** Returns the day on which a payout created on `day` arrives, as YYYY-MM-DD. */
function arrivalAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  for (let left = DAYS_TO_ARRIVE; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1)
    if (date.getUTCDay() % 6 !== 0) left--
  }
  return date.toISOString().slice(0, 10)
}

/**
 * Creates and lists payouts. After a day ends (UTC), each account gets one payout of the movements that are not paid
 * out yet, minus their costs.
 */
export function openPayouts(database: Database, clock: Clock) {
  /** Last day on which this process created payouts. Empty before the first run. */
  let lastDay = ''

  /**
   * Creates all payouts that are due by the gateway's clock. The lock, which writers also take, ensures that each
   * movement is in exactly one payout. An account gets no payout until its total is positive.
   */
  async function advance(): Promise<void> {
    const today = clock.now().toISOString().slice(0, 10)
    if (today === lastDay) return
    await database.transact(async (client) => {
      await lockMovements(client)
      const { rows } = await client.query<{ account: string; cents: number; fees: number; lines: number }>(
        `SELECT account, sum(amount_cents - fee_cents)::bigint AS cents, sum(fee_cents)::bigint AS fees, count(*)::int AS lines
         FROM movement WHERE payout IS NULL AND created_at < $1::date AT TIME ZONE 'UTC' GROUP BY account ORDER BY account`,
        [today],
      )
      for (const due of rows) if (due.cents > 0) await payOut(client, due, today)
    })
    lastDay = today
  }

  async function payOut(
    client: Client,
    { account, cents, fees, lines }: { account: string; cents: number; fees: number; lines: number },
    today: string,
  ) {
    const id = newId('po')
    await client.query(
      `INSERT INTO payout (id, account, amount_cents, fee_cents, lines, trace, arrives_on, created_at)
       VALUES ($1, $2, $3, $4, $5, 'SBX' || lpad(nextval('payout_trace')::text, 9, '0'), $6, $7)`,
      [id, account, cents, fees, lines, arrivalAfter(today), clock.now()],
    )
    await client.query(
      `UPDATE movement SET payout = $1 WHERE account = $2 AND payout IS NULL AND created_at < $3::date AT TIME ZONE 'UTC'`,
      [id, account, today],
    )
  }

  return { advance, ...payoutPages(database, advance) }
}
