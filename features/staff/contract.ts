import * as z from 'zod/mini'
import { decent } from '../../shared/decency.ts'
import { type Access, type Endpoint, endpoint } from '../../shared/endpoint.ts'
import { type Permission, type PrivilegeName, privilegeNames } from '../../shared/privileges.ts'
import { email } from '../../shared/email.ts'
import { accountStates } from '../../shared/account-states.ts'
import { platformRoles, positions, companyRoles } from './rules.ts'
import { choice, roleKey } from './contract-roles.ts'
import { platformStaffList, companyStaffList } from './list.ts'
import { departmentStates } from './states.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'
import { DIRECTION_OVERRIDES } from '../../shared/visible.ts'

const ofCompany = z.object({ companyId })
const ofPerson = z.extend(ofCompany, { personId: id })
const ofDepartment = z.extend(ofCompany, { departmentId: id })

const success = z.object({ success: z.literal(true), message: z.string() })

/** Schema for an optional number from a select element, which may send a string. */
const maybe = z.pipe(
  z.union([z.null(), z.int(), z.string().check(z.regex(/^\d{0,15}$/, 'Choose an option from the list.'))]),
  z.transform((value) => (value === null || value === '' ? null : Number(value))),
)

const name = (message: string) =>
  z.string({ error: message }).check(
    z.trim(),
    z.minLength(1, message),
    z.maxLength(80, 'Enter up to 80 characters.'),
    z.refine((text) => !/\p{Cc}/u.test(text) && !DIRECTION_OVERRIDES.test(text), {
      error: 'Remove line breaks and hidden or unprintable characters.',
    }),
  )

export const DEPARTMENT_REQUIRED = 'Enter the name of the department.'
/** Department form. Refuses offensive words, because residents see the department's name. */
export const departmentForm = z.object({ name: name(DEPARTMENT_REQUIRED).check(decent) })

