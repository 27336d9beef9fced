import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import { type Call, callerName, type Handler, implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { recordCreation, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { accounts, statusOf } from '../../../server/accounts/account-states.ts'
import { AccountRealm } from '../../../server/accounts/account-realms.ts'
import { accountNotice } from '../../../server/accounts/emails.ts'
import { accountStates } from '../../../shared/account-states.ts'
import { say, translated } from '../../../shared/messages.ts'
import type { StaffCalls } from '../contract.ts'
import { INVITATION_HOURS, positions } from '../rules.ts'
import { staffPrivileges } from '../../../shared/areas.ts'
import { expectActiveDepartment } from './departments.ts'
import { changingMember, expectGrantable, nameOf } from './guards.ts'
import { assignedRole, expectAssignable } from './roles.ts'
import { changing, findMember, type Member, roleOf, type StaffActor, type StaffDirectory } from './staff-directory.ts'

type DirectoryOf = (call: Call) => StaffDirectory

const EMAIL_TAKEN =
  'An account with this email already exists. Find the person in the list, or use another email address.'

/** Adds a person without a password and sends the invitation. */
export const invite = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.invite, (call) => {
    const { body } = call
    const directory = directoryOf(call)
    return changing(call, calls.invite.access, directory, async (tx, actor) => {
      const member = await addMember(tx, call, { directory, actor }, body)
      await sendInvitation(tx, call, directory, member)
      return { success: true as const, message: say`${nameOf(member)} was invited.`, personId: member.id }
    })
  })

type NewMember = RequestOf<StaffCalls['invite']>

/** Adds a person without a password. The person can't sign in before the invitation. */
export async function addMember(
  tx: Tx,
  call: Call,
  { directory, actor }: { directory: StaffDirectory; actor: StaffActor },
  body: Pick<NewMember, 'email' | 'firstName' | 'lastName' | 'position' | 'departmentId' | 'roleId'>,
): Promise<Member> {
  const role = await assignedRole(tx, call, body.roleId)
  expectAssignable(actor, role, {}, directory)
  await expectActiveDepartment(tx, directory, body.departmentId)
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${directory.people}
      (${directory.start.columns} email, role_id, first_name, last_name, position, department_id, created_at)
    VALUES (${directory.start.values} ${body.email}, ${role.roleId}, ${body.firstName}, ${body.lastName},
      ${body.position}, ${body.departmentId}, ${call.context.clock.now()})
    ON CONFLICT DO NOTHING RETURNING id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw rejected(EMAIL_TAKEN, { email: EMAIL_TAKEN })
  await directory.assign(tx, id, role)
  const member = await findMember(tx, directory, id)
  const detail = {
    role: roleOf(member, directory),
    position: body.position === null ? null : positions[body.position],
    department: member.department,
  }
  const request = { scope: directory.scope, id, event: 'invite' as const, actor: actorOf(call), detail, person: id }
  await recordCreation(tx, accounts, request)
  return member
}

/**
 * Sends a new invitation link. The link gives access to the person's account, so the actor must hold all of that
 * person's privileges.
 */
export const inviteAgain = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.inviteAgain, (call) => {
    const directory = directoryOf(call)
    return changingMember(call, calls.inviteAgain, directory, async (tx, member, actor) => {
      expectGrantable(actor, staffPrivileges(member.role_id, member.privileges))
      const status = statusOf(member)
      if (status !== 'invited')
        throw conflict(
          'wrong_status',
          say`You cannot resend the invitation to ${nameOf(member)} because the account status is “${translated(accountStates.labels[status])}”.`,
        )
      await sendInvitation(tx, call, directory, member)
      await directory.audit(tx, {
        action: 'staff.invited_again',
        subject: { kind: 'person', id: member.id },
        person: member.id,
      })
      return { success: true as const, message: say`Invitation resent to ${nameOf(member)}.` }
    })
  })

/** Creates the invitation and its email, and revokes earlier links. The actor never sees the link. */
async function sendInvitation(tx: Tx, call: Call, directory: StaffDirectory, member: Member): Promise<void> {
  const { context } = call
  const now = context.clock.now()
  const code = newSecret()
  const until = new Date(now.getTime() + INVITATION_HOURS * 3_600_000)
  await sql`
    UPDATE ${directory.invitations} i SET used_at = ${now}
    WHERE ${directory.own('i')} AND i.person_id = ${member.id} AND i.used_at IS NULL`.execute(tx)
  await sql`
    INSERT INTO ${directory.invitations} (${directory.start.columns} code_hash, person_id, expires_at)
    VALUES (${directory.start.values} ${hashSecret(code)}, ${member.id}, ${until})`.execute(tx)
  const company = directory.scope === PLATFORM ? null : call.company
  const role = roleOf(member, directory)
  const data = { firstName: member.first_name, role, code, until, inviter: callerName(call) }
  await new AccountRealm(context, company).notify(tx, member.email, invitation, data)
}

interface InvitationData {
  firstName: string
  role: string
  code: string
  until: Date
  /** Name of the person who invites. */
  inviter: string
}

const invitation = accountNotice<InvitationData>(
  'staff_invited',
  ({ firstName, role, code, until, inviter }, { company, url }) => {
    const portal = company
      ? { name: say`the ${company.name} portal`, signIn: '/sign-in', zone: company.timeZone }
      : { name: say`the Mainstreet administrator portal`, signIn: '/admin/sign-in', zone: 'UTC' }
    return {
      subject: say`Your invitation to ${portal.name}`,
      paragraphs: [
        say`Hello ${firstName},`,
        say`${inviter} invited you to ${portal.name} with the role ${translated(role)}. Set your password here:`,
        { label: say`Set your password`, url: url(`${portal.signIn}?invitation=${code}`) },
        say`The link works once and expires on ${formatInstant(until, portal.zone) + (company ? '' : ' UTC')}. After that, ask for a new link.`,
        say`If you don't know what this is about, you can ignore this email.`,
      ],
    }
  },
  () => false,
)
