import * as z from 'zod/mini'
import { cleaned } from './typed.ts'

export const EMAIL_REQUIRED = 'Enter your email address.'
export const EMAIL_WRONG = 'That does not look like an email address. Check it for typing mistakes.'
export const PLAIN_EMAIL = 'Use an email address of plain letters, digits and marks, such as ann.lee@example.org.'

export const email = z.string().check(
  cleaned(),
  z.minLength(1, EMAIL_REQUIRED),
  z.maxLength(254, EMAIL_WRONG),
  // One @, no spaces or control characters, a dot behind it: the rest only a sent mail can tell.
  z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u, EMAIL_WRONG),
)

/**
 * An address that somebody says is theirs. Plain characters alone: one that only looks like another, or smuggles a line
 * into a mail's head, is no address here.
 */
export const newEmail = email.check(
  z.regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, PLAIN_EMAIL),
)

/** The same where none need be given. What is not an email at all is told as one that is wrong, whatever else it is. */
export const emailOrNone = z.string().check(
  cleaned(),
  z.check<string>(({ value, issues }) => {
    const refused = value === '' ? undefined : newEmail.safeParse(value).error?.issues[0]
    if (refused) issues.push({ code: 'custom', message: refused.message, input: value })
  }),
)
