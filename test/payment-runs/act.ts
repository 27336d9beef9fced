import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { runAutopay } from '../../features/autopay/server/run.ts'
import { releaseHolds } from '../../features/general-payments/server/stock.ts'
import { takeSteps } from '../../features/parking-tickets/server/take-steps.ts'
import { type FeeRules, quoteOfLines, spread } from '../../features/payments/rules.ts'
import { applyEvent } from '../../features/payments/server/apply-event.ts'
import { addToCheckout } from '../../features/payments/server/cart.ts'
import { keepEvent } from '../../features/payments/server/event-inbox.ts'
import { payableOf } from '../../features/payments/server/payables.ts'
import type { ProviderEvent } from '../../features/payments/server/provider.ts'
import { reconcile } from '../../features/payments/server/reconcile.ts'
import { sendWaitingRefunds } from '../../features/payments/server/send-refund.ts'
import { hashSecret } from '../../server/sessions.ts'
import type { Answer } from '../harness.ts'
import { befall, unharmed } from './fates.ts'
import { type Run, type Shown, shownOf } from './run.ts'
import type { Step, StepOf } from './steps.ts'
import { todayIn, type Town, TOWN } from './town.ts'

/** What each step of a run does: by the calls of the API where a person does it, by the job where it is the portal's own. */

const FEES: FeeRules = {
  program: 'convenience',
  absorb: 0,
  cardBps: 275,
  cardFixedCents: 30,
  cardMinCents: 195,
  cardMaxCents: 4995,
  echeckCents: 150,
}

const ask = (
  { portal, tokens }: Town,
  who: keyof Town['tokens'],
  path: string,
  body: object,
  key: string = randomUUID(),
) => portal.post(TOWN, path, body, { token: tokens[who], headers: { 'idempotency-key': key } })
const guest = ({ portal }: Town, path: string, body: object, key: string = randomUUID()) =>
  portal.post(TOWN, path, body, { headers: { 'idempotency-key': key } })

/** It was done, or refused with a reason. Anything else is a fault of ours. */
function expectAnswer({ status, body }: Answer): boolean {
  expect([200, 403, 404, 409, 422, 503], JSON.stringify(body)).toContain(status)
  return status === 200
}

/** What somebody asks for who sees this. A part of each line leaves a cent of it, where there is one to leave. */
function wishOf(seen: readonly Shown[], amount: StepOf<'pay'>['amount']) {
  const owed = seen.map(({ owedCents }) => Math.max(owedCents, 0))
  const all = owed.reduce((sum, cents) => sum + cents, 0)
  if (amount !== 'lines') {
    const billCents = amount === 'part' ? 25_00 : Math.max(all, 1)
    return { payType: amount === 'part' ? 2 : 1, billCents, amounts: spread(billCents, seen) }
  }
  const amounts = owed.map((cents, n) => (cents > 20_00 && !seen[n]?.inFull ? cents - 15_01 : cents))
  const lines = seen.flatMap(({ no }, n) => {
    const billCents = amounts[n] ?? 0
    return billCents > 0 ? [{ no, payType: billCents === owed[n] ? 1 : 2, billCents }] : []
  })
  const billCents = amounts.reduce((sum, cents) => sum + cents, 0)
  return { payType: 2, billCents, amounts, ...(lines.length > 0 && { lines }) }
}

async function pay(run: Run, step: StepOf<'pay'>): Promise<void> {
  const tab = run.tabs[step.tab]
  if (!tab) return
  if (step.amount !== 'all') tab.seen = await shownOf(run.town, tab.token)
  const { amounts, ...wish } = wishOf(tab.seen, step.amount)
  const method = step.scenario.startsWith('echeck') ? 2 : 1
  const fresh = {
    key: randomUUID() as string,
    body: {
      token: tab.token,
      method,
      ...wish,
      expectedTotalCents: quoteOfLines(FEES, method, amounts).totalCents,
      email: 'ada@example.com',
      methodToken: run.provider.token(step.scenario),
    },
  }
  const { key, body } = step.again && tab.last ? tab.last : fresh
  tab.last = { key, body }
  const answer = await guest(run.town, 'pay/guest/bill', body, key)
  if (!expectAnswer(answer)) return
  const text = JSON.stringify(answer.body)
  expect(run.answers.get(key) ?? text, 'the same key gets the same answer').toBe(text)
  run.answers.set(key, text)
}

