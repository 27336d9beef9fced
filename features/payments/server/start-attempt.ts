import type { Doer } from '../../../server/audit.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { owedOn } from '../../utility-accounts/server/owed.ts'
import { ALREADY_PAID, type payGuestBill } from '../contract.ts'
import {
  GUEST_QUICK_PAY,
  ONLINE,
  orderStatus,
  payTypes,
  type Quote,
  quoteOf,
  receiptNumber,
  refuseAmount,
} from '../rules.ts'
import type { Checkout } from './checkout.ts'
import { type Attempt, latestAttempt, lockOrder, moveOrder, type Order, writeStep } from './orders.ts'
import type { PaymentSettings } from './settings.ts'

type Wish = BodyOf<typeof payGuestBill>

/**
 * Step 1 of a payment: the order (with its fee quote frozen) and the attempt, committed before anybody outside hears
 * of them. The account's row is locked meanwhile, so that what is owed cannot be paid twice from two tabs.
 * A key that was used before gets its own attempt back.
 */
export async function startAttempt(
  tx: Tx,
  house: House,
  company: Company,
  known: {
    checkout: Checkout
    settings: PaymentSettings
    providerAccount: string
    provider: string
    key: string
    wish: Wish
    doer: Doer
    /** Who is signed in, and so whose payment it is. */
    person: number | null
  },
): Promise<Attempt> {
  const { checkout, settings, key, wish, doer, person } = known
  const before = await tx
    .selectFrom('payment_attempt')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (before) return before

  const account = await tx
    .selectFrom('utility_account')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', checkout.account_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!account) throw notFound()
  const orders = await tx
    .selectFrom('payment_order')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('checkout_id', '=', checkout.id)
    .orderBy('id', 'desc')
    .execute()
  refuseSecondPayment(orders)

  const { owedCents, pendingCents, bill } = await owedOn(tx, company.id, account.id)
  const owed = owedCents - pendingCents
  const quote = agreedQuote(wish, owed, settings)
  const facts = {
    person_id: person,
    location: person === null ? GUEST_QUICK_PAY : ONLINE,
    payer_email: wish.email,
    bill_number: bill?.number ?? null,
    owed_before_cents: owed,
  }
  const declined = orders.find((order) => sameWish(order, wish, quote))
  const order = declined
    ? await tryAgain(tx, house, company, declined.id, facts, doer)
    : await tx
        .insertInto('payment_order')
        .values({
          company_id: company.id,
          status: orderStatus.pending,
          kind: 'utility',
          account_id: account.id,
          checkout_id: checkout.id,
          ...facts,
          account_number: account.account_number,
          payer_name: account.customer_name,
          method: wish.method,
          pay_type: wish.payType,
          bill_cents: quote.billCents,
          fee_cents: quote.feeCents,
          absorbed_fee_cents: quote.absorbedFeeCents,
          total_cents: quote.totalCents,
          fee_quote: JSON.stringify({ ...settings.fees, ...quote }),
          bill_lines: JSON.stringify(
            wish.payType === payTypes.full && quote.billCents === bill?.amountCents ? bill.lines : [],
          ),
          return_code: null,
          created_at: house.clock.now(),
          paid_at: null,
          search_text: '',
        })
        .returningAll()
        .executeTakeFirstOrThrow()
  if (!declined) {
    const search_text = [receiptNumber(order.id), account.account_number, account.customer_name, wish.email]
      .join(' ')
      .toLowerCase()
    await tx
      .updateTable('payment_order')
      .set({ search_text })
      .where('company_id', '=', company.id)
      .where('id', '=', order.id)
      .execute()
    await writeStep(tx, company.id, house.clock, { ...order, status: -1 }, orderStatus.pending, 'created', doer)
  }
  const last = await latestAttempt(tx, company.id, order.id)
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
function agreedQuote(wish: Wish, owedCents: number, settings: PaymentSettings): Quote {
  if (wish.payType === payTypes.full && owedCents !== wish.billCents && owedCents > 0)
    throw conflict(
      'amount_changed',
      `What is owed has changed to ${formatCents(owedCents)}. Nothing was charged. Look at the amount and confirm again.`,
    )
  const against = refuseAmount(wish.payType, wish.billCents, owedCents, settings.limits)
  if (against) throw rejected(against, { billCents: against })
  const quote = quoteOf(settings.fees, wish.method, wish.billCents)
  if (quote.totalCents !== wish.expectedTotalCents)
    throw conflict(
      'amount_changed',
      `The total has changed to ${formatCents(quote.totalCents)}. Nothing was charged. Look at the amount and confirm again.`,
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

async function tryAgain(
  tx: Tx,
  house: House,
  company: Company,
  orderId: number,
  facts: Pick<Order, 'person_id' | 'location' | 'payer_email' | 'bill_number' | 'owed_before_cents'>,
  doer: Doer,
): Promise<Order> {
  const order = await lockOrder(tx, company.id, orderId)
  const anew = { ...facts, return_code: null, means: '' }
  await moveOrder(tx, company.id, house.clock, order, orderStatus.pending, 'new_attempt', anew, doer)
  return order
}
