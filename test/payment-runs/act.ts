import { randomUUID } from 'node:crypto'
import { runAutopay } from '../../features/autopay/server/run.ts'
import { releaseHolds } from '../../features/general-payments/server/stock.ts'
import { applyEvent } from '../../features/payments/server/providers/apply-event.ts'
import { storeEvent } from '../../features/payments/server/providers/event-inbox.ts'
import type { ProviderEvent } from '../../features/payments/server/providers/provider.ts'
import { reconcile } from '../../features/payments/server/attempts/reconcile.ts'
import { sendPendingRefunds } from '../../features/refunds/server/send-refund.ts'
import { callApi, expectResponse } from './ask.ts'
import { befall } from './fates.ts'
import { changeCart, pay } from './pay.ts'
import type { Run } from './run.ts'
import { countDrawer, refund, seeToFee, takeCash } from './staff.ts'
import type { RunStep, StepOf } from './steps.ts'
import { contest, decide, late } from './ticket.ts'
import { todayIn, HOST } from './company.ts'

/** Performs the actions of each step in a run: API calls by people, and jobs of the portal. */

export async function takeEvent(
  { company: runCompany, provider, deliveredEvents }: Run,
  index: number,
  times: 'once' | 'twice' | 'twice, and another late',
): Promise<void> {
  const { context } = runCompany.portal
  const { events } = provider
  const event = events[index % Math.max(1, events.length)]
  const late = deliveredEvents[index % Math.max(1, deliveredEvents.length)]
  if (!event) return
  await applyEvent(context, event)
  // Removes the event only after the delivery succeeds. If the portal crashes during the delivery, the provider sends
  // the event again.
  const at = events.indexOf(event)
  if (at >= 0) events.splice(at, 1)
  deliveredEvents.push(event)
  if (times === 'once') return
  await applyEvent(context, event)
  if (late && times !== 'twice') await applyEvent(context, late)
}

const NOBODYS = 'acct_gone'
/** Creates an event about a charge that the portal does not know, so that the portal can never apply it. */
const poison = (provider: string): ProviderEvent => {
  const intentId = `pi_${randomUUID()}`
  const about = { intentId, object: 'intent' as const, objectId: intentId }
  return { provider, id: randomUUID(), type: 'capture', account: NOBODYS, ...about }
}

async function autopay({ company: runCompany, autopayId: id }: Run, { what }: StepOf<'autopay'>): Promise<void> {
  const { owner, context } = runCompany.portal
  if (what === 'run') {
    await owner.query(
      `UPDATE autopay_charge SET charge_on = $2, not_before = NULL WHERE autopay_id = $1 AND state = 'planned'`,
      [id, todayIn(runCompany)],
    )
    await runAutopay(context)
  } else if (what === 'skip' || what === 'put back')
    expectResponse(await callApi(runCompany, 'resident', 'skip/autopay', { id, skip: what === 'skip' }))
  else expectResponse(await callApi(runCompany, 'resident', 'transition/autopay', { id, event: what }))
}

async function act(run: Run, step: RunStep): Promise<unknown> {
  const { company: runCompany, provider } = run
  const { portal } = runCompany
  switch (step.do) {
    case 'pay':
      return pay(run, step)
    case 'add':
    case 'remove':
      return changeCart(run, step)
    case 'look':
      return portal.post(HOST, 'return/guest/checkout', { token: run.tabs[step.tab]?.token })
    case 'provider moves':
      return provider.advance(step.nth)
    case 'event':
      // If the delivery fails, the event stays in the provider's list. The provider sends it again later.
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
      return storeEvent(portal.context, poison(provider.name))
    case 'time':
      return portal.clock.advance(step.seconds * 1000)
    case 'job':
      return { reconcile, refunds: sendPendingRefunds, holds: releaseHolds }[step.job](portal.context)
    case 'autopay':
      return autopay(run, step)
    case 'contest':
      return contest(run)
    case 'decide':
      return decide(run, step)
    case 'late':
      return late(run)
    case 'give back':
      return refund(run, step)
    case 'cash':
      return takeCash(run, step)
    case 'count the drawer':
      return countDrawer(run, step)
    case 'fee':
      return seeToFee(run, step)
  }
}

