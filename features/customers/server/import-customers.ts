import { sql } from 'kysely'
import { accounts as accountStore } from '../../../server/accounts/account-states.ts'
import type { Call } from '../../../server/call.ts'
import { defineColumns } from '../../../server/columns.ts'
import { insertRows } from '../../../server/db/rows.ts'
import { type ImportedRows, withHistory } from '../../../server/imported-rows.ts'
import { defineImporter, type Get, parseRow, personColumns, refuseOtherAccount } from '../../../server/importers.ts'
import { RowError } from '../../../server/row-error.ts'
import { actorOf, recordCreations } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { accountStates } from '../../../shared/account-states.ts'
import { addressFields, mobileField, nameField } from '../../../shared/accounts.ts'
import { email as emailSchema } from '../../../shared/email.ts'
import { say } from '../../../shared/messages.ts'
import { splitLastFirst } from '../../../shared/person-names.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { roles } from '../../../shared/privileges.ts'
import { accountNumberForms, accountOfNumber, normalizeAccountNumber } from '../../utility-accounts/rules.ts'
import { importedLinks, linkImported } from '../../utility-portal/api.ts'
import { MAX_LINKED } from '../../utility-portal/rules.ts'

const columns = defineColumns('customers', {
  needs: ['email', 'name|last'],
  stored: {
    table: 'person',
    columns: {
      ...{ email: 'email', first: 'first_name', last: 'last_name', phone: 'mobile_no', address: 'service_address' },
      ...{ city: 'city', state: 'state', zip: 'zipcode' },
    },
  },
  columns: {
    ...personColumns,
    name: {
      ...personColumns.name,
      aliases: `${personColumns.name.aliases} resident owner owner_name account_name account_holder bill_to bill_to_name`,
    },
    email: { ...personColumns.email, aliases: `${personColumns.email.aliases} login user_email username` },
    account: {
      title: 'Account number',
      aliases:
        'account accounts account_numbers account_no account_nbr account_id acct acct_no acct_number acct_num acct_nbr utility_account utility_account_number',
      content: 'code',
      sample: '100014; 100237',
    },
    address: {
      title: 'Address',
      aliases:
        'street street_address service_address service_addr address_1 address1 address_line_1 mailing_address home_address',
      sample: '12 Oak Street',
    },
    city: { title: 'City', aliases: 'town mailing_city service_city address_city', sample: 'Maple Grove' },
    state: { title: 'State', aliases: 'st mailing_state service_state address_state', content: 'state', sample: 'PA' },
    zip: {
      title: 'ZIP code',
      aliases: 'zip zipcode postal_code zip_5 mailing_zip service_zip address_zip postcode',
      content: 'zip',
      sample: '17011',
    },
  },
})
type Name = keyof (typeof columns)['columns']

interface Customer {
  email: string
  details: Details
  /** Ids of the utility accounts to link. */
  accountIds: number[]
}

const detailsOf = ({ first_name, last_name, service_address, city, state, zipcode, mobile_no }: Details) => ({
  ...{ first_name, last_name, service_address, city, state, zipcode, mobile_no },
})
interface Details {
  first_name: string
  last_name: string
  service_address: string
  city: string
  state: string
  zipcode: string
  mobile_no: string
}

interface Existing extends Details {
  id: number
  role_id: number
  is_active: number
  /** True if the person has signed in or chosen a password. Then only the person changes the profile. */
  is_own: boolean
  is_confirmed: boolean
  accounts: number[]
}

/** Imports residents without a password, so no one gets an email. Staff send the invitations later. */
defineImporter({
  kind: 'customers',
  columns,
  max: 100_000,
  undo: {
    tables: [...withHistory('person', accountStates.name), importedLinks],
  },
  async start({ tx, call, changes }) {
    const company = call.company.id
    const people = await existingPeople(tx, company)
    const accountsOf = await accountFinder(tx, company)
    const seen = new Set<string>()
    const batch: Customer[] = []
    return {
      take(get): Customer {
        const email = parseRow(emailSchema, get('email', 254))
        const key = email.toLowerCase()
        if (seen.has(key))
          throw new RowError(
            say`An earlier row has the same email, “${email}”. Use one row, with all account numbers separated by semicolons.`,
          )
        seen.add(key)
        const details = takeDetails(get)
        const accountIds = accountsOf(get('account', 2000))
        refuseUnsuitable(people.get(key), email, accountIds)
        return { email, details, accountIds }
      },
      async write(customer) {
        const existing = people.get(customer.email.toLowerCase())
        if (existing) return updateResident(tx, call, { existing, customer, changes })
        batch.push(customer)
        return 'created'
      },
      flush: () => addResidents(tx, call, batch.splice(0), changes),
    }
  },
})

async function existingPeople(tx: Tx, company: CompanyId): Promise<Map<string, Existing>> {
  const { rows } = await sql<Existing & { email: string }>`
    SELECT p.id, lower(p.email) AS email, role_id, is_active, first_name, last_name, service_address, city, state, zipcode, mobile_no,
      password_hash IS NOT NULL OR signed_in_at IS NOT NULL AS is_own, email_confirmed_at IS NOT NULL AS is_confirmed,
      ARRAY(SELECT l.account_id FROM linked_account l WHERE l.company_id = p.company_id AND l.person_id = p.id) AS accounts
    FROM person p WHERE p.company_id = ${company}`.execute(tx)
  return new Map(rows.map((row) => [row.email, { ...row, accounts: row.accounts.map(Number) }]))
}

