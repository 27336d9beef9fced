import type { AppContext } from '../../../server/app-context.ts'
import { outBy, SILENT_CALLS, WITHIN_MS } from '../rules.ts'
import { type Provider, ProviderRefused, ProviderSilent, allProviders } from '../../payments/api.ts'
import { callsTo, WATCH, watchProviderCalls } from './provider-calls.ts'
import { startOutages, lastingOf, noteCheck, type Outage } from './outages.ts'

/**
 * Detects the start and the end of provider outages. An unanswered call queues this job, which then calls the provider
 * several times. During an outage, the job checks every minute.
 */
export async function watchProviders(context: AppContext): Promise<void> {
  for (const provider of allProviders(context.config))
    await Promise.resolve()
      .then(() => watch(context, provider))
      .then(() => recheck(context, provider))
      .catch((error: unknown) => context.log.warn({ err: error, provider: provider.name }, 'could not be watched'))
}

async function watch(context: AppContext, provider: Provider): Promise<void> {
  for (let round = 0; round < SILENT_CALLS; round++) {
    const now = context.clock.now().getTime()
    const calls = await callsTo(context, provider.name)
    const out = outBy(calls, now)
    if (out && out.accounts === null) return startOutages(context, provider.name, out)
    const isQuiet = calls.every(({ silentAt }) => silentAt.every((at) => now - at > WITHIN_MS))
    if (isQuiet) return
    // The provider answers a call that belongs to no company. The outage therefore affects only companies with
    // unanswered calls.
    if (await isResponding(context, provider)) return out ? startOutages(context, provider.name, out) : undefined
  }
  const out = outBy(await callsTo(context, provider.name), context.clock.now().getTime())
  if (out) await startOutages(context, provider.name, out)
}

async function recheck(context: AppContext, provider: Provider): Promise<void> {
  const lasting = await lastingOf(context, provider.name)
  if (lasting.length === 0) return
  const all = lasting.some(({ is_company_only }) => !is_company_only) && (await isResponding(context, provider))
  for (const outage of lasting)
    await noteCheck(
      context,
      outage,
      outage.is_company_only ? await isRespondingForCompany(context, provider, outage) : all,
    )
}

/**
 * Checks whether the provider responds. Requests the last movement, because that call is cheap for the provider and
 * belongs to no company.
 */
async function isResponding(context: AppContext, provider: Provider): Promise<boolean> {
  const position = await context.outside((tx) =>
    tx.selectFrom('provider_position').select('movement_id').where('provider', '=', provider.name).executeTakeFirst(),
  )
  return hasResponse(() => provider.listMovements(position?.movement_id ?? null, 1))
}

/** Checks whether the provider responds for a company. Requests the company's newest charge, if it has one. */
async function isRespondingForCompany(
  context: AppContext,
  provider: Provider,
  { company_id }: Outage,
): Promise<boolean> {
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
    ? hasResponse(() => provider.getIntent(attempt.provider_account, attempt.intent_id ?? ''))
    : isResponding(context, provider)
}

async function hasResponse(question: () => Promise<unknown>): Promise<boolean> {
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
