import { countDemo } from '../features/analytics/demo.ts'
import { addPeople, addPlatformStaff, addResidents, hashDemoPassword } from '../features/identity/demo.ts'
import { fillLibrary } from '../features/form-library/demo.ts'
import { openDemoTown } from '../features/companies/demo.ts'
import { scheduleItems } from '../features/calendar/demo.ts'
import { settingsOf } from '../features/payments/server/settings.ts'
import { addTexts } from '../features/notices/demo.ts'
import { addPlaces } from '../features/places/demo.ts'
import { addStaff } from '../features/staff/demo.ts'
import { addSupportRequests } from '../features/support/demo.ts'
import { billFile, makeAccounts } from '../features/utility-accounts/demo.ts'
import { addPayments } from '../features/utility-accounts/demo-payments.ts'
import { importBills } from '../features/utility-accounts/server/import-bills.ts'
import type { Clock } from '../server/clock.ts'
import type { Pools } from '../server/db/pool.ts'
import type { Files } from '../server/files.ts'
import type { Log } from '../server/log.ts'
import { outsideCompanies, tenancyOn } from '../server/tenancy.ts'
import { dateIn } from '../shared/dates.ts'
import { randomFrom } from './random.ts'
import { harborCity } from './towns/harbor-city.ts'
import { mapleGrove } from './towns/maple-grove.ts'
import { oldMill } from './towns/old-mill.ts'
import type { DemoTown } from './towns/town.ts'

interface Parts {
  db: Pools
  clock: Clock
  log: Log
  /** Hears of each town that is loaded, in a line for whoever waits. */
  tell: (line: string) => void
  files: Files
}

const demoTowns: readonly DemoTown[] = [mapleGrove, harborCity, oldMill]

/**
 * Loads the demo towns into an empty database, from fixed seeds and today's date, through the same code as real input
 * where there is such: towns by the administrator's use case, accounts and bills by the import of a CSV.
 */
export async function loadDemo(parts: Parts): Promise<void> {
  const password = await hashDemoPassword()
  await outsideCompanies(parts.db.platform)((tx) => addPlatformStaff(tx, password))
  for (const town of demoTowns) await loadTown(parts, town, password)
  await outsideCompanies(parts.db.platform)((tx) => fillLibrary(tx, parts.clock, parts.files))
  await outsideCompanies(parts.db.platform)((tx) => addSupportRequests(tx, parts.clock, randomFrom(7707)))
  await countDemo(parts)
}

async function loadTown({ db, clock, tell }: Parts, town: DemoTown, password: string): Promise<void> {
  const random = randomFrom(town.seed)
  const { id, timeZone } = await outsideCompanies(db.platform)((tx) => openDemoTown(tx, clock, town))
  const today = dateIn(timeZone, clock.now())
  const accounts = makeAccounts(random, town, today)
  if (accounts.length > 0) {
    const { wrongCount, wrong } = await importBills(
      { db, clock, log: { info: () => {} } },
      town.company.subdomain,
      billFile(accounts, town.company),
    )
    if (wrongCount > 0) throw new Error(`the demo's bills are refused: line ${wrong[0]?.line}: ${wrong[0]?.reason}`)
  }
  await tenancyOn(db.app)(id, async (tx) => {
    await addPeople(tx, clock, id, town, password)
    const staffed = { company: id, clock, random: randomFrom(town.seed + 1), town, timeZone, password_hash: password }
    await addStaff(tx, staffed)
    await addResidents(tx, clock, randomFrom(town.seed + 2), id, town, accounts)
    await addTexts(tx, clock, { id, name: town.company.companyName })
    await scheduleItems(tx, clock, random, id, timeZone, town)
    const { fees, limits } = await settingsOf(tx, id)
    await addPayments(tx, id, random, town, accounts, { fees, limits, timeZone, now: clock.now() })
  })
  await addPlaces({ inCompany: tenancyOn(db.app), clock }, id, randomFrom(town.seed + 3), town, accounts)
  const bills = accounts.length > 0 ? `, with ${accounts.length.toLocaleString('en-US')} utility accounts` : ''
  tell(`  ${town.company.companyName}${bills}`)
}
