import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import type { Attempt } from './orders.ts'
import type { ProviderEvent } from './provider.ts'
import { applyEvent } from './provider-events.ts'
import { refreshAttempt } from './refresh-attempt.ts'

/** One sweep looks at this many; the next comes a minute later. */
const BATCH = 200
const EVENT_WAITS_MS = 10_000

/**
 * Makes what we believe agree with what the provider knows: takes up events that could not be applied, then asks about
 * every attempt that is not final, longest unasked first. Runs every minute and after a start; running it twice at
 * once does no harm.
 */
export async function reconcile(house: House): Promise<{ events: number; attempts: number }> {
  const events = await waitingEvents(house)
  for (const event of events) await quietly(house, () => applyEvent(house, event))
  const attempts = await liveAttempts(house)
  for (const attempt of attempts)
    await quietly(house, async () => {
      const company = await house.hosts.byId(companyIdFrom('job', attempt.company_id))
      if (company) await refreshAttempt(house, company, attempt)
    })
  return { events: events.length, attempts: attempts.length }
}

async function waitingEvents(house: House): Promise<ProviderEvent[]> {
  const before = new Date(house.clock.now().getTime() - EVENT_WAITS_MS)
  const rows = await house.outside((tx) =>
    tx
      .selectFrom('provider_event')
      .select('body')
      .where('applied_at', 'is', null)
      .where('received_at', '<', before)
      .orderBy('received_at')
      .limit(BATCH)
      .execute(),
  )
  return rows.map((row) => row.body as unknown as ProviderEvent)
}

const liveAttempts = (house: House): Promise<Attempt[]> =>
  house.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_attempt')
      .selectAll()
      .where('status', '=', 0)
      .where('provider', '=', 'sandbox')
      .orderBy('checked_at')
      .limit(BATCH)
      .execute(),
  )

async function quietly(house: House, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    house.log.warn({ err: error }, 'the reconciler will try again')
  }
}
