import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { tryDueEvents } from './event-inbox.ts'
import type { Attempt } from './orders.ts'
import { allProviders } from './providers.ts'
import { readMovements } from './read-movements.ts'
import { refreshAttempt } from './refresh-attempt.ts'

/** One sweep asks about this many attempts; the next comes a minute later. */
const BATCH = 200
/** A sweep begins nothing new after this long: the next one goes on with whoever waited longest. */
const MAX_RUN_MS = 45_000

/**
 * Makes what we believe agree with what the provider knows: reads on in its own account of what moved, tries the events
 * that are due, then asks about every attempt that is not final, longest unasked first. Runs every minute and after a
 * start; running it twice at once does no harm.
 */
export async function reconcile(context: AppContext): Promise<{ missing: number; events: number; attempts: number }> {
  const end = performance.now() + MAX_RUN_MS
  const hasTime = () => performance.now() < end
  const missing = (await quietly(context, () => readMovements(context, hasTime))) ?? 0
  const events = (await quietly(context, () => tryDueEvents(context, hasTime))) ?? 0
  const attempts = await liveAttempts(context)
  for (const attempt of attempts)
    if (hasTime())
      await quietly(context, async () => {
        const company = await context.hosts.byId(companyIdFrom('job', attempt.company_id))
        if (company) await refreshAttempt(context, company, attempt)
      })
  return { missing, events, attempts: attempts.length }
}

const liveAttempts = (context: AppContext): Promise<Attempt[]> =>
  context.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_attempt')
      .selectAll()
      .where('status', '=', 0)
      .where('provider', 'in', [...allProviders(context.config).map(({ name }) => name), ''])
      .orderBy('checked_at')
      .limit(BATCH)
      .execute(),
  )

/** What fails is tried again by the next sweep, and does not keep this one from the rest. */
async function quietly<T>(context: AppContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    context.log.warn({ err: error }, 'the reconciler will try again')
    return undefined
  }
}
