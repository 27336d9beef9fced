import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { FeeRules, Limits } from '../rules.ts'
import { providerOf } from './providers.ts'

export interface PaymentSettings {
  fees: FeeRules
  limits: Limits
  providerAccount: string | null
}

/** How a town takes payments. */
export async function settingsOf(tx: Tx, company: CompanyId): Promise<PaymentSettings> {
  const row = await tx
    .selectFrom('payment_settings')
    .selectAll()
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
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
