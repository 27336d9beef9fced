import { Readable } from 'node:stream'
import type pg from 'pg'
import { randomFrom } from '../database/random.ts'
import { openDemoCompany } from '../features/companies/demo.ts'
import { addPeople, addPlatformStaff } from '../features/identity/demo.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { countHistory } from '../features/payments/demo-rows.ts'
import { billFile, makeAccounts } from '../features/utility-accounts/demo.ts'
import { addPayments } from '../features/utility-accounts/demo-payments.ts'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import type { DemoCompany } from '../database/towns/town.ts'
import type { Clock } from '../server/clock.ts'
import type { Pools } from '../server/db/pool.ts'
import { openLog } from '../server/log.ts'
import { type CompanyId, outsideCompanies, tenancyOn } from '../server/tenancy.ts'
import { dateIn } from '../shared/dates.ts'
import { quickHash } from './databases.ts'

const ZONE = 'America/New_York'

const { log } = openLog({ logLevel: 'silent' })

interface DemoTarget {
  db: Pools
  clock: Clock
}

/** Bill that a test imports, for water used in October 2026. */
interface TestBill {
  account: string
  bill: string
  customer?: string
  /** House number on Elm Street, for the service address. */
  context?: string
  billed?: string
  due?: string
  amount?: string
}

/**
 * Imports bills for Maple Grove or another company, as if they came from its billing system. Each bill is for $100.00
 * by default.
 */
export async function sendBills(
  { db, clock }: DemoTarget,
  bills: readonly TestBill[],
  subdomain = 'maplegrove',
): Promise<void> {
  const head =
    'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,service_1,amount_1'
  const lines = bills.map(({ account, bill, ...rest }, n) => {
    const { customer = 'Ada Quill', context = String(n), amount = '100.00' } = rest
    const { billed = '2026-11-01', due = '2026-12-01' } = rest
    return `${account},${customer},${context} Elm Street,Maple Grove,PA,17011,${bill},${billed},${due},2026-10-01,2026-10-31,Water,${amount}`
  })
  await importBills({ db, clock, log }, subdomain, Readable.from([[head, ...lines].join('\n')]))
}

/** Creates an account at this provider for every company. */
export async function openAccounts(
  { owner }: { owner: pg.Pool },
  { provider = 'sandbox', account = 'acct_test' } = {},
): Promise<void> {
  await owner.query(
    `INSERT INTO provider_account (company_id, provider, account) SELECT company_id, $1, $2 FROM payment_settings
     ON CONFLICT (company_id, provider) DO UPDATE SET account = excluded.account`,
    [provider, account],
  )
}

export async function setPaymentSettings(
  { owner }: { owner: pg.Pool },
  { pay_by_phone_number: phone, ...settings }: Record<string, string | number>,
) {
  if (phone !== undefined) await owner.query(`UPDATE company SET pay_by_phone_number = $1`, [phone])
  if (Object.keys(settings).length === 0) return
  await owner.query(
    `UPDATE payment_settings SET ${Object.keys(settings)
      .map((name, n) => `${name} = $${n + 1}`)
      .join(', ')}`,
    Object.values(settings),
  )
}

/** Creates a demo company with its people but without its thousands of bills, for tests that add their own bills. */
export async function openTestCompany({ db, clock }: DemoTarget, demoCompany: DemoCompany): Promise<CompanyId> {
  const password = await quickHash(DEMO_PASSWORD)
  const { id } = await outsideCompanies(db.platform)((tx) => openDemoCompany(tx, clock, demoCompany))
  await tenancyOn(db.app)(id, (tx) => addPeople(tx, clock, id, demoCompany, password))
  return id
}

/**
 * Creates a demo company with its people, and with one year of bills and payments for only 30 accounts, so that it
 * loads quickly.
 */
export async function openPaidCompany({ db, clock }: DemoTarget, demoCompany: DemoCompany): Promise<CompanyId> {
  const company = await openTestCompany({ db, clock }, demoCompany)
  const random = randomFrom(1)
  const accounts = makeAccounts(random, demoCompany, dateIn(ZONE, clock.now())).slice(0, 30)
  await importBills({ db, clock, log }, demoCompany.company.subdomain, billFile(accounts, demoCompany.company))
  const options = { timeZone: ZONE, now: clock.now() }
  await tenancyOn(db.app)(company, async (tx) => {
    await addPayments(tx, company, random, demoCompany, accounts, options)
    await countHistory(tx, company)
  })
  return company
}

/** Adds the platform's own demo accounts, once for each database. */
export const addTestPlatformStaff = async ({ db }: DemoTarget): Promise<void> => {
  const password = await quickHash(DEMO_PASSWORD)
  await outsideCompanies(db.platform)((tx) => addPlatformStaff(tx, password))
}
