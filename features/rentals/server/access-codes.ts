import * as z from 'zod/mini'
import type { Config } from '../../../server/config.ts'
import type { Secrets } from '../../../server/secrets.ts'

/** Whoever makes the codes of doors: a sandbox of our own, or the bridge of a lock maker (docs/access-codes.md). */
export interface AccessCodes {
  /**
   * A code for a door, from then until then. The same key is the same code, however often it is asked for.
   * @throws Error where none was made, or nobody knows whether it was: it is asked for again under its key
   */
  grant(key: string, asked: { door: string; from: Date; until: Date; label: string }): Promise<GrantedCode>
  /** Ends a code, by its key, whether it was ever made or not. Again is no mistake. */
  revoke(key: string): Promise<void>
}

interface GrantedCode {
  id: string
  /** What somebody types at the door. */
  code: string
}

const ANSWERS_WITHIN_MS = 15_000
const granted = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  code: z.string().check(z.regex(/^[\dA-Za-z#*-]{4,20}$/)),
})

/** A bridge that speaks the few calls of docs/access-codes.md. */
export function bridge({ url, key: secret }: { url: string; key: string }): AccessCodes {
  const ask = async (method: 'PUT' | 'DELETE', key: string, body?: object): Promise<Response> =>
    fetch(`${url.replace(/\/$/, '')}/codes/${encodeURIComponent(key)}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      redirect: 'error',
    })
  return {
    async grant(key, { door, from, until, label }) {
      const answer = await ask('PUT', key, { door, from: from.toISOString(), until: until.toISOString(), label })
      if (!answer.ok) throw new Error(`the bridge answered ${answer.status}`)
      return granted.parse(await answer.json())
    },
    async revoke(key) {
      const answer = await ask('DELETE', key)
      if (!answer.ok && answer.status !== 404 && answer.status !== 410)
        throw new Error(`the bridge answered ${answer.status}`)
    },
  }
}

/** Six digits that follow from the key of the installation, so that the demo's doors need no lock. */
export const sandboxCodes = (secrets: Pick<Secrets, 'mark'>): AccessCodes => ({
  grant: async (key, { door }) => ({
    id: `sandbox-${key}`,
    code: String(secrets.mark(['door', door, key].join(' ')).readUInt32BE(0) % 1_000_000).padStart(6, '0'),
  }),
  revoke: async () => {},
})

let instead: AccessCodes | null = null
/** Tests put locks of their own in place, with their faults. */
export const lockInstead = (locks: AccessCodes | null): void => {
  instead = locks
}

/** Null in production without a bridge: a code that opens nothing is given to nobody. */
export function accessCodesOf({ config, secrets }: { config: Config; secrets: Secrets }): AccessCodes | null {
  if (instead) return instead
  if (config.accessCodes) return bridge(config.accessCodes)
  return config.mode === 'production' && !config.demo ? null : sandboxCodes(secrets)
}
