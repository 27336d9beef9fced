import * as z from 'zod/mini'
import { cleaned } from './typed.ts'

export const EMAIL_REQUIRED = 'Enter your email address.'
export const EMAIL_INVALID = 'Enter an email address, such as name@example.com.'
export const PLAIN_EMAIL = 'Use an email address without accented or special letters, such as ann.lee@example.org.'

export const email = z.string().check(
  cleaned(),
  z.minLength(1, EMAIL_REQUIRED),
  z.maxLength(254, EMAIL_INVALID),
  // Requires one @, no spaces or control characters, and a dot after the @. Whether the address exists can only be
  // tested by sending an email.
  z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u, EMAIL_INVALID),
)

/**
 * New email address, with plain characters only. Other characters can imitate another address or inject an email
 * header.
 */
export const newEmail = email.check(
  z.regex(/^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/, PLAIN_EMAIL),
)

/** Optional new email address. If the text is not an email address, it causes only one error. */
export const emailOrNone = z.string().check(
  cleaned(),
  z.check<string>(({ value, issues }) => {
    const refused = value === '' ? undefined : newEmail.safeParse(value).error?.issues[0]
    if (refused) issues.push({ code: 'custom', message: refused.message, input: value })
  }),
)
