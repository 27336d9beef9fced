import { type Call, implement } from '../../../server/call.ts'
import { addMessage, findCase, lockCase } from '../../../server/cases/entries.ts'
import { timelineOf } from '../../../server/cases/timeline.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { actorOf, transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { readOfficeDays } from '../../../server/working-time.ts'
import { dateIn } from '../../../shared/dates.ts'
import { workDayBefore } from '../../../shared/working-time.ts'
import { say, translated } from '../../../shared/messages.ts'
import {
  crewsInUse,
  linkOrder,
  openOrdersNear,
  orderNumbered,
  openWorkOrder,
  ordersOf,
  expectAtWork,
  defineWorkOrderSource,
  type OrderTransition,
} from '../../work-orders/api.ts'
import type { Severity } from '../../work-orders/rules.ts'
import { orderStates } from '../../work-orders/states.ts'
import { linkToOrder, openOrder, ordersNearby } from '../contract-staff.ts'
import { COMPARED_METRES, numberOf, requestStatus } from '../rules.ts'
import { requestStates } from '../states.ts'
import { requests, requestStateStore } from './case.ts'
import { expectOpen } from './staff-steps.ts'
import { type Request, SOURCE } from './row.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'
import { workOrderStatus } from '../../work-orders/rules.ts'

/**
 * Creates a work order with the location and photos of the request. The work order belongs to the department of the
 * category.
 */
export const openOrderCall = implement(openOrder, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    expectOpen(row)
    const assignment = { assignedTo: body.assignedTo ?? null, crewId: body.crewId ?? null }
    await expectAtWork(tx, company.id, { ...assignment, departmentId: null })
    const order = await openWorkOrder(tx, call, {
      title: body.title,
      description: body.description,
      kind: 'repair',
      severity: Number(body.severity) as Severity,
      location: locationFromRow(row),
      dueOn: body.dueOn || null,
      departmentId: await departmentOf(tx, row),
      ...assignment,
      asset: null,
      source: { kind: SOURCE, id: row.id },
      fileIds: body.withFiles ? await photosOf(tx, call, row) : [],
    })
    await call.audit(tx, {
      action: 'request.work_order',
      subject: { kind: 'service_request', id: numberOf(row.id) },
      detail: { order: order.number },
    })
    await note(tx, call.context, row, say`Work order ${order.number} was opened.`)
    return {
      success: true as const,
      message: say`Work order ${order.number} was opened from ${numberOf(row.id)}.`,
      orderId: order.id,
      number: order.number,
    }
  })
})

export const ordersNearbyCall = implement(ordersNearby, (call) =>
  call.reading(async (tx) => {
    const row = await findCase(tx, requests, call.company.id, call.body.subjectId)
    return { orders: row.at ? await openOrdersNear(tx, call.company.id, row.at, COMPARED_METRES) : [] }
  }),
)

/** Adds a request to an open work order. If the work has started, the request starts too. */
export const linkToOrderCall = implement(linkToOrder, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const { id: orderId } = await orderNumbered(tx, company.id, body.order)
    // Locks the order first, as each step of an order does.
    const order = await linkOrder(tx, company.id, orderId, { kind: SOURCE, id: body.subjectId })
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    expectOpen(row)
    const number = numberOf(row.id)
    await note(tx, context, row, say`Added to work order ${order.number}.`)
    await call.audit(tx, {
      action: 'request.work_order',
      subject: { kind: 'service_request', id: number },
      detail: { order: order.number },
    })
    if (order.status === workOrderStatus.inProgress && row.status !== requestStatus.inProgress)
      await transition(tx, requestStateStore, {
        scope: company.id,
        id: row.id,
        event: 'start',
        actor: actorOf(call),
        deps: { context, company },
      })
    return { success: true as const, message: say`${number} was added to work order ${order.number}.` }
  })
})

/** Maximum length of the description of a work order. */
const MAX_LENGTH = 4000

/**
 * Returns the start values of a work order, such as the category's crew. The due day is one working day before the
 * target date, and never in the past.
 */
