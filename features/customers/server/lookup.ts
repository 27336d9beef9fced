import { type RawBuilder, sql } from 'kysely'
import { hasPart } from '../../../server/list-sql.ts'
import { defineLookup } from '../../../server/lookups.ts'
import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'

const pathOf = (accountId: number) => `/municipality/reports/customers/citizen?account=${accountId}`
const TEXTS = ['name_key', 'service_address', 'phone_no', 'account_number']
const inAnyText = (word: string): RawBuilder<boolean> =>
  sql`(${sql.join(
    TEXTS.map((column) => hasPart(sql.ref(`r.${column}`), word)),
    sql` OR `,
  )})`

interface AccountMatch {
  id: number
  number: string
  name: string
  address: string
}

export const accountLookup = defineLookup<AccountMatch>({
  kind: 'Utility accounts',
  area: 'customers',
  table: sql`found_utility_account`,
  number: (typed) => sql`r.account_number = ${typed.toUpperCase()}`,
  find: { word: inAnyText, name: sql`r.name_key`, address: sql`r.service_address` },
  columns: {
    id: sql`r.id`,
    number: sql`r.account_number`,
    name: sql`r.customer_name`,
    address: sql`r.service_address`,
  },
  show: ({ id, number, name, address }) => ({ title: `${number} ${name}`, detail: [address], path: pathOf(id) }),
})

interface BillMatch {
  accountId: number
  number: string
  account: string
  cents: number
  due: string
}

export const billLookup = defineLookup<BillMatch>({
  kind: 'Utility bills',
  area: 'customers',
  table: sql`(SELECT b.*, b.bill_number AS id FROM utility_bill b)`,
  number: (typed) => sql`r.bill_number = ${typed.toUpperCase()}`,
  columns: {
    accountId: sql`r.account_id`,
    number: sql`r.bill_number`,
    account: sql`(SELECT a.account_number || ' ' || a.customer_name FROM utility_account a
      WHERE a.company_id = r.company_id AND a.id = r.account_id)`,
    cents: sql`r.amount_cents`,
    due: sql`r.due_date`,
  },
  show: ({ accountId, number, account, cents, due }) => ({
    title: say`Bill ${number}`,
    detail: [formatCents(cents), say`due ${formatDate(due)}`, account],
    path: pathOf(accountId),
  }),
})
