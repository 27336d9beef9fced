import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { countHistory } from '../features/payments/demo-rows.ts'
import '../features/rental-access/demo.ts'
import '../features/rental-seasons/demo.ts'
import { demo } from '../features/rentals/demo.ts'
import type { Demo } from '../server/demo.ts'
import { filesOnDisk } from '../server/files.ts'
import { openSecrets } from '../server/secrets.ts'
import { tenancyOn } from '../server/tenancy.ts'
import type { TestDatabase } from './databases.ts'
import { testClock, testDatabase, testFolder } from './harness.ts'
import { openTestCompany } from './company.ts'

/**
 * Loads the rentals of two demo companies into a separate database, including allocation rounds, agreements and
 * certificates.
 */
export async function loadRentalDemo(): Promise<TestDatabase> {
  const database = await testDatabase()
  const { pools: db } = database
  const clock = testClock('2027-06-15T16:00:00.000Z')
  const files = filesOnDisk(testFolder(), clock)
  const secrets = openSecrets(Buffer.alloc(32, 7).toString('base64'))
  for (const demoCompany of [mapleGrove, harborCity]) {
    const company = await openTestCompany({ db, clock }, demoCompany)
    await demo.company?.({ db, clock, secrets, files } as Partial<Demo> as Demo, demoCompany, {
      company,
      households: [],
    })
    await tenancyOn(db.app)(company, (tx) => countHistory(tx, company))
  }
  return database
}
