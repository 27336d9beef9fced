const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** 'Nov 20, 2026', on the reader's clock. */
export const dayOf = (instant: string): string => day.format(new Date(instant))
