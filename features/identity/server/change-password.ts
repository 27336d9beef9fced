import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { proveBoth, Factors } from '../../factors/api.ts'
import { changePassword } from '../contract.ts'
import { realmOf, ownSession } from '../../../server/accounts/account-realms.ts'
import { passwordChangedNotice } from './emails.ts'
import { endUnprovenMethods } from './other-sign-in-methods.ts'
import { hashPassword, refuseWeakPassword } from '../../../server/accounts/passwords.ts'
import { say } from '../../../shared/messages.ts'

const SAME = 'This is your current password. Choose another one.'

/**
 * Sets the caller's password and ends their other sessions. Also removes sign-in methods that an intruder may have
 * added, and notifies the caller by email.
 */
export const changePasswordCall = implement(changePassword, async (call) => {
  const { context, body } = call
  const session = ownSession(call)
  const realm = realmOf(call)
  const proof = { password: body.current, code: body.code, field: 'current' }
  const account = await proveBoth(call, new Factors(context, realm), session, proof)
  if (body.password === body.current) throw rejected(SAME, { password: SAME })
  await refuseWeakPassword(context, await realm.within((tx) => realm.rulesOf(tx)), body.password)
  const hash = await hashPassword(body.password, call.address)
  const { sessions, ...ended } = await realm.within(async (tx) => {
    // If the account has an authenticator app, the caller has just entered one of its codes. So the app stays.
    const unproven = await endUnprovenMethods(tx, context, realm, account, { usedMethod: 'app' })
    await realm.setPassword(tx, account.id, hash)
    const count = await realm.endSessions(tx, account.id, { but: session.tokenHash })
    await realm.notify(tx, account.email, passwordChangedNotice, unproven)
    const detail = { removed_factors: unproven.others.filter(({ stays }) => !stays).map(({ kind }) => kind) }
    await realm.audit(tx, call, { action: 'password.changed', subject: { kind: 'person', id: account.id }, detail })
    return { sessions: count, ...unproven }
  })
  const message = sessions > 0 ? say`Password changed. Your other sessions were ended.` : say`Password changed.`
  return { success: true as const, message, ...ended }
})
