import { addDays } from '../../shared/dates.ts'
import type { Answers, RowAnswer } from '../../shared/fields/answer.ts'
import type { LocationValue } from '../../shared/places.ts'

/** Kinds of registration, with the codes of the specification (spec 9.7, register services). */
export const HOUSEHOLD = 1
export const BUSINESS = 2
export const RENTAL = 3
export const kinds = { [HOUSEHOLD]: 'Household', [BUSINESS]: 'Business', [RENTAL]: 'Rental Properties' } as const
export type Kind = keyof typeof kinds

/**
 * Returns true if the entered text means the address. For example, “12 wharf street” means “12 Wharf Street, Maple
 * Grove, PA 17011”.
 */
const isSameAddress = (address: string, typed: string): boolean => {
  const plainTyped = plainTextOf(typed)
  return plainTextOf(address) === plainTyped || plainTextOf(address.split(',')[0] ?? '') === plainTyped
}
const plainTextOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s.,]+/g, ' ')
    .trim()

/** Finds an existing registration at an address. */
export const findAtAddress = <One extends { location: string; addressId: number | null }>(
  those: readonly One[],
  { text, addressId }: Pick<LocationValue, 'text' | 'addressId'>,
): One | undefined =>
  those.find((one) => (addressId !== null && one.addressId === addressId) || isSameAddress(one.location, text))

/** Kind of subject for inspections of rental properties. */
export const RENTAL_SUBJECT = 'rental'
export const REPORT_PATH = '/municipality/reports/registration'
export const OWN_PATH = '/register-property'

export interface RegistrationSettings {
  listedAddressOnly: boolean
  householdAtOnce: boolean
  renewAtOnce: boolean
  inspectionMonths: number
  /** True if the address of a business or rental property must be on a parcel from the company's list. */
  onParcel: boolean
}
export const usualSettings: RegistrationSettings = {
  listedAddressOnly: true,
  householdAtOnce: true,
  renewAtOnce: true,
  inspectionMonths: 24,
  onParcel: false,
}

/**
 * Numbers of days before the deadline. At the first number, the portal requests a confirmation. At the second, it sends
 * a reminder.
 */
export const REMINDERS = [40, 14] as const

/**
 * Calculates how many reminders are due on a day, and whether the registration has lapsed. A registration is still
 * valid on its deadline.
 */
export function dueOn(confirmBy: string, today: string): { reminders: 0 | 1 | 2; lapsed: boolean } {
  const passed = REMINDERS.filter((days) => today >= addDays(confirmBy, -days)).length as 0 | 1 | 2
  return { reminders: passed, lapsed: today > confirmBy }
}

/** Fields that the portal reads by name. Staff can add other fields but cannot remove these. */
export const requiredFields = {
  [HOUSEHOLD]: ['household_name', 'people', 'pets', 'needs', 'key_holder', 'consent', 'alerts'],
  [BUSINESS]: ['business_name', 'contacts', 'consent', 'alerts'],
  [RENTAL]: ['property_name', 'units', 'contacts', 'consent', 'alerts'],
} as const satisfies Record<Kind, readonly string[]>

const rowsOf = (answers: Answers, name: string): RowAnswer[] =>
  Array.isArray(answers[name]) ? (answers[name] as RowAnswer[]) : []

/** Extracts the details that the database stores unencrypted, for lists and for the search by first responders. */
export function detailsOf(kind: Kind, answers: Answers) {
  const text = (name: string) => (typeof answers[name] === 'string' ? answers[name] : '')
  return {
    name: text(kind === HOUSEHOLD ? 'household_name' : kind === BUSINESS ? 'business_name' : 'property_name'),
    people: rowsOf(answers, 'people').length,
    pets: rowsOf(answers, 'pets').length,
    units: rowsOf(answers, 'units').length,
    for_responders: answers['consent'] === true,
    alerts: Array.isArray(answers['alerts']) ? (answers['alerts'] as string[]) : [],
  }
}

/** Names of the answers that first responders may see. */
export const forResponders = ['needs', 'people', 'pets', 'key_holder', 'contacts', 'alarm'] as const
