import { beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { Demo } from '../../server/demo.ts'
import { filesOnDisk } from '../../server/files.ts'
import { openSecrets } from '../../server/secrets.ts'
import { type CompanyId, tenancyOn } from '../../server/tenancy.ts'
import type { TestDatabase } from '../../test/databases.ts'
import { testClock, testDatabase, testFolder } from '../../test/harness.ts'
import { openTestCompany } from '../../test/town.ts'
import { countHistory } from '../payments/demo-rows.ts'
import { verifyLedger } from '../payments/server/ledger/verify-ledger.ts'
import { demo } from './demo.ts'
import { type LotteryInput, drawOf, hashOfSeed } from './rules-lottery.ts'

/** Tests that the demo's reservations, payments and rounds agree with each other. */

let database: TestDatabase
const companyIds: CompanyId[] = []

beforeAll(async () => {
  database = await testDatabase()
  const { pools: db } = database
  const clock = testClock('2027-06-15T16:00:00.000Z')
  const files = filesOnDisk(testFolder(), clock)
  const secrets = openSecrets(Buffer.alloc(32, 7).toString('base64'))
  for (const demoCompany of [mapleGrove, harborCity]) {
    const company = await openTestCompany({ db, clock }, demoCompany)
    await demo.company?.({ db, clock, secrets, files } as Partial<Demo> as Demo, demoCompany, {
      company,
      households: [],
    })
    await tenancyOn(db.app)(company, (tx) => countHistory(tx, company))
    companyIds.push(company)
  }
})

const rows = async (sql: string) => (await database.owner.query(sql)).rows

describe('money of the demo', () => {
  test('passes the ledger check even with absorbed fees', async () => {
    const { findings, towns: seen } = await verifyLedger(database.urls.platform)
    expect(findings.filter(({ wrong }) => wrong > 0)).toEqual([])
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
    const [{ whole, part, owed, kept }] = await rows(`
      SELECT count(*) FILTER (WHERE o.status = 3)::int AS whole, count(*) FILTER (WHERE o.status = 1 AND o.refunded_cents > 0)::int AS part,
        (SELECT count(*)::int FROM rental_reservation WHERE refund_cents > 0) AS owed,
        (SELECT count(*)::int FROM rental_reservation WHERE withheld_cents > 0) AS kept
      FROM payment_order o`)
    expect(Math.min(whole, part, owed, kept)).toBeGreaterThan(0)
  })
})

test('has no agreement in the future or after the reservation started', async () => {
  expect(
    await rows(
      `SELECT number FROM rental_reservation WHERE agreed_at > '2027-06-15T16:00:00Z' OR agreed_at > starts_at`,
    ),
  ).toEqual([])
})

test('repeats the lottery of last season by its seed', async () => {
  const draws = await rows(`
    SELECT d.*, r.seed_hash FROM rental_lottery d JOIN rental_round r ON r.company_id = d.company_id AND r.id = d.round_id`)
  expect(draws).toHaveLength(1)
  for (const { seed, seed_hash, inputs, result } of draws) {
    expect(await hashOfSeed(seed)).toBe(seed_hash)
    expect(await drawOf(seed, inputs as LotteryInput)).toEqual(result)
  }
  const rounds = await rows('SELECT status FROM rental_round ORDER BY status')
  expect(rounds.map(({ status }) => status)).toEqual(['closed', 'confirmed', 'open'])
  const lost = await rows(`
    SELECT a.number FROM rental_application a JOIN rental_choice w ON w.company_id = a.company_id AND w.application_id = a.id
    WHERE a.status = 'allocated' AND w.series_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM rental_reservation v WHERE v.company_id = w.company_id AND v.series_id = w.series_id AND v.status = 'completed')`)
  expect(lost).toEqual([])
})
