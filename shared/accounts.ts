import * as z from 'zod/mini'
import { email } from './email.ts'
import { isPhone } from './phone.ts'
import { NOT_VISIBLE, VISIBLE_LINE } from './visible.ts'
import { isState, STATE_UNKNOWN } from './states.ts'
import { cleaned } from './typed.ts'

export const PASSWORD_REQUIRED = 'Enter your password.'

export const passwordField = z
  .string()
  .check(
    z.minLength(1, PASSWORD_REQUIRED),
    z.maxLength(200, 'The password is too long. Passwords can have up to 200 characters.'),
  )

/** Response that starts a session (spec 3, "Login user", and 7.2). */
export const sessionStarted = z.object({
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
    /** False until the person confirms the email address. Until then, the person can't see data of other people. */
    email_confirmed: z.optional(z.boolean()),
  }),
  privileges: z.record(z.string(), z.number()),
  expire_time: z.string(),
})

/** A started session: the response to a sign-in without further steps. */
export type StartedSession = z.infer<typeof sessionStarted>

export const credentials = z.object({ email, password: passwordField })

export const secondMethods = ['totp', 'recovery', 'passkey'] as const

/**
 * Response if the password was correct but a second factor is required. `ticket` is valid for five minutes. If
 * `methods` is empty, the person must first set up two-factor authentication.
 */
const secondFactorRequested = z.object({
  success: z.literal(true),
  message: z.string(),
  second: z.object({ ticket: z.string(), methods: z.array(z.enum(secondMethods)) }),
})
export type SecondFactorRequest = z.infer<typeof secondFactorRequested>['second']

export const signedIn = z.union([sessionStarted, secondFactorRequested])
export type SignedIn = z.infer<typeof signedIn>

export const MOBILE_INVALID = 'Enter a 10-digit phone number, or leave the field empty.'

/** Field for a person's name. Refuses markup and invisible characters. */
export const nameField = (required: string) =>
  z
    .string({ error: required })
    .check(
      z.trim(),
      z.minLength(1, required),
      z.maxLength(80, 'Enter up to 80 characters.'),
      z.regex(VISIBLE_LINE, NOT_VISIBLE),
    )

/** Phone number of ten digits in any usual format, with or without a country code. May be empty. */
export const mobileField = z.string().check(
  cleaned(),
  z.maxLength(30, MOBILE_INVALID),
  z.refine((text) => text === '' || isPhone(text), { error: MOBILE_INVALID }),
)

const line = z
  .string()
  .check(z.trim(), z.maxLength(200, 'Use no more than 200 characters.'), z.regex(VISIBLE_LINE, NOT_VISIBLE))

/** Address of a person. Each field may be empty. */
export const addressFields = {
  service_address: line,
  city: line,
  state: z
    .string()
    .check(
      cleaned(),
      z.regex(/^(?:[A-Z]{2})?$/, 'Enter the state as two capital letters.'),
      z.refine(isState, { error: STATE_UNKNOWN }),
    ),
  zipcode: z.string().check(cleaned(), z.regex(/^(?:\d{5})?$/, 'Enter a 5-digit ZIP code.')),
}
