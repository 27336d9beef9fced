import { conflict } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { defineItemSource, cancelItem, putItem } from '../../calendar/api.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { findInspection, lockInspection } from './inspections.ts'

/** Id of the row for inspections in `event_type`. */
const INSPECTION = 4
const HOUR = 3_600_000

/** Updates the calendar item of an inspection. If the inspection is cancelled, cancels the item too. */
export async function syncCalendar(tx: Tx, context: AppContext, company: CompanyId, id: number): Promise<void> {
  const inspection = await findInspection(tx, company, id)
  const { item_id, number, title, subject_name, location, starts_at, status } = inspection
  if (status === 'cancelled') {
    if (item_id !== null) await cancelItem(tx, context, company, item_id, { evenPast: true })
    return
  }
  if (!starts_at) return
  const item = await putItem(tx, company, {
    id: item_id,
    typeId: INSPECTION,
    title: `${title}: ${subject_name}`,
    description: [number, location].filter(Boolean).join(', '),
    startsAt: starts_at,
    endsAt: new Date(starts_at.getTime() + HOUR),
    status: status === 'scheduled' ? 'not_started' : 'completed',
    source: { kind: inspectionItems.kind, id },
    assignedTo: inspection.assigned_to,
  })
  if (item !== item_id)
    await tx
      .updateTable('inspection')
      .set({ item_id: item })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .execute()
}

/**
 * Reschedules an inspection when staff move its calendar item. The calendar offers no other action, because the
 * checklist decides the result.
 */
const inspectionItems = defineItemSource({
  kind: 'inspection',
  permission: ['inspections', 'update'],
  path: (id) => `${INSPECTIONS_PATH}?inspection=${id}`,
  reschedule: async (tx, { context, company }, id, { startsAt }) => {
    const { number, status } = await lockInspection(tx, company.id, id)
    if (status !== 'scheduled')
      throw conflict('wrong_status', say`You cannot change inspection ${number} because it is already closed.`)
    await tx
      .updateTable('inspection')
      .set({ starts_at: startsAt, due_on: dateIn(company.timeZone, startsAt) })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    await syncCalendar(tx, context, company.id, id)
  },
  step: async (tx, { company }, id) => {
    const { number } = await findInspection(tx, company.id, id)
    throw conflict(
      'by_items',
      say`You cannot change the status of inspection ${number} here. Open the inspection and pass or fail its items.`,
    )
  },
})
