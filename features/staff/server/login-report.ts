import { type RawBuilder, sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { allOf, countUpTo, hasWords, walkOf } from '../../../server/list-sql.ts'
import { isInstant, pageOf, readCursor } from '../../../server/cursor.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import type { AnswerOf, BodyOf } from '../../../shared/endpoint.ts'
import { loginReport, loginReportCsv, outcomes } from '../contract.ts'
import { deviceWords, refusalReasons, signInWays, townRoles } from '../rules.ts'

type Question = BodyOf<typeof loginReport>

/** People whom a search by name finds at most. */
const MOST_PEOPLE = 1000

const actions = { accepted: 'sign_in.accepted', refused: 'sign_in.refused' } as const
const roleLabels: Readonly<Record<number, string>> = { 1: 'Citizen User', ...townRoles }

interface SignIn {
  id: number
  at: Date
  action: string
  detail: { how?: string; address?: string; device?: string; reason?: string }
  person_id: number | null
  first_name: string | null
  last_name: string | null
  email: string | null
  role_id: number | null
}

/** The town's sign-ins; written out in the words of the index, so that it is used. */
function conditions(company: Company, { search, filters }: Question): RawBuilder<unknown> {
  const { fromDate, toDate, outcome, personId } = filters
  const list = [
    sql`e.company_id = ${company.id}`,
    sql`e.action IN (${sql.lit(actions.accepted)}, ${sql.lit(actions.refused)})`,
  ]
  if (fromDate) list.push(sql`e.at >= ${midnightIn(company.timeZone, fromDate)}`)
  if (toDate) list.push(sql`e.at < ${midnightIn(company.timeZone, addDays(toDate, 1))}`)
  if (outcome) list.push(sql`e.action = ${actions[outcome]}`)
  if (personId) list.push(sql`e.subject = ${String(personId)}`)
  if (search)
    list.push(sql`e.subject IN (
      SELECT f.id::text FROM person f WHERE f.company_id = ${company.id}
        AND ${hasWords(sql`lower(concat_ws(' ', f.first_name, f.last_name, f.email))`, search)}
      ORDER BY f.id DESC LIMIT ${MOST_PEOPLE})`)
  return allOf(list)
}

/** Whom it was about. Where nobody has the email that was tried, the subject is empty. */
const people = (company: Company) => sql`
  audit_event e LEFT JOIN person p ON p.company_id = ${company.id}
    AND p.id = CASE WHEN e.subject_kind = 'person' THEN e.subject::bigint END`

export const loginReportCall = implement(loginReport, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const page = await onePage(tx, company, body)
    const count = await countUpTo(tx, sql`SELECT 1 FROM audit_event e WHERE ${conditions(company, body)}`)
    return { ...page, rows: page.rows.map(rowOf), count, totals: null }
  }),
)

async function onePage(tx: Tx, company: Company, question: Question) {
  const at = readCursor(question.cursor, isInstant)
  const { way, beyond: than } = walkOf(question.direction, at)
  const beyond = at ? sql`AND (e.at, e.id) ${than} (${new Date(at.key)}, ${at.id})` : sql``
  const { rows } = await sql<SignIn>`
    SELECT e.id, e.at, e.action, e.detail, p.id AS person_id, p.first_name, p.last_name, p.email, p.role_id
    FROM ${people(company)} WHERE ${conditions(company, question)} ${beyond}
    ORDER BY e.at ${way}, e.id ${way} LIMIT ${question.pageSize + 1}`.execute(tx)
  return pageOf(rows, at, question.pageSize, (row) => row.at.toISOString())
}

function rowOf(row: SignIn): AnswerOf<typeof loginReport>['rows'][number] {
  const { how = '', address = '', device = '', reason = '' } = row.detail
  return {
    id: row.id,
    at: row.at.toISOString(),
    personId: row.person_id,
    name: row.person_id === null ? '' : `${row.first_name} ${row.last_name}`,
    email: row.email ?? '',
    role: roleLabels[row.role_id ?? 0] ?? '',
    outcome: row.action === actions.accepted ? 'accepted' : 'refused',
    how: signInWays[how] ?? how,
    reason: refusalReasons[reason] ?? '',
    address,
    device: deviceWords(device),
  }
}

export const loginReportCsvCall = implement(loginReportCsv, async (call) => {
  const { company, body, house } = call
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.sign_ins', detail: { filters: body.filters, search: body.search } }),
  )
  const { way } = walkOf(body.direction)
  const fact = (name: string) => sql`coalesce(e.detail ->> ${sql.lit(name)}, '')`
  const question = sql`
    SELECT to_char(e.at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI:SS') AS "Date",
      ${csvText(sql`coalesce(p.first_name || ' ' || p.last_name, '')`)} AS "Person",
      ${csvText(sql`coalesce(p.email, '')`)} AS "Email",
      ${csvLabels('p.role_id', roleLabels)} AS "Role",
      ${csvLabels('e.action', { [actions.accepted]: outcomes.accepted, [actions.refused]: outcomes.refused })} AS "Outcome",
      ${csvLabels(fact('reason'), refusalReasons)} AS "Reason",
      ${csvLabels(fact('how'), signInWays)} AS "How",
      ${csvText(fact('address'))} AS "Address", ${csvText(fact('device'))} AS "Device"
    FROM ${people(company)} WHERE ${conditions(company, body)} ORDER BY e.at ${way}, e.id ${way}`
  return csvOf(house, company, 'sign-ins', question)
})
