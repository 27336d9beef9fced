import { auditPlatform, type Deed } from '../../../server/audit.ts'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { acceptInvitation, acceptTownInvitation } from '../contract.ts'
import { Door as Accounts } from './doors.ts'
import { hashPassword, refuseWeakPassword } from './passwords.ts'

/** Where the account is: in a town, or with the platform. */
interface Door {
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Whose open invitation this is. */
  find(tx: Tx, code_hash: Buffer, now: Date): Promise<{ person_id: number } | undefined>
  /** Uses it up, where it is still open. */
  take(tx: Tx, code_hash: Buffer, now: Date): Promise<{ person_id: number } | undefined>
  setPassword(tx: Tx, id: number, password_hash: string, now: Date): Promise<{ email: string } | undefined>
  endSessions(tx: Tx, id: number, now: Date): Promise<unknown>
  audit(tx: Tx, deed: Deed): Promise<void>
}

/** Sets a platform account's password by its single-use link. Sessions that it had before end. */
export const acceptInvitationCall = implement(acceptInvitation, (call) => {
  if (call.host.kind !== 'admin') throw notFound('Open this link at the administrator’s address.')
  return accept(call, platformDoor(call), call.body)
})

export const acceptTownInvitationCall = implement(acceptTownInvitation, (call) =>
  accept(call, townDoor(call), call.body),
)

const over = () => conflict('invitation_over', 'This link was used already or is too old. Ask for a new one.')

async function accept(call: Call, door: Door, { code, password }: { code: string; password: string }) {
  const { house } = call
  const accounts = new Accounts(house, call.host.kind === 'town' ? call.company : null)
  await refuseWeakPassword(house, await accounts.within((tx) => accounts.rulesOf(tx)), password)
  const code_hash = hashSecret(code)
  const now = house.clock.now()
  // Looked at first, so that made-up codes cost no hashing of passwords.
  if (!(await door.within((tx) => door.find(tx, code_hash, now)))) throw over()
  const password_hash = await hashPassword(password)
  const email = await door.within(async (tx) => {
    const invitation = await door.take(tx, code_hash, now)
    if (!invitation) throw over()
    const { person_id } = invitation
    const person = await door.setPassword(tx, person_id, password_hash, now)
    if (!person) throw conflict('inactive', 'This account is inactive. Ask whoever invited you.')
    await door.endSessions(tx, person_id, now)
    await door.audit(tx, { action: 'invitation.accepted', subject: String(person_id), person: person_id })
    return person.email
  })
  return { success: true as const, message: 'Your password is set. Sign in with it now.', email }
}

const platformDoor = (call: Call): Door => ({
  within: (work) => call.house.acrossCompanies(work),
  find: (tx, code_hash, now) =>
    tx
      .selectFrom('platform_invitation')
      .select('person_id')
      .where('code_hash', '=', code_hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst(),
  take: (tx, code_hash, now) =>
    tx
      .updateTable('platform_invitation')
      .set({ used_at: now })
      .where('code_hash', '=', code_hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('person_id')
      .executeTakeFirst(),
  setPassword: (tx, id, password_hash) =>
    tx
      .updateTable('platform_person')
      .set({ password_hash })
      .where('id', '=', id)
      .where('is_active', '=', 1)
      .where('locked_at', 'is', null)
      .returning('email')
      .executeTakeFirst(),
  endSessions: (tx, id, now) =>
    tx
      .updateTable('platform_session')
      .set({ ended_at: now })
      .where('person_id', '=', id)
      .where('ended_at', 'is', null)
      .execute(),
  audit: (tx, deed) => auditPlatform(tx, call.house.clock, { session: null, requestId: call.requestId }, deed),
})

function townDoor(call: Call): Door {
  const company = call.company.id
  return {
    within: (work) => call.inCompany(work),
    find: (tx, code_hash, now) =>
      tx
        .selectFrom('invitation')
        .select('person_id')
        .where('company_id', '=', company)
        .where('code_hash', '=', code_hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst(),
    take: (tx, code_hash, now) =>
      tx
        .updateTable('invitation')
        .set({ used_at: now })
        .where('company_id', '=', company)
        .where('code_hash', '=', code_hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('person_id')
        .executeTakeFirst(),
    // The link came by mail, so whoever follows it has that address.
    setPassword: (tx, id, password_hash, now) =>
      tx
        .updateTable('person')
        .set({ password_hash, email_confirmed_at: now })
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .where('locked_at', 'is', null)
        .returning('email')
        .executeTakeFirst(),
    endSessions: (tx, id, now) =>
      tx
        .updateTable('session')
        .set({ ended_at: now })
        .where('company_id', '=', company)
        .where('person_id', '=', id)
        .where('ended_at', 'is', null)
        .execute(),
    audit: (tx, deed) => call.audit(tx, deed),
  }
}
