import { randomFrom } from '../database/random.ts'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { oldMill } from '../database/towns/old-mill.ts'
import type { DemoTown } from '../database/towns/town.ts'
import { scheduleItems } from '../features/calendar/demo.ts'
import { openDemoTown } from '../features/companies/demo.ts'
import { addPeople, addPlatformStaff, addResidents, hashDemoPassword } from '../features/identity/demo.ts'
import { addStaff } from '../features/staff/demo.ts'
import { addPayments } from '../features/utility-accounts/demo-payments.ts'
import { importAccounts } from '../features/utility-accounts/demo.ts'
import type { Demo } from '../server/demo.ts'
import { outsideCompanies, tenancyOn } from '../server/tenancy.ts'
import { features } from './server.ts'

const demoTowns: readonly DemoTown[] = [mapleGrove, harborCity, oldMill]

/**
 * Loads the demo towns into an empty database, from fixed seeds and today's date, through the same code as real input
 * where there is such: towns by the administrator's use case, accounts and bills by the import of a CSV. First what all
 * else builds on, in the order in which one needs the other; then the part of each feature that its manifest names.
 */
export async function loadDemo(demo: Demo): Promise<void> {
  const password = await hashDemoPassword()
  const parts = await Promise.all(features.flatMap((feature) => feature.demo?.() ?? []))
  await outsideCompanies(demo.db.platform)((tx) => addPlatformStaff(tx, password))
  for (const town of demoTowns) {
    const its = await loadTown(demo, town, password)
    for (const part of parts) await part.demo.town?.(demo, town, its)
    const count = its.households.length
    demo.tell(
      `  ${town.company.companyName}${count > 0 ? `, with ${count.toLocaleString('en-US')} utility accounts` : ''}`,
    )
  }
  for (const part of parts) await part.demo.after?.(demo)
}

async function loadTown({ db, clock }: Demo, town: DemoTown, password: string) {
  const random = randomFrom(town.seed)
  const { id, timeZone } = await outsideCompanies(db.platform)((tx) => openDemoTown(tx, clock, town))
  const accounts = await importAccounts({ db, clock }, random, town, timeZone)
  await tenancyOn(db.app)(id, async (tx) => {
    await addPeople(tx, clock, id, town, password)
    const staffed = { company: id, clock, random: randomFrom(town.seed + 1), town, timeZone, password_hash: password }
    await addStaff(tx, staffed)
    await addResidents(tx, clock, randomFrom(town.seed + 2), id, town, accounts)
    await scheduleItems(tx, clock, random, id, timeZone, town)
    await addPayments(tx, id, random, town, accounts, { timeZone, now: clock.now() })
  })
  return { company: id, households: accounts }
}
