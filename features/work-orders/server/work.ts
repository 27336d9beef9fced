import { sql } from 'kysely'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, callerName, implement } from '../../../server/call.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import { actorOf, transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addCost, addTask, changeOrderStatus, scheduleOrder, voidCost, tickTask, workEvents } from '../contract.ts'
import { costOf, workOrderStatus } from '../rules.ts'
import { refuseLongAgo, timesOf } from './days.ts'
import { updateCalendarItem } from './in-calendar.ts'
import { lockOrder, type Order, workOrderStateStore } from './orders.ts'
import { writeSchedule } from './schedule.ts'
import { expectAtWork } from './staff.ts'

const MAX_LINES = 200

export const changeOrderStatusCall = implement(changeOrderStatus, (call) => {
  const { context, company, body } = call
  return call.once(async (tx) => {
    const { to, message } = await transition(tx, workOrderStateStore, {
      scope: company.id,
      id: body.orderId,
      event: body.event,
      actor: actorOf(call),
      reason: body.reason,
      deps: { context },
    })
    return { success: true as const, message, status: to }
  })
})

export const scheduleOrderCall = implement(scheduleOrder, (call) => {
  const { context, company, body } = call
  const { schedule } = body
  if (schedule) refuseLongAgo(call, 'day', schedule.day)
  return call.inCompany(async (tx) => {
    const order = await lockOrder(tx, company.id, body.orderId)
    if (schedule)
      await expectAtWork(
        tx,
        company.id,
        { departmentId: null, assignedTo: schedule.assignedTo },
        { departmentId: null, assignedTo: order.assigned_to },
      )
    const times = schedule && timesOf(company, schedule.day, schedule.time, schedule.minutes)
    await writeSchedule(tx, call, order, times && { ...times, assignedTo: schedule.assignedTo })
    await updateCalendarItem(tx, context, company.id, order.id)
    const message = times
      ? say`Work order ${order.number} is now scheduled for ${formatInstant(times.startsAt, company.timeZone)}.`
      : say`Work order ${order.number} is no longer on the calendar.`
    return { success: true as const, message }
  })
})

/**
 * Locks an order before staff record work on it.
 * @throws 404 if the order does not exist, 409 if it is invalid
 */
export async function orderToWorkOn(tx: Tx, { company }: Call, id: number): Promise<Order> {
  const order = await lockOrder(tx, company.id, id)
  if (order.status === workOrderStatus.invalid)
    throw conflict('wrong_status', say`You cannot change work order ${order.number} because it was marked as invalid.`)
  return order
}

const tasksOf = (tx: Tx, { company }: Call, order: Order) =>
  tx.selectFrom('work_order_task').where('company_id', '=', company.id).where('order_id', '=', order.id)

const tooMany = (message: string) => conflict('too_many', message)

export const addTaskCall = implement(addTask, (call) =>
  call.once(async (tx) => {
    const order = await orderToWorkOn(tx, call, call.body.orderId)
    const { last } = await tasksOf(tx, call, order)
      .select((e) => e.fn.max('no').as('last'))
      .executeTakeFirstOrThrow()
    if (Number(last ?? 0) >= MAX_LINES)
      throw tooMany(
        say`You cannot add another checklist item because work order ${order.number} already has the maximum of ${MAX_LINES}.`,
      )
    const { text } = call.body
    await tx
      .insertInto('work_order_task')
      .values({ company_id: call.company.id, order_id: order.id, no: Number(last ?? 0) + 1, text })
      .execute()
    await recordTaskChange(tx, call, order, { added: text })
    return { success: true as const, message: say`Checklist item added.` }
  }),
)

/**
 * Checks or clears a checklist item. `basis` is the `doneBy` that the person saw, or '' if the item was not checked.
 * Two people may check the same item. A person cannot clear a check that they have not seen.
 */
