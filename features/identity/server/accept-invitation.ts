import { PLATFORM } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { countFailures, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { transition } from '../../../server/states.ts'
import { acceptInvitation, acceptCompanyInvitation } from '../contract.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { AccountRealm } from '../../../server/accounts/account-realms.ts'
import { hashPassword, refuseWeakPassword } from '../../../server/accounts/passwords.ts'

/** Sets a platform account's password with its single-use link and ends earlier sessions. */
export const acceptInvitationCall = implement(acceptInvitation, (call) => {
  if (call.host.kind !== 'admin') throw notFound('Open this link on the administrator site.')
  return accept(call, new AccountRealm(call.context, null), call.body)
})

export const acceptCompanyInvitationCall = implement(acceptCompanyInvitation, (call) =>
  accept(call, new AccountRealm(call.context, call.company), call.body),
)

/** Rate limit that counts only wrong codes. */
const codesPerAddress = defineAddressLimit('invitation-code', { max: 50 })

const invitationExpired = () =>
  conflict('invitation_expired', 'This link was already used or has expired. Request a new one.')

async function accept(call: Call, realm: AccountRealm, { code, password }: { code: string; password: string }) {
  const { context, requestId, address } = call
  const scope = realm.company?.id ?? PLATFORM
  const hash = hashSecret(code)
  // Checks the code first, so that made-up codes cause no password hashing.
  const rules = await countFailures(context, [codesPerAddress(address)], () =>
    realm.within(async (tx) => {
      if ((await realm.findInvitation(tx, hash)) === undefined) throw invitationExpired()
      return realm.rulesOf(tx)
    }),
  )
  await refuseWeakPassword(context, rules, password)
  const passwordHash = await hashPassword(password, address)
  const email = await realm.within(async (tx) => {
    const id = await realm.findInvitation(tx, hash, { take: true })
    if (id === undefined) throw invitationExpired()
    const { state, name } = await accounts.lock(tx, scope, id)
    if (state === 'inactive' || state === 'locked')
      throw conflict('inactive', 'This account is inactive. Contact the person who invited you.')
    const actor = realm.company ? call : { session: null, requestId }
    const transitionActor = { as: 'requester' as const, caller: actor, clock: context.clock, person: { id, name } }
    // An active administrator who is invited again already has a password. In this case, only the password changes.
    if (state === 'invited')
      await transition(tx, accounts, {
        scope,
        id,
        event: 'accept',
        actor: transitionActor,
        patch: { passwordHash },
      })
    else await realm.audit(tx, actor, { action: 'invitation.accepted', subject: { kind: 'person', id }, person: id })
    await realm.endSessions(tx, id)
    return realm.setFirstPassword(tx, id, passwordHash)
  })
  return { success: true as const, message: 'Your password is set. Use it to sign in.', email }
}
