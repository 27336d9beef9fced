import { conflict, rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { ALREADY_PAID, type payGuestBill } from '../contract.ts'
import {
  GUEST_QUICK_PAY,
  limitsFor,
  ONLINE,
  orderStatus,
  owedInAll,
  payTypes,
  type Quote,
  quoteOf,
  refuseAmount,
  spread,
} from '../rules.ts'
import { attemptOf, insertAttempt, insertOrder, type Payer, payerFacts } from './begin-payment.ts'
import { type Checkout, lockCheckout } from './checkout.ts'
import { areSame, linesOf, lockPayables, lookAt, type NewLine, type Wanted } from './order-lines.ts'
import { type Attempt, findOrder, latestAttempt, moveOrder, type Order } from './orders.ts'
import type { PaymentSettings, Through } from './settings.ts'

type Wish = BodyOf<typeof payGuestBill>

interface Known {
  checkout: Checkout
  key: string
  wish: Wish
  payer: Payer
}

/**
 * Step 1 of a payment on a checkout's page. What is paid is locked meanwhile, so that what is owed cannot be paid twice
 * from two tabs. A key that was used before gets its own attempt back.
 */
export async function startAttempt(
  tx: Tx,
  house: House,
  company: Company,
  { checkout, key, wish, payer }: Known,
  through: Through,
): Promise<Attempt> {
  const before = await attemptOf(tx, company, key)
  if (before) return before

  // First the order, then what it pays, as everywhere: those who apply news of an order hold it when they come to its lines.
  await lockCheckout(tx, company.id, checkout.id)
  const orders = await tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('checkout_id', '=', checkout.id)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  refuseSecondPayment(orders)
  await lockPayables(tx, company.id, checkout.payables)

  const wanted = await lookAt(tx, company.id, checkout.payables)
  const quote = agreedQuote(wish, wanted, through.settings)
  const lines = linesOf(wanted, spread(quote.billCents, wanted), wish.payType, through.settings.fees)
  const location = payer.person === null ? GUEST_QUICK_PAY : ONLINE
  const again = await findDeclined(tx, company, orders, wish, quote, lines)
  if (!again) {
    const asked = { ...wish, location, payer, checkoutId: checkout.id } as const
    const order = await insertOrder(tx, house, company, asked, through, { wanted, quote, lines })
    return insertAttempt(tx, house, company, { order, attemptNo: 1, key }, through)
  }
  const anew = { ...payerFacts({ location, payer }), return_code: null, means: '' }
  await moveOrder(tx, company.id, again, orderStatus.pending, 'new_attempt', anew, payer.who)
  const last = await latestAttempt(tx, company.id, again.id)
  return insertAttempt(tx, house, company, { order: again, attemptNo: (last?.attempt_no ?? 0) + 1, key }, through)
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

/** The frozen quote, if the amount may be paid and costs what the screen showed. */
function agreedQuote(wish: Wish, wanted: readonly Wanted[], settings: PaymentSettings): Quote {
  const owedCents = owedInAll(wanted)
  if (wish.payType === payTypes.full && owedCents !== wish.billCents && owedCents > 0)
    throw conflict(
      'amount_changed',
      say`What is owed has changed to ${formatCents(owedCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  const against = refuseAmount(wish.payType, wish.billCents, owedCents, limitsFor(settings.limits, wanted))
  if (against) throw rejected(against, { billCents: against })
  const quote = quoteOf(settings.fees, wish.method, wish.billCents)
  if (quote.totalCents !== wish.expectedTotalCents)
    throw conflict(
      'amount_changed',
      say`The total has changed to ${formatCents(quote.totalCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  return quote
}

/** A declined order is tried again as itself when nothing of it changes; one that an eCheck's return ended is not. */
const sameWish = (order: Order, wish: Wish, quote: Quote) =>
  order.status === orderStatus.declined &&
  order.paid_at === null &&
  order.method === wish.method &&
  order.pay_type === wish.payType &&
  order.bill_cents === quote.billCents &&
  order.total_cents === quote.totalCents &&
  order.absorbed_fee_cents === quote.absorbedFeeCents

async function findDeclined(
  tx: Tx,
  company: Company,
  orders: readonly Order[],
  wish: Wish,
  quote: Quote,
  lines: readonly NewLine[],
): Promise<Order | null> {
  const declined = orders.find((order) => sameWish(order, wish, quote))
  const written = declined && (await findOrder(tx, company.id, declined.id)).lines
  return declined && written && areSame(written, lines) ? declined : null
}
