import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dueAt, type WorkingTime } from '../rules.ts'
import { settingsOf } from './settings.ts'

/** When the town's office works. */
export async function workingTime(tx: Tx, company: Company): Promise<WorkingTime> {
  const { workDays, holidays } = await settingsOf(tx, company.id)
  const { office_hours_closed: closes } = await tx
    .selectFrom('company')
    .select('office_hours_closed')
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow()
  return { timeZone: company.timeZone, closes, workDays, holidays }
}

/** By when a request that came at `came` should be done, in a category of so many working days. */
export const dueOf = async (tx: Tx, company: Company, came: Date, targetDays: number): Promise<Date> =>
  dueAt(await workingTime(tx, company), came, targetDays)
