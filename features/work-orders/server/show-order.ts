import { dateIn, timeIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnOrder } from '../contract.ts'
import { orderStates } from '../states.ts'
import { pathOfAsset } from './assets.ts'
import { crewNamed } from './crews.ts'
import { findOrder, type Order } from './orders.ts'
import { historyShown } from '../../../server/states.ts'
import { photosOf } from './photos.ts'
import { factsOf } from './save-order.ts'
import { sourceOf } from './source.ts'

/** An order with all that is known of it. */
export const showOrderCall = implement(returnOrder, (call) =>
  call.reading((tx) => detailsOf(tx, call, call.body.orderId)),
)

export async function detailsOf(tx: Tx, call: Call, orderId: number) {
  const { company, house } = call
  const { privileges } = signedIn(call)
  const order = await findOrder(tx, company.id, orderId)
  const works = may(privileges, 'communication_management', 'update')
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    facts: factsOf(order),
    ...(await givenTo(tx, company.id, order)),
    late: order.is_open === true && order.due_on !== null && order.due_on < dateIn(company.timeZone, house.clock.now()),
    openedAt: order.created_at.toISOString(),
    completedAt: order.completed_at?.toISOString() ?? null,
    schedule: scheduleOf(order, company.timeZone),
    itemId: order.item_id,
    source: await fromWhat(tx, order),
    assetPath: pathOfAsset(order),
    tasks: await tasksOf(tx, order),
    costs: await costsOf(tx, order),
    minutes: order.minutes,
    costCents: order.cost_cents,
    photos: await photosOf(tx, company.id, order.id),
    history: await historyShown(tx, orderStates, company.id, order.id),
    can: {
      edit: works && order.status !== 4,
      work: works && order.status !== 4,
      steps: buttonsFrom(orderStates, order.status, { as: 'staff', privileges }),
    },
  }
}

async function givenTo(tx: Tx, company: CompanyId, { company_id, department_id, assigned_to, crew_id }: Order) {
  const department =
    department_id === null
      ? undefined
      : await tx
          .selectFrom('department')
          .select('name')
          .where('company_id', '=', company_id)
          .where('id', '=', department_id)
          .executeTakeFirst()
  const person =
    assigned_to === null
      ? undefined
      : await tx
          .selectFrom('person')
          .select(['first_name', 'last_name'])
          .where('company_id', '=', company_id)
          .where('id', '=', assigned_to)
          .executeTakeFirst()
  return {
    crew: crew_id === null ? null : await crewNamed(tx, company, crew_id),
    department: department?.name ?? '',
    assignee: person ? `${person.first_name} ${person.last_name}`.trim() : '',
  }
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

async function fromWhat(tx: Tx, { company_id, source_kind, source_id, plan_id }: Order) {
  if (source_kind !== null && source_id !== null)
    return (await sourceOf(source_kind).label(tx, company_id as never, [source_id])).get(source_id) ?? null
  if (plan_id === null) return null
  const plan = await tx
    .selectFrom('work_plan')
    .select(['id', 'title'])
    .where('company_id', '=', company_id)
    .where('id', '=', plan_id)
    .executeTakeFirstOrThrow()
  return { text: plan.title, path: `/municipality/work-orders?tab=plans&plan=${plan.id}` }
}

async function tasksOf(tx: Tx, { company_id, id }: Order) {
  const rows = await tx
    .selectFrom('work_order_task')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('order_id', '=', id)
    .orderBy('no')
    .execute()
  return rows.map(({ no, text, done_at, done_by }) => ({
    no,
    text,
    doneAt: done_at?.toISOString() ?? null,
    doneBy: done_by,
  }))
}

async function costsOf(tx: Tx, { company_id, id }: Order) {
  const rows = await tx
    .selectFrom('work_order_cost')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('order_id', '=', id)
    .orderBy('no')
    .execute()
  return rows.map((row) => ({
    no: row.no,
    kind: row.kind,
    text: row.text,
    quantity: row.quantity,
    unitCents: row.unit_cents,
    cents: row.cents,
    by: row.by_name,
    struck: row.struck_at !== null,
  }))
}
