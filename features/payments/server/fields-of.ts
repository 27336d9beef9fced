import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { findProvider } from './providers.ts'
import { type PaymentSettings, providerAccountOf } from './settings.ts'

/** What a page needs to show a provider's card and bank fields. */
export interface Fields {
  /** Where they come from. */
  origin: string
  /** What the provider calls the town; empty where it can't be asked now. */
  account: string
  /** No money moves. */
  test: boolean
}

export const NO_FIELDS: Fields = { origin: '', account: '', test: false }

/**
 * The fields of the provider that a town uses now. One that is down must not keep anybody from seeing their bill or receipt:
 * then the account is empty, and the page says that nothing can be paid at the moment.
 */
export async function fieldsOf(house: House, company: Company, settings: PaymentSettings): Promise<Fields> {
  const provider = findProvider(house.config, settings.provider)
  if (!provider) return NO_FIELDS
  const account = settings.providerAccount ?? (await providerAccountOf(house, company, settings).catch(() => ''))
  return { origin: provider.fieldsOrigin, account, test: provider.test }
}
