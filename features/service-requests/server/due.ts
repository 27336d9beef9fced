import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dueAt, type WorkingTime } from '../rules.ts'
import { settingsOf } from './settings.ts'

/** Loads the working days, holidays and hours of a company. */
export async function workingTime(tx: Tx, company: Company): Promise<WorkingTime> {
  const { workDays, holidays } = await settingsOf(tx, company.id)
  const { office_hours_closed: closes } = await tx
    .selectFrom('company')
    .select('office_hours_closed')
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow()
  return { timeZone: company.timeZone, closes, workDays, holidays }
}

/** Due date of a request that arrived at `came`, in a category with this many working days. */
export const dueOf = async (tx: Tx, company: Company, came: Date, targetDays: number): Promise<Date> =>
  dueAt(await workingTime(tx, company), came, targetDays)
