import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { startEmailChange } from '../../identity/server/change-email.ts'
import { doorOf } from '../../identity/server/doors.ts'
import { PROFILE_SAVED, saveProfile } from '../contract.ts'
import { findProfile, writeProfile } from './queries.ts'
import { namedSelf } from './return-profile.ts'

const PASSWORD_NEEDED = 'To change your email, enter your password.'

/** Saves the profile; another email is begun to be changed first, so that nothing is saved where that is refused. */
export const saveProfileCall = implement(saveProfile, async (call) => {
  const { companyId, personId } = namedSelf(call)
  const { formData } = call.body
  const door = doorOf(call)
  const { email } = await door.within((tx) => findProfile(tx, companyId, personId))
  const email_change = formData.email.toLowerCase() !== email.toLowerCase()
  let said = PROFILE_SAVED
  if (email_change) {
    const { password } = formData
    if (!password) throw rejected(PASSWORD_NEEDED, { password: PASSWORD_NEEDED })
    said += ` ${await startEmailChange(call, { email: formData.email, password, field: 'password' })}`
  }
  await door.within(async (tx) => {
    await writeProfile(tx, companyId, personId, formData)
    await door.audit(tx, call, { action: 'profile.saved', subject: { kind: 'person', id: personId } })
  })
  return { success: true as const, message: said, msg: said, email_change }
})
