import { announce } from '../../../server/live.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { UndoRules } from '../../../server/imported-rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ItemStatus } from '../states.ts'

/** Item that another feature adds to a company calendar. */
interface ScheduledItemInput {
  /** Id of the item to change. Null for a new item. */
  id: number | null
  /** Id in `event_type`. */
  typeId: number
  title: string
  description: string
  startsAt: Date
  endsAt: Date
  /** Status. Not started if absent. */
  status?: ItemStatus
  /** Source record (`defineItemSource`), if staff may move it from the calendar. */
  source?: { kind: string; id: number }
  /** Id of the assignee. The item appears in the assignee's calendar, and the assignee counts as busy at that time. */
  assignedTo?: number | null
  departmentId?: number | null
  /** Crew of the item. Each member counts as assigned. */
  crewId?: number | null
}

/**
 * Adds an item to the calendar or updates the existing one.
 * @returns its id
 */
export async function putItem(tx: Tx, company: CompanyId, put: ScheduledItemInput): Promise<number> {
  const row = {
    event_type_id: put.typeId,
    title: put.title,
    description: put.description,
    starts_at: put.startsAt,
    ends_at: put.endsAt,
    status: put.status ?? ('not_started' as const),
    ...(put.source && { source_kind: put.source.kind, source_id: put.source.id }),
    assigned_to: put.assignedTo ?? null,
    department_id: put.departmentId ?? null,
    crew_id: put.crewId ?? null,
  }
  const moved =
    put.id === null
      ? undefined
      : await tx
          .updateTable('scheduled_item')
          .set(row)
          .where('company_id', '=', company)
          .where('id', '=', put.id)
          .returning('id')
          .executeTakeFirst()
  const item =
    moved ??
    (await tx
      .insertInto('scheduled_item')
      .values({ company_id: company, ...row })
      .returning('id')
      .executeTakeFirstOrThrow())
  await announce(tx, company, { topic: 'calendar', id: item.id })
  return item.id
}

/** Returns the rule that undoes the items of imported records. */
export const importedItems = (sourceKind: string): UndoRules['tables'][number] => ({
  table: 'scheduled_item',
  only: { source_kind: sourceKind },
})

/** Removes a future item from the calendar. A past item stays unless `evenPast` is true. */
export async function cancelItem(
  tx: Tx,
  { clock }: Pick<AppContext, 'clock'>,
  company: CompanyId,
  id: number,
  { evenPast = false } = {},
): Promise<void> {
  const items = tx.deleteFrom('scheduled_item').where('company_id', '=', company).where('id', '=', id)
  await (evenPast ? items : items.where('starts_at', '>', clock.now())).execute()
  await announce(tx, company, { topic: 'calendar', id })
}
