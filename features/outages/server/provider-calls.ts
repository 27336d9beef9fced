import { sql } from 'kysely'
import type { AppContext } from '../../../server/app-context.ts'
import { type Calls, WITHIN_MS } from '../rules.ts'
import { watchCalls } from '../../payments/api.ts'

/**
 * Minimum time between two saved responses while all calls succeed, in milliseconds. Most payments therefore need no
 * extra SQL statement.
 */
const NOTED_EVERY_MS = 20_000
/** Maximum time until this process notices an outage that another process detected, in milliseconds. */
const CACHE_MS = 5000
export const WATCH = 'payments.watch_providers'

/** Returns the key of a provider account. `*` as the account means all accounts. */
const nameOf = (provider: string, account: string) => `${provider}/${account}`
const ALL = '*'

/** Records the outcome of calls to providers, and stops new charges through a provider in an outage. */
export function watchProviderCalls(context: AppContext): void {
  const notedAt = new Map<string, number>()
  const silent = new Set<string>()
  let out = new Set<string>()
  let readAt = Number.NEGATIVE_INFINITY
  const now = () => context.clock.now().getTime()
  watchCalls(context.config, {
    async responded(provider, account, verb) {
      const name = nameOf(provider, `${account}/${verb}`)
      const last = notedAt.get(nameOf(provider, verb)) ?? Number.NEGATIVE_INFINITY
      if (!silent.has(name) && now() - last < NOTED_EVERY_MS && now() >= last) return
      notedAt.set(nameOf(provider, verb), now())
      silent.delete(name)
      await quietly(context, () => noteResponse(context, { provider, account, verb }))
    },
    async silent(provider, account, verb) {
      silent.add(nameOf(provider, `${account}/${verb}`))
      await quietly(context, () => noteSilence(context, { provider, account, verb }))
    },
    async isOut(provider, account) {
      if (now() - readAt >= CACHE_MS || now() < readAt) {
        readAt = now()
        await quietly(context, async () => void (out = await whatIsOut(context)))
      }
      return out.has(nameOf(provider, ALL)) || out.has(nameOf(provider, account))
    },
  })
  forgetters.set(context, () => void (readAt = Number.NEGATIVE_INFINITY))
}

const forgetters = new WeakMap<AppContext, () => void>()

/** Clears the cached outages after a change, so that the next charge reads them again. */
export const forgetWhatIsOut = (context: AppContext): void => forgetters.get(context)?.()

/** Runs the function and only logs its errors, because a payment must never fail if its call cannot be recorded. */
async function quietly(context: AppContext, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    context.log.warn({ err: error }, 'how a payment provider answers could not be noted')
  }
}

interface Call {
  provider: string
  account: string
  verb: string
}

const noteResponse = (context: AppContext, { provider, account, verb }: Call) =>
  context.outside(async (tx) => {
    const at = context.clock.now()
    await sql`
      INSERT INTO provider_call (provider, account, verb, responded_at) VALUES (${provider}, ${account}, ${verb}, ${at})
      ON CONFLICT (provider, account, verb) DO UPDATE SET responded_at = ${at}, silent = '[]'`.execute(tx)
  })

/**
 * Records an unanswered call and queues the watch job, which any portal process may run. The job checks if more calls
 * fail.
 */
const noteSilence = (context: AppContext, { provider, account, verb }: Call) =>
  context.outside(async (tx) => {
    const at = context.clock.now()
    const since = new Date(at.getTime() - WITHIN_MS).toISOString()
    const one = JSON.stringify([at.toISOString()])
    await sql`
      INSERT INTO provider_call AS c (provider, account, verb, silent) VALUES (${provider}, ${account}, ${verb}, ${one}::jsonb)
      ON CONFLICT (provider, account, verb) DO UPDATE SET silent = ${one}::jsonb || (
        SELECT coalesce(jsonb_agg(s), '[]') FROM (SELECT s FROM jsonb_array_elements(c.silent) s WHERE s #>> '{}' >= ${since} LIMIT 9) kept)`.execute(
      tx,
    )
    await context.jobs.enqueue(tx, WATCH, {})
  })

const whatIsOut = async (context: AppContext): Promise<Set<string>> => {
  const { rows } = await context.readingAll((tx) =>
    sql<{ provider: string; account: string }>`
      SELECT DISTINCT o.provider, CASE WHEN o.is_company_only THEN a.account ELSE ${ALL} END AS account FROM payment_outage o
      LEFT JOIN provider_account a ON a.company_id = o.company_id AND a.provider = o.provider
      WHERE o.until IS NULL`.execute(tx),
  )
  return new Set(rows.map(({ provider, account }) => nameOf(provider, account)))
}

/** Loads the recorded calls to a provider. */
export async function callsTo(context: AppContext, provider: string): Promise<Calls[]> {
  const rows = await context.outside((tx) =>
    tx.selectFrom('provider_call').selectAll().where('provider', '=', provider).execute(),
  )
  return rows.map(({ account, responded_at, silent }) => ({
    account,
    respondedAt: responded_at?.getTime() ?? null,
    silentAt: silent.map((at) => Date.parse(at)),
  }))
}
