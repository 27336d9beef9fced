import * as z from 'zod/mini'
import { endpoint } from '../../shared/endpoint.ts'

export const EMAIL_REQUIRED = 'Enter your email address.'
export const EMAIL_WRONG = 'That does not look like an email address. Check it for typing mistakes.'
export const PASSWORD_REQUIRED = 'Enter your password.'

const email = z.string().check(
  z.trim(),
  z.minLength(1, EMAIL_REQUIRED),
  z.maxLength(254, EMAIL_WRONG),
  // One @, no spaces or control characters, a dot behind it: the rest only a sent mail can tell.
  z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@.\p{C}]+$/u, EMAIL_WRONG),
)
const password = z.string().check(z.minLength(1, PASSWORD_REQUIRED), z.maxLength(200, 'That password is too long.'))

/** Specification 3, "Login user", and 7.2. */
const signedIn = z.object({
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
  }),
  privileges: z.record(z.string(), z.number()),
  expire_time: z.string(),
})

export const credentials = z.object({ email, password })

/** Signs residents and municipality staff in, on their town's host. */
export const signIn = endpoint({
  path: 'login',
  summary: 'Signs a resident or a member of the municipality staff in',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  body: z.extend(credentials, { companyId: z.optional(z.union([z.number(), z.string()])) }),
  answer: signedIn,
})

/** Signs the platform's staff in, on the administrator's host (specification 7.2). */
export const adminSignIn = endpoint({
  path: 'admin/login',
  summary: "Signs a member of the platform's staff in",
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  scope: 'none',
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

const wayIn = z.object({
  code: z.string().check(z.regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from where you got it.')),
})

/** Sets the first password of a platform account, by the single-use link of `npm run admin -- create`. */
export const acceptInvitation = endpoint({
  path: 'admin/accept/invitation',
  summary: 'Sets the first password of a platform account',
  access: { audience: 'public' },
  whileImpersonating: 'refused',
  scope: 'none',
  body: z.extend(wayIn, { password }),
  answer: z.object({ success: z.literal(true), message: z.string(), email: z.string() }),
})
