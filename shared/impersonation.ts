/** Session hand-off between two windows (spec 4.9, 9.1, 9.2; product rules, section 4). */

/** Interval at which the opening window checks that the other window is still open, in milliseconds (spec 9.1). */
export const POLL_MS = 1000

/** Time until the 'Session Ended' window closes automatically, in milliseconds (spec 9.1). */
export const ENDED_MS = 3000

/** Message that the ending window sends to its opener (spec 4.9). */
export const ENDED_MESSAGE = 'impersonation-ended'

/** Prefix of storage keys that hand a session to another window on the same origin (spec 9.2). */
export const HAND_OFF_PREFIX = 'muni_access_'

/**
 * Broadcast channel for messages between both windows. It is needed because the cross-origin opener policy may cut off
 * a resident's page from its opener.
 */
export const CHANNEL = 'impersonation'

/** Normalizes a subdomain: trims it, converts it to lowercase, and keeps only a-z, 0-9 and '-' (spec 4.9). */
export const plainSubdomain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '')

export interface ImpersonationHandoff {
  userId: string
  targetCompanyId: string
  sessionToken: string
  adminToken: string
}

const fixed = { auth: '1', profileName: 'IP', UN: '999', overSeeingEye: 'true' } as const

/**
 * Returns the start URL of an impersonation window. The host is `{subdomain}.{host}`, derived from the administrator's
 * URL (spec 4.9).
 * @returns null if no URL can be built
 */
export function impersonationUrl(
  adminOrigin: string,
  subdomain: string,
  of: 'municipality' | 'citizen',
  handOff: ImpersonationHandoff,
): string | null {
  const plain = plainSubdomain(subdomain)
  const { protocol, host } = new URL(adminOrigin)
  if (!plain || !host.startsWith('admin.')) return null
  const session = btoa(JSON.stringify({ ...handOff, ...fixed }))
  return `${protocol}//${plain}.${host.slice('admin.'.length)}/${of}/initialize-impersonation?session=${encodeURIComponent(session)}`
}

/** Returns the code from `?session=`. Null if it is missing. Other values in the parameter are never trusted. */
export function codeIn(session: string | null): string | null {
  try {
    const parsed = JSON.parse(atob(session ?? '')) as { sessionToken?: unknown } | null
    return typeof parsed?.sessionToken === 'string' ? parsed.sessionToken : null
  } catch {
    return null
  }
}
