/**
 * Every screen of the product (specification 2.1 to 2.4), in one list: menus, header, footer and tiles leave out
 * what is not built, the route guard reads who may enter, and the tests walk it.
 */

import type { PolicyName, Right } from './privileges.ts'

/** Which of the three browser entries holds the screen. */
export type Entry = 'citizen' | 'municipality' | 'admin'

/** Meta flags of the route guard (specification 6.2). */
export interface RouteMeta {
  requiresAuth?: true
  onlyAdmin?: true
  onlyMuni?: true
  onlyC?: true
}

export interface Screen {
  /** With parameters in braces: `/guest/payment/{token}`. Compared without case. */
  path: string
  /** Other spellings of the same screen. */
  aliases?: readonly string[]
  title: string
  entry: Entry
  meta: RouteMeta
  built: boolean
  /** Drawn by the server alone, without a script: no router of ours knows it. */
  byServer?: true
  /** The right without which everything on it would be refused; menus leave it out for whoever lacks it. */
  needs?: readonly [PolicyName, Right]
  /** It stands in this part of the side menu under its title, below what the specification lists there. */
  inMenu?: MenuPart
}

/** Parts of the side menu, as their headings name them in `web/municipality/menu.ts`. */
type MenuPart = 'money' | 'requests' | 'records'

type More = Partial<Pick<Screen, 'aliases' | 'built' | 'needs' | 'byServer' | 'inMenu'>>
const built: More = { built: true }
const builtFor = (policy: PolicyName, right: Right = 'view'): More => ({ built: true, needs: [policy, right] })

const inMenuFor = (inMenu: MenuPart, policy: PolicyName, right: Right = 'view'): More => ({
  ...builtFor(policy, right),
  inMenu,
})

const open = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path, title, entry: 'citizen', meta: { onlyC: true }, built: false },
  ...more,
})
const signedIn = (path: string, title: string, more: More = {}): Screen => ({
  ...open(path, title, more),
  meta: { onlyC: true, requiresAuth: true },
})
const anyone = (path: string, title: string, more: More = {}): Screen => ({ ...open(path, title, more), meta: {} })
const town = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path: `/municipality${path}`, title, entry: 'municipality', built: false },
  ...more,
  meta: { onlyMuni: true, requiresAuth: true },
})
const platform = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path: `/admin${path}`, title, entry: 'admin', built: false },
  ...more,
  meta: { onlyAdmin: true, requiresAuth: true },
})

