import { type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { defineStateStore, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf, StateOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { defineOpenDrawers } from '../../refunds/api.ts'
import type { Sheet } from '../contract.ts'
import { drawerStates } from '../states.ts'

export type Drawer = Selectable<Schema['drawer']>
type DrawerPatch = Partial<Pick<Drawer, 'closing_cents' | 'expected_cents' | 'note'>> & {
  closing_counts?: string
  sheet?: string
  closed_at?: Date
}

const drawersOf = (tx: Tx, company: CompanyId) => tx.selectFrom('drawer').selectAll().where('company_id', '=', company)

/**
 * Locks a drawer until the transaction ends. Concurrent payments enter the drawer one at a time, and only one count
 * succeeds.
 */
export async function lockDrawer(tx: Tx, company: CompanyId, id: number): Promise<Drawer> {
  const drawer = await drawersOf(tx, company).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!drawer) throw notFound('This drawer was not found.')
  return drawer
}

export const openDrawerOf = (tx: Tx, company: CompanyId, staffId: number): Promise<Drawer | undefined> =>
  drawersOf(tx, company).where('staff_id', '=', staffId).where('status', '=', 'open').executeTakeFirst()

export async function findDrawer(tx: Tx, company: CompanyId, id: number): Promise<Drawer> {
  const drawer = await drawersOf(tx, company).where('id', '=', id).executeTakeFirst()
  if (!drawer) throw notFound('This drawer was not found.')
  return drawer
}

export const lockedDrawer = ({ id, status, staff_name }: Drawer) => ({
  id,
  state: status as StateOf<typeof drawerStates>,
  name: say`${staff_name}’s drawer`,
})

type DrawerTransition = Transition<
  StateOf<typeof drawerStates>,
  EventOf<typeof drawerStates>,
  ReturnType<typeof lockedDrawer>,
  DrawerPatch
>

export const drawerStateStore = defineStateStore({
  machine: drawerStates,
  subject: 'drawer',
  lock: async (tx, scope, id) => lockedDrawer(await lockDrawer(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, patch }: DrawerTransition) =>
    changeRow(tx, 'drawer', scope, locked.id, { ...patch, status: to }),
  guard: {
    close: async (tx, { scope, locked }) => {
      if ((await pendingVoids(tx, scope as CompanyId, locked.id)).length > 0)
        throw conflict(
          'void_waits',
          say`A void request is waiting for you. Approve or decline the void, then close the drawer.`,
        )
    },
  },
})

interface Row {
  paymentId: number
  at: Date
  payer: string
  reference: string
  method: number
  methodLabel: string
  totalCents: number
  changeCents: number
  status: number
}

/** Lists the payments of a drawer in their current state, newest first. */
export async function paymentsIn(tx: Tx, company: CompanyId, drawer: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT o.id AS "paymentId", o.created_at AS at, o.payer_name AS payer, o.reference, o.method, o.method_label AS "methodLabel",
      o.total_cents AS "totalCents", p.change_cents AS "changeCents", o.status
    FROM drawer_payment p JOIN payment_order o ON o.company_id = p.company_id AND o.id = p.order_id
    WHERE p.company_id = ${company} AND p.drawer_id = ${drawer} ORDER BY o.id DESC`.execute(tx)
  return rows
}

/**
 * Lists voids that the drawer's staff member made while the drawer was open, for payments in drawers that were already
 * closed.
 */
async function laterVoidsOf(tx: Tx, company: CompanyId, drawer: Drawer) {
  const { rows } = await sql<{ paymentId: number; at: Date; totalCents: number }>`
    SELECT f.order_id AS "paymentId", f.requested_at AS at, f.amount_cents AS "totalCents"
    FROM payment_refund f
    JOIN drawer_payment p ON p.company_id = f.company_id AND p.order_id = f.order_id
    JOIN drawer d ON d.company_id = p.company_id AND d.id = p.drawer_id
    WHERE f.company_id = ${company} AND f.kind = 'void' AND f.status = 'done' AND f.requested_by = ${drawer.staff_id}
      AND p.drawer_id <> ${drawer.id} AND d.closed_at <= f.requested_at
      AND f.requested_at >= ${drawer.opened_at} AND f.requested_at <= coalesce(${drawer.closed_at}::timestamptz, 'infinity')
    ORDER BY f.id DESC`.execute(tx)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString(), receipt: receiptNumber(row.paymentId) }))
}

type StoredSheet = Pick<Sheet, 'payments' | 'laterVoids'>

/**
 * Returns the day sheet of a drawer: the stored sheet if the drawer is closed, otherwise a sheet of the current
 * payments.
 */
export async function sheetOf(tx: Tx, company: CompanyId, drawer: Drawer): Promise<Sheet> {
  const rows = await paymentsIn(tx, company, drawer.id)
  const payments = rows.map(({ at, methodLabel, ...row }) => ({
    ...row,
    methodLabel,
    at: at.toISOString(),
    receipt: receiptNumber(row.paymentId),
  }))
  const stored = drawer.sheet as StoredSheet | null
  const sheet: StoredSheet = stored ?? { payments, laterVoids: await laterVoidsOf(tx, company, drawer) }
  const wasAt = new Map(sheet.payments.map(({ paymentId, status }) => [paymentId, status]))
  return {
    id: drawer.id,
    status: drawer.status,
    cashier: drawer.staff_name,
    openedAt: drawer.opened_at.toISOString(),
    openingCents: drawer.opening_cents,
    closedAt: drawer.closed_at?.toISOString() ?? null,
    closingCents: drawer.closing_cents,
    closingCounts: drawer.closing_counts,
    expectedCents: drawer.expected_cents,
    note: drawer.note,
    ...sheet,
    since: payments
      .filter(({ paymentId, status }) => wasAt.get(paymentId) !== status)
      .map(({ paymentId, receipt, totalCents, status }) => ({ paymentId, receipt, totalCents, status })),
    corrections: await correctionsOf(tx, company, drawer.id),
  }
}

export async function correctionsOf(tx: Tx, company: CompanyId, drawer: number): Promise<Sheet['corrections']> {
  const rows = await tx
    .selectFrom('drawer_correction')
    .select(['id', 'at', 'person_name as by', 'cents', 'reason'])
    .where('company_id', '=', company)
    .where('drawer_id', '=', drawer)
    .orderBy('id')
    .execute()
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

export const sumOf = (corrections: Sheet['corrections']): number =>
  corrections.reduce((sum, { cents }) => sum + cents, 0)

/** Lists voids of payments in an open drawer that await approval by the drawer's owner. */
export async function pendingVoids(tx: Tx, company: CompanyId, drawer: number) {
  const { rows } = await sql<{
    refundId: number
    paymentId: number
    cents: number
    requestedBy: string
    reason: string
  }>`
    SELECT f.id AS "refundId", f.order_id AS "paymentId", f.amount_cents AS cents, f.requested_by_name AS "requestedBy", f.reason
    FROM drawer_payment p JOIN drawer d ON d.company_id = p.company_id AND d.id = p.drawer_id
    JOIN payment_refund f ON f.company_id = p.company_id AND f.order_id = p.order_id
    WHERE p.company_id = ${company} AND p.drawer_id = ${drawer} AND f.kind = 'void' AND f.status = 'waiting' AND f.requested_by <> d.staff_id
    ORDER BY f.id`.execute(tx)
  return rows.map(({ requestedBy, ...row }) => ({
    ...row,
    requestedBy,
    receipt: receiptNumber(row.paymentId),
  }))
}

// Locks the drawer during a void, because a void takes cash out of the drawer. A concurrent count waits for the lock.
defineOpenDrawers(async (tx, company, orderId) => {
  const { rows } = await sql<{ cashierId: number; cashierName: string; status: string }>`
    SELECT d.staff_id AS "cashierId", d.staff_name AS "cashierName", d.status
    FROM drawer_payment p JOIN drawer d ON d.company_id = p.company_id AND d.id = p.drawer_id
    WHERE p.company_id = ${company} AND p.order_id = ${orderId} FOR SHARE OF d`.execute(tx)
  const [drawer] = rows
  return drawer?.status === 'open' ? { cashierId: drawer.cashierId, cashierName: drawer.cashierName } : null
})
