import { sql } from 'kysely'
import type { Random } from '../../database/random.ts'
import type { DemoCompany, Household } from '../../database/towns/town.ts'
import type { Clock } from '../../server/clock.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { roles } from '../../shared/privileges.ts'
import { hashPassword } from '../../server/accounts/passwords.ts'

const DAY_MS = 86_400_000

/** Password of every demo account. It is public, because the demo listens only on loopback. */
export const DEMO_PASSWORD = 'Maple-Grove#2026'

export const hashDemoPassword = (): Promise<string> => hashPassword(DEMO_PASSWORD)

/** Adds the demo accounts of the platform. */
export async function addPlatformStaff(tx: Tx, password_hash: string): Promise<void> {
  await tx
    .insertInto('platform_person')
    .values([
      {
        email: 'super@mainstreet.example',
        role_id: roles.superAdministrator,
        first_name: 'Ruth',
        last_name: 'Mercer',
        password_hash,
      },
      {
        email: 'callcenter@mainstreet.example',
        role_id: roles.callCenter,
        first_name: 'Calvin',
        last_name: 'Brooks',
        password_hash,
      },
      {
        email: 'support@mainstreet.example',
        role_id: roles.support,
        first_name: 'Sylvia',
        last_name: 'Tran',
        password_hash,
      },
      {
        // Former staff member with unfinished work.
        email: 'former.support@mainstreet.example',
        role_id: roles.support,
        first_name: 'Glen',
        last_name: 'Ogden',
        password_hash,
        is_active: 0,
      },
    ])
    .execute()
}

/** Adds a company's demo accounts and their linked utility accounts. */
export async function addPeople(
  tx: Tx,
  clock: Clock,
  company: CompanyId,
  demoCompany: DemoCompany,
  password_hash: string,
): Promise<void> {
  const { city, state, zip } = demoCompany.company
  for (const person of demoCompany.people) {
    const home = demoCompany.utilities?.households[person.accounts?.[0] ?? '']
    // Residents without utility accounts joined three days ago. Everyone else joined 300 days ago.
    const joined = new Date(
      clock.now().getTime() - (person.accounts || person.roleId !== roles.citizen ? 300 : 3) * DAY_MS,
    )
    const { id } = await tx
      .insertInto('person')
      .values({
        company_id: company,
        email: person.email,
        password_hash,
        role_id: person.roleId,
        first_name: person.firstName,
        last_name: person.lastName,
        service_address: home?.address ?? '',
        city,
        state,
        zipcode: zip,
        mobile_no: '',
        active_email_alerts: null,
        active_phone_alerts: null,
        created_at: joined,
        email_confirmed_at: joined,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!person.accounts) continue
    const accounts = await tx
      .selectFrom('utility_account')
      .select('id')
      .where('company_id', '=', company)
      .where('account_number', 'in', person.accounts)
      .execute()
    const links = accounts.map((account) => ({
      company_id: company,
      person_id: id,
      account_id: account.id,
      linked_at: joined,
    }))
    if (links.length > 0) await tx.insertInto('linked_account').values(links).execute()
  }
}

/** Share of households that signed up, by payment method. Most households that pay online have a portal account. */
const ADOPTION: Readonly<Record<string, number>> = {
  card: 0.7,
  echeck: 0.75,
  autopay: 0.9,
  phone: 0.3,
  office: 0.15,
  mail: 0.12,
}
const YEAR_DAYS = 365
const EMAIL_MINUTES = 600

/** Adds residents who signed up over the past year and linked an account. They have no password. */
export async function addResidents(
  tx: Tx,
  clock: Clock,
  random: Random,
  company: CompanyId,
  demoCompany: DemoCompany,
  accounts: readonly Household[],
): Promise<void> {
  const { city, state, zip } = demoCompany.company
  const usedEmails = new Set(demoCompany.people.map(({ email }) => email.toLowerCase()))
  const joining = accounts.filter(({ email, payer }) => {
    const key = email.toLowerCase()
    if (!email || usedEmails.has(key) || !random.chance(ADOPTION[payer] ?? 0)) return false
    usedEmails.add(key)
    return true
  })
  if (joining.length === 0) return
  const people = joining.map(({ name, email, phone, address }) => {
    const [first_name = name, ...rest] = name.split(' ')
    const joined = new Date(clock.now().getTime() - random.next() ** 1.4 * YEAR_DAYS * DAY_MS)
    const opened = new Date(joined.getTime() + random.int(1, EMAIL_MINUTES) * 60_000)
    return {
      ...{ company_id: company, email, role_id: roles.citizen, first_name, last_name: rest.join(' ') || '.' },
      ...{ service_address: address, city, state, zipcode: zip, mobile_no: phone, created_at: joined },
      email_confirmed_at: opened < clock.now() && random.chance(0.93) ? opened : null,
    }
  })
  await tx.insertInto('person').values(people).execute()
  await sql`
    INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
    SELECT p.company_id, p.id, a.id, p.created_at FROM unnest(${joining.map(({ email }) => email)}::text[], ${joining.map(({ number }) => number)}::text[]) AS j(email, number)
    JOIN person p ON p.company_id = ${company} AND lower(p.email) = lower(j.email)
    JOIN utility_account a ON a.company_id = ${company} AND a.account_number = j.number`.execute(tx)
}
