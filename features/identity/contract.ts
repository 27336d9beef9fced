import * as z from 'zod/mini'
import { credentials, mobileField, nameField, passwordField, sessionStarted, signedIn } from '../../shared/accounts.ts'
import { done } from '../../shared/responses.ts'
import { email, newEmail } from '../../shared/email.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { companyId } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

/** Access for everyone: on every host and without a session. Refused while impersonating. */
const forAnybody = { access: { audience: 'public' }, whileImpersonating: 'refused', scope: 'none' } as const

/** Signs in residents and municipality staff on their company's host. */
export const signIn = endpoint({
  path: 'login',
  whileOffline: true,
  summary: 'Signs in a resident or a staff member of the company',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.extend(credentials, { companyId }),
  response: signedIn,
})

/** Signs in platform staff on the administrator host (spec 7.2). */
export const adminSignIn = endpoint({
  path: 'admin/login',
  summary: 'Signs in a staff member of the platform',
  ...forAnybody,
  body: credentials,
  response: signedIn,
})

/** Ends the session (spec 7.2). */
export const signOut = endpoint({
  path: 'logout',
  method: 'GET',
  summary: "Ends the caller's session",
  access: { audience: ['citizen', 'municipality', 'platform'] },
  scope: 'none',
  body: z.object({}),
  response: z.object({ success: z.literal(true) }),
})

/** Server name, environment and version (spec 7.2). */
export const appSettings = endpoint({
  path: 'app/settings',
  method: 'GET',
  summary: 'Returns the server name, environment and version',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({}),
  response: z.object({
    settings: z.object({ server_name: z.string(), environment: z.string(), app_version: z.string() }),
  }),
})

const password = passwordField
const signInMethod = z.object({
  code: z.string().check(z.regex(/^[\w-]{43}$/, 'This link is incomplete. Open the original link again.')),
})

/** Sets the first password of a platform account with the single-use link of `npm run admin -- create`. */
export const acceptInvitation = endpoint({
  path: 'admin/accept/invitation',
  summary: 'Sets the first password of a platform account',
  ...forAnybody,
  body: z.extend(signInMethod, { password }),
  response: z.extend(done, { email: z.string() }),
})

/** Sets the first password of a person whom a company invited, on the company's host. */
export const acceptCompanyInvitation = endpoint({
  path: 'accept/invitation',
  whileOffline: true,
  whileImpersonating: 'refused',
  summary: "Sets the first password of a company's staff account",
  access: { audience: 'public' },
  body: z.extend(signInMethod, { password, companyId }),
  response: acceptInvitation.response,
})

/** Sign-up form. The endpoint checks the password rules separately. */
export const signUpForm = z.object({
  first_name: nameField('First Name is required.'),
  last_name: nameField('Last Name is required.'),
  email: newEmail,
  mobile_no: z._default(mobileField, ''),
  password,
})

/**
 * Creates a resident account and signs the resident in. If the email already has an account, `session` is null and the
 * account owner gets an email. `message` is the same in both cases.
 */
export const signUp = endpoint({
  path: 'sign-up',
  whileImpersonating: 'refused',
  summary: 'Creates a resident account and signs the resident in',
  access: { audience: 'public' },
  body: z.extend(signUpForm, { companyId }),
  response: z.object({ success: z.literal(true), message: z.string(), session: z.nullable(sessionStarted) }),
})

/** Sign-in method other than the password. `stays` is false if this call removed it. */
const otherMethod = z.object({
  kind: z.enum(['app', 'passkey', 'sso']),
  /** Name of the passkey or of the identity provider. */
  name: z.string(),
  since: z.string(),
  stays: z.boolean(),
})
export type SignInMethod = z.infer<typeof otherMethod>

/** Side effects of a new password: the other sign-in methods, and whether a pending email change was cancelled. */
const passwordSet = z.extend(done, { others: z.array(otherMethod), changeEnded: z.boolean() })

