import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { csvLabels, csvOf, csvText } from '../../../server/csv.ts'
import { walkOf } from '../../../server/list-sql.ts'
import { statusSql } from '../../identity/server/account-states.ts'
import { accountStates } from '../../identity/states.ts'
import { townStaffCsv } from '../contract.ts'
import { positions, townRoles } from '../rules.ts'
import { staffConditions } from './list-staff.ts'
import { membersOf, townRoster } from './roster.ts'

/** A town's staff as CSV, filtered as the list is. */
export const townStaffCsvCall = implement(townStaffCsv, async (call) => {
  const { company, body, house } = call
  const roster = townRoster(call)
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.staff', detail: { filters: body.filters, search: body.search } }),
  )
  const { way } = walkOf(body.direction)
  const question = sql`
    SELECT ${csvText(sql`p.last_name`)} AS "Last name", ${csvText(sql`p.first_name`)} AS "First name",
      ${csvText(sql`p.email`)} AS "Email", ${csvLabels('p.role_id', townRoles)} AS "Role",
      ${csvLabels('p.position', positions)} AS "Position", ${csvText(sql`coalesce(d.name, '')`)} AS "Department",
      ${csvLabels(statusSql, accountStates.labels)} AS "Status",
      coalesce(to_char(p.signed_in_at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI'), '') AS "Last sign-in"
    FROM ${membersOf(roster)} WHERE ${staffConditions(roster, body)}
    ORDER BY p.last_name COLLATE "C" ${way}, p.id ${way}`
  return csvOf(house, company, 'staff', question)
})
