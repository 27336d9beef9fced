import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { findProvider, providerNames } from './providers.ts'
import { settingsOf } from './settings.ts'

/** Whether no money moves where this town takes payments now. */
export const isTestTown = async (context: AppContext, tx: Tx, company: CompanyId): Promise<boolean> =>
  findProvider(context.config, (await settingsOf(tx, company)).provider)?.test ?? false

/**
 * Whether no money moved with a payment, by the provider that it was made with. What no provider took (cash, a check) is as
 * real as what the town takes through its provider now.
 */
export async function isTestPayment(
  context: AppContext,
  tx: Tx,
  company: CompanyId,
  payment: { provider: string } | { orderId: number },
): Promise<boolean> {
  const provider = 'provider' in payment ? payment.provider : await latestProvider(tx, company, payment.orderId)
  // The sandbox stays one where the portal has left it.
  if (provider === 'sandbox') return true
  return providerNames.includes(provider)
    ? (findProvider(context.config, provider)?.test ?? false)
    : isTestTown(context, tx, company)
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
