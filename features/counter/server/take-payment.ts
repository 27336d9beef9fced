import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notAllowed, rejected } from '../../../server/errors.ts'
import { actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf, RequestOf } from '../../../shared/endpoint.ts'
import { formatCents, MAX_CENTS } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { OFFICE, officeMethods, receiptNumber } from '../../payments/rules.ts'
import {
  findAttemptByKey,
  startPayment,
  captureNow,
  emailReceipt,
  type Attempt,
  findOrder,
  allPayables,
  settingsOf,
} from '../../payments/api.ts'
import { COUNTER_PROVIDER } from '../../refunds/api.ts'
import { takePayment } from '../contract.ts'
import { changeOf, needsNumber, NUMBER_MISSING, tenderRefusal } from '../rules.ts'
import { lockDrawer } from './drawers.ts'

type TakePaymentResponse = ResponseOf<typeof takePayment>
type Body = RequestOf<typeof takePayment>

/**
 * Takes a payment at the counter. The payment needs no provider, so one transaction covers order, attempt, ledger and
 * drawer. A repeated idempotency key returns the payment of the first call.
 */
export const takePaymentCall = implement(takePayment, async (call): Promise<TakePaymentResponse> => {
  const { company, body, idempotencyKey: key } = call
  return call.inCompany(async (tx) => {
    const drawer = await lockDrawer(tx, company.id, body.drawerId)
    // Runs under the drawer's lock, so the second of two concurrent calls finds the first one's payment.
    const before = await findAttemptByKey(tx, company, key)
    if (before) return responseOf(tx, call, before)
    if (drawer.staff_id !== signedIn(call).personId) throw notAllowed(say`This drawer belongs to another staff member.`)
    if (drawer.status !== 'open')
      throw conflict(
        'wrong_status',
        say`Your drawer is closed. Open a drawer to take payments. No payment was recorded.`,
      )
    if (body.pays.some(({ kind }) => !allPayables().some((payable) => payable.kind === kind)))
      throw rejected(say`One of the selected items cannot be paid at the counter. Remove that item and search again.`)
    const attempt = await startPayment(tx, call.context, company, beginningOf(call, key), await counterRoute(tx, call))
    await capture(tx, call, attempt, drawer.id)
    return responseOf(tx, call, attempt)
  })
})

const beginningOf = (call: Call<Body>, key: string) => ({
  pays: call.body.pays,
  method: call.body.method,
  location: OFFICE,
  payer: { actor: actorOf(call), person: null, email: call.body.email },
  key,
  asCredit: true,
  confirmsCredit: true,
})

/** The company's limits apply only to online payments. */
async function counterRoute(tx: Tx, { company }: Call) {
  const settings = await settingsOf(tx, company.id)
  return {
    settings: { ...settings, limits: { minCents: 1, maxCents: MAX_CENTS } },
    provider: COUNTER_PROVIDER,
    account: COUNTER_PROVIDER,
  }
}

/** The office already has the money, so the order succeeds immediately. */
async function capture(tx: Tx, call: Call<Body>, { id, order_id }: Attempt, drawerId: number): Promise<void> {
  const { context, company, body } = call
  const { total_cents: totalCents } = await findOrder(tx, company.id, order_id)
  const tender = { ...body, totalCents }
  const against = tenderRefusal(tender)
  if (against) throw rejected(against, { tenderedCents: against })
  if (needsNumber(tender)) throw rejected(NUMBER_MISSING, { number: NUMBER_MISSING })
  const received = {
    attemptId: id,
    ref: `office-${id}`,
    methodLabel: methodLabelOf(tender),
    cash: 'office_cash',
  } as const
  const order = await captureNow(tx, context, company, received)
  await tx
    .insertInto('drawer_payment')
    .values({
      company_id: company.id,
      order_id: order.id,
      drawer_id: drawerId,
      tendered_cents: body.tenderedCents,
      change_cents: changeOf(tender),
    })
    .execute()
  if (order.payer_email !== '')
    await emailReceipt({ tx, context, company: company.id, order, attempt: { provider: COUNTER_PROVIDER } })
}

/** Returns the payment method as text for the receipt. */
function methodLabelOf(tender: Body & { totalCents: number }): string {
  const { method, number, tenderedCents } = tender
  if (method === officeMethods.check) return say`Check no. ${number}`
  if (method === officeMethods.moneyOrder) return say`Money order no. ${number}`
  const change = changeOf(tender)
  return change > 0 ? say`Cash: ${formatCents(tenderedCents)}, change ${formatCents(change)}` : say`Cash`
}

async function responseOf(tx: Tx, { company }: Call, { order_id }: Attempt): Promise<TakePaymentResponse> {
  const row = await tx
    .selectFrom('drawer_payment as p')
    .innerJoin('payment_order as o', (on) =>
      on.onRef('o.company_id', '=', 'p.company_id').onRef('o.id', '=', 'p.order_id'),
    )
    .select(['o.total_cents', 'p.change_cents'])
    .where('p.company_id', '=', company.id)
    .where('p.order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  const receipt = receiptNumber(order_id)
  return {
    success: true,
    message: say`Payment of ${formatCents(row.total_cents)} received. Receipt number: ${receipt}.`,
    ...{ paymentId: order_id, receipt, totalCents: row.total_cents, changeCents: row.change_cents },
  }
}
