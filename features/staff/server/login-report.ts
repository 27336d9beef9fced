import { sql } from 'kysely'
import { csvLabels } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { allOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import { loginReport } from '../list.ts'
import { refusalReasons, signInMethods, companyRoles } from '../rules.ts'

/** Maximum number of people matched by a name search. */
const MAX_PEOPLE = 1000

const actions = { accepted: 'sign_in.accepted', refused: 'sign_in.refused' } as const
const named = (word: string) => sql`(${hasPart(sql`f.name_key`, word)} OR ${hasPart(sql`f.email`, word)})`
const detailText = (name: string) => sql`coalesce(r.detail ->> ${sql.lit(name)}, '')`

export const loginReportCalls = implementList(loginReport, {
  table: sql`audit_event`,
  // Must equal the condition of the partial index. Otherwise the database does not use the index.
  where: () => [sql`r.action IN (${sql.lit(actions.accepted)}, ${sql.lit(actions.refused)})`],
  // Joins the account of the sign-in. Without a matching account, the columns are empty. The cast is in a subquery,
  // because row-level security prevents using an index for an expression that may fail.
  joins: sql`
    CROSS JOIN LATERAL (SELECT CASE WHEN r.subject_kind = 'person' THEN r.subject::bigint END AS person OFFSET 0) about
    LEFT JOIN person p ON p.company_id = r.company_id AND p.id = about.person`,
  columns: {
    at: 'at',
    personId: sql`p.id`,
    name: sql`coalesce(p.first_name || ' ' || p.last_name, '')`,
    email: sql`coalesce(p.email, '')`,
    role: csvLabels('p.role_id', { 1: 'Citizen User', ...companyRoles }),
    outcome: sql`CASE r.action WHEN ${actions.accepted} THEN 'accepted' ELSE 'refused' END`,
    reason: csvLabels(detailText('reason'), refusalReasons),
    how: csvLabels(detailText('how'), signInMethods),
    address: detailText('address'),
    device: detailText('device'),
  },
  filters: {
    outcome: (outcome) => sql`r.action = ${actions[outcome]}`,
    personId: (id) => sql`r.subject = ${String(id)}`,
  },
  search: (search) => sql`r.subject IN (
    SELECT f.id::text FROM found_person f WHERE ${allOf(searchTerms(search).map(named))} ORDER BY f.id DESC LIMIT ${MAX_PEOPLE})`,
  exported: 'export.sign_ins',
})