/** Puts a thing into the cart of a tab, or takes it out. */
async function changeCart(run: Run, step: StepOf<'add' | 'remove'>): Promise<void> {
  const [tab, thing] = [run.tabs[step.tab], run.things[step.thing]]
  if (!tab || !thing) return
  const { town } = run
  const { token } = tab
  const { kind, id } = thing
  const { house, owner } = town.portal
  if (step.do === 'add') {
    tab.added.add(step.thing)
    const next = await house
      .inCompany(town.company, (tx) => addToCheckout(tx, house, town.company, token, [{ kind, id }]))
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'payment_in_progress' })
        return token
      })
    if (!run.tokens.includes(next)) run.tokens.push(next)
    tab.token = next
  } else {
    const { rows } = await owner.query<{ no: number }>(
      `SELECT (p->>'no')::int AS no FROM guest_checkout, jsonb_array_elements(payables) AS p
       WHERE token_hash = $1 AND p->>'kind' = $2 AND (p->>'id')::bigint = $3`,
      [hashSecret(token), kind, id],
    )
    const answer = await guest(town, 'remove/from/cart', { token, no: rows[0]?.no ?? 0 })
    if (expectAnswer(answer) && !tab.added.has(step.thing)) {
      const newest = await owner.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM payment_order')
      run.removed.push({ token, kind, id, after: newest.rows[0]?.id ?? 0 })
    }
  }
  tab.seen = await shownOf(town, tab.token)
}

export async function takeEvent({ town, provider, told }: Run, nth: number, twice: boolean): Promise<void> {
  const { house } = town.portal
  const { events } = provider
  const event = events[nth % Math.max(1, events.length)]
  const late = told[nth % Math.max(1, told.length)]
  if (!event) return
  await applyEvent(house, event)
  // One whose taking crashed is sent again until somebody takes it.
  const at = events.indexOf(event)
  if (at >= 0) events.splice(at, 1)
  told.push(event)
  if (!twice) return
  await applyEvent(house, event)
  if (late) await applyEvent(house, late)
}

/** An event of a charge that nobody knows: it can never be applied. */
const poison = (): ProviderEvent => {
  const intentId = `pi_${randomUUID()}`
  return { id: randomUUID(), type: 'capture', account: 'acct_gone', intentId, object: 'intent', objectId: intentId }
}

async function autopay({ town, autopayId: id }: Run, { what }: StepOf<'autopay'>): Promise<void> {
  const { owner, house } = town.portal
  if (what === 'run') {
    await owner.query(
      `UPDATE autopay_charge SET charge_on = $2, not_before = NULL WHERE autopay_id = $1 AND state = 'planned'`,
      [id, todayIn(town)],
    )
    await runAutopay(house)
  } else if (what === 'skip' || what === 'put back')
    expectAnswer(await ask(town, 'resident', 'skip/autopay', { id, skip: what === 'skip' }))
  else expectAnswer(await ask(town, 'resident', 'move/autopay', { id, event: what }))
}

/** The number of the newest attempt that was begun at all. */
const newestAttempt = async ({ portal }: Town): Promise<number> =>
  (await portal.owner.query<{ id: number }>('SELECT last_value AS id FROM payment_attempt_id_seq')).rows[0]?.id ?? 0

async function contest({ town, ticket, contested }: Run): Promise<void> {
  const { citation, plate } = ticket
  const answer = await guest(town, 'send/parking/contest', {
    citation,
    plate,
    plateState: 'PA',
    name: 'Ada Quill',
    email: 'ada@example.com',
    grounds: 'The meter took my coins and showed nothing.',
    files: [],
  })
  if (!expectAnswer(answer)) return
  const { rows } = await town.portal.owner.query<{ late_cents: number }>(
    'SELECT late_cents FROM parking_ticket WHERE id = $1',
    [ticket.id],
  )
  contested.push({ from: await newestAttempt(town), to: Infinity, lateCents: rows[0]?.late_cents ?? 0 })
}

