import type { CartItem } from '../../../server/db/column-types.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { ALREADY_PAID, type payGuestBill } from '../contract.ts'
import { brandOfMeans, dependsOnCard } from '../rules-fees.ts'
import { GUEST_QUICK_PAY, methods, ONLINE, orderStatus } from '../rules.ts'
import { agreedBill } from './agreed-bill.ts'
import { insertPayment, newAttempt, newIds, type Payer, payerFacts } from './insert-payment.ts'
import { openedBy, unknownCheckout } from './checkout.ts'
import type { Payment } from './drive-attempt.ts'
import { lockKept } from './stored-methods.ts'
import { areSame, type Bill, lockPayables, lookAt } from './order-lines.ts'
import { findAttempt, findOrder, latestAttempt, moveOrder, type Order, type PaidOrder } from './orders.ts'
import type { CardKind, PaymentSource, Origin } from './provider.ts'
import { type PaymentSettings, refuseStopped, settingsFrom, takingNow, withProvider } from './settings.ts'

type PayGuestBillRequest = RequestOf<typeof payGuestBill>

/** A payment that was begun, and by what it goes on to be paid. */
export type StartedPayment = Payment & { means: PaymentSource }

interface AttemptInput {
  key: string
  wish: PayGuestBillRequest
  payer: Payer
  /** From where the payer's page called. */
  from: Origin
  /** What the provider says of the card that the token stands for; it is asked only where fees depend on it. */
  card?: CardKind
}

/**
 * Step 1 of a payment on a checkout's page. What is paid is locked meanwhile, so that what is owed cannot be paid twice
 * from two tabs. A key that was used before gets its own attempt back. Where the town has no account with the provider yet,
 * which can't be opened in a transaction, it answers the town's settings for whoever opens it; and so it does where the fee
 * depends on a card of which only the provider can say what it is.
 */
export async function startAttempt(
  tx: Tx,
  context: AppContext,
  company: Company,
  known: AttemptInput,
): Promise<StartedPayment | PaymentSettings> {
  const { key, wish, payer } = known
  const { checkoutId, begun, payables, settings, account, ...ids } = await lockPage(tx, context, company, known)
  if (begun !== null) {
    const attempt = await findAttempt(tx, company.id, begun)
    const order = await findOrder(tx, company.id, attempt.order_id)
    return { order, attempt, means: (await paysBy(tx, context, company, known, attempt.provider)).means }
  }
  refuseStopped(settings)
  if (account === null) return settings
  const { means, card } = await paysBy(tx, context, company, known, settings.provider)
  const through = { settings, account, provider: settings.provider }
  // First the order, then what it pays, as everywhere: those who apply news of an order hold it when they come to its lines.
  const orders = await tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('checkout_id', '=', checkoutId)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  refuseSecondPayment(orders)
  // What is left out may be closed for good, and must not keep the rest from being paid.
  const isPaid = ({ no }: CartItem) => wish.lines?.some((line) => line.no === no && line.billCents > 0) ?? true
  const paid = payables.filter(isPaid)
  await lockPayables(tx, company.id, paid, context.clock.now())

  const wanted = await lookAt(tx, company.id, payables)
  const location = payer.person === null ? GUEST_QUICK_PAY : ONLINE
  const on = dateIn(company.timeZone, context.clock.now())
  if (card === undefined && wish.method === methods.card && dependsOnCard(settings.fees, on)) return settings
  const bill = agreedBill(wish, wanted, through.settings, { on, method: wish.method, location, ...card })
  const again = await findDeclined(tx, company, orders, wish, bill)
  if (!again) {
    const asked = { method: wish.method, location, payer, key, checkoutId, ...ids } as const
    return { ...(await insertPayment(tx, context, company, asked, through, { wanted, bill })), means }
  }
  const anew = { ...payerFacts({ location, payer }), return_code: null, means: '' }
  await moveOrder(tx, company.id, again, orderStatus.pending, 'new_attempt', anew, payer.who)
  const last = await latestAttempt(tx, company.id, again.id)
  const attempt = newAttempt(context, again, { ...ids, key, attemptNo: (last?.attempt_no ?? 0) + 1 }, through)
  await tx.insertInto('payment_attempt').values(attempt).execute()
  return { order: again, attempt, means }
}

