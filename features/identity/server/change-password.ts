import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { changePassword } from '../contract.ts'
import { doorOf, ownSession } from './doors.ts'
import { passwordChangedLetter, sendLetter } from './letters.ts'
import { hashPassword, refuseWeakPassword } from './passwords.ts'
import { provePassword } from './prove-password.ts'

const SAME = 'This is your present password. Choose another one.'

/** Sets the caller's own password, ends their other sessions, and tells them by mail. */
export const changePasswordCall = implement(changePassword, async (call) => {
  const { house, body } = call
  const session = ownSession(call)
  const door = doorOf(call)
  const account = await provePassword(call, door, session, { password: body.current, field: 'current' })
  if (body.password === body.current) throw rejected(SAME, { password: SAME })
  await refuseWeakPassword(house, await door.within((tx) => door.rulesOf(tx)), body.password)
  const hash = await hashPassword(body.password)
  const ended = await door.within(async (tx) => {
    await door.setPassword(tx, account.id, hash)
    await door.voidLinks(tx, account.id, ['reset_password'])
    const count = await door.endSessions(tx, account.id, { but: session.tokenHash })
    await sendLetter(tx, door, account.email, passwordChangedLetter(door))
    await door.audit(tx, call, { action: 'password.changed', subject: { kind: 'person', id: account.id } })
    return count
  })
  const message = ended > 0 ? 'Password changed. Your other sessions were ended.' : 'Password changed.'
  return { success: true as const, message }
})
