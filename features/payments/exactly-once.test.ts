import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { testDatabase, type TestPortal, testPortal } from '../../test/harness.ts'
import { addPermits, makePermitTables, permits } from '../../test/permits.ts'
import { crash, type Fate, fateful, ProviderModel, scenarios } from '../../test/provider-model.ts'
import { openTestTown } from '../../test/town.ts'
import { hashSecret } from '../../server/sessions.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { importBills } from '../utility-accounts/server/import-bills.ts'
import { type FeeRules, type Owing, quoteOfLines, sharesOf, spread } from './rules.ts'
import { applyEvent } from './server/apply-event.ts'
import { addToCheckout } from './server/cart.ts'
import { openCheckout } from './server/checkout.ts'
import { keepEvent } from './server/event-inbox.ts'
import { definePayable } from './server/payables.ts'
import type { Movement, ProviderEvent } from './server/provider.ts'
import { provideInstead } from './server/providers.ts'
import { reconcile } from './server/reconcile.ts'
import { verifyLedger } from './server/verify-ledger.ts'

const TOWN = 'maplegrove.localhost'
const RUNS = process.env['NIGHTLY'] ? 2000 : 160
/** Each run pays things of its own, of two kinds: utility accounts and permits. What each of them owes, in cents. */
const OWED = 100_00
const PRICE = 40_00
const ACCOUNTS_A_RUN = 2
const THINGS = ['account', 'account', 'permit', 'permit'] as const
const TABS = 4

const FEES: FeeRules = {
  program: 'convenience',
  absorb: 0,
  cardBps: 275,
  cardFixedCents: 30,
  cardMinCents: 195,
  cardMaxCents: 4995,
  echeckCents: 150,
}

/** What is in the cart of each tab in the beginning, in which order: some of one kind, some of both. */
const tabs = fc.array(fc.shuffledSubarray([...THINGS.keys()], { minLength: 1 }), { minLength: TABS, maxLength: TABS })

