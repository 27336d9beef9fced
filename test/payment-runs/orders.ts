import type { Part } from '../../features/payments/rules.ts'
import type { Movement } from '../../features/payments/server/providers/provider.ts'
import { orderStates } from '../../features/payments/states.ts'
import type { ProviderModel } from '../provider-model.ts'
import type { Run } from './run.ts'

/** Reads the orders of a run from the database, and their expected results from the provider or the counter. */

interface Line {
  no: number
  kind: string
  id: number
  amount: number
  fee: number
  /** True if the fee is charged separately. */
  hasSeparateFee: boolean
  settled: number
  /** Amount that the item records as paid. */
  recorded: number
  bill: number
  revenue: number
}

interface Refund {
  kind: 'refund' | 'void'
  ofFee: boolean
  status: string
  cents: number
  reason: string
  /** Number of the refunded line item. Null for the whole payment. */
  line: number | null
}

export interface Order {
  id: number
  status: number
  location: number
  bill_cents: number
  fee_cents: number
  total_cents: number
  refunded_cents: number
  dispute_open: boolean
  /** True if the order was paid at the counter, so that no provider has a record of it. */
  at_office: boolean
  /** Sorted by line number. */
  lines: Line[]
  token_hash: Buffer | null
  clearing: number
  cash: number
  revenue: number
  receivable: number
  reserve: number
  remitted: number
  attempts: number[]
  intents: (string | null)[]
  /** Purpose of each attempt: the bill, or a separate fee. */
  parts: Part[]
  /** Status of the separate fee. */
  fee_status: string | null
  live: number
  refunds: Refund[]
  steps: [from: string, to: string, event: string][]
  audited: string[]
  alerts: string[]
}

/**
 * Audit actions of orders. Refunds by staff have their own state machine, and their transitions also change the order.
 */
const ORDER_ACTIONS = Object.values(orderStates.steps).map(({ audit }) => audit)

/** SQL for the balance of these ledger accounts, for an order `o`: debits minus credits. */
const balance = (...accounts: string[]) => `
  (SELECT coalesce(sum(amount_cents * (debit_account = ANY('{${accounts.join(',')}}'))::int
     - amount_cents * (credit_account = ANY('{${accounts.join(',')}}'))::int), 0)::bigint
   FROM ledger_transfer t WHERE t.company_id = o.company_id AND t.order_id = o.id)`

/** SQL for the balance of this ledger account, for a line `l`: credits minus debits. */
const balanceOfLine = (account: string) => `
  (SELECT coalesce(sum(CASE '${account}' WHEN debit_account THEN -amount_cents WHEN credit_account THEN amount_cents ELSE 0 END), 0)::bigint
   FROM ledger_transfer t WHERE t.company_id = l.company_id AND t.order_id = l.order_id AND t.line_no = l.line_no)`

/** SQL for the amount that the item of a line `l` records as paid. */
const recordedPaymentSql = (table: string, id: string) => `
  (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint FROM ${table} r
   WHERE r.company_id = l.company_id AND (r.order_id, r.line_no, r.${id}) = (l.order_id, l.line_no, l.payable_id))`

