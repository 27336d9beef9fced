import { departmentsInUse } from '../../../server/accounts/at-work.ts'
import { hasRow, storeSettings } from '../../../server/db/rows.ts'
import { implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { movingSettings, saveMovingSettings } from '../contract.ts'
import { feeChoices } from '../../general-payments/api.ts'
import { expectFee } from './fee.ts'
import { type MovingSettings, usualSettings } from '../rules.ts'

/** Reads the move settings of a company. With `locked`, locks the row until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<MovingSettings> {
  const query = tx.selectFrom('moving_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return usualSettings
  return {
    forGuests: row.for_guests,
    leadDays: row.lead_days,
    farthestDays: row.max_lead_days,
    readsBy: row.reads_by,
    autopayDays: row.autopay_days,
    feeTypeId: row.fee_type_id,
    documents: row.documents,
  }
}

const settingsCall = implement(movingSettings, (call) =>
  call.reading(async (tx) => ({
    settings: await settingsOf(tx, call.company.id),
    departments: await departmentsInUse(tx, call.company.id).orderBy('name').execute(),
    fees: await feeChoices(tx, call.company.id),
    can: { edit: may(call.session?.privileges ?? {}, 'moves', 'update') },
  })),
)

const NO_DEPARTMENT = 'This department was not found. Choose another one.'

const saveCall = implement(saveMovingSettings, (call) => {
  const { companyId: _named, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await settingsOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'moving_settings')
    const { after, isChanged } = await applyEdit<MovingSettings>(edit, { basis, own, before })
    if (isChanged) {
      if (after.readsBy !== null && !(await hasRow(tx, 'department', { company_id: company, id: after.readsBy })))
        throw rejected(NO_DEPARTMENT, { readsBy: NO_DEPARTMENT })
      if (after.feeTypeId !== null && after.feeTypeId !== before.feeTypeId)
        await expectFee(tx, company, after.feeTypeId)
      await storeSettings(tx, 'moving_settings', company, {
        for_guests: after.forGuests,
        lead_days: after.leadDays,
        max_lead_days: after.farthestDays,
        reads_by: after.readsBy,
        autopay_days: after.autopayDays,
        fee_type_id: after.feeTypeId,
        documents: after.documents,
      })
      await call.audit(tx, { action: 'move.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings were saved.' }
  })
})

export const settingsCalls = [settingsCall, saveCall]
