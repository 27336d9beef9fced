import * as z from 'zod/mini'
import { type Access, endpoint } from '../../shared/endpoint.ts'

export const REASON_SHORT = 'Say in a few words why (at least 3 characters). The reason is kept.'
export const REASON_LONG = 'Use at most 200 characters for the reason.'

/** What the dialog asks for before it opens the other window. */
export const reasonForm = z.object({
  reason: z.string().check(z.trim(), z.minLength(3, REASON_SHORT), z.maxLength(200, REASON_LONG)),
})

const id = z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/, 'This is no id.'))])
const code = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This link is not complete. Start again from where you opened it.'))

/** "Masquerade as user" (product rules, section 3). */
const access: Access = { audience: ['platform', 'municipality'], privilege: ['login_logout', 'view'] }

/**
 * May the acting person (`reqId`, the caller) be `userId`? Their own id stands for the municipality, which is for the
 * platform alone; staff may be residents of their town. The answer's codes are single-use: `sessionToken` opens the
 * session within 60 seconds, `adminToken` lets the opening window end it.
 */
export const checkPrivilege = endpoint({
  path: 'admin/check/priv/for/user',
  summary: 'Checks that the caller may impersonate, and answers the codes of the hand-off',
  access,
  whileImpersonating: 'refused',
  body: z.extend(reasonForm, { companyId: z.optional(id), reqId: id, userId: id }),
  answer: z.object({
    success: z.literal(true),
    message: z.string(),
    sessionToken: z.string(),
    adminToken: z.string(),
    /** Names the hand-off to the windows that are about it. */
    handOff: z.string(),
  }),
})

export const companySubdomain = endpoint({
  path: 'admin/return/company/subdomain',
  summary: "A municipality's subdomain",
  access: { audience: 'platform', privilege: ['login_logout', 'view'] },
  scope: 'none',
  body: z.object({ id: id }),
  answer: z.object({ subdomain: z.string() }),
})

/** Ends what the acting person has open in others' places: all of it, or the one that `adminToken` names. */
export const cleanUp = endpoint({
  path: 'admin/cleanup/impersonation',
  summary: "Ends the caller's impersonated sessions",
  access,
  scope: 'none',
  whileImpersonating: 'refused',
  body: z.object({ reqId: id, adminToken: z.optional(code) }),
  answer: z.object({ success: z.literal(true), ended: z.int() }),
})

/** Exchanges the code of the hand-off for a session of 30 minutes, once. Nothing else that the page knows counts. */
export const beginImpersonation = endpoint({
  path: 'initialize/impersonation',
  whileOffline: true,
  summary: 'Exchanges the single-use code of a hand-off for an impersonated session',
  access: { audience: 'public' },
  body: z.object({ sessionToken: code }),
  answer: z.object({
    success: z.literal(true),
    token: z.string(),
    user: z.object({ id: z.number(), company_id: z.number(), role_id: z.literal(999) }),
    profileName: z.literal('IP'),
    privileges: z.record(z.string(), z.number()),
    expire_time: z.string(),
    /** Who looks, and at whom: a resident's name, or the municipality's. */
    impersonator: z.string(),
    impersonated: z.string(),
    of: z.enum(['citizen', 'municipality']),
    /** The origin of the window that opened this one. */
    opener: z.string(),
    handOff: z.string(),
  }),
})
