/** Path of the yearly statement of a resident. */
export const PAID_IN_YEAR = '/profile/paid-in-year'

/** Number of years offered, starting with the current one. */
export const YEARS = 7

/** Adds an amount in cents over a list. */
export const sumOf = <Of>(things: readonly Of[], cents: (thing: Of) => number): number =>
  things.reduce((sum, thing) => sum + cents(thing), 0)
