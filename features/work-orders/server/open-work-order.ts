import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import type { LocationValue } from '../../../shared/places.ts'
import type { Call } from '../../../server/call.ts'
import { nextInYear } from '../../../server/db/rows.ts'
import { locationColumns } from '../../../server/places/stored-location.ts'
import { recordCreation, actorOf, type TransitionActor } from '../../../server/states.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { orderNumber, type OrderKind, type Severity, workOrderStatus } from '../rules.ts'
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
  /** State and dates in the system that the order was imported from. */
  imported?: { oldNumber: string; createdAt: Date; status: ImportedStatus; completedAt: Date | null }
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

/** Opens a work order for the caller, in the caller's transaction. */
export const openWorkOrder = (tx: Tx, call: Call, order: NewOrder): Promise<OpenedOrder> =>
  openOrder(tx, { context: call.context, company: call.company, actor: actorOf(call) }, order)

interface OpenOrderContext {
  context: AppContext
  company: Company
  actor: TransitionActor
  /** Plan and day, if a maintenance plan opens the order. Otherwise omitted. */
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
  const { asset, source, location, imported } = order
  const createdAt = imported?.createdAt ?? now
  const year = Number(dateIn(companyRecord.timeZone, createdAt).slice(0, 4))
  const number = orderNumber(year, await nextInYear(tx, 'work_order_number', company, year))
  const made = await tx
    .insertInto('work_order')
    .values({
      company_id: company,
      number,
      title: order.title,
      description: order.description,
      kind: order.kind,
      status: imported?.status ?? workOrderStatus.created,
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
      created_at: createdAt,
      ...(imported && { old_number: imported.oldNumber, completed_at: imported.completedAt }),
    })
    .returning(['id', 'number', 'title', 'due_on', 'assigned_to', 'crew_id'])
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
    event: imported ? importEvents[imported.status] : 'open',
    actor,
    detail: { title: order.title, ...(source && { from: source }), ...(plan && { plan }) },
  })
  if (imported) return { id, number }
  await notifyAssigned(tx, context, companyRecord, {
    order: made,
    before: null,
    by: actor.caller.session?.personId ?? null,
  })
  return { id, number }
}
