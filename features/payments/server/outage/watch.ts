import type { House } from '../../../../server/house.ts'
import { outBy, SILENT_CALLS, WITHIN_MS } from '../../rules-outage.ts'
import { type Provider, ProviderRefused, ProviderSilent } from '../provider.ts'
import { allProviders } from '../providers.ts'
import { callsTo, WATCH, watchProviderCalls } from './calls.ts'
import { beginOutages, lastingOf, noteLook, type Outage } from './outages.ts'

/**
 * Notices that a provider is out, and that it is back. A call that nobody answered is followed by this job at once: it asks again
 * itself, so that one call by one payer is enough. While one is out it is asked each minute.
 */
export async function watchProviders(house: House): Promise<void> {
  for (const provider of allProviders(house.config))
    await Promise.resolve()
      .then(() => lookFor(house, provider))
      .then(() => lookAgain(house, provider))
      .catch((error: unknown) => house.log.warn({ err: error, provider: provider.name }, 'could not be watched'))
}

async function lookFor(house: House, provider: Provider): Promise<void> {
  for (let turn = 0; turn < SILENT_CALLS; turn++) {
    const now = house.clock.now().getTime()
    const calls = await callsTo(house, provider.name)
    const out = outBy(calls, now)
    if (out && out.accounts === null) return beginOutages(house, provider.name, out)
    const isQuiet = calls.every(({ silentAt }) => silentAt.every((at) => now - at > WITHIN_MS))
    if (isQuiet) return
    // It answers what is of no town: then it is out for those alone whose own calls it does not answer.
    if (await answers(house, provider)) return out ? beginOutages(house, provider.name, out) : undefined
  }
  const out = outBy(await callsTo(house, provider.name), house.clock.now().getTime())
  if (out) await beginOutages(house, provider.name, out)
}

async function lookAgain(house: House, provider: Provider): Promise<void> {
  const lasting = await lastingOf(house, provider.name)
  if (lasting.length === 0) return
  const all = lasting.some(({ of_town }) => !of_town) && (await answers(house, provider))
  for (const outage of lasting)
    await noteLook(house, outage, outage.of_town ? await answersTown(house, provider, outage) : all)
}

/** What moved last is a question that costs the provider little, and that it answers for no town in particular. */
async function answers(house: House, provider: Provider): Promise<boolean> {
  const place = await house.outside((tx) =>
    tx.selectFrom('provider_place').select('movement_id').where('provider', '=', provider.name).executeTakeFirst(),
  )
  return answered(() => provider.listMovements(place?.movement_id ?? null, 1))
}

/** Its newest charge, where the town has one. */
async function answersTown(house: House, provider: Provider, { company_id }: Outage): Promise<boolean> {
  const attempt = await house.inCompany(company_id, (tx) =>
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
    : answers(house, provider)
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

export function defineWatch(house: House): void {
  watchProviderCalls(house)
  house.jobs.define(WATCH, () => watchProviders(house), { cron: '* * * * *', retryLimit: 0 })
}
