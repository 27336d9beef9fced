import { addDays } from '../../shared/dates.ts'
import type { Answers, RowAnswer } from '../../shared/fields/answer.ts'
import { isSameAddress, type PlaceValue } from '../../shared/places.ts'

/** What can be registered (specification 9.7, register services). */
export const kinds = { 1: 'Household', 2: 'Business', 3: 'Rental Properties' } as const
export type Kind = keyof typeof kinds
export const HOUSEHOLD = 1
export const RENTAL = 3

/** That of them which is at a place already. */
export const alreadyAt = <One extends { place: string; addressId: number | null }>(
  those: readonly One[],
  { text, addressId }: Pick<PlaceValue, 'text' | 'addressId'>,
): One | undefined =>
  those.find((one) => (addressId !== null && one.addressId === addressId) || isSameAddress(one.place, text))

/** As inspections know a rental property. */
export const RENTAL_SUBJECT = 'rental'
export const REPORT_PATH = '/municipality/reports/registration'
export const MINE_PATH = '/register-property'

export interface RegistrationSettings {
  knownAddressOnly: boolean
  householdAtOnce: boolean
  renewAtOnce: boolean
  inspectionMonths: number
  /** Businesses and rental properties have to stand on a parcel of the town's list. */
  onParcel: boolean
}
export const usualSettings: RegistrationSettings = {
  knownAddressOnly: true,
  householdAtOnce: true,
  renewAtOnce: true,
  inspectionMonths: 24,
  onParcel: false,
}

/** So many days before the last one a confirmation is asked for, and once more. */
export const REMINDERS = [40, 14] as const

/**
 * What a day brings to a registration that is to be confirmed by a day: how many of its reminders should have been sent by
 * now, and whether it has lapsed. On the last day itself it still counts.
 */
export function dueOn(confirmBy: string, today: string): { reminders: 0 | 1 | 2; lapsed: boolean } {
  const passed = REMINDERS.filter((days) => today >= addDays(confirmBy, -days)).length as 0 | 1 | 2
  return { reminders: passed, lapsed: today > confirmBy }
}

/** The fields that the portal reads by their names: staff may add others, and may not take these away. */
export const keptFields = {
  1: ['household_name', 'people', 'pets', 'needs', 'key_holder', 'consent', 'alerts'],
  2: ['business_name', 'contacts', 'consent', 'alerts'],
  3: ['property_name', 'units', 'contacts', 'consent', 'alerts'],
} as const satisfies Record<Kind, readonly string[]>

const rowsOf = (answers: Answers, name: string): RowAnswer[] =>
  Array.isArray(answers[name]) ? (answers[name] as RowAnswer[]) : []

/** What a list and the first responders know of a registration without opening it. */
export function factsOf(kind: Kind, answers: Answers) {
  const text = (name: string) => (typeof answers[name] === 'string' ? answers[name] : '')
  return {
    name: text(kind === 1 ? 'household_name' : kind === 2 ? 'business_name' : 'property_name'),
    people: rowsOf(answers, 'people').length,
    pets: rowsOf(answers, 'pets').length,
    units: rowsOf(answers, 'units').length,
    for_responders: answers['consent'] === true,
    alerts: Array.isArray(answers['alerts']) ? (answers['alerts'] as string[]) : [],
  }
}

/** What first responders may know of it, and nothing else. */
export const forResponders = ['needs', 'people', 'pets', 'key_holder', 'contacts', 'alarm'] as const