/** What may befall the effects of one step of a run, in their order; the rest goes well. */
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>('fine') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Fate>('silent before', 'silent after', 'crash before', 'crash after', 'late'),
    },
  ),
  { maxLength: 9 },
)

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('pay' as const),
        tab: fc.nat(TABS - 1),
        scenario: fc.constantFrom(...scenarios),
        /** All that was owed when the page was last looked at, a part, what it shows now, or a part of each line. */
        amount: fc.constantFrom('all' as const, 'all' as const, 'part' as const, 'rest' as const, 'lines' as const),
        /** With the key of that tab's last payment, as after a reload; or with a key of its own. */
        again: fc.boolean(),
        /** Does not wait for it to end before the next step begins. */
        beside: fc.boolean(),
        fates,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('look' as const),
        tab: fc.nat(TABS - 1),
        beside: fc.boolean(),
        fates,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('add' as const, 'remove' as const),
        tab: fc.nat(TABS - 1),
        thing: fc.nat(THINGS.length - 1),
        beside: fc.boolean(),
        fates,
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('provider moves' as const), nth: fc.nat(5) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('event' as const),
        nth: fc.nat(9),
        twice: fc.boolean(),
        beside: fc.boolean(),
        fates,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        nth: fc.nat(5),
        percent: fc.constantFrom(1, 33, 50, 100, 100),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('refund fails' as const), nth: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('dispute' as const), nth: fc.nat(5) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('dispute ends' as const),
        nth: fc.nat(3),
        as: fc.constantFrom('won' as const, 'lost' as const),
      }),
    },
    /** The provider sends it, and nobody ever gets it. */
    { weight: 2, arbitrary: fc.record({ do: fc.constant('event is lost' as const), nth: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('poison' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('time' as const), seconds: fc.constantFrom(1, 5, 61, 1200) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile' as const), beside: fc.boolean(), fates }) },
  ),
  { minLength: 2, maxLength: 9 },
)
type Step = (typeof steps extends fc.Arbitrary<infer S> ? S : never) extends (infer E)[] ? E : never

/** The fates of the step that runs, wherever in its calls we are. */
interface Lot {
  left: Fate[]
  onCrash: () => void
  onStandStill: () => void
  /** What stood still goes on. */
  thaw: Promise<void>
}
const fateOf = new AsyncLocalStorage<Lot>()
const nextFate = (): Fate => fateOf.getStore()?.left.shift() ?? 'fine'
const crashed = (): void => fateOf.getStore()?.onCrash()
const standStill = async (): Promise<void> => {
  fateOf.getStore()?.onStandStill()
  await fateOf.getStore()?.thaw
}

afterAll(definePayable(permits))
let portal: TestPortal
let company: CompanyId
let platformUrl: string
let accountsUsed = 0

beforeAll(async () => {
  const database = await testDatabase()
  platformUrl = database.urls.platform
  portal = await testPortal({ database })
  company = await openTestTown(portal, mapleGrove)
  await makePermitTables(portal.owner)
  await addPermits(portal.owner, company, 0, RUNS * ACCOUNTS_A_RUN * 3, PRICE)
  await liftLimits(portal.owner)
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = Array.from(
    { length: RUNS * ACCOUNTS_A_RUN * 3 },
    (_, n) =>
      `7${n},Ada Quill,${n} Elm Street,Maple Grove,PA,17011,B${n},2026-11-01,2026-12-01,2026-10-01,2026-10-31,Water,${OWED / 100}.00`,
  )
  await importBills(
    { db: portal.db, clock: portal.clock, log: portal.house.log },
    'maplegrove',
    Readable.from([[head, ...lines].join('\n')]),
  )
  befallTransactions()
})

/** Our own transactions meet their fates too: undone before the commit, or everything after it left undone. */
function befallTransactions(): void {
  const { house } = portal
  const kept = house.inCompany
  class Killed extends Error {}
  house.inCompany = async (company, work) => {
    const fate = nextFate()
    if (fate === 'late') await standStill()
    try {
      const answer = await kept(company, async (tx) => {
        const done = await work(tx)
        if (fate === 'crash before') throw new Killed()
        return done
      })
      if (fate !== 'crash after') return answer
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
    crashed()
    return crash()
  }
}

/** One run: a provider of its own, two accounts and two permits, tabs that pay some of them, and what was answered to which key. */
async function openRun(pays: readonly number[][]) {
  const provider = new ProviderModel()
  provideInstead(portal.config, fateful(provider, nextFate, crashed, standStill))
  await portal.owner.query(`UPDATE payment_settings SET provider_account = 'acct_test'`)
  const first = accountsUsed
  accountsUsed += ACCOUNTS_A_RUN
  const { rows } = await portal.owner.query<{ id: number }>(
    'SELECT id FROM utility_account WHERE account_number = ANY($1) ORDER BY id',
    [[`7${first}`, `7${first + 1}`]],
  )
  const accounts = rows.map(({ id }) => ({ kind: 'utility', id, owed: OWED }))
  const things = [...accounts, ...[first, first + 1].map((id) => ({ kind: permits.kind, id, owed: PRICE }))]
  const opened = await Promise.all(
    pays.map(async (numbers) => {
      const refs = numbers.flatMap((n) => things[n] ?? []).map(({ kind, id }) => ({ kind, id }))
      const token = await portal.house.inCompany(company, (tx) => openCheckout(tx, portal.house, company, refs))
      const last = null as null | { key: string; body: object }
      return { token, seen: await shownOf(token), last, added: new Set<number>() }
    }),
  )
  return {
    provider,
    things,
    tabs: opened,
    /** Of all carts: one that was paid is followed by another. */
    tokens: opened.map(({ token }) => token),
    /** What was taken out of a cart for good, and the newest order of that moment. */
    removed: [] as { token: string; kind: string; id: number; after: number }[],
    answers: new Map<string, string>(),
    taken: [] as ProviderEvent[],
    thaw: Promise.withResolvers<void>(),
    works: [] as Promise<unknown>[],
  }
}
type Run = Awaited<ReturnType<typeof openRun>>

type Shown = Owing & { no: number }

/** What a page shows of its cart. The page is not what is tried here, so nothing befalls it. */
async function shownOf(token: string): Promise<Shown[]> {
  const { body } = await fateOf.exit(() => portal.post(TOWN, 'return/guest/checkout', { token }))
  return body.payables.map(
    ({ no, payableCents, takesCredit }: { no: number; payableCents: number; takesCredit: boolean }) => ({
      no,
      owedCents: payableCents,
      takesCredit,
    }),
  )
}

/** What somebody asks for who sees this. A part of each line leaves a cent of it, where there is one to leave. */
function wishOf(seen: readonly Shown[], amount: 'all' | 'part' | 'rest' | 'lines') {
  const owed = seen.map(({ owedCents }) => Math.max(owedCents, 0))
  const all = owed.reduce((sum, cents) => sum + cents, 0)
  if (amount !== 'lines') {
    const billCents = amount === 'part' ? 25_00 : Math.max(all, 1)
    return { payType: amount === 'part' ? 2 : 1, billCents, amounts: spread(billCents, seen) }
  }
  const amounts = owed.map((cents) => (cents > 20_00 ? cents - 15_01 : cents))
  const lines = seen.flatMap(({ no }, n) => {
    const billCents = amounts[n] ?? 0
    return billCents > 0 ? [{ no, payType: billCents === owed[n] ? 1 : 2, billCents }] : []
  })
  const billCents = amounts.reduce((sum, cents) => sum + cents, 0)
  return { payType: 2, billCents, amounts, ...(lines.length > 0 && { lines }) }
}

async function pay(run: Run, step: Extract<Step, { do: 'pay' }>): Promise<void> {
  const tab = run.tabs[step.tab]
  if (!tab) return
  if (step.amount !== 'all') tab.seen = await shownOf(tab.token)
  const { amounts, ...wish } = wishOf(tab.seen, step.amount)
  const method = step.scenario.startsWith('echeck') ? 2 : 1
  const fresh = {
    key: randomUUID(),
    body: {
      ...{ token: tab.token, method, ...wish },
      expectedTotalCents: quoteOfLines(FEES, method, amounts).totalCents,
      ...{ email: 'ada@example.com', methodToken: run.provider.token(step.scenario) },
    },
  }
  const { key, body } = step.again && tab.last ? tab.last : fresh
  tab.last = { key, body }
  const answer = await portal.post(TOWN, 'pay/guest/bill', body, { headers: { 'idempotency-key': key } })
  expect([200, 409, 422, 503]).toContain(answer.status)
  if (answer.status !== 200) return
  const text = JSON.stringify(answer.body)
  expect(run.answers.get(key) ?? text, 'the same key gets the same answer').toBe(text)
  run.answers.set(key, text)
}

/** Puts a thing into the cart of a tab, or takes it out. */
async function changeCart(run: Run, step: Extract<Step, { do: 'add' | 'remove' }>): Promise<void> {
  const [tab, thing] = [run.tabs[step.tab], run.things[step.thing]]
  if (!tab || !thing) return
  const { token } = tab
  const { kind, id } = thing
  if (step.do === 'add') {
    tab.added.add(step.thing)
    const { house } = portal
    const next = await house
      .inCompany(company, (tx) => addToCheckout(tx, house, company, token, [{ kind, id }]))
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'payment_in_progress' })
        return token
      })
    if (!run.tokens.includes(next)) run.tokens.push(next)
    tab.token = next
  } else {
    const { rows } = await portal.owner.query<{ no: number }>(
      `SELECT (p->>'no')::int AS no FROM guest_checkout, jsonb_array_elements(payables) AS p
       WHERE token_hash = $1 AND p->>'kind' = $2 AND (p->>'id')::bigint = $3`,
      [hashSecret(token), kind, id],
    )
    const { status } = await portal.post(TOWN, 'remove/from/cart', { token, no: rows[0]?.no ?? 0 })
    expect([200, 404, 409]).toContain(status)
    if (status === 200 && !tab.added.has(step.thing)) {
      const newest = await portal.owner.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM payment_order')
      run.removed.push({ token, kind, id, after: newest.rows[0]?.id ?? 0 })
    }
  }
  tab.seen = await shownOf(tab.token)
}

