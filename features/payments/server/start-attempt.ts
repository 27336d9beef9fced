import { sql } from 'kysely'
import type { Doer } from '../../../server/audit.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { begin, type Who } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
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
  receiptNumber,
  refuseAmount,
} from '../rules.ts'
import { type Checkout, lockCheckout } from './checkout.ts'
import { areSame, insertLines, linesOf, lockPayables, lookAt, type NewLine, type Wanted } from './order-lines.ts'
import { type Attempt, findOrder, keptOrders, latestAttempt, moveOrder, type Order } from './orders.ts'
import { payableOf } from './payables.ts'
import type { PaymentSettings } from './settings.ts'

type Wish = BodyOf<typeof payGuestBill>

interface Known {
  checkout: Checkout
  settings: PaymentSettings
  providerAccount: string
  provider: string
  key: string
  wish: Wish
  doer: Doer
  /** Who is signed in, and so whose payment it is. */
  person: number | null
}

/**
 * Step 1 of a payment: the order (with its lines and its fee quote frozen) and the attempt, committed before anybody
 * outside hears of them. What is paid is locked meanwhile, so that what is owed cannot be paid twice from two tabs.
 * A key that was used before gets its own attempt back.
 */
export async function startAttempt(tx: Tx, house: House, company: Company, known: Known): Promise<Attempt> {
  const { checkout, settings, key, wish } = known
  const before = await tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
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
  const quote = agreedQuote(wish, wanted, settings)
  const lines = linesOf(wanted, quote.billCents, wish.payType, settings.fees)
  const again = await findDeclined(tx, company, orders, wish, quote, lines)
  const order = again
    ? await tryAgain(tx, house, company, again, known)
    : await beginOrder(tx, house, company, known, { wanted, quote, lines })
  const last = again && (await latestAttempt(tx, company.id, order.id))
  return tx
    .insertInto('payment_attempt')
    .values({
      company_id: company.id,
      order_id: order.id,
      attempt_no: (last?.attempt_no ?? 0) + 1,
      idempotency_key: key,
      status: 0,
      step: 'new',
      provider: known.provider,
      provider_account: known.providerAccount,
      intent_id: null,
      action_url: null,
      error_code: null,
      error_message: null,
      created_at: house.clock.now(),
      submitted_at: null,
      checked_at: house.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
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
      `What is owed has changed to ${formatCents(owedCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  const against = refuseAmount(wish.payType, wish.billCents, owedCents, limitsFor(settings.limits, wanted))
  if (against) throw rejected(against, { billCents: against })
  const quote = quoteOf(settings.fees, wish.method, wish.billCents)
  if (quote.totalCents !== wish.expectedTotalCents)
    throw conflict(
      'amount_changed',
      `The total has changed to ${formatCents(quote.totalCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  return quote
}

/** Whoever pays, signed in or not. */
const payerOf = ({ clock }: House, { doer }: Known): Who => ({
  as: 'requester',
  doer,
  clock,
  ...(doer.session === null && { known: { id: null, name: 'Guest' } }),
})

const factsOf = ({ person, wish }: Known) => ({
  person_id: person,
  location: person === null ? GUEST_QUICK_PAY : ONLINE,
  payer_email: wish.email,
})

async function beginOrder(
  tx: Tx,
  house: House,
  company: Company,
  known: Known,
  { wanted, quote, lines }: { wanted: readonly Wanted[]; quote: Quote; lines: readonly NewLine[] },
): Promise<Order> {
  const { checkout, settings, wish } = known
  const paid = wanted.filter(({ kind, id }) => lines.some((line) => line.kind === kind && line.payable_id === id))
  const reference = paid.map(({ description }) => description.reference).join(', ')
  const payer_name = paid[0]?.description.payerName ?? ''
  // Known beforehand, since people search for it: an order that is written twice would cost each index twice.
  const { rows } = await sql<{ id: number }>`SELECT nextval('payment_order_id_seq') AS id`.execute(tx)
  const id = rows[0]?.id ?? 0
  const order = await tx
    .insertInto('payment_order')
    .values({
      company_id: company.id,
      id,
      status: orderStatus.pending,
      checkout_id: checkout.id,
      ...factsOf(known),
      reference,
      type: [...new Set(paid.map(({ kind }) => payableOf(kind).label))].join(', '),
      payer_name,
      method: wish.method,
      pay_type: wish.payType,
      bill_cents: quote.billCents,
      fee_cents: quote.feeCents,
      absorbed_fee_cents: quote.absorbedFeeCents,
      total_cents: quote.totalCents,
      fee_quote: JSON.stringify({ ...settings.fees, ...quote }),
      return_code: null,
      created_at: house.clock.now(),
      paid_at: null,
      search_text: [receiptNumber(id), reference, payer_name, wish.email].join(' ').toLowerCase(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertLines(tx, company.id, order.id, lines)
  await begin(tx, keptOrders, {
    place: company.id,
    id,
    event: 'created',
    who: payerOf(house, known),
    ...(known.person !== null && { person: known.person }),
  })
  return order
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

async function tryAgain(tx: Tx, house: House, company: Company, order: Order, known: Known): Promise<Order> {
  const anew = { ...factsOf(known), return_code: null, means: '' }
  await moveOrder(tx, company.id, order, orderStatus.pending, 'new_attempt', anew, payerOf(house, known))
  return order
}
