import type { OfficeArea } from './areas.ts'
import { audiencesOf, type Endpoint } from './endpoint.ts'
import { type Permission, type Privileges, rights } from './privileges.ts'

/**
 * Modules that a municipality can turn off. `Feature.module` names the module of a feature's calls. Residents' browsers
 * do not load this file: the page lists the screens that are closed to them.
 */
interface Module {
  /** Identifies the module in the data. The first eight are those of the specification (2.6). */
  url: string
  label: string
  /** Areas of staff that belong to the module only. */
  areas: readonly OfficeArea[]
  /** Paths that the screens of the module start with. */
  screens: readonly string[]
  /**
   * Screens that stay available while the module is off: those for emailed links, for money owed, and for staff who
   * complete open records.
   */
  finish: readonly string[]
  /** Permissions of the areas that staff keep, so that they can complete open records. */
  remaining: readonly Permission[]
}

const completing = ['view', 'update'] as const

export const modules = {
  utilities: {
    url: '/utility-portal',
    label: 'Utility Portal',
    areas: [],
    screens: ['/utility-portal', '/utility-index', '/guest-utility-payment'],
    finish: ['/guest-utility-payment'],
    remaining: [],
  },
  bills: {
    url: '/pay-bills',
    label: 'Pay Bills',
    areas: ['general_payments'],
    screens: [
      '/pay-bills',
      '/pay/',
      '/municipality/manage/manage-General-payments',
      '/municipality/reports/general-payments',
    ],
    finish: ['/pay/{slug}', '/municipality/reports/general-payments'],
    remaining: [],
  },
  forms: {
    url: '/forms-documents',
    label: 'Forms and Documents',
    areas: ['forms', 'submissions'],
    screens: ['/forms-documents', '/municipality/manage/manage-forms-and-docs', '/municipality/reports/forms-and-docs'],
    finish: [
      '/forms-documents/submission/{token}',
      '/forms-documents/sign/{token}',
      '/municipality/reports/forms-and-docs',
    ],
    remaining: completing,
  },
  registration: {
    url: '/register-property',
    label: 'Registration',
    areas: ['registration'],
    screens: ['/register-property', '/municipality/reports/registration'],
    finish: ['/municipality/reports/registration'],
    remaining: completing,
  },
  requests: {
    url: '/communication',
    label: 'Communication',
    areas: ['requests'],
    screens: [
      '/communication',
      '/municipality/manage/customer-communication',
      '/municipality/reports/communication',
      '/municipality/manage/other-portals',
    ],
    finish: [
      '/communication/request/{token}',
      '/communication/followed/{token}',
      '/municipality/manage/customer-communication',
      '/municipality/reports/communication',
    ],
    remaining: completing,
  },
  moves: {
    url: '/relocate',
    label: 'Relocation',
    areas: ['moves'],
    screens: ['/relocate', '/municipality/reports/move-in-out'],
    finish: ['/relocate/request/{token}', '/relocate/owner/{token}', '/municipality/reports/move-in-out'],
    remaining: completing,
  },
  rentals: {
    url: '/resource-rentals',
    label: 'Resource Rentals',
    areas: ['rentals'],
    screens: ['/resource-rentals', '/municipality/manage/manage-resource-rentals'],
    finish: [
      '/resource-rentals/agreement/{token}',
      '/resource-rentals/reservation/{reservationId}',
      '/municipality/manage/manage-resource-rentals',
    ],
    remaining: completing,
  },
  faqs: {
    url: '/frequently-asked-questions',
    label: 'Frequently Asked Questions',
    areas: ['faqs'],
    screens: ['/frequently-asked-questions', '/municipality/manage/faqs'],
    finish: [],
    remaining: [],
  },
  parking: {
    url: '/parking-tickets',
    label: 'Parking Tickets',
    areas: ['parking'],
    screens: [
      ...['/parking-tickets', '/parking-ticket-payment', '/parking-ticket-contest'],
      ...['/municipality/manage/parking-tickets', '/municipality/reports/parking-ticket'],
    ],
    finish: [
      ...['/parking-tickets', '/parking-ticket-payment', '/parking-ticket-contest/{token}'],
      ...['/municipality/manage/parking-tickets', '/municipality/reports/parking-ticket'],
    ],
    remaining: ['view', 'update', 'delete'],
  },
  alerts: {
    url: '/alerts',
    label: 'Alerts',
    areas: ['alerts'],
    screens: ['/alerts', '/municipality/manage/alerts', '/municipality/reports/alerts'],
    finish: ['/municipality/manage/alerts', '/municipality/reports/alerts'],
    remaining: completing,
  },
  work_orders: {
    url: '/municipality/work-orders',
    label: 'Work Orders',
    areas: ['work_orders', 'assets'],
    screens: ['/municipality/work-orders'],
    finish: ['/municipality/work-orders'],
    remaining: completing,
  },
  inspections: {
    url: '/municipality/inspections',
    label: 'Inspections',
    areas: ['inspections'],
    screens: ['/municipality/inspections'],
    finish: ['/municipality/inspections'],
    remaining: completing,
  },
  hydrants: {
    url: '/municipality/first-responder',
    label: 'First Responder',
    areas: ['hydrants'],
    screens: ['/municipality/first-responder'],
    finish: [],
    remaining: [],
  },
  counter: {
    url: '/municipality/manage/counter',
    label: 'Counter',
    areas: ['counter'],
    screens: ['/municipality/manage/counter', '/municipality/reports/drawers'],
    finish: ['/municipality/manage/counter', '/municipality/reports/drawers'],
    remaining: ['view', 'create', 'update', 'delete'],
  },
  phone: {
    url: '/municipality/reports/phone-payments',
    label: 'Pay by Phone',
    areas: [],
    screens: ['/municipality/reports/phone-payments'],
    finish: ['/municipality/reports/phone-payments'],
    remaining: [],
  },
  lockbox: {
    url: '/municipality/manage/bank-payments',
    label: 'Lockbox Payments',
    areas: [],
    screens: ['/municipality/manage/bank-payments'],
    finish: ['/municipality/manage/bank-payments'],
    remaining: [],
  },
  billing_files: {
    url: '/municipality/manage/billing-files',
    label: 'Billing Files',
    areas: ['billing_files'],
    screens: ['/municipality/manage/billing-files'],
    finish: ['/municipality/manage/billing-files/remittances'],
    remaining: completing,
  },
} as const satisfies Record<string, Module>