/**
 * By what it is paid: what the hosted fields became, or a method of the payer's own, who is there; and what is known of the
 * card by now. What another provider keeps than the one that it is paid through can't pay. @throws 409, 422
 */
async function paysBy(
  tx: Tx,
  { clock }: AppContext,
  company: Company,
  { wish, payer, from, card }: AttemptInput,
  provider: string,
): Promise<{ means: PaymentSource; card: CardKind | undefined }> {
  const { methodToken: token, storedMethodId: id, method } = wish
  if (token !== undefined && id === undefined) return { means: { token, from }, card }
  if (token !== undefined || id === undefined || payer.person === null)
    throw rejected('Choose a card or bank account that is kept for you, or enter one. Nothing was charged.')
  const today = dateIn(company.timeZone, clock.now())
  const kept = await lockKept(tx, company.id, { person: payer.person, id, method, today, provider })
  return {
    means: { stored: kept.provider_method, present: true },
    card: { brand: brandOfMeans(kept.means), funding: null },
  }
}

/**
 * Locks the checkout, and reads in the same statement what is in its cart now, how the town takes payments, whether the key
 * was used, and the numbers of an order to come.
 */
async function lockPage(tx: Tx, context: AppContext, company: Company, { wish, key }: AttemptInput) {
  const row = await tx
    .selectFrom('guest_checkout as c')
    .innerJoin('payment_settings as s', 's.company_id', 'c.company_id')
    .selectAll('s')
    .select(withProvider)
    .select(['c.id as checkoutId', 'c.payables'])
    .select((db) =>
      db
        .selectFrom('payment_attempt as a')
        .select('a.id')
        .where('a.company_id', '=', company.id)
        .where('a.idempotency_key', '=', key)
        .as('begun'),
    )
    .select(newIds)
    .where('c.company_id', '=', company.id)
    .where('c.id', '=', openedBy(context, company.id, wish.token))
    .forNoKeyUpdate('c')
    .executeTakeFirst()
  if (!row) throw unknownCheckout()
  const { checkoutId, payables, begun, orderId, attemptId } = row
  const settings = takingNow(settingsFrom(row))
  return { checkoutId, payables, begun, orderId, attemptId, account: settings.providerAccount, settings }
}

function refuseSecondPayment(orders: readonly Order[]): void {
  const counting = orders.find((order) => [0, 1, 3].includes(order.status))
  if (counting?.status === orderStatus.pending)
    throw conflict(
      'payment_in_progress',
      'A payment from this page is already under way. Nothing was charged a second time.',
    )
  if (counting) throw conflict('already_paid', ALREADY_PAID)
}

/** A declined order is tried again as itself when nothing of it changes; one that an eCheck's return ended is not. */
const sameWish = (order: Order, wish: PayGuestBillRequest, { quote, payType }: Bill) =>
  order.status === orderStatus.declined &&
  order.paid_at === null &&
  order.method === wish.method &&
  order.pay_type === payType &&
  order.bill_cents === quote.billCents &&
  order.total_cents === quote.totalCents &&
  order.absorbed_fee_cents === quote.absorbedFeeCents

async function findDeclined(
  tx: Tx,
  company: Company,
  orders: readonly Order[],
  wish: PayGuestBillRequest,
  bill: Bill,
): Promise<PaidOrder | null> {
  const declined = orders.find((order) => sameWish(order, wish, bill))
  const written = declined && (await findOrder(tx, company.id, declined.id))
  return written && areSame(written.lines, bill.lines) ? written : null
}