async function takeEvent(run: Run, nth: number, twice: boolean): Promise<void> {
  const { events } = run.provider
  const event = events[nth % Math.max(1, events.length)]
  const late = run.taken[nth % Math.max(1, run.taken.length)]
  if (!event) return
  await applyEvent(portal.house, event)
  // One whose taking crashed is sent again until somebody takes it.
  const at = events.indexOf(event)
  if (at >= 0) events.splice(at, 1)
  run.taken.push(event)
  if (!twice) return
  await applyEvent(portal.house, event)
  if (late) await applyEvent(portal.house, late)
}

/** An event of a charge that nobody knows: it can never be applied. */
const poison = (): ProviderEvent => {
  const intentId = `pi_${randomUUID()}`
  return { id: randomUUID(), type: 'capture', account: 'acct_gone', intentId, object: 'intent', objectId: intentId }
}

async function work(run: Run, step: Step): Promise<void> {
  switch (step.do) {
    case 'pay':
      return pay(run, step)
    case 'add':
    case 'remove':
      return changeCart(run, step)
    case 'look':
      await portal.post(TOWN, 'return/guest/checkout', { token: run.tabs[step.tab]?.token })
      return
    case 'provider moves':
      return run.provider.advance(step.nth)
    case 'event':
      // What could not be asked is asked again later: the sender keeps it.
      return takeEvent(run, step.nth, step.twice).catch(() => {})
    case 'refund':
      return run.provider.refund(step.nth, step.percent)
    case 'refund fails':
      return run.provider.failRefund(step.nth)
    case 'dispute':
      return run.provider.dispute(step.nth)
    case 'dispute ends':
      return run.provider.decide(step.nth, step.as)
    case 'event is lost':
      run.provider.events.splice(step.nth % Math.max(1, run.provider.events.length), 1)
      return
    case 'poison':
      await keepEvent(portal.house, poison())
      return
    case 'time':
      return portal.clock.advance(step.seconds * 1000)
    case 'reconcile':
      await reconcile(portal.house)
  }
}

