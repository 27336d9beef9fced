import * as z from 'zod/mini'
import type { Config } from '../../../server/config.ts'
import type { Secrets } from '../../../server/secrets.ts'

/** Service that creates door codes: the sandbox, or the bridge of a lock vendor (docs/access-codes.md). */
export interface AccessCodes {
  /**
   * Creates a code for a door and a time span. Repeated calls with the same key return the same code.
   * @throws Error if no code was created or the outcome is unknown. The caller then retries with the same key.
   */
  grant(key: string, request: { door: string; from: Date; until: Date; label: string }): Promise<GrantedCode>
  /**
   * Revokes the code that was created with a key. Succeeds even if no code was created, and repeated calls are safe.
   */
  revoke(key: string): Promise<void>
}

interface GrantedCode {
  id: string
  /** Code that the renter types at the door. */
  code: string
}

const TIMEOUT_MS = 15_000
const granted = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  code: z.string().check(z.regex(/^[\dA-Za-z#*-]{4,20}$/)),
})

/** Creates a client for a bridge, with the calls of `docs/access-codes.md`. */
export function bridge({ url, key: secret }: { url: string; key: string }): AccessCodes {
  const sendRequest = async (method: 'PUT' | 'DELETE', key: string, body?: object): Promise<Response> =>
    fetch(`${url.replace(/\/$/, '')}/codes/${encodeURIComponent(key)}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
  return {
    async grant(key, { door, from, until, label }) {
      const response = await sendRequest('PUT', key, {
        door,
        from: from.toISOString(),
        until: until.toISOString(),
        label,
      })
      if (!response.ok) throw new Error(`the bridge answered ${response.status}`)
      return granted.parse(await response.json())
    },
    async revoke(key) {
      const response = await sendRequest('DELETE', key)
      if (!response.ok && response.status !== 404 && response.status !== 410)
        throw new Error(`the bridge answered ${response.status}`)
    },
  }
}

/** Derives six-digit codes from a secret of the installation, so that the demo needs no real locks. */
export const sandboxCodes = (secrets: Pick<Secrets, 'mark'>): AccessCodes => ({
  grant: async (key, { door }) => ({
    id: `sandbox-${key}`,
    code: String(secrets.mark(['door', door, key].join(' ')).readUInt32BE(0) % 1_000_000).padStart(6, '0'),
  }),
  revoke: async () => {},
})

let instead: AccessCodes | null = null
/** Replaces the service with a test double that can fail. Null restores the regular service. */
export const replaceAccessCodes = (locks: AccessCodes | null): void => {
  instead = locks
}

/**
 * Returns the service that creates door codes. Null in production if no bridge is configured, so that no renter gets a
 * code that opens nothing.
 */
export function accessCodesOf({ config, secrets }: { config: Config; secrets: Secrets }): AccessCodes | null {
  if (instead) return instead
  if (config.accessCodes) return bridge(config.accessCodes)
  return config.mode === 'production' && !config.demo ? null : sandboxCodes(secrets)
}
