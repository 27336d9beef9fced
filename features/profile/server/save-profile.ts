import { PLATFORM } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { type Edit, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { startEmailChange } from '../../identity/api.ts'
import { realmOf } from '../../../server/accounts/account-realms.ts'
import { PROFILE_SAVED, saveProfile } from '../contract.ts'
import { findProfile, writeProfile } from './queries.ts'
import { namedSelf } from './return-profile.ts'

const PASSWORD_NEEDED = 'To change your email, enter your password.'

/** Saves the profile. Starts an email change first. If that change is refused, nothing is saved. */
export const saveProfileCall = implement(saveProfile, async (call) => {
  const { companyId, personId } = namedSelf(call)
  const { formData, basis } = call.body
  const { password, active_phone_alerts, active_email_alerts, ...form } = formData
  const input = { ...form, mobile_no: formatPhone(nationalDigits(form.mobile_no)) }
  const realm = realmOf(call)
  /** Runs `work` with the current profile and the merged changes of the form. */
  const merging = <T>(work: (edit: Edit, now: typeof input, saved: typeof input) => T | Promise<T>): Promise<T> =>
    realm.within(async (tx) => {
      const now = await findProfile(tx, companyId, personId, { hold: true })
      const scope = { company: companyId ?? PLATFORM, subject: `person ${personId}` } as const
      const edit = { tx, clock: call.context.clock, actor: call, ...scope }
      return work(edit, now, await mergeEdit(edit, { basis, own: input, now }))
    })
  const { email, from } = await merging((_edit, now, saved) => ({ email: saved.email, from: now.email }))
  const email_change = email.toLowerCase() !== from.toLowerCase()
  let message = PROFILE_SAVED
  if (email_change) {
    if (!password) throw rejected(PASSWORD_NEEDED, { password: PASSWORD_NEEDED })
    message += ` ${await startEmailChange(call, { email, password, field: 'password' })}`
  }
  await merging(async (edit, now, saved) => {
    await writeProfile(edit.tx, companyId, personId, { ...saved, active_phone_alerts, active_email_alerts })
    // Excludes the email, because it changes only after the person opens the confirmation link.
    await recordChanges(edit, now, { ...saved, email: now.email })
    await realm.audit(edit.tx, call, { action: 'profile.saved', subject: { kind: 'person', id: personId } })
  })
  return { success: true as const, message, msg: message, email_change }
})