/** Runs a step until it ends, dies, or stands still: what it does after that is waited for when everything settles. */
function live(run: Run, step: Step): Promise<void> {
  const [death, pause] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lot = {
    left: 'fates' in step ? [...step.fates] : [],
    onCrash: death.resolve,
    onStandStill: pause.resolve,
    thaw: run.thaw.promise,
  }
  return fateOf.run(lot, () => {
    const ended = Promise.race([work(run, step), death.promise])
    run.works.push(ended)
    return Promise.race([ended, pause.promise])
  })
}

/**
 * Everything that waits comes to its end: the provider's charges, its events, and our own sweep. `deaf`: no event comes
 * any more, so that the sweep has to find everything.
 */
async function settle(run: Run, deaf: boolean): Promise<void> {
  const listen = async () => {
    while (!deaf && run.provider.events.length > 0) await takeEvent(run, 0, true)
  }
  // Longer than a lease, an abandoned attempt, an unanswered challenge, and the wait of an event that failed a few times.
  portal.clock.advance(20 * 60_000)
  await reconcile(portal.house)
  // Processes that stood still all this time go on where they stopped.
  run.thaw.resolve()
  await Promise.all(run.works)
  while (run.provider.unfinished) run.provider.advance(0)
  await listen()
  // What began only then, and was never answered, is given up in its turn.
  portal.clock.advance(20 * 60_000)
  await reconcile(portal.house)
  await listen()
}

