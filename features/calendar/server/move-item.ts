import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { keepStates, move, whoOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import type { Privileges } from '../../../shared/privileges.ts'
import { calendarEvents, moveItem } from '../contract.ts'
import { statusOf } from '../rules.ts'
import { itemStates, type ItemStatus } from '../states.ts'

const items = keepStates({
  machine: itemStates,
  subject: 'scheduled_item',
  live: { topic: 'calendar' },
  lock: async (tx, place, id) => {
    const item = await tx
      .selectFrom('scheduled_item')
      .select(['title', 'status'])
      .where('company_id', '=', place)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!item) throw notFound('This item was not found in the calendar.')
    return { id, state: statusOf(item.status), name: item.title, told: { title: item.title } }
  },
  write: (tx, { place, held, to }) =>
    tx
      .updateTable('scheduled_item')
      .set({ status: to })
      .where('company_id', '=', place)
      .where('id', '=', held.id)
      .execute(),
})

/** What staff with these rights may do with an item. */
export const movesOf = (status: ItemStatus, privileges: Privileges) =>
  buttonsFrom(itemStates, status, { as: 'staff', privileges })

export const moveItemCall = implement(moveItem, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const wish = { place: company.id, id: body.itemId, event: body.event, who: whoOf(call) }
    const { message, to } = await move(tx, items, wish)
    return { success: true as const, message, status: to, moves: movesOf(to, signedIn(call).privileges) }
  })
})

export const calendarEventsCall = implement(calendarEvents, async () => ({ topic: 'calendar' as const, id: 0 }))
