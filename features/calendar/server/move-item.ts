import type { Selectable } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict, notAllowed, notFound } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import { defineStateStore, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatInstant, instantAt, timeIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { calendarEvents, transitionItem, rescheduleItem } from '../contract.ts'
import { statusOf } from '../rules.ts'
import { itemStates, type ItemStatus } from '../states.ts'
import { itemSourceOf, type Times } from './item-source.ts'

type Item = Selectable<Schema['scheduled_item']>

const unknownItem = () => notFound('This item was not found on the calendar.')

const items = defineStateStore({
  machine: itemStates,
  subject: 'scheduled_item',
  live: { topic: 'calendar' },
  lock: async (tx, scope, id) => {
    const item = await tx
      .selectFrom('scheduled_item')
      .select(['title', 'status'])
      .where('company_id', '=', scope)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!item) throw unknownItem()
    return { id, state: statusOf(item.status), name: item.title, details: { title: item.title } }
  },
  write: (tx, { scope, locked, to }) =>
    tx
      .updateTable('scheduled_item')
      .set({ status: to })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
})

/**
 * Returns the actions that staff with these privileges may take on an item. An item with a source record also needs the
 * permission for that record.
 */
export function movesOf(status: ItemStatus, privileges: Privileges, sourceKind: string | null = null) {
  const buttons = buttonsFrom(itemStates, status, { as: 'staff', privileges })
  const source = itemSourceOf(sourceKind)
  if (sourceKind === null) return { ...buttons, reschedule: mayMove(status, privileges) }
  if (!source || !may(privileges, ...source.permission))
    return { start: false, complete: false, reopen: false, reschedule: false }
  // Staff can complete a source record only after they have started it. Reopening requires a reason, which staff enter
  // on the record's own screen.
  const complete = buttons.complete && status === 'in_progress'
  return { ...buttons, complete, reopen: false, reschedule: mayMove(status, privileges) }
}

const mayMove = (status: ItemStatus, privileges: Privileges) =>
  status !== 'completed' && may(privileges, 'dashboard', 'update')

export const transitionItemCall = implement(transitionItem, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const { source_kind, source_id } = await findItem(tx, company.id, body.itemId)
    const source = itemSourceOf(source_kind)
    const message =
      source && source_id !== null
        ? await source.step(tx, call, source_id, body.event)
        : (await transition(tx, items, { scope: company.id, id: body.itemId, event: body.event, actor: actorOf(call) }))
            .message
    const status = statusOf((await findItem(tx, company.id, body.itemId)).status)
    return { success: true as const, message, status, moves: movesOf(status, signedIn(call).privileges, source_kind) }
  })
})

/** @throws 404 if the item does not exist */
const findItem = (tx: Tx, company: CompanyId, id: number) =>
  tx
    .selectFrom('scheduled_item')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => unknownItem())

/**
 * Moves an item and its source record to another day. The time of day stays the same unless the caller passes another
 * time.
 */
export const rescheduleItemCall = implement(rescheduleItem, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const item = await findItem(tx, company.id, body.itemId)
    const { privileges } = signedIn(call)
    if (item.starts_at.toISOString() !== body.was)
      throw conflict('edit_conflict', say`Someone else moved “${item.title}”. Check the new time, then try again.`)
    const status = statusOf(item.status)
    if (!movesOf(status, privileges, item.source_kind).reschedule) {
      if (status !== 'completed') throw notAllowed()
      throw conflict('wrong_status', say`You cannot move “${item.title}” because it is already completed.`)
    }
    const startsAt = instantAt(company.timeZone, body.day, body.time ?? timeIn(company.timeZone, item.starts_at))
    const endsAt = new Date(startsAt.getTime() + item.ends_at.getTime() - item.starts_at.getTime())
    const source = itemSourceOf(item.source_kind)
    if (source && item.source_id !== null) await source.reschedule(tx, call, item.source_id, { startsAt, endsAt })
    else await moveTo(tx, call, item, { startsAt, endsAt })
    return {
      success: true as const,
      message: say`“${item.title}” was moved to ${formatInstant(startsAt, company.timeZone)}.`,
    }
  })
})

async function moveTo(tx: Tx, call: Call, { id, title, starts_at }: Item, { startsAt, endsAt }: Times): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('scheduled_item')
    .set({ starts_at: startsAt, ends_at: endsAt })
    .where('company_id', '=', call.company.id)
    .where('id', '=', id)
    .where('starts_at', '=', starts_at)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw conflict('edit_conflict', say`Someone else moved “${title}”. Check the new time, then try again.`)
  await call.audit(tx, {
    action: 'calendar.moved',
    subject: { kind: 'scheduled_item', id },
    detail: { title, from: starts_at.toISOString(), to: startsAt.toISOString() },
  })
  await announce(tx, call.company.id, { topic: 'calendar', id })
}

export const calendarEventsCall = implement(calendarEvents, async () => ({ topic: 'calendar' as const, id: 0 }))
