/** Path of a resident's yearly statement. */
export const PAID_IN_YEAR = '/profile/paid-in-year'

/** Number of selectable years, starting with the current year. */
export const YEARS = 7

/** Adds up an amount in cents over all items of a list. */
export const sumOf = <Of>(items: readonly Of[], cents: (item: Of) => number): number =>
  items.reduce((sum, item) => sum + cents(item), 0)
