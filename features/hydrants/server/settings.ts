import { storeSettings } from '../../../server/db/rows.ts'
import { may } from '../../../shared/privileges.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnHydrantSettings, saveHydrantSettings } from '../contract.ts'
import { type HydrantSettings, usualSettings } from '../rules.ts'

/** Reads the hydrant settings of a company. With `locked`, locks the row until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<HydrantSettings> {
  const query = tx.selectFrom('hydrant_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usualSettings
  return { fireEmails: row.fire_emails, inspectionMonths: row.inspection_months, flowTestYears: row.flow_test_years }
}

const returnCall = implement(returnHydrantSettings, (call) =>
  call.reading(async (tx) => ({
    settings: await settingsOf(tx, call.company.id),
    can: { edit: may(call.session?.privileges ?? {}, 'hydrants', 'delete') },
  })),
)

const saveCall = implement(saveHydrantSettings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await settingsOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'hydrant_settings')
    const { after, isChanged } = await applyEdit<HydrantSettings>(edit, { basis, own, before })
    if (isChanged) {
      const row = {
        fire_emails: after.fireEmails,
        inspection_months: after.inspectionMonths,
        flow_test_years: after.flowTestYears,
      }
      await storeSettings(tx, 'hydrant_settings', company, row)
      await call.audit(tx, { action: 'hydrant.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})

export const settingsCalls = [returnCall, saveCall]
