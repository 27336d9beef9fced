import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { type Permission, type PrivilegeName } from '../../shared/privileges.ts'
import { isBuilt, screensOf } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { i18n } from '../i18n.ts'
import { menu } from '../municipality/menu.ts'
import { isClosed, isOffered } from '../modules.ts'
import { may } from '../session.ts'

/** Entry of the command bar: a screen, an action or a record. */
export interface Command {
  /** Unique among the entries. Screens and records have their path. */
  id: string
  title: string
  /** Second line, such as other words for a screen. */
  detail: string
  /** Path that the entry opens. Without it, the entry runs `run`. */
  path?: string
  run?: () => void
}

/** Other words for the screens. A search ranks the words before the first comma like the title. */
const synonyms: Readonly<Record<string, MessageDescriptor>> = {
  '/municipality': msg`Home, start, overview`,
  '/municipality/schedule': msg`Calendar, tasks, events`,
  '/municipality/reports/customers/citizen': msg`Accounts, customers, utility billing, water`,
  '/municipality/reports/customers/property': msg`Owners, properties, landlords`,
  '/municipality/manage/alerts': msg`Notifications, emergency, road closed, messages to residents`,
  '/municipality/manage/customer-communication': msg`Requests, 311, complaints, potholes, cases, inbox`,
  '/municipality/reports/communication': msg`Requests by category, 311 report, response times`,
  '/municipality/manage/customer-communication/categories': msg`Request types, 311 categories`,
  '/municipality/manage/manage-forms-and-docs': msg`Form builder, applications, permits`,
  '/municipality/reports/forms-and-docs': msg`Submissions, applications, permits, licenses`,
  '/municipality/manage/manage-General-payments': msg`Items to pay, fees, payment types`,
  '/municipality/reports/general-payments': msg`Fees received, payments by type`,
  '/municipality/manage/manage-staff': msg`Staff, employees, users, roles, permissions, departments`,
  '/municipality/manage/settings': msg`Configuration, hours, colors, logo, modules, billing`,
  '/municipality/manage/faqs': msg`Questions and answers, knowledge base, help`,
  '/municipality/reports/move-in-out': msg`Moves, relocation, start service, stop service`,
  '/municipality/manage/parking-tickets': msg`Citations, fines, violations, plates`,
  '/municipality/reports/payments': msg`Receipts, transactions, refunds, payers`,
  '/municipality/reports/refunds': msg`Reversals, money back`,
  '/municipality/reports/registration': msg`Households, businesses, rental properties, landlords`,
  '/municipality/manage/manage-resource-rentals': msg`Reservations, pavilions, halls, bookings, facilities`,
  '/municipality/work-orders': msg`Jobs, crews, repairs, maintenance`,
  '/municipality/first-responder': msg`Hydrants, fire, flow tests, premise notes`,
  '/municipality/inspections': msg`Checklists, inspectors, templates`,
  '/municipality/field': msg`Offline, phone, crews`,
  '/municipality/manage/counter': msg`Take a payment, cash, cashier, drawer, checks`,
  '/municipality/reports/drawers': msg`Cash count, cashier, deposits`,
  '/municipality/reports/reconciliation': msg`Close the day, balance, bank`,
  '/municipality/reports/exceptions': msg`Differences, unmatched money`,
  '/municipality/reports/payouts': msg`Deposits, transfers to the bank`,
  '/municipality/reports/arrangements': msg`Payment plans, installments`,
  '/municipality/reports/autopay': msg`Automatic payments, recurring`,
  '/municipality/reports/audit-log': msg`History, activity, log of changes`,
  '/municipality/reports/notices': msg`Emails, text messages, delivery`,
  '/municipality/reports/login': msg`Sign-ins, sessions`,
  '/municipality/manage/places': msg`Addresses, parcels, zones, map`,
  '/municipality/manage/billing-files': msg`Bill imports, billing system`,
  '/municipality/manage/imports': msg`Upload data, undo an import`,
  '/municipality/manage/api-keys': msg`Integrations, developers`,
}

