import type { AppContext } from '../../../server/app-context.ts'
import type { PageOrigins } from '../../../server/feature.ts'
import type { Company, Host } from '../../../server/hosts.ts'
import type { PaymentFields } from '../../../shared/payment-fields.ts'
import { allProviders, findProvider } from './providers.ts'
import { type PaymentSettings, providerAccountOf, settingsOf } from './settings.ts'

export const NO_FIELDS: PaymentFields = { origin: '', account: '', test: false, script: null }

/**
 * The fields of the provider that a town uses now. One that is down must not keep anybody from seeing their bill or receipt:
 * then the account is empty, and the page says that nothing can be paid at the moment.
 */
export async function fieldsOf(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<PaymentFields> {
  const provider = findProvider(context.config, settings.provider)
  if (!provider) return NO_FIELDS
  const account = settings.providerAccount ?? (await providerAccountOf(context, company, settings).catch(() => ''))
  const { fieldsOrigin: origin, test, script } = provider
  return { origin, account, test, script: script ? { url: script.url, key: script.key } : null }
}

/** What the pages of a town may load from its provider, where that has a script of its own. */
export async function providerOrigins(context: AppContext, host: Host): Promise<PageOrigins | null> {
  const company = host.kind === 'town' ? host.company : null
  // Where no provider has one there is nothing to ask the database for.
  if (!company || !allProviders(context.config).some(({ script }) => script)) return null
  const { provider, second } = await context.inCompany(company.id, (tx) => settingsOf(tx, company.id))
  // Of both, since a page that is open already may have to show the fields of the second one.
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
