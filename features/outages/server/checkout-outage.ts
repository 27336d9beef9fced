import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { CheckoutOutage } from '../contract.ts'
import type { PaymentSettings } from '../../payments/api.ts'

/** Loads the outage notice of a checkout, with the payer's deferred payment. */
export async function outageOfPage(
  tx: Tx,
  company: Company,
  checkout: number,
  { outage, second }: PaymentSettings,
): Promise<CheckoutOutage> {
  const deferred = await tx
    .selectFrom('deferred_payment')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('checkout_id', '=', checkout)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    since: outage && new Date(outage.since).toISOString(),
    second: second !== null,
    deferred: deferred
      ? {
          ...{
            status: deferred.status,
            action: deferred.action,
            methodLabel: deferred.method_label,
            email: deferred.email,
          },
          ...{ totalCents: deferred.total_cents, at: deferred.made_at.toISOString() },
        }
      : null,
  }
}
