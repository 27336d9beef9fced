import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AccountRealm } from '../../../server/accounts/account-realms.ts'
import type { Passkey } from './store.ts'

/** Loaded with the first passkey, because the library is large and would slow the server's start. */
const library = () => import('@simplewebauthn/server')

/** Ids of the accepted signature algorithms: ES256, RS256 and EdDSA. */
const ALGORITHMS = [-7, -257, -8]

/** Returns the host and origin of a realm for its passkeys. Each company and the platform have separate hosts. */
function siteOf(realm: AccountRealm): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(realm.url('/'))
  return { rpID: hostname, origin }
}

export async function registrationOptions(
  realm: AccountRealm,
  person: { handle: Buffer; email: string; name: string; passkeys: readonly Passkey[] },
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: realm.name,
    rpID: siteOf(realm).rpID,
    userID: new Uint8Array(person.handle),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: person.passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/** Returns the properties that a browser's response must have: challenge, host and user verification. */
function expected(realm: AccountRealm, challenge: string) {
  const { rpID, origin } = siteOf(realm)
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }
}

/** @returns the passkey data to store, or null if the response is for another challenge or host */
export async function verifiedRegistration(realm: AccountRealm, challenge: string, response: unknown) {
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    ...expected(realm, challenge),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

/**
 * Returns the browser options for a passkey sign-in. Without a list of passkeys, the browser offers all passkeys for
 * this host.
 */
export async function assertionOptions(realm: AccountRealm, passkeys: readonly Passkey[]) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: siteOf(realm).rpID,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
  })
}

/** @returns the authenticator's new counter, or null if the assertion is not valid or the counter decreased */
export async function verifiedAssertion(
  realm: AccountRealm,
  challenge: string,
  response: unknown,
  passkey: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    ...expected(realm, challenge),
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(() => null)
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}
