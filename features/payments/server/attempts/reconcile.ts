import type { AppContext } from '../../../../server/app-context.ts'
import { companyIdFrom } from '../../../../server/tenancy.ts'
import { tryDueEvents } from '../providers/event-inbox.ts'
import type { Attempt } from '../orders/orders.ts'
import { allProviders } from '../providers/providers.ts'
import { readMovements } from '../providers/read-movements.ts'
import { refreshAttempt } from './refresh-attempt.ts'
import { attemptStatus } from '../../rules.ts'

/** Maximum number of attempts in one run of the reconciler. The next run follows a minute later. */
const BATCH = 200
/** Time in milliseconds after which a run starts no new work. The next run continues with the rest. */
const MAX_RUN_MS = 45_000

/** Reads new movements, retries due events and checks open attempts. Parallel runs are harmless. */
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
      .where('status', '=', attemptStatus.pending)
      .where('provider', 'in', [...allProviders(context.config).map(({ name }) => name), ''])
      .orderBy('checked_at')
      .limit(BATCH)
      .execute(),
  )

/** Runs one step and logs its error. A failed step does not stop the run, and the next run retries it. */
async function quietly<T>(context: AppContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    context.log.warn({ err: error }, 'the reconciler will try again')
    return undefined
  }
}
