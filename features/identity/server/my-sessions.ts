import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { endMySession, mySessions } from '../contract.ts'
import { deviceName } from '../../../server/accounts/device-name.ts'
import { realmOf, ownSession } from '../../../server/accounts/account-realms.ts'
import { plural, say } from '../../../shared/messages.ts'

export const mySessionsCall = implement(mySessions, async (call) => {
  const session = signedIn(call)
  const realm = realmOf(call)
  const rows = await realm.within((tx) => realm.liveSessions(tx, session.personId))
  return {
    sessions: rows.map(({ id, token_hash, device, address, created_at, seen_at }) => ({
      id,
      device: deviceName(device),
      address,
      since: created_at.toISOString(),
      seen: seen_at.toISOString(),
      current: token_hash.equals(session.tokenHash),
    })),
  }
})

/** Ends one session of the caller, or all except this one. Sessions of other people count as not found. */
export const endMySessionCall = implement(endMySession, async (call) => {
  const { body } = call
  const session = ownSession(call)
  const realm = realmOf(call)
  const ended = await realm.within(async (tx) => {
    const which = 'id' in body ? { only: body.id } : { but: session.tokenHash }
    const count = await realm.endSessions(tx, session.personId, which)
    if ('id' in body && count === 0) throw notFound('This session has already ended.')
    await realm.audit(tx, call, {
      action: 'sessions.ended',
      subject: { kind: 'person', id: session.personId },
      detail: { count },
    })
    return count
  })
  return { success: true as const, message: say`${plural(ended, 'Session ended.', '# sessions ended.')}`, ended }
})
