import type { Call } from '../call.ts'
import { refuseResidentsWhileOffline } from '../offline.ts'
import { startSession, sessionOf } from '../sessions.ts'
import type { Tx } from '../tenancy.ts'
import type { StartedSession } from '../../shared/accounts.ts'
import type { Account, AccountRealm } from './account-realms.ts'
import { say } from '../../shared/messages.ts'
import { withoutModules } from '../../shared/modules.ts'

/**
 * Starts a session for a person who has proven their identity. Records the sign-in for the Login Report. Returns the
 * response of the specification's sign-in (3, "Login user"). `how` is the method, such as 'password', 'password +
 * code', 'passkey' or 'sso'.
 * @throws 404 for a resident of a company that is offline
 */
export async function startSignedInSession(
  call: Call,
  tx: Tx,
  realm: AccountRealm,
  person: Account,
  how: string,
  action: 'sign_in.accepted' | 'sign_up.accepted' = 'sign_in.accepted',
): Promise<StartedSession> {
  const { context, requestId, address, device } = call
  const company = realm.company?.id ?? null
  if (realm.company) refuseResidentsWhileOffline(realm.company, person.role_id)
  const { token, expiresAt } = await startSession(tx, context, person.id, company, call)
  await realm.noteSignIn(tx, person.id)
  const sessionData = sessionOf(person, company)
  const privileges = withoutModules(sessionData.privileges, realm.company?.off ?? [])
  const session = { ...sessionData, tokenHash: Buffer.alloc(0), expiresAt, seenAt: context.clock.now() }
  await realm.audit(
    tx,
    { session, requestId },
    { action, subject: { kind: 'person', id: person.id }, detail: { how, address, device } },
  )
  return {
    success: true,
    message: say`Welcome, ${person.first_name}.`,
    token,
    user: {
      id: person.id,
      company_id: company,
      first_name: person.first_name,
      last_name: person.last_name,
      email: person.email,
      role_id: person.role_id,
      email_confirmed: person.email_confirmed_at !== null,
    },
    privileges,
    expire_time: expiresAt.toISOString(),
  }
}