export const screens: readonly Screen[] = [
  open('/', 'Our Services', built),
  open('/home', 'Our Services', built),
  open('/sign-in', 'Sign In', { built: true, aliases: ['/signin'] }),
  open('/sign-up', 'Sign Up', built),
  open('/utility-portal', 'Utility Portal', built),
  // Ours: one linked account, and one of its bills.
  signedIn('/utility-portal/sharing', 'Shared Accounts', built),
  signedIn('/utility-portal/accounts/{accountId}', 'Utility Account', built),
  signedIn('/utility-portal/accounts/{accountId}/bills/{billNumber}', 'Utility Bill', built),
  signedIn('/forms-documents', 'Forms and Documents'),
  signedIn('/pay-bills', 'Pay Bills', built),
  // Ours: one thing that can be paid, where the town's own site leads to.
  open('/pay/{slug}', 'Pay', built),
  signedIn('/communication', 'Communication', built),
  // Ours: sending a request, also as a guest, what others reported, and the pages behind the links of mails.
  open('/communication/new', 'Report something', built),
  open('/communication/reported', 'What was reported', built),
  open('/communication/request/{token}', 'Your Request', built),
  open('/communication/followed/{token}', 'Followed Request', built),
  signedIn('/register-property', 'Registration'),
  open('/relocate', 'Relocation', { aliases: ['/reloaction'] }),
  open('/relocate/move-in', 'Move In'),
  open('/relocate/move-out', 'Move Out'),
  open('/relocate/move-within', 'Move Within'),
  signedIn('/resource-rentals', 'Resource Rentals'),
  signedIn('/profile/activity-log', 'Activity Log', built),
  signedIn('/profile/settings', 'Settings', built),
  // Ours: cards and bank accounts that are kept, and the accounts that are paid by themselves.
  signedIn('/profile/payment-methods', 'Payment Methods and AutoPay', built),
  // Ours: what is owed, paid in installments.
  signedIn('/payment-arrangements', 'Payment Arrangements', built),
  open('/frequently-asked-questions', 'Frequently Asked Questions'),
  open('/reset-password', 'Reset Password', built),
  open('/guest-utility-payment', 'Guest Utility Payment', built),
  open('/utility-index', 'Utility Payment Index', built),
  open('/guest/payment/{token}', 'Complete Payment', built),
  // Ours: the way to what was collected and is not paid yet.
  open('/cart', 'Your Cart', built),
  open('/parking-ticket-payment', 'Parking Ticket Payment', built),
  open('/parking-tickets', 'Parking Tickets', built),
  // Ours: the conversation behind the mailed link of a contest.
  open('/parking-ticket-contest/{token}', 'Your Contest', built),
  open('/citizen/initialize-impersonation', 'Opening the portal', built),
  anyone('/sso/verify-ccs-token', 'Signing you in', built),
  anyone('/sso-verification', 'Signing you in', built),
  anyone('/sso-auth-complete', 'Signed in', built),
  { ...anyone('/token-test', 'Token Test', built), meta: { requiresAuth: true } },
  { ...anyone('/payment-test', 'Payment Test', built), meta: { requiresAuth: true } },
  // Ours: the support form, and the conversation behind a mailed link.
  anyone('/support', 'Support Request', built),
  anyone('/support/{token}', 'Your Support Request', built),
  anyone('/notices/stop', 'Stop these mails?', { built: true, byServer: true }),
  anyone('/offline', 'Offline', built),
  anyone('/404', 'Page not found', built),

  { ...town('/initialize-impersonation', 'Opening the portal', built), meta: { onlyMuni: true } },
  town('', 'Dashboard', builtFor('dashboard')),
  town('/work-orders', 'Work Orders', builtFor('communication_management')),
  town('/first-responder', 'First Responder', builtFor('communication_management')),
  // Ours: the specification names no screen for inspections.
  town('/inspections', 'Inspections', inMenuFor('requests', 'communication_management')),
  town('/inspections/{templateId}/items', 'Items of an Inspection', builtFor('department_management', 'update')),
  // Ours: work orders, inspections and hydrants on a phone, without a connection too.
  town('/field', 'In the Field', inMenuFor('requests', 'communication_management')),
  town('/schedule', 'Schedule', builtFor('dashboard')),
  town('/reports/customers/citizen', 'Utility Customers', builtFor('utility_management')),
  town('/reports/customers/property', 'Property Customers', builtFor('utility_management')),
  town('/reports/payments', 'Payment Transaction Report', builtFor('transaction_management')),
  town('/reports/communication', 'Communication Report', builtFor('communication_management')),
  town('/reports/alerts', 'Alerts Report'),
  town('/reports/forms-and-docs', 'Forms and Documents Report'),
  town('/reports/parking-ticket', 'Parking Ticket Report', builtFor('transaction_management')),
  town('/reports/move-in-out', 'Move In and Out'),
  town('/reports/autopay', 'AutoPay', builtFor('reports_management')),
  town('/reports/autopay-removals', 'AutoPay Removals', builtFor('reports_management')),
  town('/reports/registration', 'Registration Reports'),
  town('/reports/login', 'Login Report', builtFor('reports_management')),
  town('/reports/merchant-overview', 'Merchant Overview'),
  // Ours: what staff gave back of payments, and what waits for a second person.
  town('/reports/refunds', 'Refunds and Voids', inMenuFor('money', 'transaction_management')),
  // Ours: who did what, for the municipality's administrators.
  town('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // Ours: what was told by email and text, and whether it got there.
  town('/reports/notices', 'Notices', inMenuFor('records', 'communication_management')),
  town('/manage/manage-staff', 'Manage Municipality', builtFor('user_management')),
  town('/processor/reports', 'Processor Reports'),
  town('/{provider}-sso-test', 'Provider Single Sign-On Test', builtFor('company_setup', 'update')),
  town('/manage/manage-General-payments', 'General Payments', builtFor('manage_other_payments')),
  // Ours: the fields of one payment type.
  town('/manage/manage-General-payments/{typeId}/fields', 'Fields', builtFor('manage_other_payments')),
  // Ours: what was paid by them.
  town('/reports/general-payments', 'General Payments Received', inMenuFor('money', 'transaction_management')),
  town('/manage/faqs', 'Frequently Asked Questions'),
  town('/manage/manage-forms-and-docs', 'Forms and Documents'),
  town('/manage/customer-communication', 'Customer Communications', builtFor('communication_management')),
  // Ours: what residents can report, and what is asked of it.
  town(
    '/manage/customer-communication/categories',
    'Categories of requests',
    inMenuFor('requests', 'communication_management'),
  ),
  town(
    '/manage/customer-communication/categories/{categoryId}/fields',
    'Questions',
    builtFor('communication_management'),
  ),
  town('/manage/parking-tickets', 'Parking Tickets', builtFor('transaction_management')),
  town('/manage/alerts', 'Alerts'),
  town('/manage/manage-resource-rentals', 'Resource Rentals'),
  // Ours: payments at the office, and the drawers that they go into.
  town('/manage/counter', 'Counter', inMenuFor('money', 'transaction_management', 'create')),
  town('/reports/arrangements', 'Payment Arrangements', inMenuFor('money', 'transaction_management')),
  town('/reports/drawers', 'Cash Drawers', inMenuFor('money', 'transaction_management')),
  // Ours: what residents pay by phone, and what comes through the bank.
  town('/reports/phone-payments', 'Pay by Phone', inMenuFor('money', 'transaction_management')),
  town('/manage/bank-payments', 'Bank Payments', inMenuFor('money', 'transaction_management')),
  // Ours: addresses, parcels, zones and the map.
  town('/manage/places', 'Places', inMenuFor('records', 'parcel_registration')),
  // Ours: files from and for the billing system.
  town('/manage/billing-files', 'Billing Files', inMenuFor('money', 'utility_management')),
  town('/manage/billing-files/remittances', 'Remittances', builtFor('utility_management')),
  town('/manage/billing-files/file', 'File of bills', builtFor('utility_management')),
  // Ours: the keys of programs that call by themselves.
  town('/manage/api-keys', 'API Keys', inMenuFor('records', 'company_setup', 'update')),
  // Ours: where requests of residents go by Open311.
  town('/manage/other-portals', 'Other Portals', inMenuFor('records', 'company_setup', 'update')),

  { ...platform('/sign-in', 'Admin Login', built), meta: { onlyAdmin: true } },
  platform('', 'Companies', builtFor('company_setup')),
  platform('/{companyId}/company/information', 'Company Information', builtFor('company_setup')),
  // Ours: staff, departments and privileges of one company.
  platform('/{companyId}/company/staff', 'Manage Municipality', builtFor('user_management')),
  platform('/customer/lookup', 'Customer Look Up', builtFor('user_management')),
  platform('/manage/manage-forms-and-docs', 'Forms and Documents', builtFor('manage_others_forms')),
  platform('/fee/report', 'Convenience Fee Report', builtFor('reports_admin')),
  platform('/profit/report', 'Profit and Loss Report', builtFor('reports_admin')),
  platform('/master/calendar', 'Master Calendar', builtFor('dashboard')),
  platform('/manage/{provider}/onboarding', 'Payment Provider Onboarding'),
  platform('/reconciliation', 'Reconciliation', builtFor('reports_admin')),
  platform('/manage/manage-staff', 'Manage Admin Users', builtFor('user_management')),
  // Ours: what people ask the support.
  platform('/support', 'Support Requests', builtFor('communication_management')),
  platform('/analyitics', 'Analytics', { ...builtFor('reports_admin'), aliases: ['/admin/analytics'] }),
  // Ours: what the platform's staff did, and what was done in any one town.
  platform('/reports/audit-log', 'Audit Log', inMenuFor('records', 'company_setup', 'update')),
  // The demo's alone: elsewhere it says that there is no such page.
  platform('/outbox', 'Outbox', builtFor('forgot_change_password')),
  platform('/outbox/texts', 'Sandbox Phones', builtFor('forgot_change_password')),
]

const spelled = screens.flatMap((screen) => [screen.path, ...(screen.aliases ?? [])].map((path) => ({ screen, path })))
const plain = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '')
const fixed = new Map(
  spelled.filter(({ path }) => !path.includes('{')).map(({ screen, path }) => [plain(path), screen]),
)
const patterns = spelled
  .filter(({ path }) => path.includes('{'))
  .map(({ screen, path }) => ({
    screen,
    pattern: new RegExp(
      `^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`,
      'i',
    ),
  }))

/** The screen at a path (without query), or undefined. Fixed paths win over those with parameters. */
export const screenAt = (path: string): Screen | undefined =>
  fixed.get(plain(path)) ?? patterns.find(({ pattern }) => pattern.test(path))?.screen

/** Is there a built screen at this path? Menus, links and tiles to any other are left out or inactive. */
export const isBuilt = (path: string): boolean => screenAt(path.replace(/[?#].*$/, ''))?.built ?? false

/** The browser entry that serves a path, known or not. */
export function entryOf(path: string): Entry {
  if (/^\/admin(?:\/|$)/i.test(path)) return 'admin'
  return /^\/municipality(?:\/|$)/i.test(path) ? 'municipality' : 'citizen'
}

/** What the specification's menu of an entry lacks in a part of it, by the screens' titles. */
export const moreInMenu = (of: Entry, part: MenuPart): { path: string; label: string }[] =>
  screens
    .filter(({ entry, inMenu }) => entry === of && inMenu === part)
    .map(({ path, title }) => ({ path, label: title }))
