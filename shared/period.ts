/** Period of a report. Includes the first and the last day. */
import * as z from 'zod/mini'
import { daysBetween } from './dates.ts'
import { say } from './messages.ts'

/** Maximum length of a period in days: a year and a month. */
const MAX_DAYS = 400
const ORDER_OF_DAYS = 'The last day is before the first day. Choose the dates again.'
const tooLong = () => say`Choose a period of up to ${MAX_DAYS} days.`

/** Returns the checks for a request body with a period: `z.object({ fromDate, toDate }).check(...periodInOrder())`. */
export const periodInOrder = <Period extends { fromDate: string; toDate: string }>() => [
  z.refine<Period>(({ fromDate, toDate }) => fromDate <= toDate, { error: ORDER_OF_DAYS, path: ['toDate'] }),
  z.refine<Period>(({ fromDate, toDate }) => daysBetween(fromDate, toDate) < MAX_DAYS, {
    ...{ error: tooLong, path: ['fromDate'] },
  }),
]
