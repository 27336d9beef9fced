import { sql } from 'kysely'

/** SQL for list columns. `r` is the alias of the request, and `p` of its assignee. */
export const assigneeName = sql`trim(p.first_name || ' ' || p.last_name)`
export const assigneeActive = sql`(p.is_active = 1 AND p.locked_at IS NULL)`
export const departmentName = sql`(SELECT d.name FROM platform_department d WHERE d.id = r.department_id)`
export const replyStatus = sql`CASE WHEN r.first_reply_at IS NULL THEN 'not yet' WHEN r.last_from = 'person' THEN 'wrote again' ELSE 'yes' END`

/** Maximum length of the message excerpt in a list row, in characters. */
const SUBJECT = 90

export function subjectOf(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ')
  return line.length > SUBJECT ? `${line.slice(0, SUBJECT).replace(/\s\S*$/, '')} …` : line
}