/**
 * Returns the password rules of this host. With the code of an emailed link, also returns the status of the link. The
 * status is 'good', 'used', 'newer' (a later link was sent) or 'expired'.
 */
export const passwordRules = endpoint({
  path: 'return/password/rules',
  summary: 'Returns the rules for new passwords',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({ code: z.optional(signInMethod.shape.code) }),
  response: z.object({
    rules: z.enum(['standard', 'nist']),
    link: z.nullable(z.enum(['good', 'used', 'newer', 'expired'])),
  }),
})

export const emailForm = z.object({ email })

/** Emails a link that sets a new password (spec 7.2). The response is identical for unknown emails. */
export const resetPassword = endpoint({
  path: 'reset/profile/password',
  summary: 'Emails a link that sets a new password',
  ...forAnybody,
  body: z.extend(emailForm, { companyId }),
  response: z.extend(done, { msg: z.string() }),
})

/** Sets a new password with an emailed link and ends the person's sessions. */
export const setPassword = endpoint({
  path: 'set/profile/password',
  summary: 'Sets a new password with an emailed link',
  ...forAnybody,
  body: z.extend(signInMethod, { password }),
  response: z.extend(passwordSet, { email: z.string() }),
})

/** Confirms an email or an email change, with the link sent to the address. */
export const confirmEmail = endpoint({
  path: 'confirm/profile/email',
  summary: 'Confirms an email address with an emailed link',
  ...forAnybody,
  body: signInMethod,
  response: z.extend(done, { email: z.string(), personId: z.number() }),
})

export const sendConfirmation = endpoint({
  path: 'send/confirmation/email',
  whileImpersonating: 'refused',
  summary: 'Emails the caller a new confirmation link',
  access: { audience: 'citizen' },
  body: z.object({}),
  response: done,
})

/** Access to the caller's own account, for every audience. */
const own: Access = { audience: ['citizen', 'municipality', 'platform'], privilege: ['user_profile', 'update'] }
const ownView: Access = { ...own, privilege: ['user_profile', 'view'] }
/** Options of calls that change the caller's own account. The server refuses them while impersonating. */
const ownChange = { access: own, whileImpersonating: 'refused', scope: 'none' } as const

export const changeEmailForm = z.object({ email: newEmail, password })

/**
 * Emails a link to the new address. The old address gets a notice and stays valid until the person confirms the link.
 */
export const changeEmail = endpoint({
  path: 'change/profile/email',
  summary: "Starts the change of the caller's email address",
  ...ownChange,
  body: changeEmailForm,
  response: done,
})

/** Form for a new password. `code` is a code of the authenticator app, if the account has one. */
export const changePasswordForm = z.object({
  current: password,
  password,
  code: z.optional(
    z.string().check(cleaned(), z.maxLength(40, 'The code is too long. Check the code and enter it again.')),
  ),
})

export const changePassword = endpoint({
  path: 'change/profile/password',
  summary: "Changes the caller's password",
  ...ownChange,
  body: changePasswordForm,
  response: passwordSet,
})

/** Returns the active sessions of the caller, newest first. */
export const mySessions = endpoint({
  path: 'return/profile/sessions',
  summary: "Returns the caller's active sessions",
  access: ownView,
  scope: 'none',
  body: z.object({}),
  response: z.object({
    sessions: z.array(
      z.object({
        id: z.number(),
        /** Readable device name, for example 'Firefox on Windows'. */
        device: z.string(),
        address: z.string(),
        since: z.string(),
        seen: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
})

/** Ends one session of the caller. With `others`, ends all sessions except this one. */
export const endMySession = endpoint({
  path: 'end/profile/session',
  summary: "Ends one of the caller's sessions or all other sessions",
  ...ownChange,
  body: z.union([z.object({ id: z.int().check(z.minimum(1)) }), z.object({ others: z.literal(true) })]),
  response: z.extend(done, { ended: z.int() }),
})
