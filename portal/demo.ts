import { randomFrom } from '../database/random.ts'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { oldMill } from '../database/towns/old-mill.ts'
import type { DemoCompany } from '../database/towns/town.ts'
import { scheduleItems } from '../features/calendar/demo.ts'
import { openDemoCompany } from '../features/companies/demo.ts'
import { addPeople, addPlatformStaff, addResidents, hashDemoPassword } from '../features/identity/demo.ts'
import { countHistory } from '../features/payments/demo-rows.ts'
import { addStaff } from '../features/staff/demo.ts'
import { addPayments } from '../features/utility-accounts/demo-payments.ts'
import { importAccounts } from '../features/utility-accounts/demo.ts'
import type { Demo, DemoPart } from '../server/demo.ts'
import { type CompanyId, outsideCompanies, tenancyOn, type Tx } from '../server/tenancy.ts'
import { features } from './server.ts'

const demoCompanies: readonly DemoCompany[] = [mapleGrove, harborCity, oldMill]

/**
 * Loads the demo companies into an empty database, from fixed seeds and the current date. Uses the real create call for
 * companies, and the real CSV import for accounts and bills. Shared data loads first, then the demo part of each
 * feature.
 */
export async function loadDemo(demo: Demo): Promise<void> {
  const password = await hashDemoPassword()
  const parts = await Promise.all(features.map(async (feature) => (await feature.demo?.())?.demo ?? {}))
  await outsideCompanies(demo.db.platform)((tx) => addPlatformStaff(tx, password))
  const opened: OpenCompany[] = []
  for (const demoCompany of demoCompanies)
    opened.push({
      demoCompany,
      ...(await outsideCompanies(demo.db.platform)((tx) => openDemoCompany(tx, demo.clock, demoCompany))),
    })
  // Loads all companies concurrently to use all CPU cores. The companies share id sequences, so no part may depend on
  // specific ids.
  await Promise.all(opened.map((one) => loadCompany(demo, one, password, parts)))
  for (const part of parts) await part.after?.(demo)
}

interface OpenCompany {
  demoCompany: DemoCompany
  id: CompanyId
  timeZone: string
}

async function loadCompany(
  demo: Demo,
  { demoCompany, id, timeZone }: OpenCompany,
  password: string,
  parts: readonly DemoPart[],
): Promise<void> {
  const { db, clock } = demo
  const random = randomFrom(demoCompany.seed)
  const households = await importAccounts({ db, clock }, random, demoCompany, timeZone)
  const inCompany = (work: (tx: Tx) => Promise<void>) => tenancyOn(db.app)(id, work)
  await inCompany(async (tx) => {
    await addPeople(tx, clock, id, demoCompany, password)
    const staffed = {
      company: id,
      clock,
      random: randomFrom(demoCompany.seed + 1),
      demoCompany,
      timeZone,
      password_hash: password,
    }
    await addStaff(tx, staffed)
    await addResidents(tx, clock, randomFrom(demoCompany.seed + 2), id, demoCompany, households)
    await scheduleItems(tx, clock, random, id, timeZone, demoCompany)
  })
  const load = (some: readonly DemoPart[]) =>
    Promise.all(some.map(async (part) => part.company?.(demo, demoCompany, { company: id, households })))
  const pay = inCompany((tx) => addPayments(tx, id, random, demoCompany, households, { timeZone, now: clock.now() }))
  await Promise.all([pay, load(parts.filter(({ early }) => early))])
  await load(parts.filter(({ early }) => !early))
  await inCompany((tx) => countHistory(tx, id))
  const count = households.length
  demo.report(
    `  ${demoCompany.company.companyName}${count > 0 ? `, with ${count.toLocaleString('en-US')} utility accounts` : ''}`,
  )
}
