import type { AppContext } from '../../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { findProvider, providerNames } from './providers.ts'
import { settingsOf } from '../settings.ts'

/** True if the company's current provider moves no money. */
export const isTestCompany = async (context: AppContext, tx: Tx, company: CompanyId): Promise<boolean> =>
  findProvider(context.config, (await settingsOf(tx, company)).provider)?.test ?? false

/**
 * True if the provider of the payment moved no real money. A payment without a provider (cash, check) counts as real if
 * the company's current provider is real.
 */
export async function isTestPayment(
  context: AppContext,
  tx: Tx,
  company: CompanyId,
  payment: { provider: string } | { orderId: number },
): Promise<boolean> {
  const provider = 'provider' in payment ? payment.provider : await latestProvider(tx, company, payment.orderId)
  // Sandbox payments remain tests even if the portal no longer uses the sandbox.
  if (provider === 'sandbox') return true
  return providerNames.includes(provider)
    ? (findProvider(context.config, provider)?.test ?? false)
    : isTestCompany(context, tx, company)
}

async function latestProvider(tx: Tx, company: CompanyId, orderId: number): Promise<string> {
  const row = await tx
    .selectFrom('payment_attempt')
    .select('provider')
    .where('company_id', '=', company)
    .where('order_id', '=', orderId)
    .orderBy('attempt_no', 'desc')
    .executeTakeFirst()
  return row?.provider ?? ''
}
