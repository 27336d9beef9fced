import { Secret, TOTP } from 'otpauth'
import type { Tx } from '../../../server/tenancy.ts'
import { typedCode } from '../../../server/typed-code.ts'
import type { Factors } from './store.ts'

const RECOVERY_CODES = 10
/** Number of characters in each half of a recovery code. A code has nearly 50 bits of randomness. */
const HALF = 5

/** Number of 30-second steps by which a code may be early or late, because clocks differ and people type slowly. */
const TOLERANCE = 1

const appOf = (secret: string, issuer = '', label = 'account') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/** Creates a secret of 20 bytes, as text and as the URI in a QR code. */
export function newAppSecret({ realm }: Pick<Factors, 'realm'>, email: string) {
  const issuer = realm.company ? realm.name : 'Mainstreet Admin'
  const secret = new Secret({ size: 20 }).base32
  return { secret, issuer, uri: appOf(secret, issuer, email).toString() }
}

/** Returns the QR code URI of a stored secret. */
export const appUri = ({ realm }: Pick<Factors, 'realm'>, email: string, secret: string) => {
  const issuer = realm.company ? realm.name : 'Mainstreet Admin'
  return { secret, issuer, uri: appOf(secret, issuer, email).toString() }
}

/** Returns the time step of a code. Null if the code is not valid now. */
export function timeStepOf({ context }: Pick<Factors, 'context'>, secretSealed: string, code: string): number | null {
  const app = appOf(context.secrets.open(secretSealed))
  const timestamp = context.clock.now().getTime()
  const delta = app.validate({ token: code.replaceAll(' ', ''), timestamp, window: TOLERANCE })
  return delta === null ? null : app.counter({ timestamp }) + delta
}

/** Creates ten recovery codes, which replace all earlier ones. The codes can't be read again later. */
export async function makeRecoveryCodes(tx: Tx, factors: Factors, personId: number): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(`${typedCode(HALF)}-${typedCode(HALF)}`)
  await factors.keepRecoveryCodes(
    tx,
    personId,
    [...codes].map((code) => markOf(factors, personId, code)),
  )
  return [...codes]
}

const markOf = ({ context, realm }: Factors, personId: number, code: string): Buffer =>
  context.secrets.mark(`recovery ${realm.scope}/${personId}/${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)

export type CodeKind = 'code' | 'recovery code'

/**
 * Marks an app code or recovery code as used.
 * @returns the type of the code, or null if the code is wrong or was used before
 */
export async function useCode(tx: Tx, factors: Factors, personId: number, code: string): Promise<CodeKind | null> {
  const app = await factors.findApp(tx, personId)
  if (!app) return null
  if (/^\d{6}$/.test(code.replaceAll(' ', ''))) {
    const timeStep = timeStepOf(factors, app.secret_sealed, code)
    return timeStep !== null && (await factors.useTimeStep(tx, personId, timeStep)) ? 'code' : null
  }
  return (await factors.useRecoveryCode(tx, personId, markOf(factors, personId, code))) ? 'recovery code' : null
}
