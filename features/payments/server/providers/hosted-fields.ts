import type { AppContext } from '../../../../server/app-context.ts'
import type { PageOrigins } from '../../../../server/feature.ts'
import type { Company, Host } from '../../../../server/hosts.ts'
import type { PaymentFields } from '../../../../shared/payment-fields.ts'
import { allProviders, findProvider } from './providers.ts'
import { type PaymentSettings, ensureProviderAccount, settingsOf } from '../settings.ts'

export const NO_HOSTED_FIELDS: PaymentFields = { origin: '', account: '', test: false, script: null }

/**
 * Returns the hosted fields of the company's current provider. If the provider account cannot be opened, the account is
 * empty. People then still see bills and receipts, and the checkout shows that payments are unavailable.
 */
export async function fieldsOf(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<PaymentFields> {
  const provider = findProvider(context.config, settings.provider)
  if (!provider) return NO_HOSTED_FIELDS
  const account = settings.providerAccount ?? (await ensureProviderAccount(context, company, settings).catch(() => ''))
  const { fieldsOrigin: origin, test, script } = provider
  return { origin, account, test, script: script ? { url: script.url, key: script.key } : null }
}

/** Returns the origins that a company's pages may load from its provider. Null if the provider has no script. */
export async function providerOrigins(context: AppContext, host: Host): Promise<PageOrigins | null> {
  const company = host.kind === 'company' ? host.company : null
  // Avoids a query if no provider has a script.
  if (!company || !allProviders(context.config).some(({ script }) => script)) return null
  const { provider, second } = await context.inCompany(company.id, (tx) => settingsOf(tx, company.id))
  // Includes both providers, because a page that is already open may need the second provider's fields.
  const scripts = [provider, ...(second ? [second.provider] : [])].flatMap(
    (name) => findProvider(context.config, name)?.script ?? [],
  )
  return scripts.length === 0
    ? null
    : {
        scripts: scripts.flatMap((one) => one.scripts),
        frames: scripts.flatMap(({ frames }) => frames),
        calls: scripts.flatMap(({ calls }) => calls),
      }
}
