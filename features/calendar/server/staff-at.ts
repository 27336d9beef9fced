import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { instantAt } from '../../../shared/dates.ts'
import { staffAt } from '../contract.ts'
import { isOf } from './owner.ts'

interface StaffRow {
  id: number
  name: string
  department_id: number | null
  busy: { title: string; from: string; until: string }[]
}

/** Lists active staff, each with the items that overlap the given time, even by one minute. */
export const staffAtCall = implement(staffAt, (call) => {
  const { company, body } = call
  const from = instantAt(company.timeZone, body.day, body.time)
  const until = new Date(from.getTime() + body.minutes * 60_000)
  return call.reading(async (tx) => {
    const { rows } = await sql<StaffRow>`
      SELECT p.id, trim(p.first_name || ' ' || p.last_name) AS name, p.department_id, coalesce((
        SELECT json_agg(json_build_object('title', i.title, 'from', i.starts_at, 'until', i.ends_at) ORDER BY i.starts_at, i.id)
        FROM scheduled_item i
        WHERE i.company_id = p.company_id AND ${isOf(sql`p.id`)} AND i.starts_at < ${until} AND i.ends_at > ${from}
          AND i.status IS DISTINCT FROM 'completed' AND i.id <> ${body.exceptItem ?? 0}), '[]') AS busy
      FROM person p
      WHERE p.company_id = ${company.id} AND p.role_id >= 3 AND p.is_active = 1 AND p.locked_at IS NULL
      ORDER BY p.last_name COLLATE "C", p.id`.execute(tx)
    return {
      people: rows.map(({ id, name, department_id, busy }) => ({
        id,
        name,
        departmentId: department_id,
        busy: busy.map((item) => ({
          title: item.title,
          from: new Date(item.from).toISOString(),
          until: new Date(item.until).toISOString(),
        })),
      })),
    }
  })
})