export async function ordersOf({ company: runCompany, items }: Run): Promise<Order[]> {
  const { rows } = await runCompany.portal.owner.query<Order>(
    `SELECT o.id, o.status, o.location, o.bill_cents, o.fee_cents, o.total_cents, o.refunded_cents, o.dispute_open, g.token_hash,
       (SELECT jsonb_agg(jsonb_build_object('no', l.line_no, 'kind', l.kind, 'id', l.payable_id, 'amount', l.amount_cents, 'fee', l.fee_cents, 'hasSeparateFee', l.fee_mode = 'two_transactions',
          'settled', l.settled_cents, 'bill', ${balanceOfLine('payable_municipality')}, 'revenue', ${balanceOfLine('fee_revenue')},
          'recorded', CASE l.kind WHEN 'utility' THEN ${recordedPaymentSql('remittance', 'account_id')}
            WHEN 'general' THEN ${recordedPaymentSql('general_settlement', 'charge_id')}
            WHEN 'parking' THEN ${recordedPaymentSql('parking_receipt', 'ticket_id')} END) ORDER BY l.line_no)
        FROM payment_order_line l WHERE l.company_id = o.company_id AND l.order_id = o.id) AS lines,
       ${balance('gateway_clearing')} AS clearing, ${balance('office_cash', 'bank')} AS cash, -${balance('fee_revenue')} AS revenue,
       ${balance('returns_receivable')} AS receivable, ${balance('dispute_reserve')} AS reserve,
       -${balance('payable_municipality')} AS remitted, a.*,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'ofFee', is_fee_part, 'status', status, 'cents', amount_cents, 'reason', reason, 'line', line_no)), '[]')
        FROM payment_refund r WHERE r.company_id = o.company_id AND r.order_id = o.id) AS refunds,
       (SELECT status FROM payment_fee f WHERE f.company_id = o.company_id AND f.id = o.id) AS fee_status,
       (SELECT jsonb_agg(jsonb_build_array(from_state, to_state, event) ORDER BY seq) FROM status_history h
        WHERE h.company_id = o.company_id AND h.machine = 'order' AND h.subject_id = o.id) AS steps,
       ARRAY(SELECT action FROM audit_event e WHERE e.company_id = o.company_id AND (e.subject_kind, e.subject) = ('payment', o.id::text)
         AND action = ANY($4) ORDER BY e.id) AS audited,
       ARRAY(SELECT code FROM payment_alert a WHERE a.company_id = o.company_id AND a.order_id = o.id) AS alerts
     FROM payment_order o LEFT JOIN guest_checkout g ON g.company_id = o.company_id AND g.id = o.checkout_id
     CROSS JOIN LATERAL (SELECT array_agg(id ORDER BY id) AS attempts, array_agg(intent_id ORDER BY id) AS intents, array_agg(part ORDER BY id) AS parts, count(*) FILTER (WHERE status = 0)::int AS live,
       bool_or(provider = 'office') AS at_office FROM payment_attempt a WHERE a.company_id = o.company_id AND a.order_id = o.id) a
     WHERE o.company_id = $1 AND o.id IN (SELECT l.order_id FROM payment_order_line l
       JOIN unnest($2::text[], $3::bigint[]) AS mine(kind, id) ON l.kind = mine.kind AND l.payable_id = mine.id WHERE l.company_id = $1)
     ORDER BY o.id`,
    [runCompany.company, items.map(({ kind }) => kind), items.map(({ id }) => id), ORDER_ACTIONS],
  )
  return rows
}

/** Expected result of a payment, according to the provider or the counter. */
export interface ExpectedState {
  captures: number
  refunded: number
  returned: boolean
  voided: boolean
  /** Remaining amount in cents. Money set aside for open disputes is not subtracted. */
  left: number
  setAside: number
}

/** Returns the total of one part of an order: the bill or the separate fee. In cents. */
export const totalIn = (part: Part, { lines }: Order): number =>
  lines.reduce(
    (sum, { amount, fee, hasSeparateFee }) =>
      sum + (part === 'fee' ? (hasSeparateFee ? fee : 0) : amount + (hasSeparateFee ? 0 : fee)),
    0,
  )

/** Returns the provider's totals for the charges of one part of a payment. */
export function truthOf(provider: ProviderModel, { parts, ...order }: Order, part: Part = 'bill'): ExpectedState {
  const intents = order.intents.filter((_, n) => parts[n] === part)
  const of = (movementType: Movement['movementType']) =>
    provider.movements
      .filter((movement) => movement.movementType === movementType && intents.includes(movement.intentId))
      .map(({ object, objectId, amountCents }) =>
        movementType === 'dispute_lost' && object === 'dispute'
          ? (provider.disputes.get(objectId)?.amountCents ?? 0)
          : Math.abs(amountCents),
      )
  const sum = (movementType: Movement['movementType']) => of(movementType).reduce((all, cents) => all + cents, 0)
  const refunded = sum('refund') - sum('refund_failed')
  return {
    captures: of('capture').length,
    refunded,
    returned: sum('return') > 0,
    voided: sum('void') > 0,
    left: sum('capture') - refunded - sum('return') - sum('dispute_lost') - sum('void'),
    setAside: sum('dispute') - sum('dispute_won') - sum('dispute_lost'),
  }
}

/** Returns the totals of the counter, which has the money until staff refund or void the payment. */
export function truthAtOffice({ total_cents, refunds }: Order): ExpectedState {
  const done = (kind: Refund['kind']) =>
    refunds.reduce((sum, one) => sum + (one.kind === kind && one.status === 'done' ? one.cents : 0), 0)
  const [refunded, voided] = [done('refund'), done('void')]
  return {
    captures: 1,
    refunded,
    returned: false,
    voided: voided > 0,
    left: total_cents - refunded - voided,
    setAside: 0,
  }
}

export const statusOf = ({ captures, left, voided, returned }: ExpectedState): number => {
  if (captures === 0) return 2
  if (left > 0) return 1
  if (voided) return 5
  return returned ? 2 : 3
}
