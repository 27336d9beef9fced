import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { addressFields, mobileField, nameField } from '../../shared/accounts.ts'
import { newEmail } from '../../shared/email.ts'
import { isPhone } from '../../shared/phone.ts'
import { say } from '../../shared/messages.ts'
import { basis } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

/** Error messages from spec 5.1. */
export const FIRST_NAME_REQUIRED = 'First Name is required.'
export const LAST_NAME_REQUIRED = 'Last Name is required.'
export const EMAIL_INVALID = 'Email is required and must be a valid email address.'
/** Confirmation message from spec 8.3. */
export const PROFILE_SAVED = 'Profile saved.'
/** Role that clients send. The server never trusts it (spec 6.1; product rules, section 3). */
export const PROFILE_ROLE = 300

const alerts = z.enum(['a', 'i'])

/** Fields from spec 2.16. */
export const profileForm = z.object({
  first_name: nameField(FIRST_NAME_REQUIRED),
  last_name: nameField(LAST_NAME_REQUIRED),
  ...addressFields,
  email: z.string({ error: EMAIL_INVALID }).check(
    cleaned(),
    z.refine((email) => newEmail.safeParse(email).success, { error: EMAIL_INVALID }),
  ),
  mobile_no: mobileField,
})

const self: Access = { audience: ['citizen', 'municipality', 'platform'], privilege: ['user_profile', 'view'] }
const named = {
  companyId: z.optional(z.nullable(z.union([z.number(), z.string()]))),
  userId: z.optional(z.nullable(z.union([z.number(), z.string()]))),
}

/** Returns the caller's own profile (spec 7.2). If the request names a different person, the response is 404. */
export const returnProfile = endpoint({
  path: 'return/profile/user',
  summary: "Returns the caller's profile",
  access: self,
  scope: 'none',
  body: z.object(named),
  response: z.object({
    user: z.object({
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      service_address: z.string(),
      city: z.string(),
      state: z.string(),
      zipcode: z.string(),
      mobile_no: z.string(),
      /** 'a' means yes, 'i' means no. Null if the person has not chosen. Always null for platform staff. */
      active_phone_alerts: z.nullable(alerts),
      active_email_alerts: z.nullable(alerts),
      /** 1 means email, 2 phone, 3 both (spec 9.8). */
      primary_contact_method: z.int(),
      email_confirmed: z.boolean(),
      /** New email address that the person has not confirmed yet. */
      new_email: z.nullable(z.string()),
    }),
  }),
})

/**
 * Saves the caller's profile (spec 7.2). The server ignores `role`. The 'a' sent for both alerts counts only if the
 * person has not chosen yet. A new email is not saved: it starts an email change, which requires the password.
 */
export const saveProfile = formCall({
  path: 'save/profile/user',
  summary: "Saves the caller's profile",
  access: { ...self, privilege: ['user_profile', 'update'] },
  scope: 'none',
  body: z.object({
    ...named,
    formData: z.extend(profileForm, {
      password: z.optional(
        z.string().check(z.maxLength(200, 'The password is too long. Passwords can have up to 200 characters.')),
      ),
      active_phone_alerts: z.optional(z.nullable(alerts)),
      active_email_alerts: z.optional(z.nullable(alerts)),
    }),
    role: z.optional(z.unknown()),
    basis,
  }),
  response: z.extend(done, { msg: z.string(), email_change: z.boolean() }),
})

export const contactForm = z.object({
  primary_contact_method: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  active_email_alerts: alerts,
  active_phone_alerts: alerts,
})

/** Saves a resident's contact preference (spec 9.8). */
export const saveContact = formCall({
  path: 'save/profile/contact',
  summary: "Saves the caller's contact preference",
  access: { audience: 'citizen' },
  body: z.extend(contactForm, { basis }),
})

export const closeForm = z.object({
  password: z
    .string()
    .check(
      z.minLength(1, 'Enter your password.'),
      z.maxLength(200, 'The password is too long. Passwords can have up to 200 characters.'),
    ),
})

/** Lists the items that prevent the caller from closing the account. */
export const accountClosing = endpoint({
  path: 'return/profile/closing',
  summary: "Returns the items that prevent the closing of the caller's account",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({ blockers: z.array(z.object({ text: z.string(), path: z.string() })) }),
})

/**
 * Closes the caller's account.
 * @throws 409 if a payment is pending, AutoPay is on, or an arrangement or reservation is open
 */
export const closeAccount = formCall({
  path: 'close/profile/account',
  summary: "Closes the caller's account and ends its sessions",
  access: { audience: 'citizen' },
  whileImpersonating: 'refused',
  body: closeForm,
})

const TEXTS_PHONE = 'Enter a 10-digit mobile phone number.'

/** Consent text for text messages. It is stored with the phone number. */
export const textsConsent = (name: string): string =>
  say`I agree to receive texts from ${name} at this number about my payments and requests. Message frequency varies. Msg & data rates may apply. Reply STOP to end, HELP for help.`

/**
 * Text message settings of the caller. `stopped` means that the phone replied STOP. Only a START reply from the same
 * phone reverses that.
 */
export const myTexts = endpoint({
  path: 'return/profile/texts',
  summary: "Returns the caller's settings for text messages",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    offered: z.boolean(),
    state: z.enum(['off', 'unconfirmed', 'on']),
    phone: z.string(),
    optedOut: z.boolean(),
    /** Phone number that sends the text messages. Empty if the portal uses several numbers. */
    from: z.string(),
    consent: z.string(),
  }),
})

export const textsForm = z.object({
  phone: z.string({ error: TEXTS_PHONE }).check(
    cleaned(),
    z.maxLength(30, TEXTS_PHONE),
    z.refine((text) => isPhone(text), { error: TEXTS_PHONE }),
  ),
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'To receive texts, you must agree.' })),
})

/** Defines an endpoint through which a resident gives consent. Impersonators cannot call it. */
const agreeing = <Body extends z.ZodMiniType>(spec: { path: string; summary: string; body: Body }) =>
  endpoint({ ...spec, access: { audience: 'citizen' }, whileImpersonating: 'refused', response: done })

export const startTexts = agreeing({
  path: 'start/profile/texts',
  summary: 'Sends a code to a phone that confirms text messages',
  body: textsForm,
})

export const textsCodeForm = z.object({
  code: z.string().check(cleaned(), z.regex(/^\d{6}$/, 'Enter the 6 digits from the text.')),
})

export const confirmTexts = agreeing({
  path: 'confirm/profile/texts',
  summary: 'Turns on text messages with the code from the text',
  body: textsCodeForm,
})

export const optOutOfTexts = endpoint({
  path: 'stop/profile/texts',
  summary: "Turns off the caller's text messages and deletes the phone number",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: done,
})
