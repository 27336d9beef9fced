import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle, take } from '../../test/payment-runs/act.ts'
import { type RunOptions, openRun } from '../../test/payment-runs/run.ts'
import { feeModes, storedScenarios, type RunStep, steps, tabs } from '../../test/payment-runs/steps.ts'
import { openTown, type RunCompany } from '../../test/payment-runs/town.ts'
import { expectTruth } from '../../test/payment-runs/truth.ts'
import type { TestClock } from '../../test/harness.ts'
import { wrongByTypes } from '../../test/stripe/expect-valid.ts'
import { type RecordedStripe, recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { verifyLedger } from './server/verify-ledger.ts'
import { stripeProvider } from './server/stripe/stripe.ts'

/**
 * What `exactly-once.test.ts` says of a town's payments, in a town on Stripe: the same random days with the same crashes, where the
 * adapter speaks over HTTP to a recorded Stripe. Its events are never lost for good, since Stripe repeats them for days: what
 * a lost dispute comes to stands in no account of what moved.
 */

const RUNS = process.env['NIGHTLY'] ? 300 : 12

let clock: TestClock
let stripe: RecordedStripe
let town: RunCompany

beforeAll(async () => {
  stripe = await recordedStripe(() => clock.now())
  town = await openTown(RUNS * 3 + 10, (its) => {
    clock = its
    return {
      processor: 2,
      env: stripe.env,
      openProvider: () => stripe.forget().model,
      through: () => {
        const { stripe: config } = town.portal.config
        if (!config) throw new Error('the portal is connected to Stripe')
        return stripeProvider(config)
      },
    }
  })
})
afterAll(() => stripe.close())

async function happen(beginning: RunOptions, sequence: readonly RunStep[]): Promise<void> {
  const run = await openRun(town, beginning)
  const beside: Promise<unknown>[] = []
  for (const step of sequence) {
    if (step.do === 'event is lost') continue
    const taken = take(run, step)
    if ('beside' in step && step.beside) beside.push(taken)
    else await taken
  }
  await Promise.all(beside)
  await settle(run, false)
  await expectTruth(run)
}

test(
  `whatever crashes, comes late, twice or out of order: nobody is charged twice at Stripe and the books are true (${RUNS} runs)`,
  async () => {
    const beginnings = fc.record({
      tabs,
      stored: fc.constantFrom(...storedScenarios),
      held: fc.boolean(),
      fees: fc.constantFrom(...feeModes),
    })
    const options = { numRuns: RUNS, endOnFailure: Boolean(process.env['MUTANT']) }
    await fc.assert(fc.asyncProperty(beginnings, steps, happen), options)
  },
  RUNS * 10_000,
)

test('and the whole ledger holds, and every request was one that Stripe takes', async () => {
  const { findings } = await verifyLedger(town.platformUrl)
  // Events that no charge belongs to were planted, and wait for ever.
  expect(findings.filter(({ wrong, holds }) => wrong > 0 && !holds.startsWith('every event'))).toEqual([])
  expect(stripe.requests.length).toBeGreaterThan(RUNS * 5)
  expect(wrongByTypes(stripe.requests)).toEqual([])
})