export async function orderDefaults(
  tx: Tx,
  { company, context }: Call,
  {
    row,
    answers,
    crewId,
  }: { row: Request; answers: readonly { label: string; value: string }[]; crewId: number | null },
) {
  const crews = crewId === null ? [] : await crewsInUse(tx, company.id)
  const today = dateIn(company.timeZone, context.clock.now())
  const before = workDayBefore(await readOfficeDays(tx, company.id), dateIn(company.timeZone, row.due_at))
  const lines = answers.filter(({ value }) => value !== '').map(({ label, value }) => `${label}: ${value}`)
  return {
    crewId: crews.find(({ id }) => id === crewId)?.id ?? null,
    dueOn: before < today ? today : before,
    description: [row.description, lines.join('\n')].filter(Boolean).join('\n\n').slice(0, MAX_LENGTH),
  }
}

const departmentOf = async (tx: Tx, { company_id, category_id }: Request): Promise<number | null> =>
  (
    await tx
      .selectFrom('request_category')
      .select('department_id')
      .where('company_id', '=', company_id)
      .where('id', '=', category_id)
      .executeTakeFirst()
  )?.department_id ?? null

/** Lists the photos of the request and of its timeline, including photos in internal notes. */
async function photosOf(tx: Tx, { session }: Call, row: Request): Promise<string[]> {
  const entries = await timelineOf(tx, requests, row, { kind: 'municipality', id: session?.personId ?? 0 })
  return entries.flatMap(({ files }) => files.map(({ id }) => id))
}

/** Adds an internal note. The note does not notify the requester, but a later status change does. */
const note = (tx: Tx, context: AppContext, row: Request, text: string) =>
  addMessage(tx, context, requests, row, 'note', {
    by: { kind: 'municipality', id: null, name: 'Mainstreet' },
    text,
    at: context.clock.now(),
    files: [],
  })

/**
 * Work orders change the status of their request. The first work order starts the request, and the last one completes
 * it. The portal notifies the requester.
 */
defineWorkOrderSource({
  kind: SOURCE,
  onMoved: async (tx, context, companyId, requestId, moved) => {
    const row = await lockCase(tx, requests, companyId, requestId)
    const event = await eventBy(tx, companyId, row, moved)
    if (event) {
      const company = await context.hosts.byId(companyId, tx)
      if (!company) throw new Error(`there is no company ${companyId}`)
      const actor: TransitionActor = {
        as: 'system',
        caller: { session: null, requestId: '', kind: 'system' },
        clock: context.clock,
      }
      await transition(tx, requestStateStore, {
        scope: companyId,
        id: row.id,
        event,
        actor,
        deps: { context, company },
      })
    } else if (moved.to === workOrderStatus.invalid)
      await note(tx, context, row, say`Work order ${moved.number}: ${translated(orderStates.labels[moved.to])}.`)
  },
  label: async (tx, company, ids) => {
    const rows = await tx
      .selectFrom('service_request')
      .select(['id', 'number', 'title'])
      .where('company_id', '=', company)
      .where('id', 'in', [0, ...ids])
      .execute()
    return new Map(
      rows.map(({ id, number, title }) => [
        id,
        { text: `${number} ${title}`, path: `/municipality/manage/customer-communication?request=${id}` },
      ]),
    )
  },
})

/**
 * Returns the event that a transition of a work order causes for its request. Null if the request already has that
 * status or other work orders are open.
 */
async function eventBy(tx: Tx, company: CompanyId, row: Request, { to, orderId }: OrderTransition) {
  const { status } = row
  if (to === workOrderStatus.inProgress && (status === requestStatus.new || status === requestStatus.reopened))
    return 'start' as const
  if (to === workOrderStatus.reopened && status === requestStatus.completed) return 'reopen' as const
  if (to !== 2 || !requestStates.states[status].open) return null
  const others = await ordersOf(tx, company, { kind: SOURCE, id: row.id })
  const waits = others.some(({ id, status: otherStatus }) => id !== orderId && orderStates.states[otherStatus].open)
  return waits ? null : ('complete' as const)
}
