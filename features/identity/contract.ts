import * as z from 'zod/mini'
import { credentials, mobileField, nameField, passwordField, sessionBegun, signedIn } from '../../shared/accounts.ts'
import { done } from '../../shared/answers.ts'
import { email, newEmail } from '../../shared/email.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { companyId } from '../../shared/body-parts.ts'
import { cleaned } from '../../shared/typed.ts'

/** On every host and without a session, but by nobody in another's place. */
const forAnybody = { access: { audience: 'public' }, whileImpersonating: 'refused', scope: 'none' } as const

/** Signs residents and municipality staff in, on their town's host. */
export const signIn = endpoint({
  path: 'login',
  whileOffline: true,
  summary: 'Signs a resident or a member of the municipality staff in',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.extend(credentials, { companyId }),
  answer: signedIn,
})

/** Signs the platform's staff in, on the administrator's host (specification 7.2). */
export const adminSignIn = endpoint({
  path: 'admin/login',
  summary: "Signs a member of the platform's staff in",
  ...forAnybody,
  body: credentials,
  answer: signedIn,
})

/** Ends the session (specification 7.2). */
export const signOut = endpoint({
  path: 'logout',
  method: 'GET',
  summary: 'Ends the session',
  access: { audience: ['citizen', 'municipality', 'platform'] },
  scope: 'none',
  body: z.object({}),
  answer: z.object({ success: z.literal(true) }),
})

/** Server name, environment and version (specification 7.2). */
export const appSettings = endpoint({
  path: 'app/settings',
  method: 'GET',
  summary: 'What this installation is called and which version it runs',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({}),
  answer: z.object({
    settings: z.object({ server_name: z.string(), environment: z.string(), app_version: z.string() }),
  }),
})

