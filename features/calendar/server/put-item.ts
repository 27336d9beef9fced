import { announce } from '../../../server/live.ts'
import type { House } from '../../../server/house.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Something that another feature puts into a town's calendar. */
interface Put {
  /** The one that is changed; null for a new one. */
  id: number | null
  /** A row of `event_type`. */
  typeId: number
  title: string
  description: string
  startsAt: Date
  endsAt: Date
}

/** Puts an item into the calendar, or moves the one that is there. @returns its id */
export async function putItem(tx: Tx, company: CompanyId, put: Put): Promise<number> {
  const row = {
    event_type_id: put.typeId,
    title: put.title,
    description: put.description,
    starts_at: put.startsAt,
    ends_at: put.endsAt,
    status: 'not_started' as const,
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

/** Takes an item that is still to come out of the calendar; what has been stays there. */
export async function cancelItem(tx: Tx, { clock }: House, company: CompanyId, id: number): Promise<void> {
  await tx
    .deleteFrom('scheduled_item')
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('starts_at', '>', clock.now())
    .execute()
  await announce(tx, company, { topic: 'calendar', id })
}
