/**
 * Describes configuration changes as text, for the history and for imports. Also provides the field names for the audit
 * log.
 */
import { same } from '../../shared/edits.ts'
import { formatPhone } from '../../shared/phone.ts'
import { formatCents } from '../../shared/money.ts'
import { say } from '../../shared/messages.ts'
import { moduleNames, modules } from '../../shared/modules.ts'
import { guestFactNames, monthNames, type Section } from './rules.ts'

export const sectionNames: Record<Section, string> = {
  details: 'Details',
  hours: 'Office hours',
  modules: 'Modules',
  tiles: 'Landing page',
  theme: 'Colors and logo',
  message: 'Message to residents',
  payments: 'Payments',
  processors: 'Processor',
  alerts: 'Alert services',
  texts: 'Text messages',
  announcements: 'Announcements',
  contacts: 'Contacts',
  sharing: 'Sharing',
}

const PHONES = ['phone_no', 'pay_by_phone_number', 'sms_number']

type Kind = 'text' | 'yesNo' | 'money' | 'percent' | 'id'
const as = (kind: Kind, names: Record<string, string>): Record<string, [string, Kind]> =>
  Object.fromEntries(Object.entries(names).map(([field, label]) => [field, [label, kind]]))

/** Label of each field and the format of its value, by field name. */
const fields: Record<string, [label: string, kind: Kind]> = {
  ...as('text', {
    ...{ name: 'Company Name', subdomain: 'SubDomain', license_no: 'License number', address1: 'Company Address' },
    ...{ address2: 'Address line 2', city: 'City', state: 'State', zipcode: 'Zip Code', phone_no: 'Phone' },
    ...{ website_url: 'Company Website', offline_msg: 'Offline message', tags: 'Tags' },
    ...{ office_hours_open: 'Office opens', office_hours_closed: 'Office closes', tiles: 'Tiles' },
    ...{ background_color: 'Background color', text_color: 'Text color', logo: 'Logo' },
    ...{ tagline: 'Tagline', site_wide_message: 'Site-wide message', fee_program: 'Fee program' },
    ...{
      pay_by_phone_number: 'Pay-by-phone number',
      guest_proof: 'Additional proof from guests',
      autopay_notice_days: 'AutoPay notice period in days',
      autopay_mandate: 'AutoPay authorization text',
      alerts: 'Alert services',
      essentials: 'Essential services',
    },
    ...{
      quiet_from: 'Quiet hours start',
      quiet_to: 'Quiet hours end',
      sms_name: 'Sender name',
      sms_number: 'Sender phone number',
    },
    locked: 'Locked modules',
    ...{ others: 'Other services', announcements: 'Announcements', contacts: 'Contacts' },
  }),
  ...as('yesNo', {
    ...{ is_online: 'Is Online', use_dbilling: 'Integrates with Billing System', is_demo: 'Demo municipality' },
    ...{ is_managed_services: 'Managed Services Client', has_chk_agnst_prcl: 'Check addresses against parcels' },
    shares_records: 'Share our forms and other records with other municipalities',
    online_reserved: 'Only Mainstreet turns the portal online or offline',
    ...{
      absorb: 'Municipality absorbs the fee',
      is_pay_in_full: 'Require full payment of bills',
      autopay_enabled: 'AutoPay',
    },
    ...{ has_pay_by_phone: 'Pay by phone', ivr_user_pin_enabled: 'Require a PIN from callers' },
    ...{ texts_payments: 'Text messages about payments', texts_conversations: 'Text messages about requests' },
    ...{ has_card_reader: 'Card reader at the counter', has_tele_check: 'TeleCheck' },
    ...{ only_usd_currency: 'US dollars only', receive_payment_emails: 'Email the municipality about each payment' },
    ...Object.fromEntries(moduleNames.map((name) => [modules[name].url, modules[name].label])),
  }),
  ...as('money', {
    ...{ min_payment: 'Smallest payment', max_payment: 'Largest payment', card_fee_fixed: 'Card fee: fixed amount' },
    ...{ card_fee_min: 'Card fee: minimum', card_fee_max: 'Card fee: maximum', fee_for_ach: 'eCheck fee' },
    refund_limit: 'Refund limit without approval',
  }),
  ...as('percent', { card_fee_bps: 'Card fee: percentage' }),
  ...as('id', {
    ...{ processor_id: 'Processor', primary_contact: 'Primary Staff', secondary_contact: 'Secondary Staff' },
  }),
  timezone_id: ['Company Timezone', 'id'],
  fiscal_month: ['First month of the fiscal year', 'text'],
}

