import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { Refusal } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { FeeRules, Limits } from '../rules.ts'
import { ProviderRefused, ProviderSilent } from './provider.ts'
import { providerOf } from './providers.ts'

export interface PaymentSettings {
  fees: FeeRules
  limits: Limits
  /** Whoever pays by themselves pays all that is owed of a thing, or nothing. */
  payInFull: boolean
  providerAccount: string | null
}

/** How a town takes payments. */
export async function settingsOf(tx: Tx, company: CompanyId): Promise<PaymentSettings> {
  const row = await tx
    .selectFrom('payment_settings')
    .selectAll()
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return settingsFrom(row)
}

/** The same of a row that was read already. */
export function settingsFrom(row: Selectable<Schema['payment_settings']>): PaymentSettings {
  return {
    fees: {
      program: row.fee_program,
      absorb: row.absorb,
      cardBps: row.card_fee_bps,
      cardFixedCents: row.card_fee_fixed_cents,
      cardMinCents: row.card_fee_min_cents,
      cardMaxCents: row.card_fee_max_cents,
      echeckCents: row.echeck_fee_cents,
    },
    limits: { minCents: row.min_payment_cents, maxCents: row.max_payment_cents },
    payInFull: row.is_pay_in_full === 1,
    providerAccount: row.provider_account,
  }
}

/** The town's account with the provider; opened on the first payment, never inside a transaction. */
export async function providerAccountOf(house: House, company: Company, settings: PaymentSettings): Promise<string> {
  if (settings.providerAccount) return settings.providerAccount
  const account = await providerOf(house.config).ensureAccount(company.guid, company.name)
  await house.inCompany(company.id, (tx) =>
    tx
      .updateTable('payment_settings')
      .set({ provider_account: account })
      .where('company_id', '=', company.id)
      .execute(),
  )
  return account
}

/** The provider that a town's payments go through, its account there, and the town's rules for them. */
export interface Through {
  settings: PaymentSettings
  provider: string
  account: string
}

/** What a payment without a page needs to know before it begins. @throws as `openAccount` */
export async function throughOf(house: House, company: Company, settings: PaymentSettings): Promise<Through> {
  const account = settings.providerAccount ?? (await openAccount(house, company, settings))
  return { settings, provider: providerOf(house.config).name, account }
}

/** Opens the town's account with the provider. @throws 503 where that can't be done now */
export async function openAccount(house: House, company: Company, settings: PaymentSettings): Promise<string> {
  try {
    return await providerAccountOf(house, company, settings)
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw new Refusal(
      503,
      'provider_unreachable',
      'The payment service cannot be reached at the moment. Nothing was charged. Please try again in a few minutes.',
    )
  }
}
