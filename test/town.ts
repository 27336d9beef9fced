import { randomFrom } from '../database/random.ts'
import { openDemoTown } from '../features/companies/demo.ts'
import { addPeople, addPlatformStaff } from '../features/identity/demo.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { recountLedger } from '../features/payments/server/ledger.ts'
import { billFile, makeAccounts } from '../features/utility-accounts/demo.ts'
import { addPayments } from '../features/utility-accounts/demo-payments.ts'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import type { DemoTown } from '../database/towns/town.ts'
import type { Clock } from '../server/clock.ts'
import type { Pools } from '../server/db/pool.ts'
import { openLog } from '../server/log.ts'
import { type CompanyId, outsideCompanies, tenancyOn } from '../server/tenancy.ts'
import { dateIn } from '../shared/dates.ts'
import { quickHash } from './databases.ts'

const ZONE = 'America/New_York'

interface Where {
  db: Pools
  clock: Clock
}

/** Opens a demo town with its people and without its thousands of bills, for tests that bring their own. */
export async function openTestTown({ db, clock }: Where, town: DemoTown): Promise<CompanyId> {
  const password = await quickHash(DEMO_PASSWORD)
  const { id } = await outsideCompanies(db.platform)((tx) => openDemoTown(tx, clock, town))
  await tenancyOn(db.app)(id, (tx) => addPeople(tx, clock, id, town, password))
  return id
}

/** A demo town with its people, and a year of bills and payments of 30 of its accounts: quick to load. */
export async function openPaidTown({ db, clock }: Where, town: DemoTown): Promise<CompanyId> {
  const company = await openTestTown({ db, clock }, town)
  const random = randomFrom(1)
  const accounts = makeAccounts(random, town, dateIn(ZONE, clock.now())).slice(0, 30)
  const { log } = openLog({ logLevel: 'silent' })
  await importBills({ db, clock, log }, town.company.subdomain, billFile(accounts, town.company))
  const known = { timeZone: ZONE, now: clock.now() }
  await tenancyOn(db.app)(company, async (tx) => {
    await addPayments(tx, company, random, town, accounts, known)
    await recountLedger(tx, company)
  })
  return company
}

/** The platform's own demo accounts, once a database. */
export const addTestPlatformStaff = async ({ db }: Where): Promise<void> => {
  const password = await quickHash(DEMO_PASSWORD)
  await outsideCompanies(db.platform)((tx) => addPlatformStaff(tx, password))
}
