import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { acceptInvitation } from '../contract.ts'
import { hashPassword, refuseWeakPassword } from './passwords.ts'

/** Sets a platform account's password by its single-use link. Sessions that it had before end. */
export const acceptInvitationCall = implement(acceptInvitation, async ({ house, host, body, requestId }) => {
  if (host.kind !== 'admin') throw notFound('Open this link at the administrator’s address.')
  await refuseWeakPassword(house, 'standard', body.password)
  const password_hash = await hashPassword(body.password)
  const now = house.clock.now()
  const email = await house.acrossCompanies(async (tx) => {
    const invitation = await tx
      .updateTable('platform_invitation')
      .set({ used_at: now })
      .where('code_hash', '=', hashSecret(body.code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('person_id')
      .executeTakeFirst()
    if (!invitation) throw conflict('invitation_over', 'This link was used already or is too old. Ask for a new one.')
    const { person_id } = invitation
    const person = await tx
      .updateTable('platform_person')
      .set({ password_hash })
      .where('id', '=', person_id)
      .where('is_active', '=', 1)
      .returning('email')
      .executeTakeFirst()
    if (!person) throw conflict('inactive', 'This account is inactive.')
    await tx
      .updateTable('platform_session')
      .set({ ended_at: now })
      .where('person_id', '=', person_id)
      .where('ended_at', 'is', null)
      .execute()
    await auditPlatform(
      tx,
      house.clock,
      { session: null, requestId },
      { action: 'invitation.accepted', subject: String(person_id) },
    )
    return person.email
  })
  return { success: true as const, message: 'Your password is set. Sign in with it now.', email }
})
