import { openDemoTown } from '../features/companies/demo.ts'
import { addPeople, addPlatformStaff } from '../features/identity/demo.ts'
import { hashPassword } from '../features/identity/server/passwords.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import type { DemoTown } from '../database/towns/town.ts'
import type { Clock } from '../server/clock.ts'
import type { Pools } from '../server/db/pool.ts'
import { type CompanyId, outsideCompanies, tenancyOn } from '../server/tenancy.ts'

interface Where {
  db: Pools
  clock: Clock
}

/** Opens a demo town with its people and without its thousands of bills, for tests that bring their own. */
export async function openTestTown({ db, clock }: Where, town: DemoTown): Promise<CompanyId> {
  const password = await hashPassword(DEMO_PASSWORD)
  const { id } = await outsideCompanies(db.platform)((tx) => openDemoTown(tx, clock, town))
  await tenancyOn(db.app)(id, (tx) => addPeople(tx, clock, id, town, password))
  return id
}

/** The platform's own demo accounts, once a database. */
export const addTestPlatformStaff = async ({ db }: Where): Promise<void> => {
  const password = await hashPassword(DEMO_PASSWORD)
  await outsideCompanies(db.platform)((tx) => addPlatformStaff(tx, password))
}
