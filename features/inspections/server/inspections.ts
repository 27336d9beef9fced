import { type Selectable, sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { nextInYear, rowFinderById } from '../../../server/db/rows.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { type LockedEntity, defineStateStore, type Scope, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { inspectionNumber } from '../rules.ts'
import { findSkippedItems } from './not-applicable.ts'
import { type ItemStatus, itemStates } from '../states.ts'

export type Inspection = Selectable<Schema['inspection']>
export type Item = Selectable<Schema['inspection_item']>

export const unknownInspection = () => notFound('This inspection was not found.')

/**
 * Functions that find an inspection. `lockInspection` also locks its row until the transaction ends. Lock the
 * inspection before you change one of its items. Both @throws 404 if the inspection does not exist
 */
export const { find: findInspection, lock: lockInspection } = rowFinderById('inspection', unknownInspection)

/** Loads the items of several inspections, keyed by inspection id. */
export async function itemsOfAll(tx: Tx, company: Scope, ids: readonly number[]): Promise<Map<number, Item[]>> {
  const items = await tx
    .selectFrom('inspection_item')
    .selectAll()
    .where('company_id', '=', company)
    .where('inspection_id', '=', sql<number>`ANY (${[...ids]}::bigint[])`)
    .orderBy('no')
    .execute()
  return Map.groupBy(items, ({ inspection_id }) => inspection_id)
}

export const itemsOf = async (tx: Tx, company: Scope, inspectionId: number): Promise<Item[]> =>
  (await itemsOfAll(tx, company, [inspectionId])).get(inspectionId) ?? []

export const itemStateOf = ({ id, status, repeat_of }: Item) => ({ id, status, repeatOf: repeat_of })

interface LockedItem extends LockedEntity<ItemStatus> {
  item: Item
  inspection: Inspection
}

/**
 * Locks an item of an open inspection. @throws 404, 409 if the inspection is finished, the item was repeated, or the
 * item does not apply
 */
export async function lockItem(tx: Tx, company: Scope, id: number): Promise<{ item: Item; inspection: Inspection }> {
  const item = () =>
    tx
      .selectFrom('inspection_item')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => notFound('This item was not found.'))
  const inspection = await lockInspection(tx, company, (await item()).inspection_id)
  if (inspection.status !== 'scheduled')
    throw conflict(
      'wrong_status',
      say`You cannot change the items in inspection ${inspection.number} because it is closed.`,
    )
  // Reads the item again, because it may have changed while this call waited for the lock.
  const now = await item()
  const all = await itemsOf(tx, company, inspection.id)
  if (all.some(({ repeat_of }) => repeat_of === id))
    throw conflict(
      'repeated',
      say`“${now.title}” was rechecked later. Only the newer result counts, so you cannot change the earlier result.`,
    )
  const why = (await findSkippedItems(tx, company, inspection, all)).get(id)
  if (why) throw conflict('not_asked', say`“${now.title}”: ${why}`)
  return { item: now, inspection }
}

export const itemStateStore = defineStateStore({
  machine: itemStates,
  subject: 'checklist_item',
  lock: async (tx, scope, id): Promise<LockedItem> => {
    const { item, inspection } = await lockItem(tx, scope, id)
    const auditDetail = { inspection: inspection.number, item: item.title }
    return { id, state: item.status, name: say`“${item.title}”`, details: auditDetail, item, inspection }
  },
  write: (tx, { scope, locked, to, at, reason, patch }: Transition<ItemStatus, string, LockedItem, { by: string }>) =>
    tx
      .updateTable('inspection_item')
      .set({ status: to, done_at: at, done_by: patch?.by ?? '', ...(to === 'failed' && { reason }) })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
})

export async function nextNumber(tx: Tx, company: CompanyId, timeZone: string, clock: Clock): Promise<string> {
  const year = Number(dateIn(timeZone, clock.now()).slice(0, 4))
  return inspectionNumber(year, await nextInYear(tx, 'inspection_number', company, year))
}
