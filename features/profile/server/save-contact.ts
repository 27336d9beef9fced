import { implement, signedIn } from '../../../server/call.ts'
import { saveContact } from '../contract.ts'

/** How a resident wants to be reached: a choice, which the profile's save leaves alone from then on. */
export const saveContactCall = implement(saveContact, async (call) => {
  const { personId } = signedIn(call)
  await call.inCompany(async (tx) => {
    await tx
      .updateTable('person')
      .set(call.body)
      .where('company_id', '=', call.company.id)
      .where('id', '=', personId)
      .execute()
    await call.audit(tx, {
      action: 'profile.contact_saved',
      subject: { kind: 'person', id: personId },
      detail: { ...call.body },
    })
  })
  return { success: true as const, message: 'Saved.' }
})
