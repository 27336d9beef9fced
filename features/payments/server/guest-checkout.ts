import { implement } from '../../../server/call.ts'
import { maskedName, streetOf } from '../../utility-accounts/rules.ts'
import { owedOn } from '../../utility-accounts/server/owed.ts'
import { guestCheckout } from '../contract.ts'
import { findCheckout, orderOfCheckout } from './checkout.ts'
import { latestAttempt } from './orders.ts'
import { providerOf } from './providers.ts'
import { refreshAttempt } from './refresh-attempt.ts'
import { providerAccountOf, settingsOf } from './settings.ts'
import { standingOf } from './standing.ts'

/** What the page 'Complete Payment' shows. While a payment is under way the provider is asked again, not too often. */
export const guestCheckoutCall = implement(guestCheckout, async (call) => {
  const { house, company, body } = call
  const live = await call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, house, company.id, body.token)
    const order = await orderOfCheckout(tx, company.id, checkout.id)
    return order?.status === 0 ? latestAttempt(tx, company.id, order.id) : undefined
  })
  if (live) await refreshAttempt(house, company, live)
  const seen = await call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, house, company.id, body.token)
    const account = await tx
      .selectFrom('utility_account')
      .select(['account_number', 'customer_name', 'service_address'])
      .where('company_id', '=', company.id)
      .where('id', '=', checkout.account_id)
      .executeTakeFirstOrThrow()
    const order = await orderOfCheckout(tx, company.id, checkout.id)
    const attempt = order && (await latestAttempt(tx, company.id, order.id))
    const owed = await owedOn(tx, company.id, checkout.account_id)
    return { account, owed, settings: await settingsOf(tx, company.id), payment: standingOf(order, attempt) }
  })
  const provider = providerOf(house.config)
  const { account, owed, settings } = seen
  return {
    accountNumber: account.account_number,
    customerName: maskedName(account.customer_name),
    street: streetOf(account.service_address),
    owedCents: owed.owedCents,
    pendingCents: owed.pendingCents,
    dueDate: owed.bill?.dueDate ?? null,
    hasBill: owed.bill !== null,
    limits: settings.limits,
    fees: settings.fees,
    gateway: {
      origin: provider.fieldsOrigin,
      // A gateway that is down must not keep anybody from seeing their bill or receipt.
      account: settings.providerAccount ?? (await providerAccountOf(house, company, settings).catch(() => '')),
      test: provider.test,
    },
    payment: seen.payment,
  }
})
