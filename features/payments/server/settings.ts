import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { FeeBook, FeeRule } from '../rules-fees.ts'
import type { Limits } from '../rules.ts'
import { type Provider, ProviderRefused, ProviderSilent } from './providers/provider.ts'
import { providerNamed } from './providers/providers.ts'
import { ruleIn } from './fee-rules.ts'

export interface PaymentSettings {
  /** Fee rules, each with its start date. `rules-fees.ts` selects the rule that applies. */
  fees: FeeBook
  limits: Limits
  /** True if payers must pay the full amount due. Does not apply to staff. */
  payInFull: boolean
  /** Name of the provider for the company's new payments. */
  provider: string
  /** Account of the company at the provider. Null if the company has no account yet. */
  providerAccount: string | null
  /** True if new payments are allowed. False if the provider or the platform stopped them. */
  mayCharge: boolean
  /** Current outage of the provider. */
  outage: { id: number; since: string } | null
  /** Second provider of the company. Null if the company has none or the second provider cannot take payments now. */
  second: { provider: string; account: string } | null
}

/** SQL for the fee rules of company `s.company_id`, in the fee engine's format. A company has only a few rules. */
const feeBookOf = sql<FeeRule[]>`(
  SELECT coalesce(jsonb_agg(${ruleIn('f')}), '[]') FROM fee_rule f WHERE f.company_id = s.company_id)`

/** Columns to add to a row of `payment_settings as s`: the company's provider, its account there and its fee rules. */
export const providerColumns = [
  sql<string>`(SELECT p.provider FROM processor p WHERE p.id = s.processor_id)`.as('provider'),
  sql<string | null>`(SELECT a.account FROM provider_account a JOIN processor p ON p.provider = a.provider
    WHERE a.company_id = s.company_id AND p.id = s.processor_id)`.as('provider_account'),
  sql<boolean>`coalesce((SELECT o.may_charge FROM provider_onboarding o JOIN processor p ON p.provider = o.provider
    WHERE o.company_id = s.company_id AND p.id = s.processor_id), true)`.as('may_charge'),
  feeBookOf.as('fee_book'),
  sql<PaymentSettings['outage']>`(SELECT jsonb_build_object('id', o.id, 'since', o.since) FROM payment_outage o
    JOIN processor p ON p.provider = o.provider
    WHERE o.company_id = s.company_id AND p.id = s.processor_id AND o.until IS NULL)`.as('outage'),
  sql<
    PaymentSettings['second']
  >`(SELECT jsonb_build_object('provider', p.provider, 'account', a.account) FROM processor p
    JOIN provider_account a ON a.company_id = s.company_id AND a.provider = p.provider
    JOIN provider_onboarding n ON n.company_id = s.company_id AND n.provider = p.provider
    WHERE p.id = s.second_processor_id AND n.status = 'ready' AND n.may_charge AND NOT EXISTS (SELECT FROM payment_outage o
      WHERE o.company_id = s.company_id AND o.provider = p.provider AND o.until IS NULL))`.as('second'),
] as const

type SettingsRow = Selectable<Schema['payment_settings']> & {
  provider: string
  provider_account: string | null
  may_charge: boolean
  fee_book: FeeRule[]
  outage: PaymentSettings['outage']
  second: PaymentSettings['second']
}

/** Loads the payment settings of a company. */
export async function settingsOf(tx: Tx, company: CompanyId): Promise<PaymentSettings> {
  const row = await tx
    .selectFrom('payment_settings as s')
    .selectAll('s')
    .select(providerColumns)
    .where('s.company_id', '=', company)
    .executeTakeFirstOrThrow()
  return settingsFrom(row)
}

/** Builds the settings from a loaded row. */
export function settingsFrom(row: SettingsRow): PaymentSettings {
  return {
    fees: row.fee_book,
    limits: { minCents: row.min_payment_cents, maxCents: row.max_payment_cents },
    payInFull: row.is_pay_in_full === 1,
    provider: row.provider,
    providerAccount: row.provider_account,
    mayCharge: row.may_charge,
    outage: row.outage,
    second: row.second,
  }
}

/** Creates the settings of a new company, with its provider. */
export const openPaymentSettings = (tx: Tx, company: CompanyId, provider: string): Promise<unknown> =>
  tx
    .insertInto('payment_settings')
    .values({
      company_id: company,
      processor_id: (db) => db.selectFrom('processor').select('id').where('provider', '=', provider),
    })
    .execute()

