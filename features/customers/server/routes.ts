import { sql } from 'kysely'
import { type Implemented, implement, signedIn } from '../../../server/call.ts'
import { csvOf, csvText } from '../../../server/csv.ts'
import { walkOf } from '../../../server/list-sql.ts'
import { may, roles } from '../../../shared/privileges.ts'
import { NO_PROFILE, utilityCustomers, utilityCustomersCsv } from '../contract.ts'
import { lookUpCall } from './look-up.ts'
import { unlockUserCall, resendConfirmationCall } from './user-steps.ts'
import { countCustomers, type Customer, customersOf, listCustomers, matching } from './queries.ts'

/** The list of specification 2.3 and 2.18; a row says whether its viewer may be that resident. */
const utilityCustomersCall = implement(utilityCustomers, async (call) => {
  const { body, company } = call
  const { privileges, impersonation } = signedIn(call)
  const entitled = !impersonation && may(privileges, 'login_logout', 'view')
  const { page, count } = await call.inCompany(async (tx) => ({
    page: await listCustomers(tx, company.id, body),
    count: await countCustomers(tx, company.id, body),
  }))
  return { ...page, rows: page.rows.map((row) => customerRow(row, entitled)), count, totals: null }
})

const customerRow = (row: Customer, entitled: boolean) => ({
  ...{ id: row.id, user_id: row.user_id, name: row.name, email: row.email ?? NO_PROFILE },
  ...{ serviceAddress: row.service_address, phone: row.phone, accountNumber: row.account_number },
  linkedAccounts: row.linked,
  can: { impersonate: entitled && row.role_id === roles.citizen && row.is_active === 1 && row.locked_at === null },
})

const utilityCustomersCsvCall = implement(utilityCustomersCsv, async (call) => {
  const { body, company, house } = call
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.customers', detail: { filters: body.filters, search: body.search } }),
  )
  const cell = (column: string) => csvText(sql.ref(column))
  const { way } = walkOf(body.direction)
  const question = sql`
    SELECT ${cell('name')} AS "Name", coalesce(${cell('email')}, ${NO_PROFILE}) AS "Email",
      ${cell('service_address')} AS "Service Address", phone AS "Phone", ${cell('account_number')} AS "Account Number",
      array_to_string(linked, ' ') AS "Linked Accounts"
    FROM (${customersOf(company.id, body, matching(company.id, body))}) AS customers ORDER BY key ${way}, id ${way}`
  return csvOf(house, company, 'customers', question)
})

export const calls: Implemented[] = [
  ...[utilityCustomersCall, utilityCustomersCsvCall],
  ...[lookUpCall, unlockUserCall, resendConfirmationCall],
]
