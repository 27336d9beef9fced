/** The hand-off between two windows (specification 4.9, 9.1, 9.2; product rules, section 4). */

/** The opening window looks this often whether the other one is closed (specification 9.1). */
export const POLL_MS = 1000

/** 'Session Ended' closes itself after this long (specification 9.1). */
export const ENDED_MS = 3000

/** What the ending window tells the one that opened it (specification 4.9). */
export const ENDED_MESSAGE = 'impersonation-ended'

/** The storage key of a hand-off within one origin (specification 9.2). */
export const HAND_OFF_PREFIX = 'muni_access_'

/** A resident's page may be cut off from its opener (its opener policy): the two speak over this channel. */
export const CHANNEL = 'impersonation'

/** Trimmed, lower-cased, stripped to a-z, 0-9 and '-' (specification 4.9). */
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
 * Where the window starts in which an administrator is a municipality, or one of its residents: `{subdomain}.{host}` of
 * the administrator's own address (specification 4.9).
 * @returns null where no address can be made of it
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

/** The code in `?session=`, or null. The rest of what stands there is never believed. */
export function codeIn(session: string | null): string | null {
  try {
    const said = JSON.parse(atob(session ?? '')) as { sessionToken?: unknown } | null
    return typeof said?.sessionToken === 'string' ? said.sessionToken : null
  } catch {
    return null
  }
}
