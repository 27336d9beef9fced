import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { keyUses, type KeyUse } from './rules.ts'
import { rowId } from '../../shared/body-parts.ts'

/** Keys give programs access to the company. */
const change: Access = { audience: 'municipality', privilege: ['integrations', 'update'] }

export const KEY_NAME = 'Enter the name of the program that uses this key, up to 60 characters.'
export const apiKeyForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, KEY_NAME), z.maxLength(60, KEY_NAME)),
  use: z.enum(Object.keys(keyUses) as [KeyUse], 'Choose a type of access for the key.'),
})

export const makeApiKey = endpoint({
  path: 'muni/make/api/key',
  summary: 'Creates an API key and returns it once',
  access: change,
  whileImpersonating: 'refused',
  body: apiKeyForm,
  response: z.object({ success: z.literal(true), message: z.string(), key: z.string() }),
})

export const revokeApiKey = endpoint({
  path: 'muni/revoke/api/key',
  summary: 'Revokes an API key',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ keyId: rowId }),
  response: done,
})
