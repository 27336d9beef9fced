import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { settle, take } from '../../test/payment-runs/act.ts'
import { expectReached, reachedIn } from '../../test/payment-runs/reached.ts'
import { type Beginning, openRun } from '../../test/payment-runs/run.ts'
import { feeModes, storedScenarios, type Step, steps, tabs, TICKET } from '../../test/payment-runs/steps.ts'
import { openTown, type Town } from '../../test/payment-runs/town.ts'
import { expectTruth } from '../../test/payment-runs/truth.ts'
import { verifyDrawers } from '../counter/server/verify-drawers.ts'
import { verifyLedger } from './server/verify-ledger.ts'

/**
 * Whatever crashes, comes late, twice or out of order: nobody is charged twice, and the books are true. Utility bills,
 * general payments and parking tickets are paid at random from carts, by AutoPay and in cash, while staff and banks give
 * money back and tickets are contested.
 */

const RUNS = process.env['NIGHTLY'] ? 2000 : 50

let town: Town
beforeAll(async () => {
  // Those that make a failure smaller pay things of their own as well.
  town = await openTown(RUNS * 3 + 10)
})

/** One run: the steps, those that others go on beside, until everything has settled. `deaf`: its last events get lost. */
async function happen(beginning: Beginning, sequence: readonly Step[], deaf: boolean): Promise<void> {
  const run = await openRun(town, beginning)
  const beside: Promise<unknown>[] = []
  for (const step of sequence) {
    const taken = take(run, step)
    if ('beside' in step && step.beside) beside.push(taken)
    else await taken
  }
  await Promise.all(beside)
  await settle(run, deaf)
  await expectTruth(run)
}

test(
  `whatever crashes, comes late, twice or out of order: nobody is charged twice and the books are true (${RUNS} runs)`,
  async () => {
    const beginnings = fc.record({
      tabs,
      stored: fc.constantFrom(...storedScenarios),
      held: fc.boolean(),
      fees: fc.constantFrom(...feeModes),
    })
    // Where a fault is planted, that it is found is enough.
    const options = { numRuns: RUNS, endOnFailure: Boolean(process.env['MUTANT']) }
    await fc.assert(fc.asyncProperty(beginnings, steps, fc.boolean(), happen), options)
  },
  RUNS * 3000,
)

test('a ticket whose refund came back while it was contested is paid once it is upheld', async () => {
  const calm = { beside: false, fates: [] }
  await happen(
    { tabs: [[TICKET]], stored: 'ok', held: false, fees: 'together' },
    [
      { do: 'pay', tab: 0, scenario: 'ok', amount: 'all', again: false, ...calm },
      { do: 'refund', nth: 0, percent: 100 },
      { do: 'job', job: 'reconcile', ...calm },
      { do: 'contest', ...calm },
      { do: 'refund fails', nth: 0 },
      { do: 'job', job: 'reconcile', ...calm },
      { do: 'decide', event: 'uphold', ...calm },
    ],
    false,
  )
  const { rows } = await town.portal.owner.query('SELECT status FROM parking_ticket WHERE citation = $1', [
    `MG-${town.runs - 1}`,
  ])
  expect(rows).toEqual([{ status: 'paid' }])
})

test('a refund that failed is learned after the one that staff made instead', async () => {
  const calm = { beside: false, fates: [] }
  await happen(
    { tabs: [[1]], stored: 'ok', held: false, fees: 'together' },
    [
      { do: 'pay', tab: 0, scenario: 'ok', amount: 'all', again: false, ...calm },
      { do: 'refund', nth: 0, percent: 100 },
      { do: 'refund fails', nth: 0 },
      { do: 'give back', kind: 'refund', nth: 0, amount: 'all', then: 'approve', ...calm },
    ],
    false,
  )
})

test('and the whole ledger holds, by what `npm run verify` looks at', async () => {
  const { findings } = await verifyLedger(town.platformUrl)
  const { config, house } = town.portal
  const drawers = await verifyDrawers({
    config,
    platformUrl: '',
    acrossCompanies: house.acrossCompanies,
    outside: false,
  })
  // Events that no charge belongs to were planted, and wait for ever.
  const wrong = [...findings, ...drawers.findings].filter(
    ({ wrong: n, holds }) => n > 0 && !holds.startsWith('every event'),
  )
  expect(wrong).toEqual([])
})

test('every kind of step was reached', async () => {
  expectReached(await reachedIn(town), RUNS)
})