/** Screens that open only with a record in their query. */
const WITH_RECORD = new Set(['/municipality/manage/billing-files/file'])

const isPermitted = (needs: readonly [PrivilegeName, Permission]) => may(...needs)

const inMenu = menu.flatMap(({ entries }) => entries.map(({ path }) => path.toLowerCase()))
/** Position in the side menu. Other screens come last. */
const menuIndexOf = ({ path }: Pick<Command, 'path'>) => {
  const index = inMenu.indexOf(path?.toLowerCase() ?? '')
  return index < 0 ? inMenu.length : index
}

/** Lists the screens that the signed-in person may open, in the order of the side menu. */
export const screenCommands = (): Command[] =>
  screensOf('municipality')
    .flatMap(({ path, title, needs }) =>
      needs && isPermitted(needs) && isBuilt(path) && !isClosed(path) && !WITH_RECORD.has(path)
        ? [{ id: path, title: translated(title), detail: synonyms[path] ? i18n._(synonyms[path]) : '', path }]
        : [],
    )
    .toSorted((a, b) => menuIndexOf(a) - menuIndexOf(b))

interface Action {
  title: MessageDescriptor
  synonyms: MessageDescriptor
  needs: readonly [PrivilegeName, Permission]
  path: string
}

const actions: readonly Action[] = [
  {
    title: msg`New request`,
    synonyms: msg`Enter a call, a complaint or a letter`,
    needs: ['requests', 'create'],
    path: '/municipality/manage/customer-communication?new=request',
  },
  {
    title: msg`New work order`,
    synonyms: msg`Create a job, repair`,
    needs: ['work_orders', 'create'],
    path: '/municipality/work-orders?panel=new',
  },
  {
    title: msg`New reservation`,
    synonyms: msg`Book by phone, planner, pavilion, hall`,
    needs: ['rentals', 'create'],
    path: '/municipality/manage/manage-resource-rentals?of=planner',
  },
  {
    title: msg`New alert`,
    synonyms: msg`Send a message to residents`,
    needs: ['alerts', 'create'],
    path: '/municipality/manage/alerts?write=1',
  },
  {
    title: msg`Take a payment`,
    synonyms: msg`Cash, check, card at the counter`,
    needs: ['counter', 'create'],
    path: '/municipality/manage/counter',
  },
]

/** Lists the actions that the person may take. An action that creates a record needs a module that is on. */
export const actionCommands = (onSignOut: () => void): Command[] => [
  ...actions
    .filter(({ needs, path }) => isPermitted(needs) && isOffered(path))
    .map(({ title, synonyms: others, path }) => ({
      id: `action:${path}`,
      title: i18n._(title),
      detail: i18n._(others),
      path,
    })),
  {
    id: 'action:sign-out',
    title: i18n._(msg`Log Out`),
    detail: i18n._(msg`Sign out, end the session`),
    run: onSignOut,
  },
]

const MARKS = /\p{M}/gu
const termsIn = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Maximum number of screens or actions in the results. */
const MAX_MATCHES = 6

/** Finds the entries that contain words starting with each typed word. Matches in titles and main synonyms come first. */
export function matchesOf(commands: readonly Command[], search: string): Command[] {
  const typed = termsIn(search)
  if (typed.length === 0) return []
  const has = (text: string) => {
    const terms = termsIn(text)
    return typed.every((part) => terms.some((term) => term.startsWith(part)))
  }
  const nameOf = ({ title, detail }: Command) => `${title} ${detail.split(',')[0]}`
  const byName = commands.filter((command) => has(nameOf(command)))
  const others = commands.filter((command) => !byName.includes(command) && has(`${command.title} ${command.detail}`))
  return [...byName, ...others].slice(0, MAX_MATCHES)
}