/** Staff member in a list. */
const staffRow = z.object({
  id: z.number(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roleId: z.number(),
  role: z.string(),
  /** Key of the person's role. Empty for a role from before the areas, and for staff of the platform. */
  roleKey: z.string(),
  position: z.nullable(z.number()),
  departmentId: z.nullable(z.number()),
  department: z.string(),
  status: accountStates.state,
  lastSignIn: z.nullable(z.string()),
  /** Number of areas, or of the platform's sub-modules, in which the person's privileges differ from the role's. */
  differs: z.int(),
  /** `assign` is true if support requests can be assigned to this person. */
  can: z.object({ view: z.boolean(), edit: z.boolean(), activate: z.boolean(), assign: z.boolean() }),
})

const department = z.object({
  id: z.number(),
  name: z.string(),
  status: departmentStates.state,
  /** Number of active staff in the department. */
  staff: z.int(),
  can: z.object({ edit: z.boolean(), activate: z.boolean(), inactivate: z.boolean() }),
})

/** Permission bit masks of each policy, as in the specification (spec 6.3), and of each area. */
const masks = z.partialRecord(z.enum(privilegeNames as [PrivilegeName]), z.int().check(z.minimum(0), z.maximum(31)))

interface StaffCallOptions {
  path: (verb: string, what: string) => string
  audience: Access['audience']
  scope: Endpoint['scope']
  roles: Readonly<Record<number, string>>
  /** True if each staff member has a position (spec 6.1). */
  positioned: boolean
  list: typeof companyStaffList
  /** Area or policy that permits the calls for people and for departments. */
  privileges: Record<'people' | 'departments', PrivilegeName>
}

/**
 * Defines the calls that manage the staff of a company or of the platform. The specification has no privilege label for
 * inviting people and for changing roles or privileges (spec 6.3). These calls need `create` or `update` of user
 * management. Only a role grants these permissions, so no one can delegate them.
 */
function staffCalls({ path, audience, scope, roles, positioned, list, privileges }: StaffCallOptions) {
  const allow = (of: 'people' | 'departments', permission: Permission): Access => ({
    audience,
    privilege: [privileges[of], permission],
  })
  const rank = choice('Choose a role.').check(
    z.refine((value) => value in roles, { error: 'Choose a role from the list.' }),
  )
  // A company's staff have a role of the company. A rank without a role gives the privileges from before the areas.
  const role = positioned ? z.union([roleKey, rank], { error: 'Choose a role.' }) : rank
  const position = maybe.check(
    z.refine((value) => (positioned ? value !== null && value in positions : value === null), {
      error: 'Choose a position.',
    }),
  )
  const person = z.object({
    firstName: name('Enter the first name.'),
    lastName: name('Enter the last name.'),
    roleId: role,
    position,
    departmentId: maybe,
  })
  const invitee = z.extend(person, { email })
  const scoped = { scope }
  return {
    person,
    invitee,
    list: list.call,
    member: endpoint({
      path: path('return', 'staff/member'),
      summary: 'Returns a staff member with their privileges and available actions',
      access: allow('people', 'view'),
      ...scoped,
      body: ofPerson,
      response: z.object({
        person: staffRow,
        privileges: z.record(z.string(), z.number()),
        /** Privileges of the person's role. */
        usual: z.record(z.string(), z.number()),
        /** Expiration of the open invitation. Null if the person has no open invitation. */
        invitedUntil: z.nullable(z.string()),
        can: z.object({
          edit: z.boolean(),
          lock: z.boolean(),
          unlock: z.boolean(),
          deactivate: z.boolean(),
          activate: z.boolean(),
          privileges: z.boolean(),
          inviteAgain: z.boolean(),
          /** True if the person has two-factor authentication or a passkey that can be reset. */
          resetFactors: z.boolean(),
          /** True if the caller may see the portal as this person. */
          seeAs: z.boolean(),
        }),
        /** Reason why the account cannot be changed. Empty if it can be changed. */
        why: z.string(),
      }),
    }),
    invite: endpoint({
      path: path('invite', 'staff'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: 'Invites a staff member by a single-use emailed link',
      access: allow('people', 'create'),
      ...scoped,
      body: z.extend(invitee, { companyId }),
      response: z.extend(success, { personId: z.number() }),
    }),
    inviteAgain: endpoint({
      path: path('invite', 'staff/again'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: 'Sends a new invitation link and revokes the earlier ones',
      access: allow('people', 'create'),
      ...scoped,
      body: ofPerson,
      response: success,
    }),
    save: endpoint({
      path: path('save', 'staff'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: 'Saves the name, role, position and department of a staff member',
      access: allow('people', 'update'),
      ...scoped,
      body: z.extend(person, { companyId, personId: id, basis }),
      response: success,
    }),
    changeStatus: endpoint({
      path: path('change', 'staff/status'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: 'Activates, deactivates, locks or unlocks a staff account',
      access: allow('people', 'deactivate'),
      ...scoped,
      body: z.extend(ofPerson, { step: accountStates.button }),
      response: success,
    }),
    savePrivileges: endpoint({
      path: path('save', 'staff/privileges'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: "Sets a staff member's privileges or restores the role's defaults",
      access: allow('people', 'update'),
      ...scoped,
      body: z.extend(ofPerson, { privileges: z.nullable(masks), basis: z.optional(masks) }).check(
        // Without `basis`, saving would restore privileges that another person removed since the form was loaded.
        z.refine(({ privileges, basis: opened }) => privileges === null || opened !== undefined, {
          error: 'These changes could not be compared with the saved privileges. Reload the page and try again.',
          path: ['basis'],
        }),
      ),
      response: success,
    }),
    resetFactors: endpoint({
      path: path('reset', 'staff/second-factor'),
      idempotent: 'offered',
      whileImpersonating: 'refused',
      summary: "Removes a staff member's second factors and ends their sessions",
      access: allow('people', 'update'),
      ...scoped,
      body: ofPerson,
      response: success,
    }),
    departments: endpoint({
      path: path('return', 'departments'),
      summary: 'Returns the departments with their numbers of active staff',
      access: allow('departments', 'view'),
      ...scoped,
      body: ofCompany,
      response: z.object({ departments: z.array(department) }),
    }),
    createDepartment: endpoint({
      path: path('create', 'department'),
      idempotent: 'offered',
      summary: 'Creates a department',
      access: allow('departments', 'create'),
      ...scoped,
      body: z.extend(departmentForm, { companyId }),
      response: z.extend(success, { departmentId: z.number() }),
    }),
    renameDepartment: endpoint({
      path: path('rename', 'department'),
      idempotent: 'offered',
      summary: 'Renames a department',
      access: allow('departments', 'update'),
      ...scoped,
      body: z.extend(departmentForm, { companyId, departmentId: id, basis }),
      response: success,
    }),
    /**
     * Deactivates a department. If the department has staff and the request lacks `confirmed`, returns a 409 that names
     * the staff.
     */
    inactivateDepartment: endpoint({
      path: path('inactivate', 'department'),
      idempotent: 'offered',
      summary: 'Deactivates a department',
      access: allow('departments', 'delete'),
      ...scoped,
      body: z.extend(ofDepartment, { confirmed: z._default(z.boolean(), false) }),
      response: success,
    }),
    activateDepartment: endpoint({
      path: path('activate', 'department'),
      idempotent: 'offered',
      summary: 'Activates a department',
      access: allow('departments', 'update'),
      ...scoped,
      body: ofDepartment,
      response: success,
    }),
  }
}

export type StaffCalls = ReturnType<typeof staffCalls>

/** Calls for the staff of a company. */
export const companyStaff = staffCalls({
  path: (verb, what) => `muni/${verb}/municipality/${what}`,
  audience: ['municipality', 'platform'],
  scope: 'company',
  roles: companyRoles,
  positioned: true,
  list: companyStaffList,
  privileges: { people: 'staff', departments: 'departments' },
})

/** Calls for the staff of the platform. */
export const platformStaff = staffCalls({
  path: (verb, what) => `admin/${verb}/platform/${what}`,
  audience: 'platform',
  scope: 'none',
  roles: platformRoles,
  positioned: false,
  list: platformStaffList,
  privileges: { people: 'user_management', departments: 'department_management' },
})

/** Lists the names of a company's active staff, for dropdowns (spec 7.4). */
export const municipalityUsers = endpoint({
  path: 'muni/return/municipality/users',
  summary: "Returns the names of a company's active staff",
  access: { audience: ['municipality', 'platform'], privilege: ['staff', 'view'] },
  body: z.extend(ofCompany, { fromUtilSetUp: z.optional(z.boolean()) }),
  response: z.object({
    users: z.array(z.object({ id: z.number(), first_name: z.string(), last_name: z.string() })),
  }),
})
