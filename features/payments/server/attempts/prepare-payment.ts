import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { dateIn } from '../../../../shared/dates.ts'
import type { PaymentBody } from '../../contract.ts'
import { methods } from '../../rules.ts'
import { dependsOnCard } from '../../rules-fees.ts'
import { openedBy, unknownCheckout } from '../orders/checkout.ts'
import {
  type PaymentSettings,
  refuseStopped,
  settingsFrom,
  settingsForNewPayments,
  providerColumns,
} from '../settings.ts'

/** Data that a payment needs from the provider before it can start. */
export interface PreparedPayment {
  settings: PaymentSettings
  /** True if the company has no account with its provider yet. */
  needsAccount: boolean
  /** True if the fee depends on the type of the card. */
  needsCard: boolean
}

/**
 * Determines which data `startAttempt` needs from the provider. Runs before the transaction of `startAttempt`.
 * @throws 404 for an unknown checkout, 503 if the company's payments are stopped
 */
export async function preparePayment(
  tx: Tx,
  context: AppContext,
  company: Company,
  { key, request }: { key: string; request: PaymentBody },
): Promise<PreparedPayment> {
  const row = await tx
    .selectFrom('guest_checkout as c')
    .innerJoin('payment_settings as s', 's.company_id', 'c.company_id')
    .selectAll('s')
    .select(providerColumns)
    .select((db) =>
      db
        .exists(
          db
            .selectFrom('payment_attempt as a')
            .select('a.id')
            .where('a.company_id', '=', company.id)
            .where('a.idempotency_key', '=', key),
        )
        .as('isRepeated'),
    )
    .where('c.company_id', '=', company.id)
    .where('c.id', '=', openedBy(context, company.id, request.token))
    .executeTakeFirst()
  if (!row) throw unknownCheckout()
  const settings = settingsForNewPayments(settingsFrom(row))
  const isNew = !row.isRepeated
  if (isNew) refuseStopped(settings)
  const feesVary =
    request.methodToken !== undefined &&
    request.method === methods.card &&
    dependsOnCard(settings.fees, dateIn(company.timeZone, context.clock.now()))
  return {
    settings,
    needsAccount: isNew && settings.providerAccount === null,
    needsCard: isNew && feesVary,
  }
}