async function decide({ town, ticket, contested }: Run, { event }: StepOf<'decide'>): Promise<void> {
  const before = await newestAttempt(town)
  // Decided at the earliest now, whatever becomes of the answer.
  for (const one of contested) one.to = Math.min(one.to, before)
  const body = { ticketId: ticket.id, event, reason: 'The meter was looked at.' }
  expectAnswer(await ask(town, 'manager', 'muni/change/parking/ticket/status', body))
}

/** The ticket comes to its next late fee, as if it had been written that long ago. */
async function late({ town, ticket }: Run): Promise<void> {
  await town.portal.owner.query('UPDATE parking_ticket SET counted_from = counted_from - 15 WHERE id = $1', [ticket.id])
  await takeSteps(town.portal.house)
}

/** Staff give back one of the payments of this run; the second person's word follows where it is waited for. */
async function giveBack(run: Run, { kind, nth, amount, then }: StepOf<'give back'>): Promise<void> {
  const { town } = run
  const { owner } = town.portal
  const paid = await owner.query<{ id: number }>(
    'SELECT DISTINCT o.id FROM payment_order o JOIN payment_order_line l ON l.order_id = o.id WHERE (l.kind, l.payable_id) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) AND o.paid_at IS NOT NULL ORDER BY 1',
    [run.things.map((thing) => thing.kind), run.things.map(({ id }) => id)],
  )
  const paymentId = paid.rows[nth % Math.max(1, paid.rows.length)]?.id
  if (paymentId === undefined) return
  const reason: string = randomUUID()
  run.reasons.push(reason)
  const answer =
    kind === 'void'
      ? await ask(town, 'manager', 'muni/void/payment', { paymentId, reason })
      : await ask(town, 'manager', 'muni/refund/payment', {
          paymentId,
          reason,
          amountCents: amount === 'all' ? await leftOf(town, paymentId) : 7_01,
        })
  if (!expectAnswer(answer) || answer.body.status !== 'waiting' || then === 'nothing') return
  const { rows } = await owner.query<{ id: number }>('SELECT id FROM payment_refund WHERE reason = $1', [reason])
  const decision = { refundId: rows[0]?.id, event: then, reason: 'Looked at.' }
  const own = await ask(town, 'manager', 'muni/decide/refund', { ...decision, event: 'approve' })
  expect(own.status, 'nobody approves what they asked for').toBe(403)
  expectAnswer(await ask(town, 'admin', 'muni/decide/refund', decision))
}

const leftOf = async ({ portal }: Town, id: number): Promise<number> => {
  const { rows } = await portal.owner.query<{ cents: number }>(
    'SELECT greatest(total_cents - refunded_cents, 1) AS cents FROM payment_order WHERE id = $1',
    [id],
  )
  return rows[0]?.cents ?? 1
}

/** The clerk's open drawer. That there is one is not what is tried here. */
const drawerOf = (town: Town): Promise<number> =>
  unharmed(async () => {
    const look = async () =>
      (await ask(town, 'manager', 'muni/return/counter', {})).body.drawer?.id as number | undefined
    const open = await look()
    if (open !== undefined) return open
    await ask(town, 'manager', 'muni/open/drawer', { counts: {} })
    return (await look()) ?? 0
  })

/** Somebody pays in cash what is owed at this moment, or half of it. */
async function takeCash({ town, things, taken }: Run, step: StepOf<'cash'>): Promise<void> {
  const { company, portal } = town
  const { kind, id } = things[step.thing] ?? { kind: '', id: 0 }
  const { owedCents, pendingCents } = await unharmed(() =>
    portal.house.inCompany(company, (tx) => payableOf(kind).owed(tx, company, id)),
  )
  const amountCents = Math.ceil((owedCents - pendingCents) / (step.half ? 2 : 1))
  if (amountCents <= 0) return
  const body = {
    drawerId: await drawerOf(town),
    pays: [{ kind, id, amountCents }],
    method: 3,
    tenderedCents: amountCents + 5_00,
    number: '',
    email: '',
  }
  const key = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: step.twice ? 2 : 1 }, () => ask(town, 'manager', 'muni/take/counter/payment', body, key)),
  )
  const done = answers.filter(expectAnswer).map((answer) => answer.body.paymentId as number)
  expect(new Set(done).size, 'pressed twice, it is taken once').toBeLessThanOrEqual(1)
  for (const paymentId of done) taken.add(paymentId)
}

