import type { Clock } from '../../server/clock.ts'
import type { Pools } from '../../server/db/pool.ts'
import type { Log } from '../../server/log.ts'
import { outsideCompanies, tenancyOn } from '../../server/tenancy.ts'
import { rollUp } from './server/roll-up.ts'

/** Counts the demo towns' past as the job counts what happens from then on. */
export async function countDemo({ db, clock, log }: { db: Pools; clock: Clock; log: Log }): Promise<void> {
  await rollUp({ clock, log, inCompany: tenancyOn(db.app), outside: outsideCompanies(db.app) })
}
