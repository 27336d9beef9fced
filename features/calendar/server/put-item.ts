import { announce } from '../../../server/live.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ItemStatus } from '../states.ts'

/** Something that another feature puts into a town's calendar. */
interface ScheduledItemInput {
  /** The one that is changed; null for a new one. */
  id: number | null
  /** A row of `event_type`. */
  typeId: number
  title: string
  description: string
  startsAt: Date
  endsAt: Date
  /** Not started, unless the thing has gone on. */
  status?: ItemStatus
  /** What it stands for (`defineItemSource`), where staff may move it from the calendar. */
  source?: { kind: string; id: number }
  /** Whose it is to do: those have it in their own calendar, and are not free meanwhile. */
  assignedTo?: number | null
  departmentId?: number | null
  /** Each of its members has it as if it were theirs alone. */
  crewId?: number | null
}

/** Puts an item into the calendar, or moves the one that is there. @returns its id */
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

/** Takes an item that is still to come out of the calendar; what has been stays there, unless it is not to. */
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
