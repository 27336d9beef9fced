import * as z from 'zod/mini'
import { email } from './email.ts'
import { isPhone } from './phone.ts'
import { NOT_VISIBLE, VISIBLE_LINE } from './visible.ts'
import { cleaned } from './typed.ts'

export const PASSWORD_REQUIRED = 'Enter your password.'

export const passwordField = z
  .string()
  .check(z.minLength(1, PASSWORD_REQUIRED), z.maxLength(200, 'That password is too long.'))

/** Specification 3, "Login user", and 7.2. */
export const sessionBegun = z.object({
  success: z.literal(true),
  message: z.string(),
  token: z.string(),
  user: z.object({
    id: z.number(),
    company_id: z.nullable(z.number()),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    role_id: z.number(),
    /** False: the email is a claim so far, and nothing of somebody else's is shown by it. */
    email_confirmed: z.optional(z.boolean()),
  }),
  privileges: z.record(z.string(), z.number()),
  expire_time: z.string(),
})

/** A session that has begun: what signing in answers where nothing else is asked for. */
export type SessionBegun = z.infer<typeof sessionBegun>

export const credentials = z.object({ email, password: passwordField })

/** What shows who one is, beside a password. */
export const secondMethods = ['totp', 'recovery', 'passkey'] as const

/**
 * The password was right, and something else is asked for: `ticket` is good for it for five minutes. No method: a second
 * factor is required here, and this person sets one up first.
 */
const secondAsked = z.object({
  success: z.literal(true),
  message: z.string(),
  second: z.object({ ticket: z.string(), methods: z.array(z.enum(secondMethods)) }),
})
export type SecondAsked = z.infer<typeof secondAsked>['second']

export const signedIn = z.union([sessionBegun, secondAsked])
export type SignedIn = z.infer<typeof signedIn>

export const MOBILE_WRONG = 'Enter a phone number of 10 digits, or leave it empty.'

/** A name as people write it; what could be markup or is invisible is told. */
export const nameField = (required: string) =>
  z
    .string({ error: required })
    .check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(80, 'Please use at most 80 characters.'),
      z.regex(VISIBLE_LINE, NOT_VISIBLE),
    )

/** Ten digits in any of the usual shapes, with a country code or without, or nothing. */
export const mobileField = z.string().check(
  cleaned(),
  z.maxLength(30, MOBILE_WRONG),
  z.refine((text) => text === '' || isPhone(text), { error: MOBILE_WRONG }),
)
