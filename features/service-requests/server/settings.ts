import { storeSettings } from '../../../server/db/rows.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { readOfficeDays, storeOfficeDays } from '../../../server/working-time.ts'
import { may } from '../../../shared/privileges.ts'
import type { OfficeDays } from '../../../shared/working-time.ts'
import { requestSettings, saveRequestSettings } from '../contract-settings.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type RequestSettings, usualSettings } from '../rules.ts'

/** Loads the request settings of a company. If `locked` is true, also locks them until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<RequestSettings> {
  const query = tx.selectFrom('request_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usualSettings
  return {
    forGuests: row.for_guests === 1,
    hasMap: row.has_map === 1,
    reopenDays: row.reopen_days,
  }
}

type Settings = RequestSettings & OfficeDays

/** Loads the values of the settings form, including the working days of the office. */
const readSettings = async (tx: Tx, company: CompanyId, { locked = false } = {}): Promise<Settings> => ({
  ...(await settingsOf(tx, company, { locked })),
  ...(await readOfficeDays(tx, company)),
})

export const settingsCall = implement(requestSettings, (call) =>
  call.reading(async (tx) => {
    const hours = await tx
      .selectFrom('company')
      .select(['office_hours_open', 'office_hours_closed'])
      .where('id', '=', call.company.id)
      .executeTakeFirstOrThrow()
    return {
      settings: await readSettings(tx, call.company.id),
      hours: { opens: hours.office_hours_open, closes: hours.office_hours_closed },
      can: { edit: may(call.session?.privileges ?? {}, 'requests', 'update') },
    }
  }),
)

/**
 * Saves the settings. Keeps existing due dates, because a new holiday must not change a date that was already promised.
 */
export const saveSettingsCall = implement(saveRequestSettings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await readSettings(tx, company, { locked: true })
    const edit = editBy(tx, call, 'request_settings')
    const { after, isChanged } = await applyEdit<Settings>(edit, { basis, own, before })
    if (isChanged) {
      const row = {
        for_guests: after.forGuests ? (1 as const) : (0 as const),
        has_map: after.hasMap ? (1 as const) : (0 as const),
        reopen_days: after.reopenDays,
      }
      await storeSettings(tx, 'request_settings', company, row)
      await storeOfficeDays(tx, company, after)
      await call.audit(tx, { action: 'request.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})
