import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Door } from '../../../server/accounts/account-realms.ts'
import type { Passkey } from './store.ts'

/** Loaded by the first who uses a passkey: it is large, and a portal starts without it. */
const library = () => import('@simplewebauthn/server')

/** ES256, RS256 and EdDSA. */
const ALGORITHMS = [-7, -257, -8]

/** A passkey belongs to one host: each town's is its own, and so is the administrator's. */
function siteOf(door: Door): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(door.url('/'))
  return { rpID: hostname, origin }
}

export async function registrationOptions(
  door: Door,
  person: { handle: Buffer; email: string; name: string; passkeys: readonly Passkey[] },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: door.name,
    rpID: siteOf(door).rpID,
    userID: new Uint8Array(person.handle),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: person.passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** What a browser's answer has to be about: our question, at this host, after it asked its person. */
function expected(door: Door, challenge: string) {
  const { rpID, origin } = siteOf(door)
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }
}

/** @returns what is kept of the passkey; null where the browser's answer is not to our question, or not from here */
export async function verifiedRegistration(door: Door, challenge: string, response: unknown) {
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    ...expected(door, challenge),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** Without passkeys named, the browser offers those that it has for this host. */
export async function assertionOptions(door: Door, passkeys: readonly Passkey[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: siteOf(door).rpID,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })
}

/** @returns the authenticator's new counter; null where the assertion proves nothing, or the counter went back */
export async function verifiedAssertion(
  door: Door,
  challenge: string,
  response: unknown,
  passkey: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    ...expected(door, challenge),
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(() => null)
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}
