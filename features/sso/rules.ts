import { isLoopbackName } from '../../shared/loopback-name.ts'

/** For whom a town's issuer is. */
export const audiences = ['residents', 'staff', 'both'] as const
export type SsoAudience = (typeof audiences)[number]

/** May somebody of this kind sign in with an issuer that is for `audience`? */
export const isFor = (audience: SsoAudience, kind: 'citizen' | 'municipality' | 'platform'): boolean =>
  audience === 'both'
    ? kind !== 'platform'
    : audience === (kind === 'citizen' ? 'residents' : kind === 'municipality' ? 'staff' : '')

/** https, or this machine itself, which the server allows in trials alone. */
export function isHttpsUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash, hostname } = new URL(text)
  if (username || password || hash) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname))
}

/** The type of a billing system's token; any other token of the same keys is refused. */
export const HAND_OFF_TYPE = 'ccs-handoff+jwt'
/** The signatures that are taken. */
export const HAND_OFF_ALGORITHMS = ['EdDSA', 'RS256'] as const
/** How long such a token may live at most, and how far the clocks may be apart; in seconds. */
export const HAND_OFF_SECONDS = 60
export const HAND_OFF_TOLERANCE_SECONDS = 5

/** Why a hand-off was refused, as far as its bearer is told. */
export const handOffRefusals = {
  over: 'This sign-in took too long or was used already. Go back to your billing system and open the portal from there again.',
  wrong:
    'We could not check where this sign-in comes from, so nobody was signed in. Go back to your billing system and try again, or sign in here with your password.',
  off: 'This municipality takes no sign-ins from a billing system. Sign in here with your password.',
  busy: 'We could not reach the billing system to check this sign-in. Try again in a minute, or sign in here with your password.',
} as const
export type HandoffRefusal = keyof typeof handOffRefusals
