import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { FeeBook, FeeRule } from '../rules-fees.ts'
import type { Limits } from '../rules.ts'
import { type Provider, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'
import { ruleIn } from './town-fees.ts'

export interface PaymentSettings {
  /** What a payment costs on top, by day: `rules-fees.ts` picks. */
  fees: FeeBook
  limits: Limits
  /** Whoever pays by themselves pays all that is owed of a thing, or nothing. */
  payInFull: boolean
  /** The name of the provider that the town's new payments go through. */
  provider: string
  /** The town's account there; null where it has none yet. */
  providerAccount: string | null
  /** New payments are started through it: neither the provider nor the platform has stopped them. */
  mayCharge: boolean
  /** The outage of the provider that lasts. */
  outage: { id: number; since: string } | null
  /** The town's second provider, where it can take payments now. */
  second: { provider: string; account: string } | null
}

/** The fee rules of a town `s.company_id`, as the engine reads them: few, so that all of them come along. */
const feeBookOf = sql<FeeRule[]>`(
  SELECT coalesce(jsonb_agg(${ruleIn('f')}), '[]') FROM fee_rule f WHERE f.company_id = s.company_id)`

/** The provider of a town, its account there and its fee rules, beside its row of `payment_settings as s`. */
export const withProvider = [
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

/** How a town takes payments. */
export async function settingsOf(tx: Tx, company: CompanyId): Promise<PaymentSettings> {
  const row = await tx
    .selectFrom('payment_settings as s')
    .selectAll('s')
    .select(withProvider)
    .where('s.company_id', '=', company)
    .executeTakeFirstOrThrow()
  return settingsFrom(row)
}

/** The same of a row that was read already. */
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

/** By which provider a new checkout is paid now: the town's second one while its first is out. */
export function takingNow(settings: PaymentSettings): PaymentSettings {
  const { outage, second } = settings
  return outage && second
    ? { ...settings, provider: second.provider, providerAccount: second.account, mayCharge: true }
    : settings
}

const STOPPED =
  'Payments by card or bank account cannot be taken for this municipality at the moment. Nothing was charged. Please ask its office how else you can pay.'

/** @throws 503 where the provider, or the platform, has stopped new payments of the town */
export function refuseStopped({ mayCharge }: Pick<PaymentSettings, 'mayCharge'>): void {
  if (!mayCharge) throw new Refusal(503, 'payments_stopped', STOPPED)
}

/** The town's account with the provider; opened on the first payment, never inside a transaction. */
export async function providerAccountOf(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<string> {
  if (settings.providerAccount) return settings.providerAccount
  const { provider } = settings
  return openAccountWith(context, company, providerNamed(context.config, provider))
}

/** Opens the town's account with a provider and keeps it. `asksFirst`: see `ensureAccount` of the port. */
export async function openAccountWith(
  context: AppContext,
  company: Company,
  provider: Provider,
  asksFirst = false,
): Promise<string> {
  const account = await provider.ensureAccount(company.guid, company.name, asksFirst)
  await context.inCompany(company.id, (tx) =>
    tx
      .insertInto('provider_account')
      .values({ company_id: company.id, provider: provider.name, account })
      .onConflict((on) => on.columns(['company_id', 'provider']).doUpdateSet({ account }))
      .execute(),
  )
  return account
}

/** What a provider calls a town that had an account with it, whichever the town uses now. @throws where it had none */
export async function accountWith(tx: Tx, company: CompanyId, provider: string): Promise<string> {
  const { account } = await tx
    .selectFrom('provider_account')
    .select('account')
    .where('company_id', '=', company)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow()
  return account
}

/** The towns that have an account with a provider, by what the provider calls them. */
export const accountsAt = (context: AppContext, provider: string): Promise<{ company_id: number; account: string }[]> =>
  context.acrossCompanies((tx) =>
    tx
      .selectFrom('provider_account')
      .select(['company_id', 'account'])
      .where('provider', '=', provider)
      .orderBy('account')
      .execute(),
  )

/** The provider that a town's payments go through, its account there, and the town's rules for them. */
export interface ProviderRoute {
  settings: PaymentSettings
  provider: string
  account: string
}

/** What a payment without a page needs to know before it begins. @throws as `refuseStopped`, `openAccount` */
export async function throughOf(
  context: AppContext,
  company: Company,
  settings: PaymentSettings,
): Promise<ProviderRoute> {
  refuseStopped(settings)
  const account = settings.providerAccount ?? (await openAccount(context, company, settings))
  return { settings, provider: settings.provider, account }
}

/** Opens the town's account with the provider. @throws 503 where that can't be done now */
export async function openAccount(context: AppContext, company: Company, settings: PaymentSettings): Promise<string> {
  try {
    return await providerAccountOf(context, company, settings)
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw unreachable()
  }
}

export const unreachable = () =>
  new Refusal(
    503,
    'provider_unreachable',
    'The payment service cannot be reached at the moment. Nothing was charged. Please try again in a few minutes.',
  )
