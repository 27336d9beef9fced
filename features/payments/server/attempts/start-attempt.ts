import type { CartItem } from '../../../../server/db/column-types.ts'
import { conflict, rejected } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import { dateIn } from '../../../../shared/dates.ts'
import { ALREADY_PAID } from '../../contract.ts'
import type { PaymentBody } from '../../contract.ts'
import { brandOfLabel, dependsOnCard } from '../../rules-fees.ts'
import { GUEST_QUICK_PAY, methods, ONLINE, orderStatus } from '../../rules.ts'
import { agreedBill } from '../orders/agreed-bill.ts'
import { insertPayment, newAttempt, newIds, type Payer, payerColumns } from '../orders/insert-payment.ts'
import { openedBy, unknownCheckout } from '../orders/checkout.ts'
import type { Payment } from './drive-attempt.ts'
import { lockStoredMethod } from '../providers/stored-methods.ts'
import { areSame, type Bill, lockPayables, loadOwed } from '../orders/order-lines.ts'
import { findAttempt, findOrder, latestAttempt, moveOrder, type Order, type PaidOrder } from '../orders/orders.ts'
import type { CardKind, PaymentSource, Origin } from '../providers/provider.ts'
import { refuseStopped, settingsFrom, settingsForNewPayments, providerColumns } from '../settings.ts'

/** Started payment with its payment source. */
export type StartedPayment = Payment & { source: PaymentSource }

interface AttemptInput {
  key: string
  request: PaymentBody
  payer: Payer
  /** IP address and device of the payer. */
  from: Origin
  /** Card type of the token. Undefined if fees do not depend on it. */
  card: CardKind | undefined
}

const settingsChanged = () =>
  conflict('amount_changed', 'The payment settings have just changed. Nothing was charged. Reload the page.')

/**
 * Step 1 of a payment for a checkout, after `preparePayment`: creates the order and the attempt. Locks the items, so
 * that two browser tabs cannot pay the same amount. A repeated idempotency key returns its first attempt.
 * @throws 409 if the settings changed after `preparePayment`, so that the provider's account or the card type is
 * missing
 */
export async function startAttempt(
  tx: Tx,
  context: AppContext,
  company: Company,
  input: AttemptInput,
): Promise<StartedPayment> {
  const { key, request, payer } = input
  const {
    checkoutId,
    startedAttempt: startedAttemptId,
    payables,
    settings,
    account,
    ...ids
  } = await lockCheckoutForPayment(tx, context, company, input)
  if (startedAttemptId !== null) {
    const attempt = await findAttempt(tx, company.id, startedAttemptId)
    const order = await findOrder(tx, company.id, attempt.order_id)
    return { order, attempt, source: (await lockPaymentSource(tx, context, company, input, attempt.provider)).source }
  }
  refuseStopped(settings)
  if (account === null) throw settingsChanged()
  const { source, card } = await lockPaymentSource(tx, context, company, input, settings.provider)
  const through = { settings, account, provider: settings.provider }
  // Locks the order before its items, to prevent deadlocks. All code uses this sequence, including code that applies
  // provider updates.
  const orders = await tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('checkout_id', '=', checkoutId)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  refuseSecondPayment(orders)
  // Closed items that the payer did not select must not block the payment of the selected items.
  const isPaid = ({ no }: CartItem) => request.lines?.some((line) => line.no === no && line.billCents > 0) ?? true
  const paid = payables.filter(isPaid)
  await lockPayables(tx, company.id, paid, context.clock.now())

  const dueLines = await loadOwed(tx, company.id, payables)
  const location = payer.person === null ? GUEST_QUICK_PAY : ONLINE
  const on = dateIn(company.timeZone, context.clock.now())
  if (card === undefined && request.method === methods.card && dependsOnCard(settings.fees, on)) throw settingsChanged()
  const bill = agreedBill(request, dueLines, through.settings, { on, method: request.method, location, ...card })
  const retriedOrder = await findDeclined(tx, company, orders, request, bill)
  if (!retriedOrder) {
    const paymentInput = { method: request.method, location, payer, key, checkoutId, ...ids } as const
    return {
      ...(await insertPayment(tx, context, company, paymentInput, through, { wanted: dueLines, bill })),
      source,
    }
  }
  const retryPatch = { ...payerColumns({ location, payer }), return_code: null, method_label: '' }
  await moveOrder(tx, company.id, retriedOrder, orderStatus.pending, 'new_attempt', retryPatch, payer.actor)
  const last = await latestAttempt(tx, company.id, retriedOrder.id)
  const attempt = newAttempt(context, retriedOrder, { ...ids, key, attemptNo: (last?.attempt_no ?? 0) + 1 }, through)
  await tx.insertInto('payment_attempt').values(attempt).execute()
  return { order: retriedOrder, attempt, source }
}