/** Loads the account numbers. The result finds the accounts of a text such as “100014, 100237”. */
async function accountFinder(tx: Tx, company: CompanyId) {
  const rows = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number'])
    .where('company_id', '=', company)
    .execute()
  const accounts = new Map(rows.map((row) => [row.account_number, row]))
  return (text: string): number[] => {
    const numbers = text.split(/[;,|\n]/).map((number) => number.trim())
    const accountIds = numbers
      .filter((number) => number !== '')
      .map((typed) => {
        const number = normalizeAccountNumber(typed)
        const matches = accountNumberForms(number).flatMap((form) => accounts.get(form) ?? [])
        const account = accountOfNumber(matches, number)
        if (!account)
          throw new RowError(
            say`No account has the number “${typed}”. Import the accounts first, or remove the number from the row.`,
          )
        return account.id
      })
    return [...new Set(accountIds)]
  }
}

/** Splits “Lee, Ann” and “Ann Lee” into the first and last name. */
function namesIn(get: Get<Name>) {
  const full = get('name', 160)
  const [word = '', ...rest] = full.split(/\s+/)
  const split = splitLastFirst(full) ?? { first: word, last: rest.join(' ') }
  return { first: get('first', 80) || split.first, last: get('last', 80) || split.last }
}

function takeDetails(get: Get<Name>): Details {
  const { first, last } = namesIn(get)
  return {
    first_name: parseRow(nameField(say`Enter the first and last name.`), first),
    last_name: parseRow(nameField(say`Enter the first and last name.`), last),
    service_address: parseRow(addressFields.service_address, get('address')),
    city: parseRow(addressFields.city, get('city')),
    state: parseRow(addressFields.state, get('state', 40).toUpperCase()),
    zipcode: parseRow(addressFields.zipcode, get('zip', 20).replace(/^(\d{5})-?\d{4}$/, '$1')),
    mobile_no: formatPhone(nationalDigits(parseRow(mobileField, get('phone', 60)))),
  }
}

/** Refuses the email of a person that the import may not change. @throws RowError */
function refuseUnsuitable(existing: Existing | undefined, email: string, accountIds: readonly number[]): void {
  if (accountIds.length > MAX_LINKED) throw new RowError(say`A resident can have up to ${MAX_LINKED} accounts.`)
  if (!existing) return
  refuseOtherAccount(existing, email)
  const added = accountIds.filter((id) => !existing.accounts.includes(id))
  // Anyone can sign up with the email of another person.
  if (added.length > 0 && existing.is_own && !existing.is_confirmed)
    throw new RowError(
      say`The resident has not confirmed the email “${email}”, so the portal links no accounts. Leave out the account numbers until then.`,
    )
  if (existing.accounts.length + added.length > MAX_LINKED)
    throw new RowError(say`A resident can have up to ${MAX_LINKED} accounts.`)
}

async function addResidents(tx: Tx, call: Call, customers: readonly Customer[], changes: ImportedRows): Promise<void> {
  const company = call.company.id
  const byEmail = new Map(customers.map((customer) => [customer.email, customer]))
  const written = await insertRows<'person', { id: number; email: string }>(
    tx,
    'person',
    customers.map(({ email, details }) => ({
      ...details,
      ...{ company_id: company, email, role_id: roles.citizen, created_at: call.context.clock.now() },
    })),
    ['id', 'email'],
  )
  const people = written.map(({ id, email }) => ({ person: id, accountIds: byEmail.get(email)?.accountIds ?? [] }))
  const creations = people.map(({ person, accountIds }) => ({
    ...{ id: person, person, event: 'import' as const, detail: { accounts: accountIds.length } },
  }))
  await recordCreations(tx, accountStore, { company, actor: actorOf(call) }, creations)
  await linkImported(tx, call, people, changes)
}

interface Update {
  existing: Existing
  customer: Customer
  changes: ImportedRows
}

/** Links further accounts. Changes the profile only before the person's first sign-in, and never empties a field. */
async function updateResident(
  tx: Tx,
  call: Call,
  { existing, customer, changes }: Update,
): Promise<'changed' | 'unchanged'> {
  const entered = Object.fromEntries(Object.entries(customer.details).filter(([, text]) => text !== ''))
  const details: Details = existing.is_own ? detailsOf(existing) : { ...detailsOf(existing), ...entered }
  const isChanged = JSON.stringify(details) !== JSON.stringify(detailsOf(existing))
  const added = customer.accountIds.filter((id) => !existing.accounts.includes(id))
  if (!isChanged && added.length === 0) return 'unchanged'
  if (isChanged) {
    await changes.keep('person', 'id', [existing.id])
    await tx
      .updateTable('person')
      .set(details)
      .where('company_id', '=', call.company.id)
      .where('id', '=', existing.id)
      .execute()
  }
  await linkImported(tx, call, [{ person: existing.id, accountIds: added }], changes)
  return 'changed'
}