interface OrderTruth {
  id: number
  status: number
  bill_cents: number
  fee_cents: number
  total_cents: number
  refunded_cents: number
  dispute_open: boolean
  /** In their order, each with what the thing that it pays says of it. */
  lines: {
    kind: string
    id: number
    amount: number
    fee: number
    settled: number
    told: number
    bill: number
    revenue: number
  }[]
  token_hash: Buffer
  clearing: number
  revenue: number
  receivable: number
  reserve: number
  remitted: number
  intents: (string | null)[]
  live: number
  steps: [from: string, to: string, event: string][]
  audited: string[]
  alerts: string[]
}

/** What an account of the ledger holds of an order `o`: debits less credits. */
const balance = (account: string) => `
  (SELECT coalesce(sum(CASE '${account}' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END), 0)::bigint
     FROM ledger_transfer t WHERE t.order_id = o.id)`

/** The same of a line `l`, as credit. */
const balanceOfLine = (account: string) => `
  (SELECT coalesce(sum(CASE '${account}' WHEN debit_account THEN -amount_cents WHEN credit_account THEN amount_cents ELSE 0 END), 0)::bigint
     FROM ledger_transfer t WHERE t.order_id = l.order_id AND t.line_no = l.line_no)`

async function ordersOf(run: Run): Promise<OrderTruth[]> {
  const { rows } = await portal.owner.query<OrderTruth>(
    `SELECT o.id, o.status, o.bill_cents, o.fee_cents, o.total_cents, o.refunded_cents, o.dispute_open, g.token_hash,
       (SELECT jsonb_agg(jsonb_build_object('kind', l.kind, 'id', l.payable_id, 'amount', l.amount_cents, 'fee', l.fee_cents, 'settled', l.settled_cents,
          'bill', ${balanceOfLine('payable_municipality')}, 'revenue', ${balanceOfLine('fee_revenue')},
          'told', CASE l.kind WHEN 'utility'
            THEN (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint FROM remittance r
              WHERE (r.order_id, r.line_no, r.account_id) = (l.order_id, l.line_no, l.payable_id))
            ELSE (SELECT coalesce(sum(cents), 0)::bigint FROM test_permit_receipt r
              WHERE (r.order_id, r.line_no, r.permit_id) = (l.order_id, l.line_no, l.payable_id)) END) ORDER BY l.line_no)
        FROM payment_order_line l WHERE l.order_id = o.id) AS lines,
       ${balance('gateway_clearing')} AS clearing, -${balance('fee_revenue')} AS revenue,
       ${balance('returns_receivable')} AS receivable, ${balance('dispute_reserve')} AS reserve,
       -${balance('payable_municipality')} AS remitted,
       (SELECT array_agg(intent_id) FROM payment_attempt a WHERE a.order_id = o.id) AS intents,
       (SELECT count(*)::int FROM payment_attempt a WHERE a.order_id = o.id AND a.status = 0) AS live,
       (SELECT jsonb_agg(jsonb_build_array(from_state, to_state, event) ORDER BY seq) FROM status_history h WHERE h.machine = 'order' AND h.subject_id = o.id) AS steps,
       ARRAY(SELECT action FROM audit_event e WHERE (e.subject_kind, e.subject) = ('payment', o.id::text) ORDER BY e.id) AS audited,
       ARRAY(SELECT code FROM payment_alert a WHERE a.order_id = o.id) AS alerts
     FROM payment_order o JOIN guest_checkout g ON g.id = o.checkout_id WHERE g.token_hash = ANY($1) ORDER BY o.id`,
    [run.tokens.map(hashSecret)],
  )
  return rows
}

