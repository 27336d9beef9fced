import * as z from 'zod/mini'
import { say } from './words.ts'
import { NOT_VISIBLE, VISIBLE_LINE } from './visible.ts'

/** Parts that the bodies of many calls have. */

/** The number of a row. */
export const rowId = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

/** The same beside a file, where every field is text. */
export const rowIdBesideFile = (says: string) => z.string({ error: says }).check(z.regex(/^[1-9]\d{0,14}$/, says))

/** The town: the platform's calls need it, and a town's own are refused where it is another one (product rules, section 8). */
export const companyId = z.optional(z.union([z.number(), z.string()]))

/** What a form was made from, beside its values (`server/edits.ts`). */
export const basis = z.optional(z.record(z.string(), z.unknown()))

/** One line of words. */
export const line = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(most, { error: () => say`Please use at most ${most} characters.` }),
      z.regex(VISIBLE_LINE, NOT_VISIBLE),
    )

/** Words to search for. Signs and characters that no text has are ignored: “is lead < 15 ppb safe?”. */
export const searchLine = (most: number) =>
  z.string().check(
    z.overwrite((text) => text.replaceAll(/[\p{C}<>]/gu, (sign) => (/[\u200C\u200D]/.test(sign) ? sign : ' '))),
    z.trim(),
    z.maxLength(most, { error: () => say`Please use at most ${most} characters.` }),
  )
