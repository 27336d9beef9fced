import { type RawBuilder, sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import { type Call, type Handler, implement, signedIn } from '../../../server/call.ts'
import { csvLabels, csvText } from '../../../server/csv.ts'
import { hasAllOf } from '../../../server/impersonation.ts'
import { implementList } from '../../../server/list.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may, roles } from '../../../shared/privileges.ts'
import { hasFactors } from '../../factors/api.ts'
import { statusOf, statusSql } from '../../../server/accounts/account-states.ts'
import { accountStates } from '../../../shared/account-states.ts'
import { municipalityUsers, type StaffCalls, companyStaff } from '../contract.ts'
import { platformStaffList, companyStaffList } from '../list.ts'
import { differences, platformRoles, positions, readsSupport, companyRoles } from '../rules.ts'
import { staffPrivileges } from '../../../shared/areas.ts'
import { outOfReach } from './guards.ts'
import { realmAt } from './reset-factors.ts'
import {
  type StaffActor,
  findMember,
  type Member,
  platformDirectory,
  type StaffDirectory,
  companyDirectory,
  companyRole,
  platformRole,
  roleOf,
  usualOf,
} from './staff-directory.ts'

type Person = ResponseOf<typeof companyStaff.member>['person']
type DirectoryOf = (call: Call) => StaffDirectory

const labelled = (column: string, labels: Readonly<Record<number, string>>) =>
  sql`coalesce(${csvLabels(`r.${column}`, labels)}, '')`

/** Columns that have the same name in the table and in `Member`. */
const memberNames = [
  'id',
  'email',
  'first_name',
  'last_name',
  'role_id',
  'privileges',
  'staff_role_id',
  'role_name',
  'role_privileges',
  'position',
  'department_id',
  'department',
  'is_active',
  'locked_at',
  'signed_in_at',
] as const satisfies (keyof Member)[]

/** Builds the list source for the staff of a company or of the platform. */
const staffSource = (
  people: string,
  departments: string,
  roleLabels: Readonly<Record<number, string>>,
  directoryOf: DirectoryOf,
  role: { columns: RawBuilder<unknown>; join: RawBuilder<unknown> },
) => ({
  table: sql`(
    SELECT p.*, ${statusSql} AS status, coalesce(d.name, '') AS department, ${role.columns}
    FROM ${sql.table(people)} p LEFT JOIN ${sql.table(departments)} d ON d.id = p.department_id ${role.join})`,
  where: () => [sql`r.role_id >= ${roles.municipalityStaff}`],
  columns: {
    name: sql`r.last_name || ', ' || r.first_name`,
    lastName: 'last_name',
    firstName: 'first_name',
    email: 'email',
    roleId: 'role_id',
    role: sql`coalesce(r.role_name, ${labelled('role_id', roleLabels)})`,
    roleKey: sql`coalesce('role:' || r.staff_role_id, '')`,
    position: labelled('position', positions),
    department: 'department',
    status: 'status',
    lastSignIn: 'signed_in_at',
    differs: sql`0`,
  },
  sorts: { name: sql`r.last_name COLLATE "C"` },
  csv: { lastName: csvText(sql`r.last_name`), firstName: csvText(sql`r.first_name`) },
  filters: { departmentId: (id: number) => sql`r.department_id = ${id}` },
  search: sql`lower(concat_ws(' ', r.first_name, r.last_name, r.email, r.department))`,
  hidden: {
    ...Object.fromEntries(memberNames.map((name) => [name, sql`r.${sql.ref(name)}`])),
    has_password: sql`(r.password_hash IS NOT NULL)`,
  },
  row: (_row: unknown, call: Call, member: Record<string, unknown>) => {
    const { differs, can } = personOf(member as unknown as Member, directoryOf(call), actorOf(call))
    return { differs, can }
  },
  exported: 'export.staff' as const,
})

export const staffLists: readonly Handler[] = [
  ...implementList(companyStaffList, staffSource('person', 'department', companyRoles, companyDirectory, companyRole)),
  ...implementList(
    platformStaffList,
    staffSource('platform_person', 'platform_department', platformRoles, platformDirectory, platformRole),
  ),
]

/** Builds the actor from the session. Used only for the screen, because each change checks the actor again. */
function actorOf(call: Call): StaffActor {
  const { personId, roleId, privileges } = signedIn(call)
  return { id: personId, roleId, privileges }
}

/** Lists the actions that the actor may take on an account. Empty if the actor may not change the account. */
const stepsFor = (member: Member, directory: StaffDirectory, actor: StaffActor) =>
  buttonsFrom(accountStates, statusOf(member), {
    as: 'staff',
    privileges: outOfReach(actor, member, directory) === '' ? actor.privileges : {},
  })

function personOf(member: Member, directory: StaffDirectory, actor: StaffActor): Person {
  const within = outOfReach(actor, member, directory) === ''
  const status = statusOf(member)
  return {
    id: member.id,
    firstName: member.first_name,
    lastName: member.last_name,
    email: member.email,
    roleId: member.role_id,
    role: roleOf(member, directory),
    roleKey: member.staff_role_id === null ? '' : `role:${member.staff_role_id}`,
    position: member.position,
    departmentId: member.department_id,
    department: member.department ?? '',
    status,
    lastSignIn: member.signed_in_at?.toISOString() ?? null,
    differs: differences(directory.privileges, staffPrivileges(member.role_id, member.privileges), usualOf(member))
      .length,
    can: {
      view: true,
      edit: within && may(actor.privileges, 'user_management', 'update'),
      activate: stepsFor(member, directory, actor).activate,
      assign:
        directory.scope === PLATFORM &&
        status === 'active' &&
        readsSupport(member) &&
        may(actor.privileges, 'chat', 'update'),
    },
  }
}

export const showMember = (calls: StaffCalls, directoryOf: DirectoryOf): Handler =>
  implement(calls.member, (call) => {
    const directory = directoryOf(call)
    return directory.within(async (tx) => {
      const member = await findMember(tx, directory, call.body.personId)
      const { rows } = await sql<{ expires_at: Date }>`
        SELECT i.expires_at FROM ${directory.invitations} i
        WHERE ${directory.own('i')} AND i.person_id = ${member.id} AND i.used_at IS NULL AND i.expires_at > ${call.context.clock.now()}
        ORDER BY i.expires_at DESC LIMIT 1`.execute(tx)
      const actor = actorOf(call)
      const why = outOfReach(actor, member, directory)
      const allowed = (permission: 'create' | 'update') =>
        why === '' && may(actor.privileges, 'user_management', permission)
      return {
        person: personOf(member, directory, actor),
        privileges: { ...staffPrivileges(member.role_id, member.privileges) } as Record<string, number>,
        usual: { ...usualOf(member) } as Record<string, number>,
        invitedUntil: rows[0]?.expires_at.toISOString() ?? null,
        can: {
          edit: allowed('update'),
          ...stepsFor(member, directory, actor),
          privileges: allowed('update'),
          inviteAgain: allowed('create') && statusOf(member) === 'invited',
          seeAs: maySeeAs(call, member),
          resetFactors: allowed('update') && (await hasFactors(tx, call.context, realmAt(call, directory), member.id)),
        },
        why,
      }
    })
  })

/** True if the caller is on the staff of the same municipality and has all privileges of the active member. */
function maySeeAs(call: Call, member: Member): boolean {
  const session = signedIn(call)
  const { personId, privileges, impersonation } = session
  return (
    impersonation === null &&
    member.id !== personId &&
    statusOf(member) === 'active' &&
    may(privileges, 'sign_in_as', 'view') &&
    hasAllOf(session, member)
  )
}

export const municipalityUsersCall = implement(municipalityUsers, (call) =>
  call.inCompany(async (tx) => {
    const users = await tx
      .selectFrom('person')
      .select(['id', 'first_name', 'last_name'])
      .where('company_id', '=', call.company.id)
      .where('role_id', '>=', 3)
      .where('is_active', '=', 1)
      .orderBy('last_name')
      .orderBy('id')
      .limit(1000)
      .execute()
    return { users }
  }),
)
