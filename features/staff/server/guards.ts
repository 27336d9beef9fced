import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { conflict, notAllowed } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import { privilegeTitle } from '../../../shared/privilege-labels.ts'
import { beyond, may, policyNames, type PrivilegeName, type Privileges } from '../../../shared/privileges.ts'
import { statusOf } from '../../../server/accounts/account-states.ts'
import { say, translated } from '../../../shared/messages.ts'
import { staffPrivileges } from '../../../shared/areas.ts'
import {
  type StaffActor,
  changing,
  findMember,
  type Member,
  membersOf,
  memberColumns,
  type StaffDirectory,
} from './staff-directory.ts'

const nameOf = ({ first_name, last_name }: Pick<Member, 'first_name' | 'last_name'>) => `${first_name} ${last_name}`

/** Returns the reason why the actor may not change this account. Empty if the actor may change it. */
export function outOfReach(
  actor: StaffActor,
  member: Pick<Member, 'id' | 'role_id'>,
  directory: StaffDirectory,
): string {
  if (member.id === actor.id) return say`This is your own account. Someone else must change it.`
  if (member.role_id > actor.roleId)
    return say`This account’s role (${translated(directory.roles[member.role_id] ?? 'person')}) is higher than yours. Someone with that role must make the change.`
  return ''
}

/**
 * Checks that the actor may change an account.
 * @throws 403 for the actor's own account, and for accounts with a higher role
 */
export function expectReach(actor: StaffActor, member: Member, directory: StaffDirectory): void {
  const why = outOfReach(actor, member, directory)
  if (why) throw notAllowed(why)
}

/** Runs a change to the person named in the call, after checking that the actor may change that person. */
export const changingMember = <T>(
  call: Call<{ personId: number }>,
  { access }: Pick<Endpoint, 'access'>,
  directory: StaffDirectory,
  work: (tx: Tx, member: Member, actor: StaffActor) => Promise<T>,
): Promise<T> =>
  changing(call, access, directory, async (tx, actor) => {
    const member = await findMember(tx, directory, call.body.personId)
    expectReach(actor, member, directory)
    return work(tx, member, actor)
  })

/**
 * Checks that the actor may assign a role.
 * @throws 403 if the role is above the actor's own role
 */
export function expectRole(actor: StaffActor, roleId: number, directory: StaffDirectory): void {
  if (roleId > actor.roleId)
    throw notAllowed(
      say`You can't assign the role ${translated(directory.roles[roleId] ?? 'that you chose')} because it is above your own.`,
    )
}

/**
 * Checks that the actor holds all permissions that the change grants.
 * @param named names that the message may contain, so that it does not name a policy and also its areas
 * @throws 403 with the areas or sub-modules, if the actor lacks one
 */
export function expectGrantable(
  actor: StaffActor,
  granted: Privileges,
  named: readonly PrivilegeName[] = policyNames,
): void {
  const lacking = beyond(granted, actor.privileges)
  if (lacking.length === 0) return
  const preferred = lacking.filter((name) => named.includes(name))
  const missing = (preferred.length > 0 ? preferred : lacking).map(privilegeTitle)
  const some = missing.slice(0, 4).join(', ')
  const more = missing.length - 4
  throw notAllowed(
    more > 0
      ? say`You can't grant permissions that you don't have yourself: ${some} and ${more} more.`
      : say`You can't grant permissions that you don't have yourself: ${some}.`,
  )
}

/** Returns true if the person has the chief role, and may invite staff, unlock accounts and grant privileges. */
const isChief = (
  directory: StaffDirectory,
  { role_id, privileges }: Pick<Member, 'role_id' | 'privileges'>,
): boolean => {
  const held = staffPrivileges(role_id, privileges)
  return (
    role_id === directory.chief &&
    may(held, 'user_management', 'view') &&
    may(held, 'user_management', 'deactivate') &&
    may(held, 'user_management', 'update')
  )
}

/**
 * Checks that at least one active person has full control of staff. Call it after the change, in the same transaction.
 * @param before the person before the change
 * @throws 409 if the change removed the last such person
 */
export async function expectChiefLeft(tx: Tx, directory: StaffDirectory, before: Member): Promise<void> {
  if (statusOf(before) !== 'active' || !isChief(directory, before)) return
  const { rows } = await sql<Member>`
    SELECT ${memberColumns(directory)} FROM ${membersOf(directory)} WHERE ${directory.own('p')} AND p.role_id = ${directory.chief}`.execute(
    tx,
  )
  if (rows.some((row) => statusOf(row) === 'active' && isChief(directory, row))) return
  throw conflict(
    'last_administrator',
    say`${nameOf(before)} is the last active ${translated(directory.roles[directory.chief] ?? 'administrator')} who can manage users. First assign this role to someone else.`,
  )
}

export { nameOf }
