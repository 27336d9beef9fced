import { storeSettings } from '../../../server/db/rows.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { returnSettings, saveSettings } from '../contract.ts'
import { type ParkingSettings, usualSettings } from '../rules.ts'

/** Reads the parking settings of a company. With `locked`, locks the row until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<ParkingSettings> {
  const query = tx.selectFrom('parking_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usualSettings
  return {
    dueDays: row.due_days,
    steps: row.delinquency_steps,
    contestDays: row.contest_days,
    noticeRenews: row.notice_renews_contest,
    bootTickets: row.boot_tickets,
    bootDays: row.boot_days,
    alternatives: row.alternatives,
    hearingLocation: row.hearing_location,
    glAccount: row.gl_account,
  }
}

export const settingsCall = implement(returnSettings, (call) =>
  call.inCompany(async (tx) => ({
    settings: await settingsOf(tx, call.company.id),
    can: { edit: may(call.session?.privileges ?? {}, 'parking', 'update') },
  })),
)

export const saveSettingsCall = implement(saveSettings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await settingsOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'parking_settings')
    const { after, isChanged } = await applyEdit<ParkingSettings>(edit, { basis, own, before })
    if (isChanged) {
      const row = {
        due_days: after.dueDays,
        delinquency_steps: JSON.stringify(after.steps.toSorted((a, b) => a.day - b.day)),
        contest_days: after.contestDays,
        notice_renews_contest: after.noticeRenews,
        boot_tickets: after.bootTickets,
        boot_days: after.bootDays,
        alternatives: after.alternatives,
        hearing_location: after.hearingLocation,
        gl_account: after.glAccount,
      }
      await storeSettings(tx, 'parking_settings', company, row)
      await call.audit(tx, { action: 'parking.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})
