import { type RawBuilder, sql } from 'kysely'
import { auditPlatform, type AuditEntry, PLATFORM } from '../../../server/audit.ts'
import { type Call, signedIn } from '../../../server/call.ts'
import type { Edit } from '../../../server/edits.ts'
import { notAllowed, notFound, notSignedIn } from '../../../server/errors.ts'
import type { Access } from '../../../shared/endpoint.ts'
import { may, policyNames, type PrivilegeName, type Privileges, roles } from '../../../shared/privileges.ts'
import type { Scope } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { statusOf } from '../../../server/accounts/account-states.ts'
import { platformRoles, companyRoles } from '../rules.ts'
import { officeAreas, staffPrivileges } from '../../../shared/areas.ts'

const STAFF_LOCK = 7_061_731

/** Staff of a company or of the platform: tables, roles and labels. */
export interface StaffDirectory {
  readonly people: RawBuilder<unknown>
  readonly departments: RawBuilder<unknown>
  readonly sessions: RawBuilder<unknown>
  readonly invitations: RawBuilder<unknown>
  /** Builds the SQL condition for rows of this company or platform. `table` is a table name or an alias. */
  own: (table: string) => RawBuilder<boolean>
  /**
   * SQL for the company column in INSERT statements: its name and value, each with a trailing comma. Empty for the
   * platform.
   */
  readonly start: { columns: RawBuilder<unknown>; values: RawBuilder<unknown> }
  readonly roles: Readonly<Record<number, string>>
  /** SQL of the role that the company defined: columns and join. Null columns for the platform. */
  readonly role: { columns: RawBuilder<unknown>; join: RawBuilder<unknown> }
  /** Gives a person a role: the rank, its privileges and the role that the company defined. */
  assign(tx: Tx, personId: number, role: AssignedRole): Promise<unknown>
  /** Names of the privileges that staff of this company or platform can hold. */
  readonly privileges: readonly PrivilegeName[]
  /** Highest role, which can manage all other staff. At least one person with this role must stay active. */
  readonly chief: number
  /** Company or platform that the staff belong to. Changes to its staff run one at a time. */
  readonly scope: Scope
  within<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  audit(tx: Tx, auditEntry: AuditEntry): Promise<void>
}

/** SQL of the role that a company defined, for a person `p`. */
export const companyRole = {
  columns: sql`r.name AS role_name, r.privileges AS role_privileges`,
  join: sql`LEFT JOIN staff_role r ON r.company_id = p.company_id AND r.id = p.staff_role_id`,
}
export const platformRole = {
  columns: sql`NULL::bigint AS staff_role_id, NULL::text AS role_name, NULL::jsonb AS role_privileges`,
  join: sql``,
}

export const companyDirectory = (call: Call): StaffDirectory => ({
  people: sql.table('person'),
  departments: sql.table('department'),
  sessions: sql.table('session'),
  invitations: sql.table('invitation'),
  own: (table) =>
    table === 'p'
      ? sql<boolean>`p.company_id = ${call.company.id} AND p.role_id >= ${roles.municipalityStaff}`
      : sql<boolean>`${sql.ref(`${table}.company_id`)} = ${call.company.id}`,
  start: { columns: sql`company_id,`, values: sql`${call.company.id},` },
  roles: companyRoles,
  role: companyRole,
  assign: (tx, personId, { roleId, staffRoleId, privileges }) =>
    sql`UPDATE person p SET role_id = ${roleId}, staff_role_id = ${staffRoleId}, privileges = ${JSON.stringify(privileges)}::jsonb
      WHERE p.company_id = ${call.company.id} AND p.id = ${personId}`.execute(tx),
  privileges: officeAreas,
  chief: roles.municipalityAdmin,
  scope: call.company.id,
  within: (work) => call.inCompany(work),
  audit: (tx, auditEntry) => call.audit(tx, auditEntry),
})

export const platformDirectory = (call: Call): StaffDirectory => ({
  people: sql.table('platform_person'),
  departments: sql.table('platform_department'),
  sessions: sql.table('platform_session'),
  invitations: sql.table('platform_invitation'),
  own: () => sql<boolean>`true`,
  start: { columns: sql``, values: sql`` },
  roles: platformRoles,
  role: platformRole,
  assign: (tx, personId, { roleId }) =>
    sql`UPDATE platform_person p SET role_id = ${roleId}, privileges = '{}' WHERE p.id = ${personId}`.execute(tx),
  privileges: policyNames,
  chief: roles.superAdministrator,
  scope: PLATFORM,
  within: (work) => call.context.acrossCompanies(work),
  audit: (tx, auditEntry) => auditPlatform(tx, call.context.clock, call, auditEntry),
})

