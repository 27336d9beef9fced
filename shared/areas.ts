import { translated } from './messages.ts'
import {
  type AreaName,
  areaNames,
  defaultsOf,
  type Permission,
  type PolicyName,
  type PrivilegeName,
  type Privileges,
  rights,
} from './privileges.ts'

/**
 * Areas of a municipality's office. Staff get a level in each area: view, do or manage. The calls and screens for staff
 * check the areas. The specification's policies are broader, so each area names the policy that permitted it before.
 * Residents' browsers do not load this file.
 */
export interface Area {
  label: string
  /** Actions at the levels do and manage: 'Write and publish forms'. */
  does: string
  group: AreaGroup
  /** Permission of a policy that each permission of the area comes from. */
  from: Readonly<Record<Permission, PolicyPermission>>
}

type PolicyPermission = readonly [PolicyName, Permission]

export const areaGroups = {
  requests: 'Requests and public works',
  residents: 'Services for residents',
  money: 'Payments and billing',
  office: 'Office',
} as const
type AreaGroup = keyof typeof areaGroups

const permissions = Object.keys(rights) as Permission[]

/** Takes all permissions of a policy. */
const all = (policy: PolicyName): Area['from'] =>
  Object.fromEntries(permissions.map((permission) => [permission, [policy, permission]])) as unknown as Area['from']

/** Takes each permission of the area from one permission of a policy. */
const only = (policy: PolicyName, permission: Permission): Area['from'] =>
  Object.fromEntries(permissions.map((name) => [name, [policy, permission]])) as unknown as Area['from']

const communication = all('communication_management')
const money = all('transaction_management')
const setUp = only('company_setup', 'update')

const area = (group: AreaGroup, label: string, does: string, from: Area['from']): Area => ({ label, does, group, from })

/** Areas that staff can hold. Two of them are policies of the specification, which concern nothing else. */
export type OfficeArea = AreaName | 'chat' | 'dashboard'

export const areas: Readonly<Record<OfficeArea, Area>> = {
  dashboard: area('office', 'Dashboard and schedule', 'Change scheduled items', all('dashboard')),
  requests: area('requests', 'Requests', 'Answer requests and set up categories', communication),
  chat: area('requests', 'Assignment', 'Read chats and assign requests', all('chat')),
  work_orders: area('requests', 'Work orders', 'Open, schedule and complete work orders', communication),
  assets: area('requests', 'Assets', 'Find assets', communication),
  inspections: area('requests', 'Inspections', 'Schedule and complete inspections, and set up templates', {
    ...communication,
    delete: ['department_management', 'update'],
  }),
  hydrants: area('requests', 'Hydrants', 'Record hydrants and flow tests, and import hydrants', {
    ...communication,
    delete: ['department_management', 'update'],
  }),
  premise_notes: area('requests', 'Premise notes', 'Write notes for first responders', all('household_registration')),
  field_work: area('requests', 'In the Field', 'Work without a connection and resolve conflicts', communication),
  alerts: area('residents', 'Alerts and notifications', 'Send alerts and resend notifications', communication),
  faqs: area('residents', 'FAQs', 'Write and publish questions', communication),
  forms: area('residents', 'Forms', 'Write and publish forms', all('manage_others_forms')),
  submissions: area('residents', 'Submissions', 'Review submissions of forms', all('manage_others_forms')),
  registration: area('residents', 'Registration', 'Decide registrations', all('manage_other_registrations')),
  moves: area('residents', 'Moves', 'Decide moves', all('manage_other_move_in_out')),
  rentals: area('residents', 'Rentals', 'Reserve resources and set them up', all('manage_other_payments')),
  parking: area('residents', 'Parking', 'Enter tickets, and decide contests', {
    ...all('manage_other_payments'),
    view: ['transaction_management', 'view'],
    delete: ['communication_management', 'update'],
  }),
  customers: area('money', 'Customers', 'Look up and change utility accounts', all('utility_management')),
  billing_files: area('money', 'Billing files', 'Import bills and send remittances', all('utility_management')),
  general_payments: area('money', 'General payments', 'Set up items to pay', all('manage_other_payments')),
  payments: area('money', 'Payments', 'See payments, and manage AutoPay and arrangements', money),
  adjustments: area('money', 'Adjustments', 'Charge and waive fees', money),
  refunds: area('money', 'Refunds', 'Refund payments and approve refunds', {
    ...money,
    create: ['transaction_management', 'update'],
  }),
  counter: area('money', 'Counter', 'Take payments at the counter, and correct counts', {
    ...money,
    delete: ['transaction_management', 'update'],
  }),
  reconcile: area('money', 'Reconciliation', 'Match bank lines and explain exceptions', money),
  closing: area('money', 'Closing', 'Close days and periods', money),
  ledger: area('money', 'General ledger', 'Map accounts and export journals', money),
  merchant_reports: area('money', 'Merchant reports', 'Export reports of payment providers', money),
  fees: area('money', 'Fees', 'Change fee rules', setUp),
  places: area('office', 'Places', 'Import and change addresses and parcels', {
    ...all('upload_parcel'),
    view: ['parcel_registration', 'view'],
    update: ['parcel_registration', 'update'],
  }),
  settings: area('office', 'Settings', "Change the municipality's settings", {
    ...setUp,
    view: ['company_setup', 'view'],
  }),
  staff: area('office', 'Staff', 'Invite staff and change their permissions', all('user_management')),
  departments: area('office', 'Departments', 'Create and rename departments', all('department_management')),
  reports: area('office', 'AutoPay and sign-in reports', 'Export these reports', all('reports_management')),
  audit: area('office', 'Audit log', 'Read the log of all changes', setUp),
  integrations: area('office', 'Integrations', 'Connect other systems', setUp),
  sign_in_as: area('office', 'Sign in as', 'See the portal as another person', all('login_logout')),
}