export const labelOf = (field: string): string => fields[field]?.[0] ?? field

export interface Change {
  field: string
  label: string
  old: string
  new: string
}

export type Names = Readonly<Record<string, Readonly<Record<string, string>>>>

/**
 * Lists the fields that differ, with their old and new values as text. `names` maps ids to names by field. For a list,
 * shows the removed and the added entries, or both orders if only the order differs.
 */
export function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  names: Names = {},
): Change[] {
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return all
    .filter((field) => !same(before[field], after[field]))
    .map((field) => {
      const [old, now] =
        isList(before[field]) || isList(after[field])
          ? listTexts(field, before[field], after[field])
          : [valueText(field, before[field], names), valueText(field, after[field], names)]
      return { field, label: labelOf(field), old, new: now }
    })
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** Returns a value as text. `names` maps ids to names by field. */
export function valueText(field: string, value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return say`none`
  if (isList(value)) return value.map((item) => itemText(field, item)).join(', ') || say`none`
  const kind = fields[field]?.[1] ?? 'text'
  if (kind === 'yesNo') return value === 1 ? say`Yes` : say`No`
  if (kind === 'money') return formatCents(Number(value))
  if (kind === 'percent') return `${(Number(value) / 100).toFixed(2)}%`
  if (field === 'logo') return say`an image`
  if (PHONES.includes(field) && typeof value === 'string') return formatPhone(value)
  if (field === 'fiscal_month') return monthNames[Number(value)] ?? ''
  if (field === 'guest_proof') return guestFactNames[value as keyof typeof guestFactNames]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
  return names[field]?.[text] ?? text
}

function listTexts(field: string, before: unknown, after: unknown): [string, string] {
  const lines = (value: unknown) => (isList(value) ? value : []).map((item) => itemText(field, item))
  const [old, now] = [lines(before), lines(after)]
  const gone = old.filter((line) => !now.includes(line))
  const come = now.filter((line) => !old.includes(line))
  // If only the order differs, lists just the names of all entries in the old and the new order.
  const listed = gone.length + come.length > 0 ? [gone, come] : [namesIn(before), namesIn(after)]
  return listed.map((some) => some.join('; ') || say`none`) as [string, string]
}

const namesIn = (value: unknown): string[] =>
  (isList(value) ? value : []).map((item) => {
    if (typeof item !== 'object' || item === null) return String(item)
    const { name, message } = item as Record<string, unknown>
    return String(name ?? message)
  })

/** Returns a short text for one entry of a list. */
function itemText(field: string, item: unknown): string {
  if (field === 'locked') return labelOf(String(item))
  if (typeof item !== 'object' || item === null) return String(item)
  const entry = item as Record<string, unknown>
  if (field === 'tiles') {
    const { name, route, active, desc, image, button_text } = entry
    return [`${String(name)} (${String(route)}${active === 1 ? '' : ', off'})`, desc, image, button_text]
      .filter(Boolean)
      .join(', ')
  }
  // Uses a fixed order, because jsonb returns its keys in a different order.
  const { name, title, phone, email, message, until, location } = entry
  return [name, title, phone, email, message, until, location === 'back_office' ? say`for staff` : '']
    .filter(Boolean)
    .join(', ')
}
