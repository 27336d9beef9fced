import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { csvOf, csvText } from '../../../server/csv.ts'
import { cursorOf, isInstant, readCursor } from '../../../server/cursor.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { activityCsv, activityLog } from '../contract.ts'
import { wordsOf } from '../rules.ts'
import { conditionsOf, namesOf, walk } from './events.ts'

const PAGE = 25

/** The signed-in person's own activity, the newest first. */
export const activityCall = implement(activityLog, async (call) => {
  const { company, house, body } = call
  const me = signedIn(call).personId
  const place = readCursor(body.cursor, isInstant)
  const conditions = conditionsOf(company, body.filters)
  if (place) conditions.push(sql`(e.at, e.id) < (${place.key}::timestamptz, ${place.id})`)
  return call.inCompany(async (tx) => {
    const { rows } = await walk(company, conditions, me, PAGE + 1).execute(tx)
    const shown = rows.slice(0, PAGE)
    const names = await namesOf(
      house,
      tx,
      company,
      shown.map((row) => row.impersonator_id ?? row.actor_id),
    )
    const last = rows.length > PAGE ? shown.at(-1) : undefined
    return {
      entries: shown.map((row) => {
        const doer = row.impersonator_id ?? row.actor_id
        return {
          id: row.id,
          at: row.at.toISOString(),
          what: wordsOf(row.action),
          by: doer === null || doer === me ? null : (names.get(doer) ?? 'Somebody who is no longer here'),
          // Other reasons are codes for the staff's reports.
          why: row.action.startsWith('impersonat') ? text(row.detail['reason'] ?? row.detail['what']) : '',
        }
      }),
      next: last ? cursorOf({ key: last.at.toISOString(), id: last.id }) : null,
    }
  })
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const activityCsvCall = implement(activityCsv, async (call) => {
  const { company, house } = call
  await call.inCompany((tx) => call.audit(tx, { action: 'export.activity' }))
  return csvOf(house, company, 'activity', csvQuestion(call))
})

function csvQuestion(call: Call<BodyOf<typeof activityCsv>>) {
  const { company, body } = call
  const me = signedIn(call).personId
  return sql`
    SELECT to_char(e.at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI') AS "Date", e.action AS "Action",
      CASE WHEN coalesce(e.impersonator_id, e.actor_id) IS DISTINCT FROM ${me} AND coalesce(e.impersonator_id, e.actor_id) IS NOT NULL
        THEN 'somebody else' END AS "By", ${csvText(sql`CASE WHEN starts_with(e.action, 'impersonat') THEN coalesce(e.detail ->> 'reason', e.detail ->> 'what') END`)} AS "Reason"
    FROM (${walk(company, conditionsOf(company, body.filters), me, null)}) AS e ORDER BY e.at DESC, e.id DESC`
}
