import { storeSettings } from '../../../server/db/rows.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { registrationSettings, saveRegistrationSettings } from '../contract.ts'
import { type RegistrationSettings, usualSettings } from '../rules.ts'

/** Loads the registration settings of the company. With `locked`, the row stays locked until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<RegistrationSettings> {
  const query = tx.selectFrom('registration_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usualSettings
  return {
    listedAddressOnly: row.known_address_only,
    householdAtOnce: row.household_at_once,
    renewAtOnce: row.renew_at_once,
    inspectionMonths: row.inspection_months,
    onParcel: row.on_parcel,
  }
}

export const settingsRow = (settings: RegistrationSettings) => ({
  known_address_only: settings.listedAddressOnly,
  household_at_once: settings.householdAtOnce,
  renew_at_once: settings.renewAtOnce,
  inspection_months: settings.inspectionMonths,
  on_parcel: settings.onParcel,
})

const returnCall = implement(registrationSettings, (call) =>
  call.reading(async (tx) => ({
    settings: await settingsOf(tx, call.company.id),
    can: { edit: may(call.session?.privileges ?? {}, 'registration', 'update') },
  })),
)

const saveCall = implement(saveRegistrationSettings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await settingsOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'registration_settings')
    const { after, isChanged } = await applyEdit<RegistrationSettings>(edit, { basis, own, before })
    if (isChanged) {
      await storeSettings(tx, 'registration_settings', company, settingsRow(after))
      await call.audit(tx, { action: 'registration.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})

export const settingsCalls = [returnCall, saveCall]
