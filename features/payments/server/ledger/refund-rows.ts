import type { Insertable, Selectable } from 'kysely'
import type { Clock } from '../../../../server/clock.ts'
import { changeRow } from '../../../../server/db/rows.ts'
import type { Schema } from '../../../../server/db/schema.ts'
import { notFound } from '../../../../server/errors.ts'
import { defineStateStore, type Transition, transition } from '../../../../server/states.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import type { EventOf } from '../../../../shared/machine.ts'
import { formatCents } from '../../../../shared/money.ts'
import { say } from '../../../../shared/messages.ts'
import { type RefundStatus, refundStates } from '../../states.ts'
import { netOf, quoteIn, receiptNumber, sharesOf } from '../../rules.ts'
import { movedIn, namedRefunds } from './charges.ts'
import { type LockedPayment, type OrderMovement, providerActor } from '../orders/orders.ts'

export type RefundRow = Selectable<Schema['payment_refund']>

const ofOrder = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('payment_refund').selectAll().where('company_id', '=', company)

export const refundsOf = (tx: Tx, company: CompanyId, orderId: number): Promise<RefundRow[]> =>
  ofOrder(tx, company).where('order_id', '=', orderId).orderBy('id').execute()

export const refundByKey = (tx: Tx, company: CompanyId, key: string): Promise<RefundRow | undefined> =>
  ofOrder(tx, company).where('idempotency_key', '=', key).executeTakeFirst()

export async function findRefund(tx: Tx, company: CompanyId, id: number): Promise<RefundRow> {
  const row = await ofOrder(tx, company).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Inserts a refund. The caller must record its first state. */
export const insertRefund = (tx: Tx, row: Insertable<Schema['payment_refund']>): Promise<RefundRow> =>
  tx.insertInto('payment_refund').values(row).returningAll().executeTakeFirstOrThrow()

/** Saves the provider's id of a refund that is pending at the provider. */
export const saveProviderRef = (tx: Tx, { company_id, id }: RefundRow, ref: string): Promise<unknown> =>
  changeRow(tx, 'payment_refund', company_id, id, { provider_ref: ref })

/** Locks a refund. If the caller also needs the order, lock the order first. */
export async function lockRefund(tx: Tx, company: CompanyId, id: number): Promise<RefundRow> {
  const row = await ofOrder(tx, company).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/**
 * Returns the part of a bill that can still be refunded, in cents. Requested refunds are subtracted. A separate fee is
 * refunded with its bill. The caller must hold the lock on the payment.
 */
export function refundableCents(moved: readonly OrderMovement[], refunds: readonly RefundRow[]): number {
  const openRefunds = refunds.filter(
    ({ status, is_fee_part }) => !is_fee_part && (status === 'waiting' || status === 'sending'),
  )
  return netOf(movedIn('bill', moved)) - openRefunds.reduce((sum, { amount_cents }) => sum + amount_cents, 0)
}

/**
 * Returns the refundable amount of each line in cents, by line number. Requested refunds are subtracted. A refund that
 * names a line cannot exceed the amount of that line.
 */
export function leftOfLines(
  payment: Pick<LockedPayment, 'order' | 'moved'>,
  refunds: readonly RefundRow[],
): Map<number, number> {
  const { lines } = payment.order
  const refunded = namedRefunds('bill', payment)
  for (const { line_no, amount_cents, status, is_fee_part } of refunds)
    if (!is_fee_part && (status === 'waiting' || status === 'sending'))
      for (const [n, line] of lines.entries())
        if (line.line_no === line_no) refunded[n] = (refunded[n] ?? 0) + amount_cents
  const { lines: shares } = sharesOf(
    lines.map((line) => quoteIn('bill', line)),
    refundableCents(payment.moved, refunds),
    refunded,
  )
  return new Map(
    lines.map(({ line_no }, n) => [line_no, (shares[n]?.billCents ?? 0) + (shares[n]?.feeCents ?? 0)] as const),
  )
}

type Event = EventOf<typeof refundStates>
type RefundPatch = Partial<Pick<RefundRow, 'decided_by' | 'decided_by_name' | 'decided_at' | 'note' | 'provider_ref'>>

export const lockedRefund = (row: RefundRow) => ({
  id: row.id,
  state: row.status as RefundStatus,
  name:
    row.kind === 'void'
      ? say`The void of payment ${receiptNumber(row.order_id)}`
      : say`The refund of ${formatCents(row.amount_cents)}`,
  number: receiptNumber(row.order_id),
  details: { kind: row.kind, amountCents: row.amount_cents },
})

/** State store of refunds. The effect on the payment follows from the movements (`book.ts`). */
export const refundStateStore = defineStateStore({
  machine: refundStates,
  subject: 'payment',
  lock: async (tx, scope, id) => lockedRefund(await lockRefund(tx, scope as CompanyId, id)),
  write: (
    tx,
    { scope, locked, to, patch }: Transition<RefundStatus, Event, ReturnType<typeof lockedRefund>, RefundPatch>,
  ) => changeRow(tx, 'payment_refund', scope, locked.id, { ...patch, status: to }),
})

/** Returns the note of a refund that the payer's bank refused. */
export const refusedByBank = (): string =>
  say`The payer’s bank did not accept the refund, so the payer received no money. Contact the payer.`

/** Fails the refund with this id of the provider, if the portal has already recorded it as refunded. */
export async function failRefunded(
  tx: Tx,
  clock: Clock,
  company: CompanyId,
  orderId: number,
  ref: string,
): Promise<void> {
  const row = await ofOrder(tx, company)
    .where('order_id', '=', orderId)
    .where('provider_ref', '=', ref)
    .where('status', '=', 'done')
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  const request = { scope: company, id: row.id, locked: lockedRefund(row), event: 'fail' as const }
  await transition(tx, refundStateStore, { ...request, actor: providerActor(clock), patch: { note: refusedByBank() } })
}
