import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  importJWK,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import * as z from 'zod/mini'
import type { House } from '../../../server/house.ts'
import { HAND_OFF_ALGORITHMS } from '../rules.ts'
import { outgoing } from '../../../server/outgoing.ts'

const MOST_KEYS = 20
/** 2048 bits, in base64url. */
const RSA_LENGTH = 342

const key = z.looseObject({
  kty: z.enum(['OKP', 'RSA']),
  crv: z.optional(z.literal('Ed25519')),
  n: z.optional(z.string().check(z.minLength(RSA_LENGTH))),
  alg: z.optional(z.enum(HAND_OFF_ALGORITHMS)),
  d: z.optional(z.undefined()),
})
const keySet = z.looseObject({ keys: z.array(key).check(z.minLength(1), z.maxLength(MOST_KEYS)) })

/** Reads a set of public keys that somebody pasted; null where it is none, or holds a private or weak one. */
export async function readKeys(text: string): Promise<JSONWebKeySet | null> {
  try {
    const { keys } = keySet.parse(JSON.parse(text))
    for (const one of keys) await importJWK(one, one.kty === 'RSA' ? 'RS256' : 'EdDSA')
    return { keys }
  } catch {
    return null
  }
}

const remote = new WeakMap<House, Map<string, JWTVerifyGetKey>>()
const MOST_KEPT = 500

/** The keys at an address, fetched with the caution of everything that a town's settings name, and kept ten minutes. */
export function keysAt(house: House, url: string): JWTVerifyGetKey {
  const mine = remote.get(house) ?? new Map<string, JWTVerifyGetKey>()
  remote.set(house, mine)
  if (mine.size > MOST_KEPT) mine.clear()
  const keys =
    mine.get(url) ??
    createRemoteJWKSet(new URL(url), {
      timeoutDuration: 5000,
      [customFetch]: outgoing({ loopback: house.config.ssoLoopback }),
    })
  mine.set(url, keys)
  return keys
}

export const keysOf = (
  house: House,
  { jwks, jwks_url: url }: { jwks: unknown; jwks_url: string | null },
): JWTVerifyGetKey => (url === null ? createLocalJWKSet(jwks as JSONWebKeySet) : keysAt(house, url))
