import { implement } from '../../../server/call.ts'
import type { CartItem } from '../../../server/db/column-types.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { guestCheckout } from '../contract.ts'
import { inForce } from '../../payments/rules-fees.ts'
import { GUEST_QUICK_PAY, limitsFor, ONLINE, owedInAll, orderStatus } from '../../payments/rules.ts'
import {
  feeKindOf,
  findCheckout,
  orderOfCheckout,
  storedMethodViews,
  latestAttempt,
  payableOf,
  arrangementPort,
  fieldsOf,
  refreshAttempt,
  scheduledCharge,
  settingsOf,
  settingsForNewPayments,
  statusWithNext,
} from '../../payments/api.ts'
import { outageOfPage } from '../../outages/api.ts'

/**
 * Loads the 'Complete Payment' page. While a payment is pending, requests its status from the provider at intervals.
 */
export const guestCheckoutCall = implement(guestCheckout, async (call) => {
  const { context, company, body } = call
  const live = await call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, context, company.id, body.token)
    const order = await orderOfCheckout(tx, company.id, checkout.id)
    return order?.status === orderStatus.pending ? latestAttempt(tx, company.id, order.id) : undefined
  })
  if (live) await refreshAttempt(context, company, live)
  // An impersonator cannot pay with the resident's saved payment methods.
  const person = call.session?.impersonatorId ? null : companyPersonOf(call.session)
  const now = context.clock.now()
  const today = dateIn(company.timeZone, now)
  const seen = await call.inCompany(async (tx) => {
    const checkout = await findCheckout(tx, context, company.id, body.token)
    const order = await orderOfCheckout(tx, company.id, checkout.id)
    const attempt = order && (await latestAttempt(tx, company.id, order.id))
    const payables = await Promise.all(
      checkout.payables.map((ref) => describeItem(tx, company, ref, { person, today, now })),
    )
    const companySettings = await settingsOf(tx, company.id)
    const settings = settingsForNewPayments(companySettings)
    const storedMethods =
      person === null ? [] : await storedMethodViews(tx, company.id, person, today, settings.provider)
    return {
      payables: payables.map((one) => ({ ...one, inFull: one.inFull || settings.payInFull })),
      storedMethods,
      settings,
      outage: await outageOfPage(tx, company, checkout.id, companySettings),
      payment: await statusWithNext(tx, company.id, order, attempt),
    }
  })
  const { payables, settings } = seen
  const canBePaid = payables.map(({ takesCredit, inFull, payableCents: owedCents }) => ({
    takesCredit,
    inFull,
    owedCents,
  }))
  return {
    payables,
    payableCents: owedInAll(canBePaid),
    limits: limitsFor(settings.limits, canBePaid),
    fees: { on: today, location: person === null ? GUEST_QUICK_PAY : ONLINE, rules: inForce(settings.fees, today) },
    gateway: await fieldsOf(context, company, settings),
    storedMethods: seen.storedMethods,
    outage: seen.outage,
    payment: seen.payment,
  }
})

interface CheckoutViewer {
  person: number | null
  today: string
  now: Date
}

/**
 * Describes a cart item without private details, because guests can see the item. Only the owner sees a payment
 * arrangement or a scheduled AutoPay charge.
 */
async function describeItem(
  tx: Tx,
  at: Company,
  { no, kind, id, cents }: CartItem,
  { person, today, now }: CheckoutViewer,
) {
  const company = at.id
  const payable = payableOf(kind)
  const [owed, description] = await Promise.all([payable.owed(tx, company, id), payable.describe(tx, company, id)])
  const { heldUntil, details, ...publicView } = description.publicView
  const isOwn = person !== null && (await payable.recurs?.isLinked(tx, company, person, id))
  const installment = isOwn ? ((await arrangementPort()?.next(tx, company, kind, id, today)) ?? null) : null
  const autopay = isOwn ? await scheduledCharge(tx, at, { person, kind, id }) : null
  const closed = publicView.closed ?? null
  const left = owed.owedCents - owed.pendingCents
  const payableCents = closed === null ? left : Math.min(left, 0)
  return {
    no,
    feeKind: feeKindOf({ kind, description }),
    ...publicView,
    details,
    ...owed,
    closed,
    heldSeconds: heldUntil ? Math.max(0, Math.round((heldUntil.getTime() - now.getTime()) / 1000)) : null,
    payableCents,
    installment: installment && installment.cents < payableCents ? installment : null,
    autopay,
    beforeCents: cents === undefined || cents === payableCents ? null : cents,
    takesCredit: payable.takesCredit && closed === null,
    inFull: owed.inFull ?? false,
  }
}
