import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isLoopbackName } from '../../shared/loopback-name.ts'
import { viewPortals } from './list.ts'
import { cleaned } from '../../shared/typed.ts'

const URL_INVALID = 'Enter the address of the Open311 endpoint, such as https://county.example/open311/v2.'

/**
 * True for an https URL. Also true for an http URL on this machine, which the server allows only in trials. A URL with
 * a query is not allowed.
 */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash, search, hostname } = new URL(text)
  if (username || password || hash || search) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

const MAX_ROUTES = 200
const CODE = 'Choose a service that the portal offers.'
const route = z.object({
  categoryId: rowId,
  serviceCode: z.string().check(z.minLength(1, CODE), z.maxLength(100, CODE)),
})

export const portalForm = z.object({
  name: line(80).check(z.minLength(1, 'Enter a name for the portal.')),
  url: z.string().check(
    z.trim(),
    z.overwrite((text) => text.replace(/\/+$/, '')),
    z.maxLength(300, URL_INVALID),
    z.refine(isEndpoint, { error: URL_INVALID }),
  ),
  jurisdictionId: line(100),
  active: z.boolean(),
  followsStatus: z.boolean(),
  sendsContact: z.boolean(),
  routes: z.array(route).check(
    z.maxLength(MAX_ROUTES, 'Choose up to 200 categories.'),
    z.refine((routes) => new Set(routes.map(({ categoryId }) => categoryId)).size === routes.length, {
      error: 'Choose each category only once.',
    }),
  ),
})

const KEY = 'Enter a key of up to 300 characters, without spaces.'
/** API key of the other portal. An empty value keeps the stored key. */
export const apiKeyField = z.string().check(cleaned(), z.regex(/^[!-~]{0,300}$/, KEY))

const changePortals: Access = { audience: 'municipality', privilege: ['integrations', 'update'] }

export const showPortal = endpoint({
  path: 'muni/return/other/portal',
  summary: 'Returns another Open311 portal with its services',
  access: viewPortals,
  body: z.object({ portalId: z.nullable(rowId) }),
  response: z.object({
    form: portalForm,
    hasKey: z.boolean(),
    hasUpdates: z.boolean(),
    servicesAt: z.nullable(z.string()),
    problem: z.string(),
    services: z.array(z.object({ code: z.string(), name: z.string() })),
    /** Categories of the company. `elsewhere` names another portal that already receives the category. */
    categories: z.array(z.object({ id: z.number(), name: z.string(), elsewhere: z.string() })),
  }),
})

export const savePortal = formCall({
  path: 'muni/save/other/portal',
  summary: 'Creates or changes another Open311 portal',
  access: changePortals,
  whileImpersonating: 'refused',
  body: z.extend(portalForm, { portalId: z.nullable(rowId), apiKey: apiKeyField, basis }),
  response: z.extend(done, { portalId: z.number() }),
})

/** Tests a portal. Saves its services, its format, and whether it supports updates. */
export const testPortal = endpoint({
  path: 'muni/test/other/portal',
  summary: 'Tests the connection to another portal and saves its services',
  access: changePortals,
  body: z.object({ portalId: rowId }),
  response: z.extend(done, { services: z.int() }),
})

export const removePortal = endpoint({
  path: 'muni/remove/other/portal',
  summary: 'Removes another portal and its API key',
  access: changePortals,
  whileImpersonating: 'refused',
  body: z.object({ portalId: rowId }),
  response: done,
})

export const open311SettingsForm = z.object({ publishPhotos: z.boolean() })

export const open311Settings = endpoint({
  path: 'muni/return/open311/settings',
  summary: 'Returns the settings for public Open311 access',
  access: viewPortals,
  body: z.object({ companyId }),
  response: z.object({ settings: open311SettingsForm }),
})

export const saveOpen311Settings = formCall({
  path: 'muni/save/open311/settings',
  summary: 'Saves the settings for public Open311 access',
  access: changePortals,
  body: z.extend(open311SettingsForm, { companyId, basis }),
})

const staff = ['municipality', 'platform'] as const
const viewAccess: Access = { audience: staff, privilege: ['requests', 'view'] }
const change: Access = { audience: staff, privilege: ['requests', 'update'] }
const ofRequest = z.object({ companyId, subjectId: rowId })

export const requestAtPortal = endpoint({
  path: 'muni/return/request/sent',
  summary: 'Returns the status of a request sent to another portal',
  access: viewAccess,
  body: ofRequest,
  response: z.object({
    sent: z.nullable(
      z.object({
        portal: z.string(),
        state: z.enum(['waiting', 'token', 'sent', 'refused', 'abandoned']),
        theirId: z.string(),
        theirStatus: z.enum(['', 'open', 'closed']),
        problem: z.string(),
        nextAt: z.string(),
      }),
    ),
    can: z.object({ retry: z.boolean() }),
  }),
})

export const retrySending = formCall({
  path: 'muni/retry/request/sent',
  summary: 'Sends a refused or abandoned request to another portal again',
  access: change,
  body: ofRequest,
})
