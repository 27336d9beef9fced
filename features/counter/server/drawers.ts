import { type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { keepStates, type Taken as TakenStep } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf, StateOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { defineTill } from '../../payments/server/till.ts'
import type { Sheet } from '../contract.ts'
import { drawerStates } from '../states.ts'

export type Drawer = Selectable<Schema['drawer']>
type Facts = Partial<Pick<Drawer, 'closing_cents' | 'expected_cents' | 'note'>> & {
  closing_counts?: string
  closed_at?: Date
}

const drawersOf = (tx: Tx, company: CompanyId) => tx.selectFrom('drawer').selectAll().where('company_id', '=', company)

/** Held until the transaction ends: payments are taken into it one at a time, and it is counted once. */
export async function lockDrawer(tx: Tx, company: CompanyId, id: number): Promise<Drawer> {
  const drawer = await drawersOf(tx, company).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!drawer) throw notFound('There is no such drawer.')
  return drawer
}

export const openDrawerOf = (tx: Tx, company: CompanyId, clerk: number): Promise<Drawer | undefined> =>
  drawersOf(tx, company).where('clerk_id', '=', clerk).where('status', '=', 'open').executeTakeFirst()

export async function findDrawer(tx: Tx, company: CompanyId, id: number): Promise<Drawer> {
  const drawer = await drawersOf(tx, company).where('id', '=', id).executeTakeFirst()
  if (!drawer) throw notFound('There is no such drawer.')
  return drawer
}

export const heldDrawer = ({ id, status, clerk_name }: Drawer) => ({
  id,
  state: status as StateOf<typeof drawerStates>,
  name: say`The drawer of ${clerk_name}`,
})

type Step = TakenStep<StateOf<typeof drawerStates>, EventOf<typeof drawerStates>, ReturnType<typeof heldDrawer>, Facts>

export const keptDrawers = keepStates({
  machine: drawerStates,
  subject: 'drawer',
  lock: async (tx, place, id) => heldDrawer(await lockDrawer(tx, place as CompanyId, id)),
  write: (tx, { place, held, to, facts }: Step) => changeRow(tx, 'drawer', place, held.id, { ...facts, status: to }),
})

interface Row {
  paymentId: number
  at: Date
  payer: string
  reference: string
  method: number
  means: string
  totalCents: number
  changeCents: number
  status: number
}

/** What was taken into a drawer, newest first, each as it stands now. */
export async function takenInto(tx: Tx, company: CompanyId, drawer: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT o.id AS "paymentId", o.created_at AS at, o.payer_name AS payer, o.reference, o.method, o.means,
      o.total_cents AS "totalCents", p.change_cents AS "changeCents", o.status
    FROM drawer_payment p JOIN payment_order o ON o.company_id = p.company_id AND o.id = p.order_id
    WHERE p.company_id = ${company} AND p.drawer_id = ${drawer} ORDER BY o.id DESC`.execute(tx)
  return rows
}

/** The day sheet of a drawer. */
export async function sheetOf(tx: Tx, company: CompanyId, drawer: Drawer): Promise<Sheet> {
  const rows = await takenInto(tx, company, drawer.id)
  return {
    id: drawer.id,
    status: drawer.status,
    clerk: drawer.clerk_name,
    openedAt: drawer.opened_at.toISOString(),
    openingCents: drawer.opening_cents,
    closedAt: drawer.closed_at?.toISOString() ?? null,
    closingCents: drawer.closing_cents,
    closingCounts: drawer.closing_counts,
    expectedCents: drawer.expected_cents,
    note: drawer.note,
    payments: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString(), receipt: receiptNumber(row.paymentId) })),
  }
}

// A payment is voided out of its drawer's cash, so the drawer may not be counted meanwhile.
defineTill(async (tx, company, orderId) => {
  const { rows } = await sql<{ status: string }>`
    SELECT d.status FROM drawer_payment p JOIN drawer d ON d.company_id = p.company_id AND d.id = p.drawer_id
    WHERE p.company_id = ${company} AND p.order_id = ${orderId} FOR SHARE OF d`.execute(tx)
  return rows[0]?.status === 'open'
})
