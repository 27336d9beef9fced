import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../../server/db/schema.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { type ProviderEvent, ProviderSilent } from './provider.ts'
import { applyEvent } from './apply-event.ts'
import { allProviders } from './providers.ts'

/** Delay before the sweep tries a new event. The server that received the event tries it first. */
const FIRST_WAIT_MS = 10_000
/** In seconds. The delay doubles from one minute to six hours, so twelve tries take about one day. */
const [MIN_WAIT_S, MAX_WAIT_S] = [60, 6 * 3600]
const MAX_ATTEMPTS = 12
const BATCH = 100

/** Stores an event until it is applied. Returns true if the event is new. */
export async function storeEvent(context: AppContext, event: ProviderEvent): Promise<boolean> {
  const now = context.clock.now()
  const stored = await context.outside((tx) =>
    tx
      .insertInto('provider_event')
      .values({
        provider: event.provider,
        event_id: event.id,
        received_at: now,
        body: JSON.stringify(event),
        applied_at: null,
        next_try_at: new Date(now.getTime() + FIRST_WAIT_MS),
      })
      .onConflict((c) => c.columns(['provider', 'event_id']).doNothing())
      .returning('event_id')
      .executeTakeFirst(),
  )
  return Boolean(stored)
}

/**
 * Tries to apply a stored event and records any error. If the provider does not respond, the portal retries without a
 * limit. If the event fails too often for another reason, the portal abandons it and shows it to platform staff.
 */
export async function tryEvent(context: AppContext, event: ProviderEvent): Promise<void> {
  try {
    await applyEvent(context, event)
  } catch (error) {
    context.log.warn({ err: error, event: event.id }, 'an event waits')
    const now = context.clock.now()
    const why = error instanceof Error ? error.message : String(error)
    await context
      .outside((tx) =>
        tx
          .updateTable('provider_event')
          .set({
            last_error: why.slice(0, 500),
            ...(!(error instanceof ProviderSilent) && {
              abandoned_at: sql<Date | null>`CASE WHEN tries >= ${MAX_ATTEMPTS} THEN ${now}::timestamptz END`,
            }),
          })
          .where('provider', '=', event.provider)
          .where('event_id', '=', event.id)
          .where('applied_at', 'is', null)
          .execute(),
      )
      // If the error cannot be recorded, the event is still retried.
      .catch((failure: unknown) => context.log.error({ err: failure, event: event.id }, 'an event waits'))
  }
}

/**
 * Applies one event immediately at the request of staff, even if it is abandoned. Returns the error, null if the event
 * was applied, or undefined if it does not exist.
 */
export async function tryEventAgain(context: AppContext, id: number): Promise<string | null | undefined> {
  const find = () =>
    context.outside((tx) => tx.selectFrom('provider_event').selectAll().where('id', '=', id).executeTakeFirst())
  const stored = await find()
  if (stored && stored.applied_at === null) await tryEvent(context, eventOf(stored))
  const now = await find()
  return now && (now.applied_at === null ? (now.last_error ?? '') : null)
}

/** Tries every due event once, until none is left or `hasTime` returns false. Returns the number of tries. */
export async function tryDueEvents(context: AppContext, hasTime: () => boolean): Promise<number> {
  let tried = 0
  while (hasTime()) {
    const events = await takeDue(context)
    for (const event of events) await tryEvent(context, event)
    tried += events.length
    if (events.length < BATCH) break
  }
  return tried
}

type StoredEvent = Pick<Selectable<Schema['provider_event']>, 'provider' | 'body'>

const eventOf = ({ provider, body }: StoredEvent): ProviderEvent => ({
  ...(body as unknown as ProviderEvent),
  provider,
})

/**
 * Claims the due events and schedules the next try of each before the current try. If a try fails, other due events
 * therefore go first.
 */
async function takeDue(context: AppContext): Promise<ProviderEvent[]> {
  const connected = allProviders(context.config).map(({ name }) => name)
  const now = context.clock.now()
  const { rows } = await context.outside((tx) =>
    sql<StoredEvent>`
      UPDATE provider_event e SET tries = tries + 1,
        next_try_at = ${now}::timestamptz + least(${MIN_WAIT_S} * power(2, least(tries, 20)), ${MAX_WAIT_S}) * interval '1 second'
      FROM (SELECT provider, event_id FROM provider_event
        WHERE applied_at IS NULL AND abandoned_at IS NULL AND next_try_at <= ${now} AND provider = ANY(${connected})
        ORDER BY next_try_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) due
      WHERE (e.provider, e.event_id) = (due.provider, due.event_id) RETURNING e.provider, e.body`.execute(tx),
  )
  return rows.map(eventOf)
}
