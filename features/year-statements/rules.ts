/** Where a resident finds what they paid in a year. */
export const PAID_IN_YEAR = '/profile/paid-in-year'

/** So many years are offered, this one first. */
export const YEARS = 7

/** Sums of cents of a few things. */
export const sumOf = <Of>(things: readonly Of[], cents: (thing: Of) => number): number =>
  things.reduce((sum, thing) => sum + cents(thing), 0)
