import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type RequestSettings, usualSettings } from '../rules.ts'

/** How a town deals with requests. `locked`: nobody else changes it until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<RequestSettings> {
  const asked = tx.selectFrom('request_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? asked.forUpdate() : asked).executeTakeFirst()
  if (!row) return usualSettings
  return {
    forGuests: row.for_guests === 1,
    hasMap: row.has_map === 1,
    reopenDays: row.reopen_days,
    workDays: row.work_days,
    holidays: row.holidays,
  }
}