export type ModuleName = keyof typeof modules
export const moduleNames = Object.keys(modules) as ModuleName[]
export const moduleUrls = moduleNames.map((name) => modules[name].url)
export type ModuleUrl = (typeof modules)[ModuleName]['url']

const declared: Readonly<Record<ModuleName, Module>> = modules

/** Returns the names of the modules with these URLs. */
export const modulesAt = (urls: readonly string[]): ModuleName[] =>
  moduleNames.filter((name) => urls.includes(modules[name].url))

/** True if a screen or any other page at this path belongs to the module. */
export const belongsTo = (name: ModuleName, path: string): boolean =>
  declared[name].screens.some((start) => path === start || path.startsWith(start.endsWith('/') ? start : `${start}/`))

/**
 * True if the call stays available while its module is off. Without `whenOff`, calls of staff stay available if they
 * show records or change existing ones, and the module has records to complete.
 */
export function staysOpen(name: ModuleName, { whenOff, access }: Endpoint): boolean {
  if (whenOff) return whenOff === 'finish'
  const isForStaff = audiencesOf(access).every((audience) => audience === 'municipality' || audience === 'platform')
  const permission = access.privilege?.[1]
  return isForStaff && permission !== undefined && declared[name].remaining.includes(permission)
}

/** Removes the permissions in the areas of modules that are off. Keeps those that staff need to complete open records. */
export function withoutModules(privileges: Privileges, off: readonly ModuleName[]): Privileges {
  const left: Privileges = { ...privileges }
  for (const name of off) {
    const { areas, remaining } = declared[name]
    const mask = remaining.reduce((bits, permission) => bits | rights[permission], 0)
    for (const area of areas) if (left[area] !== undefined) left[area] &= mask
  }
  return left
}