/** What the provider says that it did with these charges, in all. */
function truthOf(provider: ProviderModel, intents: readonly (string | null)[]) {
  const of = (way: Movement['way']) =>
    provider.movements
      .filter((movement) => movement.way === way && intents.includes(movement.intentId))
      .map(({ object, objectId, amountCents }) =>
        way === 'dispute_lost' && object === 'dispute'
          ? (provider.disputes.get(objectId)?.amountCents ?? 0)
          : Math.abs(amountCents),
      )
  const sum = (way: Movement['way']) => of(way).reduce((all, cents) => all + cents, 0)
  const refunded = sum('refund') - sum('refund_failed')
  return {
    captures: of('capture').length,
    refunded,
    returned: sum('return') > 0,
    /** What is left of it, when nothing is set aside. */
    left: sum('capture') - refunded - sum('return') - sum('dispute_lost'),
    setAside: sum('dispute') - sum('dispute_won') - sum('dispute_lost'),
  }
}

/** What must be true once nothing is under way any more (the list of invariants of the ledger and the orders). */
async function expectTruth(run: Run): Promise<void> {
  const orders = await ordersOf(run)
  const known = new Set(orders.flatMap(({ intents }) => intents))
  for (const [id, { intent }] of run.provider.charges)
    if (!known.has(id))
      expect(['requires_confirmation', 'canceled'], 'a charge that we do not know never took money').toContain(
        intent.status,
      )
  for (const order of orders) {
    const { captures, refunded, returned, left, setAside } = truthOf(run.provider, order.intents)
    const kept = Math.max(left, 0)
    expect(captures, 'at most one net capture an order').toBeLessThanOrEqual(1)
    expect(order.clearing, 'clearing equals the provider’s truth').toBe(left - setAside)
    expect(order.live, 'nothing is under way').toBe(0)
    expect(order.status, 'the state agrees with the provider').toBe(
      captures > 0 && left > 0 ? 1 : captures > 0 && !returned ? 3 : 2,
    )
    expect(order.refunded_cents).toBe(refunded)
    expect(order.refunded_cents).toBeLessThanOrEqual(order.total_cents)
    expect(order.remitted + order.revenue, 'what was remitted and the fee are what is held').toBe(kept)
    if (kept === 0) expect(order.revenue, 'the fee is given back with the rest').toBe(0)
    expect(order.receivable, 'what went back twice is owed by the payer').toBe(kept - left)
    if (left < 0) expect(order.alerts, 'and staff are told').toContain('owed_by_payer')
    expect(order.alerts, 'nothing is taken for a second charge').not.toContain('captured_twice')
    expect(order.reserve, 'what is disputed is set aside').toBe(setAside)
    expect(order.dispute_open).toBe(setAside > 0)
    const sum = (of: 'amount' | 'fee') => order.lines.reduce((all, line) => all + line[of], 0)
    expect(sum('amount'), 'the lines add up to what the payment is for').toBe(order.bill_cents)
    expect(sum('fee'), 'and so do their fees').toBe(order.fee_cents)
    for (const id of order.intents)
      expect(
        run.provider.charges.get(id ?? '')?.intent.amountCents ?? order.total_cents,
        'which is what is charged',
      ).toBe(sum('amount') + sum('fee'))
    const quotes = order.lines.map(({ amount, fee }) => ({
      ...{ billCents: amount, feeCents: fee, absorbedFeeCents: 0, totalCents: amount + fee },
    }))
    expect(
      order.lines.map(({ settled, bill, revenue }) => [settled, bill, revenue]),
      'each line is settled by its share of what is held, and the ledger says so of each',
    ).toEqual(sharesOf(quotes, kept).lines.map(({ billCents, feeCents }) => [billCents, billCents, feeCents]))
    for (const { token, kind, id, after } of run.removed)
      if (order.id > after && order.token_hash.equals(hashSecret(token)))
        expect(order.lines, 'what was removed is not charged').not.toContainEqual(expect.objectContaining({ kind, id }))
    for (const { told, settled } of order.lines) expect(told, 'and what it pays was told exactly that').toBe(settled)
    let at = ''
    for (const [from, to] of order.steps) {
      expect(from, 'each step of the history begins where the last one ended').toBe(at)
      at = to
    }
    expect(at).toBe(String(order.status))
    expect(order.audited, 'the audit log has each step once').toEqual(
      order.steps.map(([, , event]) => `payment.${event}`),
    )
  }
  // A refund that failed is paid again, also where the bill was paid anew meanwhile.
  const allRefunded = !run.provider.movements.some(({ way }) => way === 'refund_failed')
  for (const thing of allRefunded ? run.things : []) {
    const paid = orders
      .flatMap(({ lines }) => lines.filter(({ kind, id }) => kind === thing.kind && id === thing.id))
      .reduce((sum, { told }) => sum + told, 0)
    expect(paid, 'nothing is paid more than it owes').toBeLessThanOrEqual(thing.owed)
  }
  const { rows } = await portal.owner.query(
    `SELECT count(*)::int AS n FROM ledger_transfer t WHERE t.order_id = ANY($1)
     GROUP BY t.source, t.source_ref, t.kind, t.line_no HAVING count(*) > 1`,
    [orders.map(({ id }) => id)],
  )
  expect(rows, 'no transfer stands twice').toEqual([])
  for (const tab of run.tabs) {
    const answered = tab.last && run.answers.get(tab.last.key)
    if (!tab.last || answered === undefined || answered === null) continue
    const again = await portal.post(TOWN, 'pay/guest/bill', tab.last.body, {
      headers: { 'idempotency-key': tab.last.key },
    })
    expect(JSON.stringify(again.body), 'the same key gets the same answer, for good').toBe(answered)
  }
}

