import { areaLabel, areas, isArea, levelLabels, levelOf, type OfficeArea } from './areas.ts'
import { say, translated } from './messages.ts'
import { type PolicyName, type Permission, type PrivilegeName, rights } from './privileges.ts'

/**
 * Labels of the privilege matrix: the permissions of each sub-module (spec 6.3, product rules, section 5). They are in
 * a separate file, so that residents' browsers do not load them.
 */
export type PermissionLabels = Partial<Record<Permission, string>>

const plain: PermissionLabels = { view: 'View', create: 'Create', update: 'Edit', delete: 'Remove' }
const other: PermissionLabels = { view: 'View', create: 'Create', update: 'Update', delete: 'Remove' }
const accounts: PermissionLabels = {
  view: 'View details/list accounts',
  create: 'Create',
  update: 'Update',
  delete: 'Remove',
}
const report: PermissionLabels = { view: 'View', create: 'Export', update: 'Update' }
const registration: PermissionLabels = { view: 'View', create: 'Create', update: 'Update' }

export const permissionLabels: Record<PolicyName, PermissionLabels> = {
  landing: plain,
  company_setup: plain,
  manage_contacts: plain,
  manage_departments: plain,
  upload_parcel: { view: 'View', create: 'Upload', delete: 'Remove' },
  manage_others_landing: other,
  manage_other_payments: other,
  manage_others_forms: other,
  manage_others_communication: other,
  manage_other_move_in_out: other,
  manage_other_registrations: other,
  manage_other_utility: other,
  reports_admin: report,
  reports_management: report,
  reports_callcenter: report,
  user_management: { view: 'View', deactivate: 'Deactivate/Lock account status' },
  department_management: accounts,
  utility_management: accounts,
  transaction_management: accounts,
  communication_management: accounts,
  parcel_registration: accounts,
  user_profile: { view: 'View', deactivate: 'Deactivate/Disable', update: 'Update user account' },
  login_logout: { view: 'Masquerade as user', update: 'Update user details' },
  forgot_change_password: { update: 'Update user password' },
  dashboard: { view: 'View', update: 'Update' },
  household_registration: { view: 'View household list', create: 'Create new household', update: 'Update' },
  business_registration: registration,
  rental_registration: registration,
  accounts: other,
  transactions: other,
  communication: other,
  movie_in_out: other,
  payment: other,
  chat: { view: 'Read chats', update: 'Assign to other admin' },
}

/** Sub-modules in the order of the matrix, grouped by module (spec 6.3). */
export const modules: readonly { id: number; name: string; policies: readonly [PolicyName, string][] }[] = [
  {
    id: 1,
    name: 'Company',
    policies: [
      ['landing', 'Landing page'],
      ['company_setup', 'Company setup'],
      ['manage_contacts', 'Manage contacts'],
      ['manage_departments', 'Manage departments'],
      ['upload_parcel', 'Upload parcels'],
      ['manage_others_landing', "Manage others' landing pages"],
      ['manage_other_payments', 'Manage other types of payments'],
      ['manage_others_forms', "Manage others' forms"],
      ['manage_others_communication', "Manage others' communication"],
      ['manage_other_move_in_out', 'Manage move-ins and move-outs'],
      ['manage_other_registrations', 'Manage registrations'],
      ['manage_other_utility', 'Manage other utilities'],
    ],
  },
  {
    id: 2,
    name: 'Reports',
    policies: [
      ['reports_admin', 'Reports for administrators'],
      ['reports_management', 'Reports for management'],
      ['reports_callcenter', 'Reports for the call center'],
    ],
  },
  {
    id: 3,
    name: 'Municipality account',
    policies: [
      ['user_management', 'User management'],
      ['department_management', 'Department management'],
      ['utility_management', 'Utility management'],
      ['transaction_management', 'Transaction management'],
      ['communication_management', 'Communication management'],
      ['parcel_registration', 'Parcel registration'],
    ],
  },
  {
    id: 4,
    name: 'User',
    policies: [
      ['user_profile', 'User profile'],
      ['login_logout', 'Log in and log out'],
      ['forgot_change_password', 'Reset or change password'],
      ['dashboard', 'Dashboard'],
      ['household_registration', 'Household registration'],
      ['business_registration', 'Business registration'],
      ['rental_registration', 'Rental registration'],
      ['accounts', 'Accounts'],
      ['transactions', 'Transactions'],
      ['communication', 'Communication'],
      ['movie_in_out', 'Move in and out'],
      ['payment', 'Payment'],
      ['chat', 'Chat'],
    ],
  },
]

/** Lists the permissions of a sub-module that have a label, in the order of their bits. */
export const labelledPermissions = (policy: PolicyName): [Permission, string][] =>
  (Object.keys(rights) as Permission[]).flatMap((permission) => {
    const label = permissionLabels[policy][permission]
    return label ? [[permission, translated(label)] as [Permission, string]] : []
  })

type StaffAudience = 'municipality' | 'platform'

/**
 * Returns the texts of a permission. Staff of a municipality read the area and its level, staff of the platform read the
 * sub-module and its permission. The label is empty if no one can grant the permission.
 */
export function permissionTexts(
  [name, permission]: readonly [PrivilegeName, Permission],
  audience: StaffAudience,
): { label: string; title: string } {
  if (isArea(name) && audience === 'municipality')
    return { label: translated(levelLabels[levelOf(permission)]), title: areaLabel(name) }
  const [policy, source] = isArea(name) ? areas[name].from[permission] : ([name, permission] as const)
  return { label: translated(permissionLabels[policy][source] ?? ''), title: policyTitle(policy) }
}

/** Explains why a call or screen was refused: which permission is missing, and who can grant it. */
export function missingPermission(needs: readonly [PrivilegeName, Permission], audience: StaffAudience): string {
  const { label, title } = permissionTexts(needs, audience)
  const [chief, screen] =
    audience === 'platform'
      ? [say`Super Administrator`, say`Manage Admin Users`]
      : [say`Municipality Admin`, say`Manage Municipality`]
  return label
    ? say`This action requires the privilege “${label}” in “${title}”, which you do not have. A ${chief} can grant it to you under ${screen}.`
    : say`This action requires a role with more privileges in “${title}”. A ${chief} can change your role under ${screen}.`
}

/** Returns a mask of all bits that the matrix can set for a sub-module. */
export const labelledMask = (policy: PolicyName): number =>
  labelledPermissions(policy).reduce((mask, [permission]) => mask | rights[permission], 0)

/** Returns the title of an area or sub-module. */
export const privilegeTitle = (name: PrivilegeName): string =>
  name in permissionLabels ? policyTitle(name as PolicyName) : areaLabel(name as OfficeArea)

export const policyTitle = (policy: PolicyName): string =>
  translated(modules.flatMap((module) => module.policies).find(([name]) => name === policy)?.[1] ?? policy)