const password = passwordField
const wayIn = z.object({
  code: z.string().check(z.regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from where you got it.')),
})

/** Sets the first password of a platform account, by the single-use link of `npm run admin -- create`. */
export const acceptInvitation = endpoint({
  path: 'admin/accept/invitation',
  summary: 'Sets the first password of a platform account',
  ...forAnybody,
  body: z.extend(wayIn, { password }),
  answer: z.extend(done, { email: z.string() }),
})

/** The same for somebody whom a town invited, on the town's host. */
export const acceptTownInvitation = endpoint({
  path: 'accept/invitation',
  whileOffline: true,
  whileImpersonating: 'refused',
  summary: "Sets the first password of a town's staff account",
  access: { audience: 'public' },
  body: z.extend(wayIn, { password, companyId }),
  answer: acceptInvitation.answer,
})

/** What somebody types to get an account; the rules of the password are asked for beside it. */
export const signUpForm = z.object({
  first_name: nameField('First Name is required.'),
  last_name: nameField('Last Name is required.'),
  email: newEmail,
  mobile_no: z._default(mobileField, ''),
  password,
})

/**
 * Makes a resident's account and signs in at once. Where the email has an account, the words are the same and nobody is
 * signed in (`session` null): the person with the account is told by mail. `message` is what the screen says either way.
 */
export const signUp = endpoint({
  path: 'sign-up',
  whileImpersonating: 'refused',
  summary: "Makes a resident's account and signs in",
  access: { audience: 'public' },
  body: z.extend(signUpForm, { companyId }),
  answer: z.object({ success: z.literal(true), message: z.string(), session: z.nullable(sessionBegun) }),
})

/** Something beside the password that signs its person in; `stays` false: it was taken back just now. */
const otherWay = z.object({
  kind: z.enum(['app', 'passkey', 'sso']),
  /** Of the passkey, or of whoever vouches for them. */
  name: z.string(),
  since: z.string(),
  stays: z.boolean(),
})
export type SignInMethod = z.infer<typeof otherWay>

/** What a new password did besides: to the other ways in, and to a change of the email that was under way. */
const passwordSet = z.extend(done, { others: z.array(otherWay), changeEnded: z.boolean() })

/**
 * Which rules new passwords follow here; and, asked with a link's code, whether that link still sets one: 'used' by now,
 * 'newer' where a later one was mailed, 'over' for any other reason.
 */
export const passwordRules = endpoint({
  path: 'return/password/rules',
  summary: 'Which rules new passwords follow',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({ code: z.optional(wayIn.shape.code) }),
  answer: z.object({
    rules: z.enum(['standard', 'nist']),
    link: z.nullable(z.enum(['good', 'used', 'newer', 'over'])),
  }),
})

export const emailForm = z.object({ email })

/** Mails a link that sets a new password (specification 7.2). The same answer whether there is such an account or not. */
export const resetPassword = endpoint({
  path: 'reset/profile/password',
  summary: 'Mails a link that sets a new password',
  ...forAnybody,
  body: z.extend(emailForm, { companyId }),
  answer: z.extend(done, { msg: z.string() }),
})

/** Sets a new password by the link of a mail, and ends the person's sessions. */
export const setPassword = endpoint({
  path: 'set/profile/password',
  summary: 'Sets a new password by the link of a mail',
  ...forAnybody,
  body: z.extend(wayIn, { password }),
  answer: z.extend(passwordSet, { email: z.string() }),
})

/** Confirms an email, or a changed one, by the link of the mail that was sent there. */
export const confirmEmail = endpoint({
  path: 'confirm/profile/email',
  summary: 'Confirms an email by the link of a mail',
  ...forAnybody,
  body: wayIn,
  answer: z.extend(done, { email: z.string(), personId: z.number() }),
})

export const sendConfirmation = endpoint({
  path: 'send/confirmation/email',
  whileImpersonating: 'refused',
  summary: 'Mails the link that confirms the email once more',
  access: { audience: 'citizen' },
  body: z.object({}),
  answer: done,
})

/** Everybody for themselves. */
const own: Access = { audience: ['citizen', 'municipality', 'platform'], privilege: ['user_profile', 'update'] }
const ownView: Access = { ...own, privilege: ['user_profile', 'view'] }
/** Nobody changes it in another's place. */
const ownChange = { access: own, whileImpersonating: 'refused', scope: 'none' } as const

export const changeEmailForm = z.object({ email: newEmail, password })

/** Mails a link to the new address; the old one stays valid until that is opened, and is told. */
export const changeEmail = endpoint({
  path: 'change/profile/email',
  summary: "Begins to change the caller's email",
  ...ownChange,
  body: changeEmailForm,
  answer: done,
})

/** `code`: of the authenticator app, where one is set up. */
export const changePasswordForm = z.object({
  current: password,
  password,
  code: z.optional(z.string().check(cleaned(), z.maxLength(40, 'That code is too long.'))),
})

/** Sets the caller's password and ends their other sessions. */
export const changePassword = endpoint({
  path: 'change/profile/password',
  summary: "Changes the caller's password",
  ...ownChange,
  body: changePasswordForm,
  answer: passwordSet,
})

/** Where the caller is signed in, the newest first. */
export const mySessions = endpoint({
  path: 'return/profile/sessions',
  summary: 'Where the caller is signed in',
  access: ownView,
  scope: 'none',
  body: z.object({}),
  answer: z.object({
    sessions: z.array(
      z.object({
        id: z.number(),
        /** In plain words: 'Firefox on Windows'. */
        device: z.string(),
        address: z.string(),
        since: z.string(),
        seen: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
})

/** Ends one of the caller's sessions, or with `others` all but this one. */
export const endMySession = endpoint({
  path: 'end/profile/session',
  summary: "Ends one of the caller's sessions, or all others",
  ...ownChange,
  body: z.union([z.object({ id: z.int().check(z.minimum(1)) }), z.object({ others: z.literal(true) })]),
  answer: z.extend(done, { ended: z.int() }),
})
