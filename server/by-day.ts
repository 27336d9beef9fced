import { timeIn } from '../shared/dates.ts'
import type { AppContext } from './app-context.ts'
import type { Company } from './hosts.ts'
import { companyIdFrom, type Tx } from './tenancy.ts'

/**
 * Processes due rows during daytime in the company's time zone, each in a separate transaction. So no one gets a
 * message at night.
 * @param look processes one row and returns true if it changed anything
 * @returns the number of changed rows
 */
export async function reviewByDay(
  context: AppContext,
  rows: readonly { company_id: number; id: number }[],
  hours: { from: string; to: string },
  processRow: (tx: Tx, context: AppContext, company: Company, id: number) => Promise<boolean>,
): Promise<number> {
  let done = 0
  for (const { company_id, id } of rows) {
    const company = await context.hosts.byId(companyIdFrom('job', company_id))
    const time = company && timeIn(company.timeZone, context.clock.now())
    if (!company || !time || time < hours.from || time >= hours.to) continue
    if (await context.inCompany(company.id, (tx) => processRow(tx, context, company, id))) done += 1
  }
  return done
}
