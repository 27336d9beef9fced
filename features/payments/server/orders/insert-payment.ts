import { sql } from 'kysely'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { recordCreation, type TransitionActor } from '../../../../server/states.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import {
  type Location,
  type Method,
  type OfficeMethod,
  orderStatus,
  type Part,
  receiptNumber,
  attemptStatus,
} from '../../rules.ts'
import { type Bill, insertLines, type OrderLineInput } from './order-lines.ts'
import { type Attempt, orderStateStore, type PaidOrder } from './orders.ts'
import { payableOf } from './payable.ts'
import type { ProviderRoute } from '../settings.ts'

export interface Payer {
  /** Actor in the histories: the payer, staff or a job of the portal. */
  actor: TransitionActor
  /** Person id of the payer. Null if the payer has no account. */
  person: number | null
  /** Email address that receives the receipt. */
  email: string
}

/**
 * Ids of an order and its attempt, allocated before the insert. Search needs the order number, and one statement
 * inserts both rows.
 */
interface NewIds {
  orderId: number
  attemptId: number
}
export const newIds = [
  sql<number>`nextval('payment_order_id_seq')`.as('orderId'),
  sql<number>`nextval('payment_attempt_id_seq')`.as('attemptId'),
] as const

interface PaymentRowInput extends NewIds {
  method: Method | OfficeMethod
  location: Location
  payer: Payer
  /** Idempotency key of the attempt. */
  key: string
  /** Checkout of the payment. Null for a payment without a checkout. */
  checkoutId: number | null
}

/** Returns the columns that describe the payer. */
export const payerColumns = ({ location, payer }: Pick<PaymentRowInput, 'location' | 'payer'>) => ({
  person_id: payer.person,
  location,
  payer_email: payer.email,
})

/** Inserts an order, its lines, its first history entry and its first attempt, in one statement. */
export async function insertPayment(
  tx: Tx,
  context: AppContext,
  company: Company,
  input: PaymentRowInput,
  through: ProviderRoute,
  { wanted, bill: { lines, quote, payType, terms } }: { wanted: readonly OrderLineInput[]; bill: Bill },
): Promise<{ order: PaidOrder; attempt: Attempt }> {
  const { payer, orderId: id } = input
  const paid = wanted.filter((one) => lines.some((line) => line.kind === one.kind && line.payable_id === one.id))
  const reference = paid.map(({ description }) => description.reference).join(', ')
  const payer_name = paid[0]?.description.payerName ?? ''
  const nothingYet = { refunded_cents: 0, net_bill_cents: 0, net_fee_cents: 0 }
  const order: PaidOrder = {
    ...nothingYet,
    ...{ refunded_bill_cents: 0, refunded_fee_cents: 0, returned_bill_cents: 0, returned_fee_cents: 0 },
    ...payerColumns(input),
    company_id: company.id,
    id,
    status: orderStatus.pending,
    checkout_id: input.checkoutId,
    reference,
    type: [...new Set(paid.map(({ kind }) => payableOf(kind).label))].join(', '),
    payer_name,
    method: input.method,
    pay_type: payType,
    bill_cents: quote.billCents,
    fee_cents: quote.feeCents,
    absorbed_fee_cents: quote.absorbedFeeCents,
    total_cents: quote.totalCents,
    fee_quote: { terms, ...quote },
    method_label: '',
    return_code: null,
    dispute_open: false,
    created_at: context.clock.now(),
    paid_at: null,
    search_text: [receiptNumber(id), reference, payer_name, payer.email].join(' ').toLowerCase(),
    lines: lines.map((line) => ({ ...line, company_id: company.id, order_id: id, settled_cents: 0 })),
    fee: null,
  }
  const { lines: itsLines, fee: _none, ...row } = order
  const attempt = newAttempt(context, order, { ...input, attemptNo: 1 }, through)
  await recordCreation(tx, orderStateStore, {
    scope: company.id,
    id,
    event: 'created',
    actor: payer.actor,
    ...(payer.person !== null && { person: payer.person }),
    beside: {
      payment: tx.insertInto('payment_order').values({ ...row, fee_quote: JSON.stringify(row.fee_quote) }),
      lines: insertLines(tx, itsLines),
      attempt: tx.insertInto('payment_attempt').values(attempt),
    },
  })
  return { order, attempt }
}

/** Builds the next attempt of an order. The attempt does not exist at any provider yet. */
export function newAttempt(
  { clock }: AppContext,
  order: Pick<PaidOrder, 'company_id' | 'id'>,
  { attemptId, attemptNo, key, part = 'bill' }: { attemptId: number; attemptNo: number; key: string; part?: Part },
  { provider, account }: Pick<ProviderRoute, 'provider' | 'account'>,
): Attempt {
  const now = clock.now()
  return {
    company_id: order.company_id,
    id: attemptId,
    order_id: order.id,
    attempt_no: attemptNo,
    idempotency_key: key,
    status: attemptStatus.pending,
    step: 'new',
    provider,
    provider_account: account,
    intent_id: null,
    action_url: null,
    error_code: null,
    error_message: null,
    created_at: now,
    submitted_at: null,
    checked_at: now,
    part,
  }
}
