import type { AppContext } from '../../../../server/app-context.ts'
import { outBy, SILENT_CALLS, WITHIN_MS } from '../../rules-outage.ts'
import { type Provider, ProviderRefused, ProviderSilent } from '../provider.ts'
import { allProviders } from '../providers.ts'
import { callsTo, WATCH, watchProviderCalls } from './calls.ts'
import { beginOutages, lastingOf, noteLook, type Outage } from './outages.ts'

/**
 * Notices that a provider is out, and that it is back. A call that nobody answered is followed by this job at once: it asks again
 * itself, so that one call by one payer is enough. While one is out it is asked each minute.
 */
export async function watchProviders(context: AppContext): Promise<void> {
  for (const provider of allProviders(context.config))
    await Promise.resolve()
      .then(() => lookFor(context, provider))
      .then(() => lookAgain(context, provider))
      .catch((error: unknown) => context.log.warn({ err: error, provider: provider.name }, 'could not be watched'))
}

async function lookFor(context: AppContext, provider: Provider): Promise<void> {
  for (let turn = 0; turn < SILENT_CALLS; turn++) {
    const now = context.clock.now().getTime()
    const calls = await callsTo(context, provider.name)
    const out = outBy(calls, now)
    if (out && out.accounts === null) return beginOutages(context, provider.name, out)
    const isQuiet = calls.every(({ silentAt }) => silentAt.every((at) => now - at > WITHIN_MS))
    if (isQuiet) return
    // It answers what is of no town: then it is out for those alone whose own calls it does not answer.
    if (await answers(context, provider)) return out ? beginOutages(context, provider.name, out) : undefined
  }
  const out = outBy(await callsTo(context, provider.name), context.clock.now().getTime())
  if (out) await beginOutages(context, provider.name, out)
}

async function lookAgain(context: AppContext, provider: Provider): Promise<void> {
  const lasting = await lastingOf(context, provider.name)
  if (lasting.length === 0) return
  const all = lasting.some(({ of_town }) => !of_town) && (await answers(context, provider))
  for (const outage of lasting)
    await noteLook(context, outage, outage.of_town ? await answersTown(context, provider, outage) : all)
}

/** What moved last is a question that costs the provider little, and that it answers for no town in particular. */
async function answers(context: AppContext, provider: Provider): Promise<boolean> {
  const place = await context.outside((tx) =>
    tx.selectFrom('provider_place').select('movement_id').where('provider', '=', provider.name).executeTakeFirst(),
  )
  return answered(() => provider.listMovements(place?.movement_id ?? null, 1))
}

/** Its newest charge, where the town has one. */
async function answersTown(context: AppContext, provider: Provider, { company_id }: Outage): Promise<boolean> {
  const attempt = await context.inCompany(company_id, (tx) =>
    tx
      .selectFrom('payment_attempt')
      .select(['provider_account', 'intent_id'])
      .where('company_id', '=', company_id)
      .where('provider', '=', provider.name)
      .where('intent_id', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  return attempt
    ? answered(() => provider.getIntent(attempt.provider_account, attempt.intent_id ?? ''))
    : answers(context, provider)
}

async function answered(question: () => Promise<unknown>): Promise<boolean> {
  try {
    await question()
    return true
  } catch (error) {
    if (error instanceof ProviderRefused) return true
    if (error instanceof ProviderSilent) return false
    throw error
  }
}

export function defineWatch(context: AppContext): void {
  watchProviderCalls(context)
  context.jobs.define(WATCH, () => watchProviders(context), { cron: '* * * * *', retryLimit: 0 })
}