async function countDrawer({ town }: Run, { short }: StepOf<'count the drawer'>): Promise<void> {
  const drawerId = await drawerOf(town)
  const { rows } = await town.portal.owner.query<{ cents: number }>(
    `SELECT coalesce(sum(o.total_cents), 0)::bigint AS cents FROM drawer_payment p JOIN payment_order o ON o.id = p.order_id
     WHERE p.drawer_id = $1 AND o.status <> 5`,
    [drawerId],
  )
  const cents = Math.max(0, (rows[0]?.cents ?? 0) - (short ? 5_00 : 0))
  const counts = { 100: Math.floor(cents / 100), 1: cents % 100 }
  expectAnswer(await ask(town, 'manager', 'muni/close/drawer', { drawerId, counts, note: 'Counted.' }))
}

async function act(run: Run, step: Step): Promise<unknown> {
  const { town, provider } = run
  const { portal } = town
  switch (step.do) {
    case 'pay':
      return pay(run, step)
    case 'add':
    case 'remove':
      return changeCart(run, step)
    case 'look':
      return portal.post(TOWN, 'return/guest/checkout', { token: run.tabs[step.tab]?.token })
    case 'provider moves':
      return provider.advance(step.nth)
    case 'event':
      // What could not be asked is asked again later: the sender keeps it.
      return takeEvent(run, step.nth, step.twice).catch(() => {})
    case 'refund':
      return provider.refund(step.nth, step.percent)
    case 'refund fails':
      return provider.failRefund(step.nth)
    case 'dispute':
      return provider.dispute(step.nth)
    case 'dispute ends':
      return provider.decide(step.nth, step.as)
    case 'event is lost':
      return provider.events.splice(step.nth % Math.max(1, provider.events.length), 1)
    case 'poison':
      return keepEvent(portal.house, poison())
    case 'time':
      return portal.clock.advance(step.seconds * 1000)
    case 'job':
      return { reconcile, refunds: sendWaitingRefunds, holds: releaseHolds }[step.job](portal.house)
    case 'autopay':
      return autopay(run, step)
    case 'contest':
      return contest(run)
    case 'decide':
      return decide(run, step)
    case 'late':
      return late(run)
    case 'give back':
      return giveBack(run, step)
    case 'cash':
      return takeCash(run, step)
    case 'count the drawer':
      return countDrawer(run, step)
  }
}

/** Takes a step until it ends, dies, or stands still: what it does after that is waited for when everything settles. */
export function take(run: Run, step: Step): Promise<unknown> {
  const { ended, paused } = befall('fates' in step ? step.fates : [], run.thaw.promise, () => act(run, step))
  run.works.push(ended)
  return paused
}

/**
 * Everything that waits comes to its end: the provider's charges, its events, and our own sweeps. `deaf`: no event comes
 * any more, so that the sweep has to find everything.
 */
export async function settle(run: Run, deaf: boolean): Promise<void> {
  const { provider, town, autopayId } = run
  const { clock, house, owner } = town.portal
  const listen = async () => {
    while (!deaf && provider.events.length > 0) await takeEvent(run, 0, true)
  }
  // Longer than a lease, an abandoned attempt, an unanswered challenge, and the wait of an event that failed a few times.
  clock.advance(20 * 60_000)
  await reconcile(house)
  // Processes that stood still all this time go on where they stopped.
  run.thaw.resolve()
  await Promise.all(run.works)
  while (provider.unfinished) provider.advance(0)
  await listen()
  // What began only then, and was never answered, is given up in its turn.
  clock.advance(20 * 60_000)
  await sendWaitingRefunds(house)
  await reconcile(house)
  await listen()
  await releaseHolds(house)
  // What is planned for another day is charged by nobody; what was under way is written down.
  await owner.query(`UPDATE autopay_charge SET charge_on = '9999-12-31' WHERE autopay_id = $1 AND state = 'planned'`, [
    autopayId,
  ])
  await runAutopay(house)
}
