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
  /** What staff can do at the levels do and manage. */
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
  dashboard: area('office', 'Dashboard and schedule', 'change scheduled items', all('dashboard')),
  requests: area('requests', 'Requests', 'answer requests and set up categories', communication),
  chat: area('requests', 'Assignment', 'read chats and assign requests', all('chat')),
  work_orders: area('requests', 'Work orders', 'open, schedule and complete work orders', communication),
  assets: area('requests', 'Assets', 'find assets', communication),
  inspections: area('requests', 'Inspections', 'schedule and complete inspections, and set up templates', {
    ...communication,
    delete: ['department_management', 'update'],
  }),
  hydrants: area('requests', 'Hydrants', 'record hydrants and flow tests, and import hydrants', {
    ...communication,
    delete: ['department_management', 'update'],
  }),
  premise_notes: area('requests', 'Premise notes', 'write notes for first responders', all('household_registration')),
  field_work: area('requests', 'In the Field', 'work without a connection and resolve conflicts', communication),
  alerts: area('residents', 'Alerts and notifications', 'send alerts and resend notifications', communication),
  faqs: area('residents', 'FAQs', 'write and publish questions', communication),
  forms: area('residents', 'Forms', 'write and publish forms', all('manage_others_forms')),
  submissions: area('residents', 'Submissions', 'review submissions of forms', all('manage_others_forms')),
  registration: area('residents', 'Registration', 'decide registrations', all('manage_other_registrations')),
  moves: area('residents', 'Moves', 'decide moves', all('manage_other_move_in_out')),
  rentals: area('residents', 'Rentals', 'reserve resources and set them up', all('manage_other_payments')),
  parking: area('residents', 'Parking', 'enter tickets, and decide contests', {
    ...all('manage_other_payments'),
    view: ['transaction_management', 'view'],
    delete: ['communication_management', 'update'],
  }),
  customers: area('money', 'Customers', 'look up and change utility accounts', all('utility_management')),
  billing_files: area('money', 'Billing files', 'import bills and send remittances', all('utility_management')),
  general_payments: area('money', 'General payments', 'set up items to pay', all('manage_other_payments')),
  payments: area('money', 'Payments', 'see payments, and manage AutoPay and arrangements', money),
  adjustments: area('money', 'Adjustments', 'charge and waive fees', money),
  refunds: area('money', 'Refunds', 'refund payments and approve refunds', {
    ...money,
    create: ['transaction_management', 'update'],
  }),
  counter: area('money', 'Counter', 'take payments at the counter, and correct counts', {
    ...money,
    delete: ['transaction_management', 'update'],
  }),
  reconcile: area('money', 'Reconciliation', 'match bank lines and explain exceptions', money),
  closing: area('money', 'Closing', 'close days and periods', money),
  ledger: area('money', 'General ledger', 'map accounts and export journals', money),
  merchant_reports: area('money', 'Merchant reports', 'export reports of payment providers', money),
  fees: area('money', 'Fees', 'change fee rules', setUp),
  places: area('office', 'Places', 'import and change addresses and parcels', {
    ...all('upload_parcel'),
    view: ['parcel_registration', 'view'],
    update: ['parcel_registration', 'update'],
  }),
  settings: area('office', 'Settings', "change the municipality's settings", {
    ...setUp,
    view: ['company_setup', 'view'],
  }),
  staff: area('office', 'Staff', 'invite staff and change their permissions', all('user_management')),
  departments: area('office', 'Departments', 'create and rename departments', all('department_management')),
  reports: area('office', 'AutoPay and sign-in reports', 'export these reports', all('reports_management')),
  audit: area('office', 'Audit log', 'read the log of all changes', setUp),
  integrations: area('office', 'Integrations', 'connect other systems', setUp),
  sign_in_as: area('office', 'Sign in as', 'see the portal as another person', all('login_logout')),
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
