import { sql } from 'kysely'
import { dateIn, timeIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnOrder } from '../contract.ts'
import { orderStates } from '../states.ts'
import { pathOfAsset } from './assets.ts'
import { namesOfCrew } from './crews.ts'
import { findOrder, type Order, unknownOrder } from './orders.ts'
import { loadHistories } from '../../../server/states.ts'
import { photosOf } from './photos.ts'
import { orderDetailsOf } from './save-order.ts'
import { sourceOf } from './source.ts'
import { workOrderStatus } from '../rules.ts'

/** Loads an order with all details. */
export const showOrderCall = implement(returnOrder, (call) =>
  call.reading((tx) => detailsOf(tx, call, call.body.orderId)),
)

export async function detailsOf(tx: Tx, call: Call, orderId: number) {
  const [details] = await detailsOfAll(tx, call, [await findOrder(tx, call.company.id, orderId)])
  if (!details) throw unknownOrder()
  return details
}

/** Loads the details of many orders. The number of queries is the same as for a single order. */
export async function detailsOfAll(tx: Tx, call: Call, orders: readonly Order[]) {
  const { company, context } = call
  const { privileges } = signedIn(call)
  const ids = orders.map(({ id }) => id)
  const beside = await besideOf(tx, company.id, ids)
  const [sources, linked, tasks, costs, photos, histories] = await Promise.all([
    fromWhat(tx, company.id, orders),
    linkedTo(tx, company.id, beside),
    tasksOf(tx, company.id, ids),
    costsOf(tx, company.id, ids),
    photosOf(tx, company.id, ids),
    loadHistories(tx, orderStates, company.id, ids),
  ])
  const works = may(privileges, 'work_orders', 'update')
  const today = dateIn(company.timeZone, context.clock.now())
  return orders.map((order) => ({
    id: order.id,
    number: order.number,
    status: order.status,
    details: orderDetailsOf(order),
    ...(beside.get(order.id)?.assigned ?? { crew: null, department: '', assignee: '' }),
    late: order.is_open === true && order.due_on !== null && order.due_on < today,
    openedAt: order.created_at.toISOString(),
    completedAt: order.completed_at?.toISOString() ?? null,
    schedule: scheduleOf(order, company.timeZone),
    itemId: order.item_id,
    source: sources.get(order.id) ?? null,
    linked: linked.get(order.id) ?? [],
    assetPath: pathOfAsset(order),
    tasks: tasks.get(order.id) ?? [],
    costs: costs.get(order.id) ?? [],
    minutes: order.minutes,
    costCents: order.cost_cents,
    photos: photos.get(order.id) ?? [],
    history: histories.get(order.id) ?? [],
    can: {
      edit: works && order.status !== workOrderStatus.invalid,
      work: works && order.status !== workOrderStatus.invalid,
      steps: buttonsFrom(orderStates, order.status, { as: 'staff', privileges }),
    },
  }))
}

