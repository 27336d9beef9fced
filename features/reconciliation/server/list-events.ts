import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import { allOf, countUpTo, walkOf } from '../../../server/list-sql.ts'
import { may } from '../../../shared/privileges.ts'
import { waitingEvents } from '../contract.ts'

interface Listed {
  id: number
  received_at: Date
  type: string
  object: string
  town: string | null
  tries: number
  next_try_at: Date
  given_up_at: Date | null
  last_error: string
}

/** An event that nothing is against yet is on its way, and is not shown. */
export const listEvents = implement(waitingEvents, async ({ house, body, session }) => {
  const at = readCursor(body.cursor, isInstant)
  const { way, beyond } = walkOf(body.direction, at)
  const conditions = [sql`e.applied_at IS NULL AND e.last_error IS NOT NULL`]
  if (body.search)
    conditions.push(
      sql`strpos(lower(concat_ws(' ', c.name, e.body->>'type', e.body->>'objectId', e.last_error)), lower(${body.search})) > 0`,
    )
  const from = sql`provider_event e
    LEFT JOIN payment_settings s ON s.provider_account = e.body->>'account' LEFT JOIN company c ON c.id = s.company_id`
  const [listed, count] = await house.acrossCompanies(async (tx) => [
    await sql<Listed>`
      SELECT e.id, e.received_at, e.body->>'type' AS type, e.body->>'objectId' AS object, c.name AS town, e.tries, e.next_try_at,
        e.given_up_at, e.last_error
      FROM ${from}
      WHERE ${allOf(at ? [...conditions, sql`(e.received_at, e.id) ${beyond} (${at.key}::timestamptz, ${at.id})`] : conditions)}
      ORDER BY e.received_at ${way}, e.id ${way} LIMIT ${body.pageSize + 1}`.execute(tx),
    await countUpTo(tx, sql`SELECT 1 FROM ${from} WHERE ${allOf(conditions)}`),
  ])
  const page = pageOf(listed.rows, at, body.pageSize, (row) => row.received_at.toISOString())
  const repeat = session ? may(session.privileges, 'company_setup', 'update') : false
  return {
    ...page,
    rows: page.rows.map(({ id, type, object, town, tries, received_at, next_try_at, given_up_at, last_error }) => ({
      id,
      at: received_at.toISOString(),
      type,
      object,
      town: town ?? '',
      tries,
      nextTry: given_up_at ? null : next_try_at.toISOString(),
      error: last_error,
      can: { repeat },
    })),
    count,
    totals: null,
  }
})
