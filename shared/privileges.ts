/** Bits of a privilege mask (spec 6.3). A person may do an action if their mask includes all of its bits. */
export const rights = { view: 1, deactivate: 2, create: 4, update: 8, delete: 16 } as const
export type Permission = keyof typeof rights

/** Policies (sub-modules) by name, with the ids of spec 6.3. */
export const policies = {
  landing: 1,
  company_setup: 2,
  manage_contacts: 3,
  manage_departments: 4,
  upload_parcel: 5,
  manage_others_landing: 6,
  manage_other_payments: 7,
  manage_others_forms: 8,
  manage_others_communication: 9,
  manage_other_move_in_out: 10,
  manage_other_registrations: 11,
  manage_other_utility: 12,
  reports_admin: 13,
  reports_management: 14,
  reports_callcenter: 15,
  user_management: 16,
  department_management: 17,
  utility_management: 18,
  transaction_management: 19,
  communication_management: 20,
  parcel_registration: 21,
  user_profile: 22,
  login_logout: 23,
  forgot_change_password: 24,
  dashboard: 25,
  household_registration: 26,
  business_registration: 27,
  rental_registration: 28,
  accounts: 29,
  transactions: 30,
  communication: 31,
  movie_in_out: 32,
  payment: 33,
  chat: 34,
} as const
export type PolicyName = keyof typeof policies

/**
 * Areas of a municipality's office, with the ids of their policies. The specification has the ids up to 100.
 * `shared/areas.ts` describes each area. A new area goes to the end, because browsers read the masks by position.
 */
export const areaIds = {
  requests: 101,
  work_orders: 102,
  assets: 103,
  inspections: 104,
  hydrants: 105,
  premise_notes: 106,
  field_work: 107,
  alerts: 108,
  faqs: 109,
  forms: 110,
  submissions: 111,
  registration: 112,
  moves: 113,
  rentals: 114,
  parking: 115,
  customers: 116,
  billing_files: 117,
  general_payments: 118,
  payments: 119,
  adjustments: 120,
  refunds: 121,
  counter: 122,
  reconcile: 123,
  closing: 124,
  ledger: 125,
  merchant_reports: 126,
  fees: 127,
  places: 128,
  settings: 129,
  staff: 130,
  departments: 131,
  reports: 132,
  audit: 133,
  integrations: 134,
  sign_in_as: 135,
} as const
export type AreaName = keyof typeof areaIds

export type PrivilegeName = PolicyName | AreaName

/** Privileges of a person: masks by the name of a policy or area. A missing name means 0. */
export type Privileges = Partial<Record<PrivilegeName, number>>

/** True if the person's mask for this policy or area includes the permission. */
export const may = (privileges: Privileges, name: PrivilegeName, permission: Permission): boolean =>
  ((privileges[name] ?? 0) & rights[permission]) === rights[permission]

export const policyNames = Object.keys(policies) as PolicyName[]
export const areaNames = Object.keys(areaIds) as AreaName[]
export const privilegeNames: readonly PrivilegeName[] = [...policyNames, ...areaNames]

/** Lists the policies and areas with bits that `requested` has but `granted` lacks. */
export const beyond = (requested: Privileges, granted: Privileges): PrivilegeName[] =>
  privilegeNames.filter((name) => ((requested[name] ?? 0) & ~(granted[name] ?? 0)) !== 0)

/**
 * Encodes all masks as a short string for the response header `x-rights`: one character for each policy, then one for
 * each area.
 */
export const privilegesText = (privileges: Privileges): string =>
  privilegeNames.map((name) => (privileges[name] ?? 0).toString(32)).join('')

export const privilegesFrom = (text: string): Privileges =>
  Object.fromEntries(privilegeNames.map((name, at) => [name, Number.parseInt(text[at] ?? '0', 32)]))

/** Role ids (spec 6.1). Platform staff have ids of 900 plus their platform role (product rules, section 3). */
export const roles = {
  citizen: 1,
  guest: 2,
  municipalityStaff: 3,
  municipalityManager: 4,
  municipalityAdmin: 5,
  provider: 900,
  callCenter: 906,
  support: 907,
  manager: 908,
  superAdministrator: 909,
} as const

/**
 * True if the role number permits entering the administrator portal, as all numbers above 900 do. A person with 900 may
 * only sign in (spec 6.1).
 */
export const mayEnterAdmin = (un: number): boolean => un > 900
export const isPlatformRole = (roleId: number): boolean => roleId >= 900 && roleId <= 999
export const isMunicipalityRole = (roleId: number): boolean => roleId >= 3 && roleId <= 5

const all = rights.view | rights.deactivate | rights.create | rights.update | rights.delete
const V = rights.view
const VCU = rights.view | rights.create | rights.update
const VU = rights.view | rights.update

const citizen: Privileges = {
  user_profile: VU,
  login_logout: rights.update,
  forgot_change_password: rights.update,
  accounts: VCU,
  transactions: V,
  communication: VCU,
  movie_in_out: VCU,
  payment: VCU,
  household_registration: VCU,
  business_registration: VCU,
  rental_registration: VCU,
}

const staff: Privileges = {
  landing: V,
  dashboard: VU,
  user_profile: VU,
  reports_management: V,
  utility_management: VU,
  transaction_management: V,
  communication_management: VCU,
  manage_others_forms: VU,
  manage_other_registrations: VU,
  manage_other_move_in_out: VU,
  chat: VU,
}

const municipalityManager: Privileges = {
  ...staff,
  reports_management: VCU,
  utility_management: VCU,
  transaction_management: VCU,
  communication_management: all,
  manage_other_payments: VCU,
  manage_others_forms: VCU,
  department_management: VU,
  user_management: V,
}

const everything = Object.fromEntries(Object.keys(policies).map((name) => [name, all])) as Privileges

const municipalityAdmin: Privileges = { ...everything, company_setup: VU, reports_admin: 0, reports_callcenter: 0 }

const callCenter: Privileges = {
  company_setup: V,
  reports_callcenter: V,
  user_management: V,
  communication_management: VU,
  user_profile: VU,
  dashboard: V,
}

const support: Privileges = {
  ...callCenter,
  login_logout: VU,
  communication_management: VCU,
  user_management: VU,
  chat: VU,
}

const platformManager: Privileges = { ...everything, forgot_change_password: 0, department_management: VCU }

/** Default privileges of each role. They apply to a person until an administrator changes that person's privileges. */
const roleDefaults: Record<number, Privileges> = {
  [roles.citizen]: citizen,
  [roles.guest]: {},
  [roles.municipalityStaff]: staff,
  [roles.municipalityManager]: municipalityManager,
  [roles.municipalityAdmin]: municipalityAdmin,
  [roles.provider]: {},
  [roles.callCenter]: callCenter,
  [roles.support]: support,
  [roles.manager]: platformManager,
  [roles.superAdministrator]: everything,
}

export const defaultsOf = (roleId: number): Privileges => roleDefaults[roleId] ?? {}
