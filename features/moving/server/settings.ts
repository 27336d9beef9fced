import { implement } from '../../../server/call.ts'
import { editBy, mergeEdit, noteChanges } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { movingSettings, saveMovingSettings } from '../contract.ts'
import { type MovingSettings, usualSettings } from '../rules.ts'

/** How a town deals with moves. `locked`: nobody else changes it until the transaction ends. */
export async function settingsOf(tx: Tx, company: CompanyId, { locked = false } = {}): Promise<MovingSettings> {
  const asked = tx.selectFrom('moving_settings').selectAll().where('company_id', '=', company)
  const row = await (locked ? asked.forUpdate() : asked).executeTakeFirst()
  return row ? { forGuests: row.for_guests, leadDays: row.lead_days, farthestDays: row.farthest_days } : usualSettings
}

const settingsCall = implement(movingSettings, (call) =>
  call.reading(async (tx) => ({
    settings: await settingsOf(tx, call.company.id),
    can: { edit: may(call.session?.privileges ?? {}, 'manage_other_move_in_out', 'update') },
  })),
)

const saveCall = implement(saveMovingSettings, (call) => {
  const { companyId: _named, basis, ...mine } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = await settingsOf(tx, company, { locked: true })
    const edit = editBy(tx, call, 'moving_settings')
    const after = await mergeEdit<MovingSettings>(edit, { basis, mine, now: { ...before } })
    if (!same(before, after)) {
      const row = { for_guests: after.forGuests, lead_days: after.leadDays, farthest_days: after.farthestDays }
      await tx
        .insertInto('moving_settings')
        .values({ company_id: company, ...row })
        .onConflict((on) => on.column('company_id').doUpdateSet(row))
        .execute()
      await noteChanges(edit, { ...before }, { ...after })
      await call.audit(tx, { action: 'move.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: 'The settings are saved.' }
  })
})

export const settingsCalls = [settingsCall, saveCall]
