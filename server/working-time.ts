import { type OfficeDays, USUAL_OFFICE_DAYS, type WorkingTime } from '../shared/working-time.ts'
import { storeSettings } from './db/rows.ts'
import type { Company } from './hosts.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Loads the working days and holidays of a company's office. */
export async function readOfficeDays(tx: Tx, company: CompanyId): Promise<OfficeDays> {
  const row = await tx
    .selectFrom('office_days')
    .select(['work_days as workDays', 'holidays'])
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row ?? USUAL_OFFICE_DAYS
}

export const storeOfficeDays = (tx: Tx, company: CompanyId, { workDays, holidays }: OfficeDays) =>
  storeSettings(tx, 'office_days', company, {
    work_days: JSON.stringify(workDays.toSorted((a, b) => a - b)),
    holidays: JSON.stringify(holidays.toSorted((a, b) => a.on.localeCompare(b.on))),
  })

/** Loads the working days, holidays, time zone and closing time of a company's office. */
export async function readWorkingTime(tx: Tx, company: Company): Promise<WorkingTime> {
  const officeDays = await readOfficeDays(tx, company.id)
  const { closes } = await tx
    .selectFrom('company')
    .select('office_hours_closed as closes')
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow()
  return { timeZone: company.timeZone, closes, ...officeDays }
}
