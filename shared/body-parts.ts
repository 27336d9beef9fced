import * as z from 'zod/mini'
import { say } from './messages.ts'
import { NOT_VISIBLE, VISIBLE_LINE } from './visible.ts'

/** Fields that many request bodies share. */

export const rowId = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))

/** Row id in a multipart body. All fields of such a body are strings. */
export const rowIdBesideFile = (message: string) =>
  z.string({ error: message }).check(z.regex(/^[1-9]\d{0,14}$/, message))

/**
 * Company id. Required in platform calls. A call on a company's host is refused if the id is another company's (product
 * rules, section 8).
 */
export const companyId = z.optional(z.union([z.number(), z.string()]))

/** Form values from when the form was opened. The form sends them together with the new values (`server/edits.ts`). */
export const basis = z.optional(z.record(z.string(), z.unknown()))

/** Schema of a one-line string with at most `max` characters. */
export const line = (max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }),
      z.regex(VISIBLE_LINE, NOT_VISIBLE),
    )

/**
 * Search text. Characters that never occur in stored texts become spaces, such as the `<` in “is lead < 15 ppb safe?”.
 */
export const searchLine = (max: number) =>
  z.string().check(
    z.overwrite((text) => text.replaceAll(/[\p{C}<>]/gu, (sign) => (/[\u200C\u200D]/.test(sign) ? sign : ' '))),
    z.trim(),
    z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }),
  )