test(
  `whatever crashes, comes late, twice or out of order: nobody is charged twice and the books are true (${RUNS} runs)`,
  async () => {
    await fc.assert(
      fc.asyncProperty(tabs, steps, fc.boolean(), async (pays, sequence, deaf) => {
        const run = await openRun(pays)
        const beside: Promise<void>[] = []
        for (const step of sequence) {
          const lived = live(run, step)
          if ('beside' in step && step.beside) beside.push(lived)
          else await lived
        }
        await Promise.all(beside)
        await settle(run, deaf)
        await expectTruth(run)
      }),
      // Where a fault is planted, that it is found is enough.
      { numRuns: RUNS, endOnFailure: Boolean(process.env['MUTANT']) },
    )
  },
  RUNS * 3000,
)

test('and the whole ledger holds, by what `npm run verify` looks at', async () => {
  const { findings } = await verifyLedger(platformUrl)
  // Events that no charge belongs to were planted, and wait for ever.
  const wrong = findings.filter(({ wrong: n, holds }) => n > 0 && !holds.startsWith('every event'))
  expect(wrong).toEqual([])
  const { rows } = await portal.owner.query<{ mixed: number; reversed: number }>(`
    SELECT count(*) FILTER (WHERE kinds = 2)::int AS mixed, count(*) FILTER (WHERE kinds = 2 AND settled < bill_cents)::int AS reversed
    FROM (SELECT o.id, o.bill_cents, count(DISTINCT kind) AS kinds, sum(settled_cents) AS settled
      FROM payment_order o JOIN payment_order_line l ON l.order_id = o.id WHERE o.paid_at IS NOT NULL GROUP BY 1, 2) paid`)
  // What is tried at random has mixtures among it; that some of them went back is sure of many tries alone.
  expect(rows[0]?.mixed).toBeGreaterThan(RUNS / 20)
  if (process.env['NIGHTLY']) expect(rows[0]?.reversed).toBeGreaterThan(RUNS / 100)
})
