import { isLoopbackName } from '../../shared/loopback-name.ts'

/** Groups of people that may sign in with a company's issuer. */
export const audiences = ['residents', 'staff', 'both'] as const
export type SsoAudience = (typeof audiences)[number]

/** Returns true if an account of this kind may sign in with an issuer for `audience`. */
export const isFor = (audience: SsoAudience, kind: 'citizen' | 'municipality' | 'platform'): boolean =>
  audience === 'both'
    ? kind !== 'platform'
    : audience === (kind === 'citizen' ? 'residents' : kind === 'municipality' ? 'staff' : '')

/**
 * Returns true for an https URL, and for an http URL of a loopback address. The server allows loopback addresses only
 * in tests.
 */
export function isHttpsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash, hostname } = new URL(text)
  if (username || password || hash) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

/** Type of a hand-off token. The portal refuses tokens of any other type, even if the same keys signed them. */
export const HAND_OFF_TYPE = 'ccs-handoff+jwt'
/** Accepted signature algorithms. */
export const HAND_OFF_ALGORITHMS = ['EdDSA', 'RS256'] as const
/** Maximum lifetime of a hand-off token, and the tolerated clock difference. In seconds. */
export const HAND_OFF_SECONDS = 60
export const HAND_OFF_TOLERANCE_SECONDS = 5

/** Messages that tell the customer why a hand-off was refused. */
export const handOffRefusals = {
  expired:
    'This sign-in took too long or was already used. Return to your utility billing website and open the portal again.',
  invalid:
    'We could not verify where this sign-in came from, so we did not sign you in. Return to your utility billing website and try again, or sign in here with your password.',
  off: 'We do not accept sign-ins from a utility billing website. Sign in here with your password.',
  busy: 'We could not check this sign-in right now. Try again in a minute, or sign in here with your password.',
} as const
export type HandoffRefusal = keyof typeof handOffRefusals