/** Saves the first day of payments that the portal compares with payouts. Later calls change nothing. */
export const startReconciliation = (tx: Tx, company: CompanyId, day: string): Promise<unknown> =>
  tx
    .updateTable('payment_settings')
    .set({ reconciled_since: day })
    .where('company_id', '=', company)
    .where('reconciled_since', 'is', null)
    .execute()

/** Selects the provider for a new checkout: the first provider, or the second one during an outage of the first. */
export function settingsForNewPayments(settings: PaymentSettings): PaymentSettings {
  const { outage, second } = settings
  return outage && second
    ? { ...settings, provider: second.provider, providerAccount: second.account, mayCharge: true }
    : settings
}

const STOPPED =
  'Card and bank account payments are not available right now. Nothing was charged. Please ask the office about other ways to pay.'

/** @throws 503 if the provider or the platform has stopped new payments of the company */
export function refuseStopped({ mayCharge }: Pick<PaymentSettings, 'mayCharge'>): void {
  if (!mayCharge) throw new Refusal(503, 'payments_stopped', STOPPED)
}

/**
 * Returns the company's account with the provider. Opens the account before the first payment. Never call this function
 * in a transaction.
 */
export async function ensureProviderAccount(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<string> {
  if (settings.providerAccount) return settings.providerAccount
  const { provider } = settings
  return openAccountWith(context, company, providerNamed(context.config, provider))
}

/** Opens the company's account with a provider and saves it. For `needsConsent` see `ensureAccount` of the port. */
export async function openAccountWith(
  context: AppContext,
  company: Company,
  provider: Provider,
  needsConsent = false,
): Promise<string> {
  const account = await provider.ensureAccount(company.guid, company.name, needsConsent)
  await context.inCompany(company.id, (tx) =>
    tx
      .insertInto('provider_account')
      .values({ company_id: company.id, provider: provider.name, account })
      .onConflict((on) => on.columns(['company_id', 'provider']).doUpdateSet({ account }))
      .execute(),
  )
  return account
}

/**
 * Finds a company's account id at a provider, even if the company no longer uses that provider.
 * @throws if the company never had an account there
 */
export async function accountWith(tx: Tx, company: CompanyId, provider: string): Promise<string> {
  const { account } = await tx
    .selectFrom('provider_account')
    .select('account')
    .where('company_id', '=', company)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
  return account
}

/** Lists the companies with an account at a provider, with their account ids. */
export const accountsAt = (context: AppContext, provider: string): Promise<{ company_id: number; account: string }[]> =>
  context.acrossCompanies((tx) =>
    tx
      .selectFrom('provider_account')
      .select(['company_id', 'account'])
      .where('provider', '=', provider)
      .orderBy('account')
      .execute(),
  )

/** Provider of a company's payments, its account there and the company's payment settings. */
export interface ProviderRoute {
  settings: PaymentSettings
  provider: string
  account: string
}

/**
 * Loads the provider and account for a payment without a checkout.
 * @throws the errors of `refuseStopped` and `openAccount`
 */
export async function ensureProviderRoute(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<ProviderRoute> {
  refuseStopped(settings)
  const account = settings.providerAccount ?? (await openAccount(context, company, settings))
  return { settings, provider: settings.provider, account }
}

/**
 * Opens the company's account with the provider.
 * @throws 503 if the account cannot be opened now
 */
export async function openAccount(context: AppContext, company: Company, settings: PaymentSettings): Promise<string> {
  try {
    return await ensureProviderAccount(context, company, settings)
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw unreachable()
  }
}

export const unreachable = () =>
  new Refusal(
    503,
    'provider_unreachable',
    'The payment provider cannot be reached at the moment. Nothing was charged. Please try again in a few minutes.',
  )

/**
 * Returns the name of the provider that takes a company's new payments during an outage of the first provider. Null if
 * the company chose none.
 */
export async function secondOf(tx: Tx, company: CompanyId): Promise<string | null> {
  const { rows } = await sql<{ provider: string }>`SELECT p.provider FROM payment_settings s
    JOIN processor p ON p.id = s.second_processor_id WHERE s.company_id = ${company}`.execute(tx)
  return rows[0]?.provider ?? null
}

/** Saves the processor that takes new payments during an outage of the first processor. */
export const chooseSecond = (tx: Tx, company: CompanyId, processor: number | null): Promise<unknown> =>
  tx.updateTable('payment_settings').set({ second_processor_id: processor }).where('company_id', '=', company).execute()
