import { addDays } from '../../shared/dates.ts'
import type { Answers, RowAnswer } from '../../shared/fields/answer.ts'
import type { LocationValue } from '../../shared/places.ts'

/** Kinds of registration (spec 9.7, register services). */
export const HOUSEHOLD = 1
const BUSINESS = 2
export const RENTAL = 3
export const kinds = { [HOUSEHOLD]: 'Household', [BUSINESS]: 'Business', [RENTAL]: 'Rental Properties' } as const
export type Kind = keyof typeof kinds

/** Returns true if a typed text such as “12 wharf street” means “12 Wharf Street, Maple Grove, PA 17011”. */
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
export const alreadyAt = <One extends { location: string; addressId: number | null }>(
  those: readonly One[],
  { text, addressId }: Pick<LocationValue, 'text' | 'addressId'>,
): One | undefined =>
  those.find((one) => (addressId !== null && one.addressId === addressId) || isSameAddress(one.location, text))

/** Subject kind of rental properties in inspections. */
export const RENTAL_SUBJECT = 'rental'
export const REPORT_PATH = '/municipality/reports/registration'
export const OWN_PATH = '/register-property'

export interface RegistrationSettings {
  listedAddressOnly: boolean
  householdAtOnce: boolean
  renewAtOnce: boolean
  inspectionMonths: number
  /** True if businesses and rental properties must be on a parcel from the company's list. */
  onParcel: boolean
}
export const usualSettings: RegistrationSettings = {
  listedAddressOnly: true,
  householdAtOnce: true,
  renewAtOnce: true,
  inspectionMonths: 24,
  onParcel: false,
}

/** Days before the deadline: first the request for confirmation, then the reminder. */
export const REMINDERS = [40, 14] as const

/**
 * Calculates the reminders due by a day, and whether the registration has lapsed. A registration is still valid on its
 * deadline.
 */
export function dueOn(confirmBy: string, today: string): { reminders: 0 | 1 | 2; lapsed: boolean } {
  const passed = REMINDERS.filter((days) => today >= addDays(confirmBy, -days)).length as 0 | 1 | 2
  return { reminders: passed, lapsed: today > confirmBy }
}

/** Fields that the portal reads by name. Staff may add others but not remove these. */
export const requiredFields = {
  [HOUSEHOLD]: ['household_name', 'people', 'pets', 'needs', 'key_holder', 'consent', 'alerts'],
  [BUSINESS]: ['business_name', 'contacts', 'consent', 'alerts'],
  [RENTAL]: ['property_name', 'units', 'contacts', 'consent', 'alerts'],
} as const satisfies Record<Kind, readonly string[]>

const rowsOf = (answers: Answers, name: string): RowAnswer[] =>
  Array.isArray(answers[name]) ? (answers[name] as RowAnswer[]) : []

/** Extracts the details that lists and first responders see without opening the registration. */
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

/** Names of the only fields that first responders may see. */
export const forResponders = ['needs', 'people', 'pets', 'key_holder', 'contacts', 'alarm'] as const
