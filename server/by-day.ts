import { timeIn } from '../shared/dates.ts'
import type { AppContext } from './app-context.ts'
import type { Company } from './hosts.ts'
import { companyIdFrom, type Tx } from './tenancy.ts'

/**
 * Looks after rows that came due, each in a transaction of its own, where it is day by the town's own clocks: nobody is
 * written to at night.
 * @param look does what is due, and says whether anything was
 * @returns for how many something was done
 */
export async function lookAfterByDay(
  context: AppContext,
  rows: readonly { company_id: number; id: number }[],
  hours: { from: string; to: string },
  look: (tx: Tx, context: AppContext, town: Company, id: number) => Promise<boolean>,
): Promise<number> {
  let done = 0
  for (const { company_id, id } of rows) {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    const time = town && timeIn(town.timeZone, context.clock.now())
    if (!town || !time || time < hours.from || time >= hours.to) continue
    if (await context.inCompany(town.id, (tx) => look(tx, context, town, id))) done += 1
  }
  return done
}
