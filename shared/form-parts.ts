import * as z from 'zod/mini'
import { isoDate } from './iso-date.ts'

/** Parts that the forms of staff have. */

/** One of the codes that a record of labels has. */
export const codeOf = <Code extends string>(labels: Readonly<Record<Code, string>>, error: string) =>
  z.enum(Object.keys(labels) as [Code], { error })

/** A day, or '' where there is none. */
export const dayOrNone = z.union([z.literal(''), isoDate], { error: 'Choose a day of the calendar, or none.' })
