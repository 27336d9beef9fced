import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { Session } from '../../../server/sessions.ts'
import { realmOf } from '../../../server/accounts/account-realms.ts'
import { returnProfile } from '../contract.ts'
import { findProfile } from './queries.ts'

const isOther = (named: unknown, own: number | null) =>
  named !== undefined && named !== null && named !== '' && Number(named) !== own

const NOT_A_PERSON =
  'You are impersonating the municipality, which has no profile. Your own profile is in the administrator portal.'

/**
 * Returns the caller's session.
 * @throws 404 if the body names a different company or person
 */
export function namedSelf(call: Call<{ companyId?: unknown; userId?: unknown }>): Session {
  const session = signedIn(call)
  const { companyId, userId } = call.body
  if (isOther(userId, session.personId) || (session.companyId !== null && isOther(companyId, session.companyId)))
    throw notFound('This person was not found.')
  if (session.personId === session.impersonatorId) throw notFound(NOT_A_PERSON)
  return session
}

export const returnProfileCall = implement(returnProfile, async (call) => {
  const { companyId, personId } = namedSelf(call)
  const realm = realmOf(call)
  return realm.within(async (tx) => ({
    user: {
      ...(await findProfile(tx, companyId, personId)),
      new_email: await realm.pendingEmail(tx, personId),
    },
  }))
})
