import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { settle, take } from '../../test/payment-runs/act.ts'
import { expectReached, newIn, reachedIn } from '../../test/payment-runs/reached.ts'
import { type RunOptions, openRun } from '../../test/payment-runs/run.ts'
import {
  calm,
  feeModes,
  NUMBERED,
  payAll,
  storedScenarios,
  type RunStep,
  steps,
  tabs,
  TICKET,
} from '../../test/payment-runs/steps.ts'
import { openTown, type RunCompany } from '../../test/payment-runs/town.ts'
import { expectTruth } from '../../test/payment-runs/truth.ts'
import { verifyDrawers } from '../counter/server/verify-drawers.ts'
import { verifyLedger } from './server/verify-ledger.ts'

/**
 * Whatever crashes, comes late, twice or out of order: nobody is charged twice, and the books are true. Utility bills,
 * general payments and parking tickets are paid at random from carts, by AutoPay and in cash, while staff and banks give
 * money back and tickets are contested.
 */

const RUNS = process.env['NIGHTLY'] ? 2000 : 40

let town: RunCompany
beforeAll(async () => {
  // Those that make a failure smaller pay things of their own as well.
  town = await openTown(RUNS * 3 + 10)
})

/** One run: the steps, those that others go on beside, until everything has settled. `deaf`: its last events get lost. */
async function happen(beginning: RunOptions, sequence: readonly RunStep[], deaf: boolean): Promise<void> {
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

test('every kind of step was reached', async () => {
  expectReached(await reachedIn(town), RUNS)
})

/** What is rare in random runs of a day, each step of it without a mishap. */
const CALM_DAY: RunStep[] = [
  { ...payAll, tab: 0 },
  { ...payAll, tab: 1, scenario: 'echeck_R10' },
  { do: 'late', ...calm },
  { do: 'autopay', what: 'run', ...calm },
  { do: 'cash', thing: TICKET, half: false, twice: true, ...calm },
  { do: 'give back', kind: 'refund', nth: 0, amount: 'a little', then: 'nothing', ...calm },
  { do: 'refund', nth: 0, percent: 1 },
  { do: 'count the drawer', short: true, ...calm },
  { do: 'give back', kind: 'refund', nth: 2, amount: 'all', then: 'nothing', ...calm },
  { do: 'contest', ...calm },
  { do: 'decide', event: 'uphold', ...calm },
]

test('a day without mishaps comes to what is rare in random ones', async () => {
  const before = await reachedIn(town)
  await happen({ tabs: [[2, NUMBERED[0]], [1]], stored: 'ok', held: false, fees: 'apart' }, CALM_DAY, false)
  expect(newIn(before, await reachedIn(town))).toEqual(
    expect.arrayContaining([
      ...['a ticket is contested', 'a contested ticket is upheld', 'a ticket that was paid is open again'],
      ...['a late fee is added', 'AutoPay charges', 'cash is taken', 'a drawer is counted', 'a drawer is short'],
      ...['staff give back a payment', 'staff give back cash', 'the provider gives back', 'a bank returns'],
      'a fee is charged by itself',
    ]),
  )
})

test('a ticket whose refund came back while it was contested is paid once it is upheld', async () => {
  await happen(
    { tabs: [[TICKET]], stored: 'ok', held: false, fees: 'together' },
    [
      { ...payAll, tab: 0 },
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
  await happen(
    { tabs: [[1]], stored: 'ok', held: false, fees: 'together' },
    [
      { ...payAll, tab: 0 },
      { do: 'refund', nth: 0, percent: 100 },
      { do: 'refund fails', nth: 0 },
      { do: 'give back', kind: 'refund', nth: 0, amount: 'all', then: 'approve', ...calm },
    ],
    false,
  )
})

test('and the whole ledger holds, by what `npm run verify` looks at', async () => {
  const { findings } = await verifyLedger(town.platformUrl)
  const { config, context } = town.portal
  const drawers = await verifyDrawers({
    config,
    platformUrl: '',
    acrossCompanies: context.acrossCompanies,
    outside: false,
  })
  // Events that no charge belongs to were planted, and wait for ever.
  const wrong = [...findings, ...drawers.findings].filter(
    ({ wrong: n, holds }) => n > 0 && !holds.startsWith('every event'),
  )
  expect(wrong).toEqual([])
})
