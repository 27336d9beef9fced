import { type Call, implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import { deferPayment, withdrawDeferredPayment } from '../contract.ts'
import { brandOfLabel } from '../../payments/rules-fees.ts'
import { GUEST_QUICK_PAY, ONLINE, orderStatus } from '../../payments/rules.ts'
import {
  agreedBill,
  lockCheckout,
  orderOfCheckout,
  type StoredMethodRow,
  lockStoredMethod,
  loadOwed,
  settingsOf,
} from '../../payments/api.ts'
import {
  insertDeferredPayment,
  deferredPaymentStateStore,
  lockDeferredPayment,
  notifyPayer,
} from './deferred-payments.ts'

type Body = RequestOf<typeof deferPayment>

const perCheckout = defineLimit('deferred-payment', { max: 20 })

const WORKS = 'Payments are working again. Nothing was charged. You can pay now.'

/** Returns the payer as the actor, signed in or not. */
const payerOf = (call: Call): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  ...(call.session === null && { person: { id: null, name: 'Guest' } }),
})

const deferPaymentCall = implement(deferPayment, async (call) => {
  await countAttempt(call.context, [perCheckout(call.body.token)])
  return call.once((tx) => deferred(tx, call))
})

/** Saves a deferred payment: the payer, the items, the time and the requested action. Charges nothing. */
async function deferred(tx: Tx, call: Call<Body>) {
  const { context, company, body } = call
  const checkout = await lockCheckout(tx, context, company.id, body.token)
  const order = await orderOfCheckout(tx, company.id, checkout.id)
  if (order && order.status !== orderStatus.declined)
    throw conflict(
      'payment_in_progress',
      'You already submitted a payment on this page. We are checking its outcome and will show it here. You were not charged twice.',
    )
  const settings = await settingsOf(tx, company.id)
  if (!settings.outage || settings.second) throw conflict('payments_work', WORKS)
  if (await liveDeferredPayment(tx, company.id, checkout.id))
    throw conflict(
      'deferred',
      'Your request is already recorded. To make a different request, withdraw this one first.',
    )
  const person = companyPersonOf(call.session)
  const on = dateIn(company.timeZone, context.clock.now())
  const storedMethod = body.action === 'charge' ? await methodOf(tx, call, person, on) : null
  const dueLines = await loadOwed(tx, company.id, checkout.payables)
  const brand = storedMethod ? { brand: brandOfLabel(storedMethod.method_label) } : {}
  const location = person === null ? GUEST_QUICK_PAY : ONLINE
  const bill = agreedBill(body, dueLines, settings, { on, method: body.method, location, ...brand })
  const paid = dueLines.filter(({ kind, id }) =>
    bill.lines.some((line) => line.kind === kind && line.payable_id === id),
  )
  const row = await insertDeferredPayment(
    tx,
    company,
    {
      outage_id: settings.outage.id,
      action: body.action,
      made_at: context.clock.now(),
      reference: paid.map(({ description }) => description.reference).join(', '),
      payer_name: paid[0]?.description.payerName ?? '',
      email: body.email,
      person_id: person,
      checkout_id: checkout.id,
      method_id: storedMethod?.id ?? null,
      method_label: storedMethod?.method_label ?? '',
      bill_cents: bill.quote.billCents,
      total_cents: bill.quote.totalCents,
    },
    bill.lines.map(({ kind, payable_id, amount_cents }) => ({ kind, payable_id, amount_cents })),
    payerOf(call),
  )
  const noticeKinds = { note: 'noted', charge: 'will_charge', remind: 'will_remind' } as const
  await notifyPayer(tx, context, company, row, noticeKinds[body.action])
  return { success: true as const, message: CONFIRMATIONS[body.action](row.email) }
}

const CONFIRMATIONS: Record<Body['action'], (email: string) => string> = {
  note: (email) => say`We recorded that you tried to pay. We sent a confirmation to ${email}.`,
  charge: (email) => say`We will charge you when payments work again. We sent a confirmation to ${email}.`,
  remind: (email) => say`We will email ${email} when you can pay.`,
}

/**
 * Finds the payer's saved card or bank account. Details typed by a guest are never stored, so they cannot be charged
 * later.
 */
function methodOf(
  tx: Tx,
  { company, body }: Call<Body>,
  person: number | null,
  today: string,
): Promise<StoredMethodRow> {
  const { storedMethodId: id, method } = body
  if (person === null || id === undefined)
    throw rejected('We can charge you later only with a saved card or bank account. Ask for a link instead.')
  return lockStoredMethod(tx, company.id, { person, id, method, today })
}

export const liveDeferredPayment = (tx: Tx, company: number, checkout: number) =>
  tx
    .selectFrom('deferred_payment')
    .selectAll()
    .where('company_id', '=', company)
    .where('checkout_id', '=', checkout)
    .where('status', 'in', ['waiting', 'charging'])
    .executeTakeFirst()

const withdrawCall = implement(withdrawDeferredPayment, (call) =>
  call.once(async (tx) => {
    const { context, company } = call
    const checkout = await lockCheckout(tx, context, company.id, call.body.token)
    const live = await liveDeferredPayment(tx, company.id, checkout.id)
    if (!live)
      throw conflict('nothing_deferred', 'This request is no longer pending. Its outcome is shown on this page.')
    const { message } = await transition(tx, deferredPaymentStateStore, {
      scope: company.id,
      id: live.id,
      event: 'withdraw',
      actor: payerOf(call),
    })
    await notifyPayer(tx, context, company, await lockDeferredPayment(tx, company.id, live.id), 'withdrawn')
    return { success: true as const, message }
  }),
)

export const deferredPaymentCalls = [deferPaymentCall, withdrawCall]
