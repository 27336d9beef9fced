import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { tryDueEvents } from './event-inbox.ts'
import type { Attempt } from './orders.ts'
import { allProviders } from './providers.ts'
import { readMovements } from './read-movements.ts'
import { refreshAttempt } from './refresh-attempt.ts'

/** One sweep asks about this many attempts; the next comes a minute later. */
const BATCH = 200
/** A sweep begins nothing new after this long: the next one goes on with whoever waited longest. */
const LONGEST_MS = 45_000

/**
 * Makes what we believe agree with what the provider knows: reads on in its own account of what moved, tries the events
 * that are due, then asks about every attempt that is not final, longest unasked first. Runs every minute and after a
 * start; running it twice at once does no harm.
 */
export async function reconcile(house: House): Promise<{ missing: number; events: number; attempts: number }> {
  const end = performance.now() + LONGEST_MS
  const hasTime = () => performance.now() < end
  const missing = (await quietly(house, () => readMovements(house, hasTime))) ?? 0
  const events = (await quietly(house, () => tryDueEvents(house, hasTime))) ?? 0
  const attempts = await liveAttempts(house)
  for (const attempt of attempts)
    if (hasTime())
      await quietly(house, async () => {
        const company = await house.hosts.byId(companyIdFrom('job', attempt.company_id))
        if (company) await refreshAttempt(house, company, attempt)
      })
  return { missing, events, attempts: attempts.length }
}

const liveAttempts = (house: House): Promise<Attempt[]> =>
  house.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_attempt')
      .selectAll()
      .where('status', '=', 0)
      .where('provider', 'in', [...allProviders(house.config).map(({ name }) => name), ''])
      .orderBy('checked_at')
      .limit(BATCH)
      .execute(),
  )

/** What fails is tried again by the next sweep, and does not keep this one from the rest. */
async function quietly<T>(house: House, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    house.log.warn({ err: error }, 'the reconciler will try again')
    return undefined
  }
}
