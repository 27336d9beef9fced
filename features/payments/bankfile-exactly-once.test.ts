import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finish, take } from '../../test/payment-runs/act.ts'
import { type RunOptions, openRun } from '../../test/payment-runs/run.ts'
import { payAll, type RunStep, steps, tabs } from '../../test/payment-runs/steps.ts'
import { openRunCompany, type RunCompany } from '../../test/payment-runs/company.ts'
import { expectTruth } from '../../test/payment-runs/truth.ts'
import { RecordedGateway } from '../../test/recorded-gateway.ts'
import { bankfileProvider } from './server/providers/bankfile.ts'
import { verifyLedger } from './server/ledger/verify-ledger.ts'

/**
 * Runs the checks of `exactly-once.test.ts` for a company that debits bank accounts itself, with the adapter over HTTP.
 * The random days and crashes are the same. All payers use eChecks, because the company accepts no cards. Returns
 * replace disputes.
 */

const RUNS = process.env['NIGHTLY'] ? 300 : 10

let gateway: RecordedGateway
let runCompany: RunCompany

beforeAll(async () => {
  gateway = await new RecordedGateway('bankfile').listen()
  const settings = {
    url: gateway.url,
    publicOrigin: gateway.url,
    apiKey: 'a-key',
    webhookSecret: 'a-secret',
    live: false,
  }
  runCompany = await openRunCompany(RUNS * 3 + 10, () => ({
    processor: 3,
    env: {},
    openProvider: () => gateway.forget(),
    through: () => bankfileProvider(settings),
    paysBy: { ok: 'echeck', ok_once: 'echeck', declined: 'echeck_R01', slow: 'echeck', challenge: 'echeck_R10' },
  }))
})
afterAll(() => gateway.close())

async function happen(beginning: RunOptions, sequence: readonly RunStep[], deaf: boolean): Promise<void> {
  const run = await openRun(runCompany, beginning)
  const beside: Promise<unknown>[] = []
  for (const step of sequence) {
    if (step.do === 'dispute' || step.do === 'dispute ends') continue
    const running = take(run, step)
    if ('beside' in step && step.beside) beside.push(running)
    else await running
  }
  await Promise.all(beside)
  await finish(run, deaf)
  await expectTruth(run)
}

test(
  `keeps a correct ledger without double debits despite crashes (${RUNS} runs)`,
  async () => {
    const stored = fc.constantFrom('echeck' as const, 'echeck_R01' as const, 'echeck_R10' as const)
    const beginnings = fc.record({ tabs, stored, held: fc.boolean(), fees: fc.constantFrom('together', 'apart') })
    // Fixed run in addition to the random ones: one eCheck is paid and another is returned.
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

test('passes all ledger checks without card charges', async () => {
  const { findings } = await verifyLedger(runCompany.platformUrl)
  // The test added events that belong to no charge. These events are never processed, so the failing check of events is
  // ignored.
  expect(
    findings.filter(({ violations, holds }) => violations > 0 && !holds.startsWith('each event of the payment')),
  ).toEqual([])
  const { rows } = await runCompany.portal.owner.query(
    `SELECT count(*) FILTER (WHERE provider = 'bankfile' AND status = 1)::int AS paid,
       count(*) FILTER (WHERE step = 'returned')::int AS returned, count(*) FILTER (WHERE part = 'fee')::int AS fees FROM payment_attempt`,
  )
  // Outside the nightly test, the few runs may contain no more payments than the fixed run.
  expect(rows[0].paid).toBeGreaterThan(process.env['NIGHTLY'] ? RUNS / 10 : 0)
  expect(rows[0].returned, 'a bank took some back').toBeGreaterThan(0)
  expect(rows[0].fees, 'an eCheck has its fee in one debit').toBe(0)
  const moving = gateway.requests.filter(({ name }) => name.startsWith('POST /intents') || name === 'POST /refunds')
  expect(moving.filter(({ key, account }) => !key || !account)).toEqual([])
})
