import { sql } from 'kysely'
import { csvLabels } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { allOf, hasPart, wordsOf } from '../../../server/list-sql.ts'
import { loginReport } from '../list.ts'
import { refusalReasons, signInWays, townRoles } from '../rules.ts'

/** People whom a search by name finds at most. */
const MAX_PEOPLE = 1000

const actions = { accepted: 'sign_in.accepted', refused: 'sign_in.refused' } as const
const named = (word: string) => sql`(${hasPart(sql`f.name_key`, word)} OR ${hasPart(sql`f.email`, word)})`
const told = (name: string) => sql`coalesce(r.detail ->> ${sql.lit(name)}, '')`

export const loginReportCalls = implementList(loginReport, {
  table: sql`audit_event`,
  // In the words of the index, so that it is used.
  where: () => [sql`r.action IN (${sql.lit(actions.accepted)}, ${sql.lit(actions.refused)})`],
  // Whom it was about. Where nobody has the email that was tried, the subject is empty.
  // The number is read apart from the join: row-level security lets no index be asked for what may fail, as a cast can.
  joins: sql`
    CROSS JOIN LATERAL (SELECT CASE WHEN r.subject_kind = 'person' THEN r.subject::bigint END AS person OFFSET 0) about
    LEFT JOIN person p ON p.company_id = r.company_id AND p.id = about.person`,
  columns: {
    at: 'at',
    personId: sql`p.id`,
    name: sql`coalesce(p.first_name || ' ' || p.last_name, '')`,
    email: sql`coalesce(p.email, '')`,
    role: csvLabels('p.role_id', { 1: 'Citizen User', ...townRoles }),
    outcome: sql`CASE r.action WHEN ${actions.accepted} THEN 'accepted' ELSE 'refused' END`,
    reason: csvLabels(told('reason'), refusalReasons),
    how: csvLabels(told('how'), signInWays),
    address: told('address'),
    device: told('device'),
  },
  filters: {
    outcome: (outcome) => sql`r.action = ${actions[outcome]}`,
    personId: (id) => sql`r.subject = ${String(id)}`,
  },
  search: (search) => sql`r.subject IN (
    SELECT f.id::text FROM found_person f WHERE ${allOf(wordsOf(search).map(named))} ORDER BY f.id DESC LIMIT ${MAX_PEOPLE})`,
  exported: 'export.sign_ins',
})
