import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importJWK,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import * as z from 'zod/mini'
import type { AppContext } from '../../../server/app-context.ts'
import { HAND_OFF_ALGORITHMS } from '../rules.ts'
import { outgoing } from '../../../server/outgoing.ts'

const MAX_KEYS = 20
/** Minimum length of an RSA modulus: 2048 bits, in base64url characters. */
const RSA_LENGTH = 342

const key = z.looseObject({
  kty: z.enum(['OKP', 'RSA']),
  crv: z.optional(z.literal('Ed25519')),
  n: z.optional(z.string().check(z.minLength(RSA_LENGTH))),
  alg: z.optional(z.enum(HAND_OFF_ALGORITHMS)),
  d: z.optional(z.undefined()),
})
const keySet = z.looseObject({ keys: z.array(key).check(z.minLength(1), z.maxLength(MAX_KEYS)) })

/** Parses public keys that staff pasted. Null if the text is malformed or contains a private or weak key. */
export async function readKeys(text: string): Promise<JSONWebKeySet | null> {
  try {
    const { keys } = keySet.parse(JSON.parse(text))
    for (const one of keys) await importJWK(one, one.kty === 'RSA' ? 'RS256' : 'EdDSA')
    return { keys }
  } catch {
    return null
  }
}

const remote = new WeakMap<AppContext, Map<string, JWTVerifyGetKey>>()
const MAX_STORED = 500

/**
 * Returns the key set at a URL, cached for ten minutes. The request has the network restrictions that apply to all
 * configured URLs.
 */
export function keysAt(context: AppContext, url: string): JWTVerifyGetKey {
  const keySets = remote.get(context) ?? new Map<string, JWTVerifyGetKey>()
  remote.set(context, keySets)
  if (keySets.size > MAX_STORED) keySets.clear()
  const keys =
    keySets.get(url) ??
    createRemoteJWKSet(new URL(url), {
      timeoutDuration: 5000,
      [customFetch]: outgoing({ loopback: context.config.ssoLoopback }),
    })
  keySets.set(url, keys)
  return keys
}

export const keysOf = (
  context: AppContext,
  { jwks, jwks_url: url }: { jwks: unknown; jwks_url: string | null },
): JWTVerifyGetKey => (url === null ? createLocalJWKSet(jwks as JSONWebKeySet) : keysAt(context, url))
