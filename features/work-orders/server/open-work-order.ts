import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import type { LocationValue } from '../../../shared/places.ts'
import type { Call } from '../../../server/call.ts'
import { insertRows, nextInYear } from '../../../server/db/rows.ts'
import { locationColumns, storedLocation } from '../../../server/places/stored-location.ts'
import { actorOf, recordCreation, recordCreations, type TransitionActor } from '../../../server/states.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { PlannedPart } from '../contract.ts'
import { orderNumber, type OrderKind, type Severity, workOrderStatus } from '../rules.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { notifyAssigned } from './notify-assigned.ts'
import { workOrderStateStore } from './orders.ts'

/** Entity of another feature, such as the source or the asset of an order. */
interface RecordRef {
  kind: string
  id: number
}

export interface NewOrder {
  title: string
  description: string
  kind: OrderKind
  severity: Severity
  /** Location that `resolveLocation` returned. */
  location: LocationValue | null
  dueOn: string | null
  /** Time of the work in the calendar. Omitted if the order has none. */
  schedule?: { startsAt: Date; endsAt: Date } | null
  departmentId: number | null
  assignedTo?: number | null
  crewId?: number | null
  asset: (RecordRef & { name?: string }) | null
  /** Name of the asset as text, if the asset is not known to the portal. */
  assetName?: string
  /** Source of the order, of a kind registered with `defineWorkOrderSource`. */
  source: RecordRef | null
  /** Ids of stored files from the source that the order also shows. */
  fileIds: readonly string[]
  checklist?: readonly string[]
  parts?: readonly PlannedPart[]
}

/** Work order of another system, with its state and dates there. */
export interface ImportedOrder extends Pick<
  NewOrder,
  'title' | 'description' | 'kind' | 'severity' | 'dueOn' | 'departmentId'
> {
  location: LocationValue
  assetName: string
  oldNumber: string
  /** Year of the order's number. */
  year: number
  createdAt: Date
  status: ImportedStatus
  completedAt: Date | null
}

/** States in which a work order from another system can be, with their events. */
const importEvents = {
  [workOrderStatus.created]: 'import',
  [workOrderStatus.inProgress]: 'import_started',
  [workOrderStatus.completed]: 'import_completed',
  [workOrderStatus.invalid]: 'import_invalid',
} as const
export type ImportedStatus = keyof typeof importEvents

export interface OpenedOrder {
  id: number
  number: string
}

/**
 * Opens a work order for the caller, in the caller's transaction.
 * @param plan plan and day of the order, if staff repeat it
 */
export const openWorkOrder = (
  tx: Tx,
  call: Call,
  order: NewOrder,
  plan?: OpenOrderContext['plan'],
): Promise<OpenedOrder> =>
  openOrder(tx, { context: call.context, company: call.company, actor: actorOf(call), ...(plan && { plan }) }, order)

interface OpenOrderContext {
  context: AppContext
  company: Company
  actor: TransitionActor
  /** Plan and day, if the order belongs to a maintenance plan. Otherwise omitted. */
  plan?: { id: number; day: string }
}

/** Opens a work order for an explicit actor, such as the job for maintenance plans. */
export async function openOrder(
  tx: Tx,
  { context, company: companyRecord, actor, plan }: OpenOrderContext,
  order: NewOrder,
): Promise<OpenedOrder> {
  const company = companyRecord.id
  const now = actor.clock.now()
  const { asset, source, location, schedule } = order
  const year = Number(dateIn(companyRecord.timeZone, now).slice(0, 4))
  const number = orderNumber(year, await nextInYear(tx, 'work_order_number', company, year))
  const made = await tx
    .insertInto('work_order')
    .values({
      company_id: company,
      number,
      title: order.title,
      description: order.description,
      kind: order.kind,
      status: workOrderStatus.created,
      severity: order.severity,
      source_kind: source?.kind ?? null,
      source_id: source?.id ?? null,
      asset_kind: asset?.kind ?? null,
      asset_id: asset?.id ?? null,
      asset_name: asset?.name ?? order.assetName ?? '',
      plan_id: plan?.id ?? null,
      plan_day: plan?.day ?? null,
      ...locationColumns(location),
      department_id: order.departmentId,
      assigned_to: order.assignedTo ?? null,
      crew_id: order.crewId ?? null,
      due_on: order.dueOn,
      parts: JSON.stringify(order.parts ?? []),
      starts_at: schedule?.startsAt ?? null,
      ends_at: schedule?.endsAt ?? null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { id } = made
  if (order.checklist?.length)
    await sql`
      INSERT INTO work_order_task (company_id, order_id, no, text)
      SELECT ${company}, ${id}, t.no, t.text FROM unnest(${order.checklist}::text[]) WITH ORDINALITY AS t (text, no)`.execute(
      tx,
    )
  // Links only files of this company. Ignores unknown ids and ids of other companies.
  if (order.fileIds.length > 0)
    await sql`
      INSERT INTO work_order_file (company_id, order_id, file_id)
      SELECT ${company}, ${id}, a.id FROM attachment a
      WHERE a.company_id = ${company} AND a.id = ANY(${order.fileIds}::uuid[])`.execute(tx)
  await recordCreation(tx, workOrderStateStore, {
    scope: company,
    id,
    number,
    event: 'open',
    actor,
    detail: {
      ...{ title: order.title, ...(source && { from: source }), ...(plan && { plan }) },
      ...(schedule && { startsAt: schedule.startsAt.toISOString() }),
    },
  })
  if (schedule) await saveCalendarItem(tx, context, made)
  await notifyAssigned(tx, context, companyRecord, {
    order: made,
    before: null,
    by: actor.caller.session?.personId ?? null,
  })
  return { id, number }
}

/** Creates work orders of another system, in the order of the file. Notifies no one. */
export async function importOrders(tx: Tx, call: Call, orders: readonly ImportedOrder[]): Promise<void> {
  const company = call.company.id
  const next = new Map<number, number>()
  for (const [year, its] of Map.groupBy(orders, (order) => order.year))
    next.set(year, await nextInYear(tx, 'work_order_number', company, year, its.length))
  const byNumber = new Map<string, ImportedOrder>()
  for (const order of orders) {
    const no = next.get(order.year) ?? 0
    next.set(order.year, no + 1)
    byNumber.set(orderNumber(order.year, no), order)
  }
  const written = await insertRows<'work_order', { id: number; number: string }>(
    tx,
    'work_order',
    [...byNumber].map(([number, order]) => ({
      ...{ company_id: company, number, title: order.title, description: order.description, kind: order.kind },
      ...{ status: order.status, severity: order.severity, asset_name: order.assetName },
      ...storedLocation(order.location),
      ...{ department_id: order.departmentId, due_on: order.dueOn, created_at: order.createdAt },
      ...{ old_number: order.oldNumber, completed_at: order.completedAt },
    })),
    ['id', 'number'],
  )
  const creations = written.flatMap(({ id, number }) => {
    const order = byNumber.get(number)
    return order ? [{ id, number, event: importEvents[order.status], detail: { title: order.title } }] : []
  })
  await recordCreations(tx, workOrderStateStore, { company, actor: actorOf(call) }, creations)
}
