import * as z from 'zod/mini'
import { type Access, endpoint } from '../../shared/endpoint.ts'

export const REASON_SHORT = 'Enter a reason of at least 3 characters. The reason will be recorded.'
export const REASON_LONG = 'Use no more than 200 characters for the reason.'

/** Form for the reason, which the staff member enters before the impersonation window opens. */
export const reasonForm = z.object({
  reason: z.string().check(z.trim(), z.minLength(3, REASON_SHORT), z.maxLength(200, REASON_LONG)),
})

const id = z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/, 'This is not a valid ID.'))])
const code = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This link is incomplete. Start again from the page where you opened it.'))

/** Access to "Masquerade as user" (product rules, section 3). */
const access: Access = { audience: ['platform', 'municipality'], privilege: ['sign_in_as', 'view'] }

/**
 * Checks whether the caller (`reqId`) may impersonate `userId`. Staff may impersonate residents of their company. If
 * `userId` is the caller's own id, the target is the municipality. Only platform staff may impersonate it. The codes
 * are single-use. `sessionToken` opens the session within 60 seconds. With `adminToken`, the window that started the
 * impersonation can end it.
 */
export const checkPrivilege = endpoint({
  path: 'admin/check/priv/for/user',
  summary: 'Checks the impersonation privilege and returns the hand-off codes',
  access,
  whileImpersonating: 'refused',
  body: z.extend(reasonForm, {
    companyId: z.optional(id),
    reqId: id,
    userId: id,
    /** True to see the portal as a staff member of the own municipality. That session can change nothing. */
    asStaff: z.optional(z.boolean()),
  }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    sessionToken: z.string(),
    adminToken: z.string(),
    /** Id of the hand-off, known to both windows. */
    handOff: z.string(),
  }),
})

export const companySubdomain = endpoint({
  path: 'admin/return/company/subdomain',
  summary: 'Returns the subdomain of a company',
  access: { audience: 'platform', privilege: ['login_logout', 'view'] },
  scope: 'none',
  body: z.object({ id }),
  response: z.object({ subdomain: z.string() }),
})

/** Ends all open impersonations of the caller, or only the one that `adminToken` identifies. */
export const cleanUp = endpoint({
  path: 'admin/cleanup/impersonation',
  summary: "Ends the caller's impersonation sessions",
  access,
  scope: 'none',
  whileImpersonating: 'refused',
  body: z.object({ reqId: id, adminToken: z.optional(code) }),
  response: z.object({ success: z.literal(true), ended: z.int() }),
})

/**
 * Exchanges the hand-off code once for a session of 30 minutes. The server ignores all other data that the page sends.
 */
export const startImpersonation = endpoint({
  path: 'initialize/impersonation',
  whileOffline: true,
  summary: 'Exchanges a single-use hand-off code for an impersonation session',
  access: { audience: 'public' },
  body: z.object({ sessionToken: code }),
  response: z.object({
    success: z.literal(true),
    token: z.string(),
    user: z.object({ id: z.number(), company_id: z.number(), role_id: z.literal(999) }),
    profileName: z.literal('IP'),
    privileges: z.record(z.string(), z.number()),
    expire_time: z.string(),
    /** Names of the impersonator and of the impersonated resident or municipality. */
    impersonator: z.string(),
    impersonated: z.string(),
    of: z.enum(['citizen', 'municipality']),
    /** True if the resident is temporary, for a preview of the portal. */
    isPreview: z.boolean(),
    /** Email address that gets the emails of a preview. Empty outside of a preview. */
    email: z.string(),
    /** Origin of the window that opened this one. */
    opener: z.string(),
    handOff: z.string(),
  }),
})