/** Levels of an area and their masks. A higher level includes the lower ones. */
export const levels = { none: 0, view: 1, do: 13, manage: 31 } as const
export type Level = keyof typeof levels
export const levelLabels: Readonly<Record<Level, string>> = { none: 'None', view: 'View', do: 'Do', manage: 'Manage' }

/** Returns the lowest level that includes a permission. */
export const levelOf = (permission: Permission): Level =>
  (Object.keys(levels) as Level[]).find((level) => (levels[level] & rights[permission]) !== 0) ?? 'manage'

export const officeAreas = Object.keys(areas) as OfficeArea[]
export const isArea = (name: PrivilegeName): name is OfficeArea => name in areas
export const areaLabel = (name: OfficeArea): string => translated(areas[name].label)

/**
 * Adds the masks of the areas to the masks of the policies. An area without a mask has the permissions of the policies
 * that it comes from. After that, a policy has a permission exactly if one of its areas has it.
 */
export function withAreas(masks: Privileges): Privileges {
  const complete: Privileges = { ...masks }
  if (Object.keys(masks).length === 0) return complete
  for (const { name, permission, policy, source } of sources) {
    const held = masks[name] === undefined ? (masks[policy] ?? 0) & rights[source] : masks[name] & rights[permission]
    complete[name] = (complete[name] ?? 0) | (held === 0 ? 0 : rights[permission])
    if (complete[policy] !== undefined) complete[policy] &= ~rights[source]
  }
  for (const { name, permission, policy, source } of sources)
    if (((complete[name] ?? 0) & rights[permission]) !== 0) complete[policy] = (complete[policy] ?? 0) | rights[source]
  return complete
}

/** Permissions of all areas, with the permission of a policy that each comes from. */
const sources = areaNames.flatMap((name) =>
  permissions.map((permission) => {
    const [policy, source] = areas[name].from[permission]
    return { name, permission, policy, source }
  }),
)

/** Returns all privileges of a staff member: those of the role, replaced by the person's own, and all areas. */
export const staffPrivileges = (roleId: number, own: Privileges): Privileges =>
  withAreas({ ...defaultsOf(roleId), ...own })