export const tickTaskCall = implement(tickTask, (call) =>
  call.once(async (tx) => {
    const { orderId, no, done, basis } = call.body
    const order = await orderToWorkOn(tx, call, orderId)
    const task = await tasksOf(tx, call, order).selectAll().where('no', '=', no).executeTakeFirst()
    if (!task) throw notFound('This checklist item was not found.')
    const [before, own] = [{ doneBy: task.done_by }, { doneBy: done ? callerName(call) : '' }]
    if (done !== (task.done_at !== null)) {
      const edit: Edit = {
        ...{ tx, clock: call.context.clock, actor: call, company: call.company.id },
        subject: `work_task ${order.id}:${no}`,
      }
      const textOf = (by: unknown) => (by === '' ? say`Not done` : say`Done by ${String(by)}`)
      const labelsOf = (_field: string, others: unknown, my: unknown) => ({
        label: task.text,
        texts: { own: textOf(my), others: textOf(others) },
      })
      await mergeEdit(edit, { basis, own, now: before, labelsOf })
      await tx
        .updateTable('work_order_task')
        .set({ done_at: done ? call.context.clock.now() : null, done_by: own.doneBy })
        .where('company_id', '=', call.company.id)
        .where('order_id', '=', order.id)
        .where('no', '=', no)
        .execute()
      await recordChanges(edit, before, own)
    }
    await recordTaskChange(tx, call, order, { task: task.text, done })
    return { success: true as const, message: done ? say`${task.text}: done.` : say`${task.text}: not done.` }
  }),
)

async function recordTaskChange(tx: Tx, call: Call, order: Order, detail: Record<string, unknown>): Promise<void> {
  await call.audit(tx, {
    action: 'work_order.task_changed',
    subject: { kind: 'work_order', id: order.number },
    detail,
  })
  await announce(tx, call.company.id, { topic: 'work-orders', id: order.id })
}

export const addCostCall = implement(addCost, (call) =>
  call.once(async (tx) => {
    const { orderId, kind, text, quantity, unitCents } = call.body
    const order = await orderToWorkOn(tx, call, orderId)
    const { last } = await tx
      .selectFrom('work_order_cost')
      .select((e) => e.fn.max('no').as('last'))
      .where('company_id', '=', call.company.id)
      .where('order_id', '=', order.id)
      .executeTakeFirstOrThrow()
    if (Number(last ?? 0) >= MAX_LINES)
      throw tooMany(
        say`You cannot add another cost entry because work order ${order.number} already has the maximum of ${MAX_LINES}.`,
      )
    const cents = costOf(kind, quantity, unitCents)
    await tx
      .insertInto('work_order_cost')
      .values({
        company_id: call.company.id,
        order_id: order.id,
        no: Number(last ?? 0) + 1,
        kind,
        text,
        quantity,
        unit_cents: unitCents,
        cents,
        at: call.context.clock.now(),
        by_name: callerName(call),
      })
      .execute()
    await updateCostTotals(tx, call, order, {
      action: 'work_order.cost_added',
      detail: { kind, text, quantity, cents },
    })
    return { success: true as const, message: say`Cost added to work order ${order.number}.` }
  }),
)

export const voidCostCall = implement(voidCost, (call) =>
  call.once(async (tx) => {
    const order = await orderToWorkOn(tx, call, call.body.orderId)
    const voided = await tx
      .updateTable('work_order_cost')
      .set({ voided_at: call.context.clock.now() })
      .where('company_id', '=', call.company.id)
      .where('order_id', '=', order.id)
      .where('no', '=', call.body.no)
      .where('voided_at', 'is', null)
      .returning(['text', 'cents'])
      .executeTakeFirst()
    if (!voided) throw notFound('This cost entry was not found or was already voided.')
    await updateCostTotals(tx, call, order, { action: 'work_order.cost_voided', detail: voided })
    return { success: true as const, message: say`“${voided.text}” was voided.` }
  }),
)

interface WorkEntry {
  action: 'work_order.cost_added' | 'work_order.cost_voided'
  detail: Record<string, unknown>
}

/**
 * Updates the totals of the order from its cost lines. The lock on the order prevents concurrent changes to the lines.
 */
async function updateCostTotals(tx: Tx, call: Call, order: Order, { action, detail }: WorkEntry): Promise<void> {
  await sql`
    UPDATE work_order SET (minutes, cost_cents) = (
      SELECT coalesce(sum(quantity) FILTER (WHERE kind = 'labor'), 0), coalesce(sum(cents), 0) FROM work_order_cost c
      WHERE c.company_id = work_order.company_id AND c.order_id = work_order.id AND c.voided_at IS NULL)
    WHERE company_id = ${call.company.id} AND id = ${order.id}`.execute(tx)
  await call.audit(tx, { action, subject: { kind: 'work_order', id: order.number }, detail })
  await announce(tx, call.company.id, { topic: 'work-orders', id: order.id })
}

export const workEventsCall = implement(workEvents, async () => ({ topic: 'work-orders' as const, id: 0 }))
