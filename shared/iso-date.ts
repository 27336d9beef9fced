import * as z from 'zod/mini'
import { isDay } from './dates.ts'

const [EARLIEST, LATEST] = ['1900-01-01', '2199-12-31']

/** Calendar day from 1900 to 2199, as YYYY-MM-DD. The database has no year 0000. */
export const isoDate = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter a date with a four-digit year.'),
  z.refine((text) => text >= EARLIEST && text <= LATEST, { error: 'Choose a date from 1900 to 2199.' }),
  z.refine(isDay, { error: 'This date does not exist. Check the day and the month.' }),
)
