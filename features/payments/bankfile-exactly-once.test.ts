import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle, take } from '../../test/payment-runs/act.ts'
import { type RunOptions, openRun } from '../../test/payment-runs/run.ts'
import { payAll, type RunStep, steps, tabs } from '../../test/payment-runs/steps.ts'
import { openTown, type RunCompany } from '../../test/payment-runs/town.ts'
import { expectTruth } from '../../test/payment-runs/truth.ts'
import { RecordedGateway } from '../../test/recorded-gateway.ts'
import { bankfileProvider } from './server/bankfile.ts'
import { verifyLedger } from './server/verify-ledger.ts'

/**
 * What `exactly-once.test.ts` says of a town's payments, in a town that debits bank accounts itself: the same random days with
 * the same crashes, through the adapter over HTTP. It takes no cards, so that everybody pays by eCheck, and has returns where
 * others have disputes.
 */

const RUNS = process.env['NIGHTLY'] ? 300 : 10

let gateway: RecordedGateway
let town: RunCompany

beforeAll(async () => {
  gateway = await new RecordedGateway('bankfile').listen()
  const settings = {
    url: gateway.url,
    publicOrigin: gateway.url,
    apiKey: 'a-key',
    webhookSecret: 'a-secret',
    live: false,
  }
  town = await openTown(RUNS * 3 + 10, () => ({
    processor: 3,
    env: {},
    openProvider: () => gateway.forget(),
    through: () => bankfileProvider(settings),
    paysBy: { ok: 'echeck', ok_once: 'echeck', declined: 'echeck_R01', slow: 'echeck', challenge: 'echeck_R10' },
  }))
})
afterAll(() => gateway.close())

async function happen(beginning: RunOptions, sequence: readonly RunStep[], deaf: boolean): Promise<void> {
  const run = await openRun(town, beginning)
  const beside: Promise<unknown>[] = []
  for (const step of sequence) {
    if (step.do === 'dispute' || step.do === 'dispute ends') continue
    const taken = take(run, step)
    if ('beside' in step && step.beside) beside.push(taken)
    else await taken
  }
  await Promise.all(beside)
  await settle(run, deaf)
  await expectTruth(run)
}

test(
  `whatever crashes, comes late, twice or out of order: no account is debited twice and the books are true (${RUNS} runs)`,
  async () => {
    const stored = fc.constantFrom('echeck' as const, 'echeck_R01' as const, 'echeck_R10' as const)
    const beginnings = fc.record({ tabs, stored, held: fc.boolean(), fees: fc.constantFrom('together', 'apart') })
    // One of them is no chance: somebody's eCheck is paid, and another's comes back.
    const beginning: RunOptions = { tabs: [[1], [2]], stored: 'echeck', held: false, fees: 'together' }
    const examples: [RunOptions, RunStep[], boolean][] = [
      [
        beginning,
        [
          { ...payAll, tab: 0 },
          { ...payAll, tab: 1, scenario: 'challenge' },
        ],
        false,
      ],
    ]
    const options = { numRuns: RUNS, examples, endOnFailure: Boolean(process.env['MUTANT']) }
    await fc.assert(fc.asyncProperty(beginnings, steps, fc.boolean(), happen), options)
  },
  RUNS * 10_000,
)

test('and the whole ledger holds, no card was ever charged, and whatever moves money has a key and an account', async () => {
  const { findings } = await verifyLedger(town.platformUrl)
  // Events that no charge belongs to were planted, and wait for ever.
  expect(findings.filter(({ wrong, holds }) => wrong > 0 && !holds.startsWith('every event'))).toEqual([])
  const { rows } = await town.portal.owner.query(
    `SELECT count(*) FILTER (WHERE provider = 'bankfile' AND status = 1)::int AS paid,
       count(*) FILTER (WHERE step = 'returned')::int AS returned, count(*) FILTER (WHERE part = 'fee')::int AS fees FROM payment_attempt`,
  )
  // A few runs of the day need not have more in them than the one that is no chance.
  expect(rows[0].paid).toBeGreaterThan(process.env['NIGHTLY'] ? RUNS / 10 : 0)
  expect(rows[0].returned, 'a bank took some back').toBeGreaterThan(0)
  expect(rows[0].fees, 'an eCheck has its fee in one debit').toBe(0)
  const moving = gateway.asked.filter(({ name }) => name.startsWith('POST /intents') || name === 'POST /refunds')
  expect(moving.filter(({ key, account }) => !key || !account)).toEqual([])
})
