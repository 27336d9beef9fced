/** Session hand-off between two windows (specification 4.9, 9.1, 9.2; product rules, section 4). */

/** Interval at which the opening window checks that the other is still open (specification 9.1). */
export const POLL_MS = 1000

/** Time until 'Session Ended' closes itself (specification 9.1). */
export const ENDED_MS = 3000

/** Message from the ending window to its opener (specification 4.9). */
export const ENDED_MESSAGE = 'impersonation-ended'

/** Storage key of a hand-off within one origin (specification 9.2). */
export const HAND_OFF_PREFIX = 'muni_access_'

/** Broadcast channel for both windows, because the opener policy may cut a resident's page off from its opener. */
export const CHANNEL = 'impersonation'

/** Trims, lower-cases and keeps only a-z, 0-9 and '-' (specification 4.9). */
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
 * Returns the start URL of an impersonation window: `{subdomain}.{host}` of the administrator's address (specification
 * 4.9).
 * @returns null if no address can be made
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

/** Returns the code in `?session=`, or null. Other values in it are never trusted. */
export function codeIn(session: string | null): string | null {
  try {
    const parsed = JSON.parse(atob(session ?? '')) as { sessionToken?: unknown } | null
    return typeof parsed?.sessionToken === 'string' ? parsed.sessionToken : null
  } catch {
    return null
  }
}
