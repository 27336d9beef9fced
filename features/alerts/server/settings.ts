import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { storeSettings } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import { say } from '../../../shared/messages.ts'
import { saveAlertServices, saveAlertSettings } from '../contract-staff.ts'
import type { ServiceNames } from '../contract-settings.ts'
import { approvalOver } from './approval.ts'
import { readServices, storeServices } from './services.ts'

const [SERVICES, SETTINGS] = ['alert-services', 'alert-settings']
/** Runs saves of a company one after another, so that each save includes the changes of the previous one. */
const lockSettings = (tx: Tx, company: CompanyId) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${SETTINGS}), ${company})`.execute(tx)

export const settingsCall = implement(saveAlertSettings, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { approvalOver: own, basis } = call.body
    await lockSettings(tx, company)
    const before = { approvalOver: String(await approvalOver(tx, company)) }
    const edit = editBy(tx, call, SETTINGS)
    const after = await mergeEdit<typeof before>(edit, { basis, own: { approvalOver: own }, now: { ...before } })
    if (!same(before, after)) {
      await storeSettings(tx, 'alert_settings', company, { approval_over: Number(after.approvalOver) })
      await recordChanges(edit, { ...before }, { ...after })
      await call.audit(tx, { action: 'alert.settings_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`Alert settings saved.` }
  }),
)

export const servicesCall = implement(saveAlertServices, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { companyId: _named, basis, ...own } = call.body
    await lockSettings(tx, company)
    const before = await readServices(tx, company)
    const edit = editBy(tx, call, SERVICES)
    const after = await mergeEdit<ServiceNames>(edit, { basis, own, now: { ...before } })
    if (!same(before, after)) {
      await storeServices(tx, company, after)
      await recordChanges(edit, { ...before }, { ...after })
      await call.audit(tx, { action: 'alert.services_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`Services saved.` }
  }),
)
