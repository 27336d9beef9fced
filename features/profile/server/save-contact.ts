import { changeRow } from '../../../server/db/rows.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { saveContact } from '../contract.ts'
import { findProfile } from './queries.ts'

/** Saves a resident's contact preference. A later save of the profile does not change this preference. */
export const saveContactCall = implement(saveContact, async (call) => {
  const { personId } = signedIn(call)
  const { basis, ...own } = call.body
  await call.inCompany(async (tx) => {
    const locked = await findProfile(tx, call.company.id, personId, { hold: true })
    // Alerts are on by default, as the form shows.
    const now = {
      primary_contact_method: locked.primary_contact_method,
      active_email_alerts: locked.active_email_alerts ?? 'a',
      active_phone_alerts: locked.active_phone_alerts ?? 'a',
    }
    const edit = editBy(tx, call, `person ${personId}`)
    const chosen = await mergeEdit(edit, { basis, own, now })
    await recordChanges(edit, now, chosen)
    await changeRow(tx, 'person', call.company.id, personId, chosen)
    await call.audit(tx, {
      action: 'profile.contact_saved',
      subject: { kind: 'person', id: personId },
      detail: { ...chosen },
    })
  })
  return { success: true as const, message: 'Settings saved.' }
})
