import { beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../test/databases.ts'
import { loadRentalDemo } from '../../test/rental-demo.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'

/** Tests that the demo's reservations and payments agree with each other. */

let database: TestDatabase
beforeAll(async () => {
  database = await loadRentalDemo()
})

const rows = async (sql: string) => (await database.owner.query(sql)).rows

describe('money of the demo', () => {
  test('passes the ledger check even with absorbed fees', async () => {
    const { findings, companies: seen } = await verifyLedger(database.urls.platform)
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([])
    for (const { orders } of seen) expect(orders).toBeGreaterThan(200)
  })

  test('matches the payment of each reservation to the cent', async () => {
    const mismatches = await rows(`
      SELECT v.number, v.status, v.paid_cents, coalesce(sum(l.settled_cents), 0) AS settled FROM rental_reservation v
      LEFT JOIN payment_order_line l ON l.company_id = v.company_id AND l.kind = 'rental' AND l.payable_id = v.id
      GROUP BY v.company_id, v.id HAVING v.paid_cents <> coalesce(sum(l.settled_cents), 0)`)
    expect(mismatches).toEqual([])
    const unpaid = await rows(`
      SELECT number FROM rental_reservation WHERE status IN ('confirmed', 'in_use') AND paid_cents <> price_cents + security_deposit_cents
        OR status IN ('completed', 'no_show') AND paid_cents <> price_cents + withheld_cents + refund_cents
        OR status = 'cancelled' AND paid_cents <> refund_cents`)
    expect(unpaid).toEqual([])
  })

  test('includes sent refunds, due refunds and retained deposits', async () => {
    const [{ whole, part, owed, kept: retained }] = await rows(`
      SELECT count(*) FILTER (WHERE o.status = 3)::int AS whole, count(*) FILTER (WHERE o.status = 1 AND o.refunded_cents > 0)::int AS part,
        (SELECT count(*)::int FROM rental_reservation WHERE refund_cents > 0) AS owed,
        (SELECT count(*)::int FROM rental_reservation WHERE withheld_cents > 0) AS kept
      FROM payment_order o`)
    expect(Math.min(whole, part, owed, retained)).toBeGreaterThan(0)
  })
})

test('has no agreement in the future or after the reservation started', async () => {
  expect(
    await rows(
      `SELECT number FROM rental_reservation WHERE agreed_at > '2027-06-15T16:00:00Z' OR agreed_at > starts_at`,
    ),
  ).toEqual([])
})
