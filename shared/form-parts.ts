import * as z from 'zod/mini'
import { isoDate } from './iso-date.ts'

/** Field schemas that staff forms share. */

/** Returns the schema for a code that must be a key of `labels`. */
export const codeOf = <Code extends string>(labels: Readonly<Record<Code, string>>, error: string) =>
  z.enum(Object.keys(labels) as [Code], { error })

/** Calendar day, or '' for none. */
export const dayOrNone = z.union([z.literal(''), isoDate], { error: 'Choose a date, or leave the field empty.' })