/** Role that a person gets: the rank, the role that the company defined, and its privileges. */
export interface AssignedRole {
  roleId: number
  staffRoleId: number | null
  privileges: Privileges
}

export interface Member {
  id: number
  email: string
  first_name: string
  last_name: string
  role_id: number
  privileges: Privileges
  /** Role that the company defined. Null for a role from before the areas, and for the platform. */
  staff_role_id: number | null
  role_name: string | null
  role_privileges: Privileges | null
  position: number | null
  department_id: number | null
  department: string | null
  is_active: 0 | 1
  locked_at: Date | null
  signed_in_at: Date | null
  has_password: boolean
}

/** SQL columns of a staff member. The aliases are `p` for the person, `d` for the department and `r` for the role. */
export const memberColumns = (
  directory: StaffDirectory,
) => sql`p.id, p.email, p.first_name, p.last_name, p.role_id, p.privileges, p.position,
  p.department_id, d.name AS department, p.is_active, p.locked_at, p.signed_in_at, p.password_hash IS NOT NULL AS has_password,
  ${directory.scope === PLATFORM ? sql`` : sql`p.staff_role_id,`} ${directory.role.columns}`

export const membersOf = (directory: StaffDirectory) =>
  sql`${directory.people} p LEFT JOIN ${directory.departments} d ON d.id = p.department_id AND ${directory.own('d')}
    ${directory.role.join}`

/**
 * Finds a staff member.
 * @throws 404 if no staff member of this company or platform has the id
 */
export async function findMember(tx: Tx, directory: StaffDirectory, id: number): Promise<Member> {
  const { rows } = await sql<Member>`
    SELECT ${memberColumns(directory)} FROM ${membersOf(directory)} WHERE ${directory.own('p')} AND p.id = ${id}`.execute(
    tx,
  )
  if (!rows[0]) throw notFound('This staff member was not found.')
  return rows[0]
}

/** Returns the name of the person's role. */
export const roleOf = (
  { role_id, role_name }: Pick<Member, 'role_id' | 'role_name'>,
  { roles: names }: StaffDirectory,
) => role_name ?? names[role_id] ?? ''

/** Returns the privileges of the person's role, without the person's own changes. */
export const usualOf = ({ role_id, role_privileges }: Member): Privileges =>
  staffPrivileges(role_id, role_privileges ?? {})

/** Creates the `Edit` of a staff member or department. `subject` is, for example, 'person 17' or 'department 3'. */
export const editOf = (tx: Tx, call: Call, { scope }: StaffDirectory, subject: string): Edit => ({
  ...{ tx, clock: call.context.clock, actor: call, subject },
  company: scope,
})

/** Staff member who makes a change, with current role and privileges from the database. */
export interface StaffActor {
  id: number
  roleId: number
  privileges: Privileges
}

/**
 * Runs a change to staff. Changes in one company or the platform run one at a time, so that checks still hold when the
 * change is written. Loads the actor under the lock, because the actor's own account may have been locked in the
 * meantime.
 */
export function changing<T>(
  call: Call,
  { privilege }: Access,
  directory: StaffDirectory,
  work: (tx: Tx, actor: StaffActor) => Promise<T>,
): Promise<T> {
  return directory.within(async (tx) => work(tx, await changerIn(tx, call, { privilege }, directory)))
}

/** Locks the staff and returns the staff member who changes it. @throws 403 if the person may no longer make changes */
export async function changerIn(
  tx: Tx,
  call: Call,
  { privilege }: Pick<Access, 'privilege'>,
  directory: StaffDirectory,
): Promise<StaffActor> {
  const session = signedIn(call)
  await sql`SELECT pg_advisory_xact_lock(${STAFF_LOCK}, ${directory.scope})`.execute(tx)
  if (session.kind === 'platform' && directory.scope !== PLATFORM)
    return { id: session.personId, roleId: session.roleId, privileges: session.privileges }
  const me = await findMember(tx, directory, session.personId).catch(() => null)
  if (!me || statusOf(me) !== 'active') throw notSignedIn()
  const actor = { id: me.id, roleId: me.role_id, privileges: staffPrivileges(me.role_id, me.privileges) }
  if (!privilege || !may(actor.privileges, ...privilege)) throw notAllowed()
  return actor
}