/** Runs a step until it ends, crashes or pauses. A paused step continues when `finish` runs. */
export function take(run: Run, step: RunStep): Promise<unknown> {
  const { ended, paused } = befall('fates' in step ? step.fates : [], run.thaw.promise, () => act(run, step))
  run.works.push(ended)
  return paused
}

/**
 * True if work is pending: an open payment attempt, an unfinished refund or fee, an event to apply, or a movement
 * missing in the ledger.
 */
async function isPending({ company: runCompany, provider }: Run): Promise<boolean> {
  const moved = provider.movements.map(({ objectId, movementType }) => ({ ref: objectId, movementType }))
  const { rows } = await runCompany.portal.owner.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT FROM payment_attempt WHERE status = 0)
       OR EXISTS (SELECT FROM payment_refund WHERE status = 'sending')
       OR EXISTS (SELECT FROM payment_fee WHERE status = 'waiting')
       OR EXISTS (SELECT FROM provider_event WHERE applied_at IS NULL AND abandoned_at IS NULL AND body->>'account' <> $2)
       OR EXISTS (SELECT FROM jsonb_to_recordset($1) AS m(ref text, "movementType" text) WHERE NOT EXISTS
         (SELECT FROM ledger_transfer t WHERE t.source_ref = m.ref AND starts_with(t.kind, m."movementType" || '.'))) AS is`,
    [JSON.stringify(moved), NOBODYS],
  )
  return rows[0]?.is ?? true
}

/** Maximum number of sweeps. If work is still pending after them, it is stuck, and the final checks report it. */
const MAX_ROUNDS = 3

/**
 * Completes all pending work: unfinished charges, the provider's events, and the portal's sweeps. If `deaf` is true, no
 * event arrives, so the sweeps must detect every change.
 */
export async function finish(run: Run, deaf: boolean): Promise<void> {
  const { provider, company: runCompany, autopayId } = run
  const { clock, context, owner } = runCompany.portal
  /**
   * Finishes the charges and delivers each event twice. Then delivers the first event of the run again. Delivers
   * nothing if `deaf` is true.
   */
  const listen = async () => {
    while (provider.unfinished) provider.advance(0)
    if (deaf || provider.events.length === 0) return
    while (provider.events.length > 0) await takeEvent(run, 0, 'twice')
    if (run.deliveredEvents[0]) await applyEvent(context, run.deliveredEvents[0])
  }
  // Twenty minutes exceed every time limit: of a lease, an abandoned attempt, an unanswered challenge, and the retries
  // of a failed event.
  clock.advance(20 * 60_000)
  await reconcile(context)
  // Resumes the steps that are still paused.
  run.thaw.resolve()
  await Promise.all(run.works)
  await listen()
  // If a resumed step gets no response, a later sweep finishes its work. The refund of a bill also refunds the bill's
  // fee, which may need another sweep.
  for (let round = 0; round < MAX_ROUNDS && (await isPending(run)); round++) {
    clock.advance(20 * 60_000)
    await sendPendingRefunds(context)
    await reconcile(context)
    await listen()
  }
  await releaseHolds(context)
  // Postpones planned AutoPay charges indefinitely. The job below then starts no charge and only records the results of
  // earlier charges, including returns.
  const { rows } = await owner.query<{ state: string }>(
    `UPDATE autopay_charge SET charge_on = CASE state WHEN 'planned' THEN '9999-12-31' ELSE charge_on END
     WHERE autopay_id = $1 RETURNING state`,
    [autopayId],
  )
  if (rows.some(({ state }) => state === 'charging' || state === 'paid')) await runAutopay(context)
}
