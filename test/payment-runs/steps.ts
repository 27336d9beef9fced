import fc from 'fast-check'
import { type CallFate, scenarios } from '../provider-model.ts'

/** Possible steps of a random run, in which residents pay a company. */

/** Items of each run, with their amounts due in cents. */
export const ITEMS = [
  { kind: 'utility', owed: 100_00 },
  { kind: 'utility', owed: 100_00 },
  { kind: 'general', owed: 60_00 },
  { kind: 'general', owed: 15_00 },
  { kind: 'general', owed: 15_00 },
  { kind: 'parking', owed: 25_00 },
] as const
/** The item that AutoPay pays. */
export const ENROLLED = 0
/** Two items that compete for the same number, because only one number is available. */
export const NUMBERED = [3, 4] as const
export const TICKET = 5
/** Late fees of a ticket, by the number of days since it was issued. */
export const LATE_STEPS = [
  { day: 14, feeCents: 10_00, notifies: true },
  { day: 30, feeCents: 15_00, notifies: false },
]

const TABS = 3
const [tab, item] = [fc.nat(TABS - 1), fc.nat(ITEMS.length - 1)]

/** Scenarios of the saved method that AutoPay charges. */
export const storedScenarios = ['ok', 'ok', 'declined', 'slow', 'echeck', 'echeck_R01', 'echeck_R10'] as const

/** Ways to charge the card fee: with the bill, separately, or separately except for tickets. */
export const feeModes = ['together', 'together', 'apart', 'but for tickets'] as const

/** Items that are in the cart of each tab at the start, in order. */
export const tabs = fc.array(fc.shuffledSubarray([...ITEMS.keys()], { minLength: 1, maxLength: 3 }), {
  minLength: TABS,
  maxLength: TABS,
})

/** Planned outcomes for the effects of one step, in order. If the list is shorter, the remaining effects succeed. */
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<CallFate>('fine') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<CallFate>('silent before', 'silent after', 'crash before', 'crash after', 'late'),
    },
  ),
  { maxLength: 9 },
)

/** Options of a step. If `beside` is true, the step may overlap with the next step. */
const work = { beside: fc.boolean(), fates }

const pay = fc.record({
  do: fc.constant('pay' as const),
  tab,
  scenario: fc.constantFrom('ok', 'ok', 'ok', 'ok_once', ...scenarios),
  /**
   * Amount to pay. `all`: the full amount that the page last showed. `part`: part of the amount due. `rest`: the amount
   * that is due now. `lines`: part of each line.
   */
  amount: fc.constantFrom('all' as const, 'all' as const, 'part' as const, 'rest' as const, 'lines' as const),
  /** True to repeat the tab's last payment with its idempotency key, as after a reload. False to use a new key. */
  again: fc.boolean(),
  ...work,
})

const step = fc.oneof(
  { weight: 12, arbitrary: pay },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const), tab, ...work }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('add' as const, 'remove' as const), tab, item, ...work }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('provider moves' as const), nth: fc.nat(5) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('event' as const), nth: fc.nat(9), twice: fc.boolean(), ...work }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      nth: fc.nat(5),
      percent: fc.constantFrom(1, 33, 50, 100, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund fails' as const), nth: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dispute' as const), nth: fc.nat(5) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dispute ends' as const),
      nth: fc.nat(3),
      as: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
  /** An event is lost: the provider sends it, but it never arrives. */
  { weight: 3, arbitrary: fc.record({ do: fc.constant('event is lost' as const), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('poison' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('time' as const), seconds: fc.constantFrom(1, 5, 61, 1200, 1900) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('job' as const),
      job: fc.constantFrom('reconcile' as const, 'reconcile' as const, 'refunds' as const, 'holds' as const),
      ...work,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('autopay' as const),
      /** `run` makes planned charges due and runs the AutoPay job. The other values are actions of the resident. */
      what: fc.constantFrom(
        'run' as const,
        'run' as const,
        'run' as const,
        'skip' as const,
        'put back' as const,
        'pause' as const,
        'resume' as const,
        'end' as const,
      ),
      ...work,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('contest' as const), ...work }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      event: fc.constantFrom('uphold' as const, 'uphold' as const, 'dismiss' as const, 'void' as const),
      ...work,
    }),
  },
  /** Moves the ticket's date back, so that its next late fee is due. */
  { weight: 2, arbitrary: fc.record({ do: fc.constant('late' as const), ...work }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('give back' as const),
      kind: fc.constantFrom('refund' as const, 'refund' as const, 'void' as const),
      nth: fc.nat(5),
      amount: fc.constantFrom('all' as const, 'all' as const, 'a little' as const),
      /** Decision of the approver, if the refund needs one. */
      then: fc.constantFrom('approve' as const, 'approve' as const, 'decline' as const, 'nothing' as const),
      ...work,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('cash' as const),
      item,
      half: fc.boolean(),
      /** True if staff press the button twice. Both requests have the same idempotency key. */
      twice: fc.boolean(),
      ...work,
    }),
  },
  /** Staff action on a separate fee. Has no effect if the company charges no separate fee. */
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fee' as const),
      as: fc.constantFrom('again' as const, 'again' as const, 'waive' as const),
      nth: fc.nat(3),
      ...work,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('count the drawer' as const), short: fc.boolean(), ...work }) },
)

/** Options of a step in a fixed history, in which all effects succeed. */
export const calm: { beside: false; fates: CallFate[] } = { beside: false, fates: [] }
export const payAll = { do: 'pay', scenario: 'ok', amount: 'all', again: false, ...calm } as const

/** Payment in which all effects succeed. */
const calmPay = fc.record({
  do: fc.constant('pay' as const),
  tab,
  scenario: fc.constantFrom('ok', 'ok', 'ok_once', 'declined', 'echeck', 'echeck_R10'),
  amount: fc.constant('all' as const),
  again: fc.constant(false),
  beside: fc.constant(false),
  fates: fc.constant<CallFate[]>([]),
})

/** Steps of a run. Most runs start with a payment in which all effects succeed, so that later steps can refund it. */
export const steps = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: calmPay }, { weight: 1, arbitrary: pay }),
    fc.array(step, { minLength: 6, maxLength: 12, size: 'max' }),
  )
  .map(([first, rest]): RunStep[] => [first, ...rest])

export type RunStep = typeof step extends fc.Arbitrary<infer S> ? S : never
export type StepOf<Do extends RunStep['do']> = Extract<RunStep, { do: Do }>
