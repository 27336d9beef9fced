import { randomUUID } from 'node:crypto'
import { runAutopay } from '../../features/autopay/server/run.ts'
import { releaseHolds } from '../../features/general-payments/server/stock.ts'
import { applyEvent } from '../../features/payments/server/apply-event.ts'
import { keepEvent } from '../../features/payments/server/event-inbox.ts'
import type { ProviderEvent } from '../../features/payments/server/provider.ts'
import { reconcile } from '../../features/payments/server/reconcile.ts'
import { sendWaitingRefunds } from '../../features/payments/server/send-refund.ts'
import { ask, expectAnswer } from './ask.ts'
import { befall } from './fates.ts'
import { changeCart, pay } from './pay.ts'
import type { Run } from './run.ts'
import { countDrawer, giveBack, seeToFee, takeCash } from './staff.ts'
import type { RunStep, StepOf } from './steps.ts'
import { contest, decide, late } from './ticket.ts'
import { todayIn, TOWN } from './town.ts'

/** What each step of a run does: by the calls of the API where a person does it, by the job where it is the portal's own. */

export async function takeEvent(
  { town, provider, told }: Run,
  nth: number,
  times: 'once' | 'twice' | 'twice, and another late',
): Promise<void> {
  const { context } = town.portal
  const { events } = provider
  const event = events[nth % Math.max(1, events.length)]
  const late = told[nth % Math.max(1, told.length)]
  if (!event) return
  await applyEvent(context, event)
  // One whose taking crashed is sent again until somebody takes it.
  const at = events.indexOf(event)
  if (at >= 0) events.splice(at, 1)
  told.push(event)
  if (times === 'once') return
  await applyEvent(context, event)
  if (late && times !== 'twice') await applyEvent(context, late)
}

const NOBODYS = 'acct_gone'
/** An event of a charge that nobody knows: it can never be applied. */
const poison = (provider: string): ProviderEvent => {
  const intentId = `pi_${randomUUID()}`
  const about = { intentId, object: 'intent' as const, objectId: intentId }
  return { provider, id: randomUUID(), type: 'capture', account: NOBODYS, ...about }
}

async function autopay({ town, autopayId: id }: Run, { what }: StepOf<'autopay'>): Promise<void> {
  const { owner, context } = town.portal
  if (what === 'run') {
    await owner.query(
      `UPDATE autopay_charge SET charge_on = $2, not_before = NULL WHERE autopay_id = $1 AND state = 'planned'`,
      [id, todayIn(town)],
    )
    await runAutopay(context)
  } else if (what === 'skip' || what === 'put back')
    expectAnswer(await ask(town, 'resident', 'skip/autopay', { id, skip: what === 'skip' }))
  else expectAnswer(await ask(town, 'resident', 'move/autopay', { id, event: what }))
}

async function act(run: Run, step: RunStep): Promise<unknown> {
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
      return takeEvent(run, step.nth, step.twice ? 'twice, and another late' : 'once').catch(() => {})
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
      return keepEvent(portal.context, poison(provider.name))
    case 'time':
      return portal.clock.advance(step.seconds * 1000)
    case 'job':
      return { reconcile, refunds: sendWaitingRefunds, holds: releaseHolds }[step.job](portal.context)
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
    case 'fee':
      return seeToFee(run, step)
  }
}

/** Takes a step until it ends, dies, or stands still: what it does after that is waited for when everything settles. */
export function take(run: Run, step: RunStep): Promise<unknown> {
  const { ended, paused } = befall('fates' in step ? step.fates : [], run.thaw.promise, () => act(run, step))
  run.works.push(ended)
  return paused
}

/**
 * Whether anything is under way: a charge that is live, a refund or a fee that nobody has an answer about, an event that was
 * kept and is to be tried, what the provider moved and no ledger has.
 */
async function isUnderWay({ town, provider }: Run): Promise<boolean> {
  const moved = provider.movements.map(({ objectId, way }) => ({ ref: objectId, way }))
  const { rows } = await town.portal.owner.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM payment_attempt WHERE status = 0)
       OR EXISTS (SELECT FROM payment_refund WHERE status = 'sending')
       OR EXISTS (SELECT FROM payment_fee WHERE status = 'waiting')
       OR EXISTS (SELECT FROM provider_event WHERE applied_at IS NULL AND given_up_at IS NULL AND body->>'account' <> $2)
       OR EXISTS (SELECT FROM jsonb_to_recordset($1) AS m(ref text, way text) WHERE NOT EXISTS
         (SELECT FROM ledger_transfer t WHERE t.source_ref = m.ref AND starts_with(t.kind, m.way || '.'))) AS is`,
    [JSON.stringify(moved), NOBODYS],
  )
  return rows[0]?.is ?? true
}

/** So often whatever is under way is swept once more; what is so still then never ends, and the truth says so. */
const SWEEPS = 3

/**
 * Everything that waits comes to its end: the provider's charges, its events, and our own sweeps. `deaf`: no event comes
 * any more, so that the sweep has to find everything.
 */
export async function settle(run: Run, deaf: boolean): Promise<void> {
  const { provider, town, autopayId } = run
  const { clock, context, owner } = town.portal
  /** Each is told twice, and the first of all once more when the last is there. */
  const listen = async () => {
    while (provider.unfinished) provider.advance(0)
    if (deaf || provider.events.length === 0) return
    while (provider.events.length > 0) await takeEvent(run, 0, 'twice')
    if (run.told[0]) await applyEvent(context, run.told[0])
  }
  // Longer than a lease, an abandoned attempt, an unanswered challenge, and the wait of an event that failed a few times.
  clock.advance(20 * 60_000)
  await reconcile(context)
  // Processes that stood still all this time go on where they stopped.
  run.thaw.resolve()
  await Promise.all(run.works)
  await listen()
  // What began only then, and was never answered, is given up in its turn; what went back of a bill takes its fee along.
  for (let sweep = 0; sweep < SWEEPS && (await isUnderWay(run)); sweep++) {
    clock.advance(20 * 60_000)
    await sendWaitingRefunds(context)
    await reconcile(context)
    await listen()
  }
  await releaseHolds(context)
  // What is planned for another day is charged by nobody; what was under way, or came back, is written down.
  const { rows } = await owner.query<{ state: string }>(
    `UPDATE autopay_charge SET charge_on = CASE state WHEN 'planned' THEN '9999-12-31' ELSE charge_on END
     WHERE autopay_id = $1 RETURNING state`,
    [autopayId],
  )
  if (rows.some(({ state }) => state === 'charging' || state === 'paid')) await runAutopay(context)
}