/** Loads the names of the assignees and the further sources of each order, in one query. */
async function besideOf(tx: Tx, company: CompanyId, ids: readonly number[]) {
  const { rows } = await sql<{
    id: number
    department: string
    assignee: string
    crew: { name: string; people: string } | null
    links: { kind: string; id: number }[]
  }>`
    SELECT w.id, coalesce(d.name, '') AS department, coalesce(trim(p.first_name || ' ' || p.last_name), '') AS assignee,
      CASE WHEN r.id IS NOT NULL THEN jsonb_build_object('name', r.name, 'people', ${namesOfCrew}) END AS crew,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', s.source_kind, 'id', s.source_id) ORDER BY s.source_id), '[]')
        FROM work_order_source s WHERE s.company_id = w.company_id AND s.order_id = w.id) AS links
    FROM work_order w
    LEFT JOIN department d ON d.company_id = w.company_id AND d.id = w.department_id
    LEFT JOIN person p ON p.company_id = w.company_id AND p.id = w.assigned_to
    LEFT JOIN crew r ON r.company_id = w.company_id AND r.id = w.crew_id
    WHERE w.company_id = ${company} AND w.id = ANY (${[...ids]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, links, ...assigned }) => [id, { assigned, links }]))
}

function scheduleOf({ starts_at, ends_at, assigned_to }: Order, timeZone: string) {
  if (!starts_at || !ends_at) return null
  return {
    startsAt: starts_at.toISOString(),
    endsAt: ends_at.toISOString(),
    form: {
      day: dateIn(timeZone, starts_at),
      time: timeIn(timeZone, starts_at),
      minutes: Math.round((ends_at.getTime() - starts_at.getTime()) / 60_000),
      assignedTo: assigned_to,
    },
  }
}

/** Returns the further sources of each order, with their paths for staff. */
async function linkedTo(tx: Tx, company: CompanyId, beside: Awaited<ReturnType<typeof besideOf>>) {
  const linked = new Map<number, { text: string; path: string }[]>()
  const rows = [...beside].flatMap(([order, { links }]) => links.map((link) => ({ ...link, order })))
  for (const [kind, of] of Map.groupBy(rows, (link) => link.kind)) {
    const labels = await sourceOf(kind).label(
      tx,
      company,
      of.map(({ id }) => id),
    )
    for (const { order, id } of of) {
      const label = labels.get(id)
      if (label) linked.set(order, [...(linked.get(order) ?? []), label])
    }
  }
  return linked
}

/** Loads the source of each order, with its path for staff. */
async function fromWhat(tx: Tx, company: CompanyId, orders: readonly Order[]) {
  const sources = new Map<number, { text: string; path: string }>()
  for (const [kind, of] of Map.groupBy(orders, ({ source_kind }) => source_kind)) {
    if (kind === null) continue
    const labels = await sourceOf(kind).label(
      tx,
      company,
      of.flatMap(({ source_id }) => source_id ?? []),
    )
    for (const { id, source_id } of of) {
      const label = source_id !== null && labels.get(source_id)
      if (label) sources.set(id, label)
    }
  }
  const planned = orders.filter(({ source_kind, plan_id }) => source_kind === null && plan_id !== null)
  const plans = await plansNamed(tx, company, planned)
  for (const { id, plan_id } of planned) {
    const text = plans.get(plan_id ?? 0)
    if (text !== undefined) sources.set(id, { text, path: `/municipality/work-orders?tab=plans&plan=${plan_id}` })
  }
  return sources
}

async function plansNamed(tx: Tx, company: CompanyId, orders: readonly Order[]): Promise<Map<number, string>> {
  const ids = orders.flatMap(({ plan_id }) => plan_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('work_plan')
    .select(['id', 'title'])
    .where('company_id', '=', company)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

async function tasksOf(tx: Tx, company: CompanyId, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('work_order_task')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', sql<number>`ANY (${[...ids]}::bigint[])`)
    .orderBy('no')
    .execute()
  return byOrder(rows, ({ no, text, done_at, done_by }) => ({
    no,
    text,
    doneAt: done_at?.toISOString() ?? null,
    doneBy: done_by,
  }))
}

async function costsOf(tx: Tx, company: CompanyId, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('work_order_cost')
    .selectAll()
    .where('company_id', '=', company)
    .where('order_id', '=', sql<number>`ANY (${[...ids]}::bigint[])`)
    .orderBy('no')
    .execute()
  return byOrder(rows, (row) => ({
    no: row.no,
    kind: row.kind,
    text: row.text,
    quantity: row.quantity,
    unitCents: row.unit_cents,
    cents: row.cents,
    by: row.by_name,
    voided: row.voided_at !== null,
  }))
}

/** Groups rows by order and maps them for the screen. */
function byOrder<Row extends { order_id: number }, View>(rows: readonly Row[], toView: (row: Row) => View) {
  const of = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map([...of].map(([id, its]) => [id, its.map(toView)]))
}