/**
 * Returns the payment source: a token from the hosted fields, or a saved method of the payer. The payer is present.
 * Also returns the card type, if known. A saved method of another provider cannot pay.
 * @throws 409, 422
 */
async function lockPaymentSource(
  tx: Tx,
  { clock }: AppContext,
  company: Company,
  { request, payer, from, card }: AttemptInput,
  provider: string,
): Promise<{ source: PaymentSource; card: CardKind | undefined }> {
  const { methodToken: token, storedMethodId: id, method } = request
  if (token !== undefined && id === undefined) return { source: { token, from }, card }
  if (token !== undefined || id === undefined || payer.person === null)
    throw rejected('Choose a saved card or bank account, or enter one. Nothing was charged.')
  const today = dateIn(company.timeZone, clock.now())
  const storedMethod = await lockStoredMethod(tx, company.id, { person: payer.person, id, method, today, provider })
  return {
    source: { stored: storedMethod.provider_method, present: true },
    card: { brand: brandOfLabel(storedMethod.method_label), funding: null },
  }
}

/**
 * Locks the checkout. One statement also reads the cart, the payment settings, the attempt of a repeated idempotency
 * key, and the ids for a new order.
 */
async function lockCheckoutForPayment(tx: Tx, context: AppContext, company: Company, { request, key }: AttemptInput) {
  const row = await tx
    .selectFrom('guest_checkout as c')
    .innerJoin('payment_settings as s', 's.company_id', 'c.company_id')
    .selectAll('s')
    .select(providerColumns)
    .select(['c.id as checkoutId', 'c.payables'])
    .select((db) =>
      db
        .selectFrom('payment_attempt as a')
        .select('a.id')
        .where('a.company_id', '=', company.id)
        .where('a.idempotency_key', '=', key)
        .as('startedAttempt'),
    )
    .select(newIds)
    .where('c.company_id', '=', company.id)
    .where('c.id', '=', openedBy(context, company.id, request.token))
    .forNoKeyUpdate('c')
    .executeTakeFirst()
  if (!row) throw unknownCheckout()
  const { checkoutId, payables, startedAttempt: startedAttemptId, orderId, attemptId } = row
  const settings = settingsForNewPayments(settingsFrom(row))
  return {
    checkoutId,
    payables,
    startedAttempt: startedAttemptId,
    orderId,
    attemptId,
    account: settings.providerAccount,
    settings,
  }
}

function refuseSecondPayment(orders: readonly Order[]): void {
  const counting = orders.find((order) => [0, 1, 3].includes(order.status))
  if (counting?.status === orderStatus.pending)
    throw conflict('payment_in_progress', 'Your payment is still processing. You were not charged twice.')
  if (counting) throw conflict('already_paid', ALREADY_PAID)
}

/**
 * Returns true if a declined order can be retried, because the new request equals the order. An order that ended with
 * an eCheck return cannot be retried.
 */
const isSameRequest = (order: Order, request: PaymentBody, { quote, payType }: Bill) =>
  order.status === orderStatus.declined &&
  order.paid_at === null &&
  order.method === request.method &&
  order.pay_type === payType &&
  order.bill_cents === quote.billCents &&
  order.total_cents === quote.totalCents &&
  order.absorbed_fee_cents === quote.absorbedFeeCents

async function findDeclined(
  tx: Tx,
  company: Company,
  orders: readonly Order[],
  request: PaymentBody,
  bill: Bill,
): Promise<PaidOrder | null> {
  const declined = orders.find((order) => isSameRequest(order, request, bill))
  const written = declined && (await findOrder(tx, company.id, declined.id))
  return written && areSame(written.lines, bill.lines) ? written : null
}
