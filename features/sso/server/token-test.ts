import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type ProtectedHeaderParameters,
} from 'jose'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notSignedIn, rejected } from '../../../server/errors.ts'
import { decodeToken, describeSession } from '../contract.ts'
import { HAND_OFF_ALGORITHMS, HAND_OFF_TOLERANCE_SECONDS, HAND_OFF_TYPE } from '../rules.ts'
import { ccsIssuerOf, unusableClaimOf } from './hand-off.ts'
import { clientOf, ssoProviderOf } from './issuers.ts'
import { keysAt, keysOf } from './keys.ts'
import { say } from '../../../shared/messages.ts'

export const describeSessionCall = implement(describeSession, async (call) => {
  const session = signedIn(call)
  const row = await call.inCompany((tx) =>
    tx
      .selectFrom('session')
      .select(['created_at', 'seen_at', 'device'])
      .where('company_id', '=', call.company.id)
      .where('token_hash', '=', session.tokenHash)
      .executeTakeFirst(),
  )
  if (!row) throw notSignedIn()
  const { email, kind, roleId, expiresAt, privileges } = session
  return {
    ...{ email, kind, roleId, device: row.device },
    person: `${session.firstName} ${session.lastName}`.trim(),
    ...{ began: row.created_at.toISOString(), seen: row.seen_at.toISOString(), expires: expiresAt.toISOString() },
    privileges: Object.entries(privileges)
      .filter(([, mask]) => mask > 0)
      .map(([policy, mask]) => ({ policy, mask })),
  }
})

const NO_TOKEN = 'This is not a signed token. A token has three parts of letters and digits, separated by dots.'

/** Trusted signer of tokens, and the purpose of its tokens. */
interface Signer {
  name: string
  issuer: string
  keys: JWTVerifyGetKey
  audience: string
  algorithms: string[]
  handOff: boolean
}

interface Check {
  name: string
  passed: boolean
  why: string
}

export const decodeTokenCall = implement(decodeToken, async (call) => {
  const { token } = call.body
  const { header, claims } = readToken(token)
  const signer = await signerOf(call, claims.iss)
  const signature = await checkSignature(call, token, header, signer)
  const checks = [
    checkIssuer(claims, signer),
    ...(signer ? [checkType(header, signer), checkAudience(claims, signer)] : []),
    signature,
    ...checkTimes(call, claims),
    ...(signer?.handOff ? await checkHandOff(call, claims) : []),
  ]
  return { header: JSON.stringify(header, null, 2), claims: JSON.stringify(claims, null, 2), checks }
})

function readToken(token: string): { header: ProtectedHeaderParameters; claims: JWTPayload } {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) }
  } catch {
    throw rejected(NO_TOKEN, { token: NO_TOKEN })
  }
}

/** Finds the trusted signer that the token names. Null if the company does not trust the signer. */
async function signerOf(call: Call, issuer: unknown): Promise<Signer | null> {
  const { context, company } = call
  const { provider, ccs } = await call.inCompany(async (tx) => ({
    provider: await ssoProviderOf(tx, company.id),
    ccs: await ccsIssuerOf(tx, company.id),
  }))
  if (ccs && ccs.issuer === issuer)
    return {
      ...{ name: ccs.label, issuer: ccs.issuer, keys: keysOf(context, ccs), handOff: true },
      ...{ audience: originOf(context.config, company.subdomain), algorithms: [...HAND_OFF_ALGORITHMS] },
    }
  if (!provider) return null
  const about = await clientOf(context, provider).then(
    (client) => client.serverMetadata(),
    () => null,
  )
  if (!about?.jwks_uri || about.issuer !== issuer) return null
  return {
    ...{ name: provider.label, issuer: about.issuer, keys: keysAt(context, about.jwks_uri), handOff: false },
    ...{ audience: provider.client_id, algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'] },
  }
}

const check = (name: string, passed: boolean, good: string, bad: string): Check => ({
  ...{ name, passed },
  why: passed ? good : bad,
})

const checkIssuer = ({ iss }: JWTPayload, signer: Signer | null) =>
  check(
    say`Issuer`,
    signer !== null,
    say`This municipality trusts ${signer?.name ?? ''}.`,
    iss === undefined
      ? say`The token does not name an issuer.`
      : say`"${String(iss).slice(0, 100)}" is not an issuer that this municipality trusts.`,
  )

const checkType = ({ typ }: ProtectedHeaderParameters, { handOff }: Signer) =>
  check(
    say`Type`,
    handOff ? typ === HAND_OFF_TYPE : typ === undefined || /^jwt$/i.test(typ),
    say`The type is ${typ ?? 'JWT'}.`,
    say`The type is ${typ ?? say`missing`}, but ${handOff ? HAND_OFF_TYPE : 'JWT'} was expected.`,
  )

const checkAudience = ({ aud }: JWTPayload, { audience, handOff }: Signer) =>
  check(
    say`Audience`,
    handOff ? aud === audience : [aud].flat().includes(audience),
    say`The token is for this municipality.`,
    say`The token’s audience is ${String(aud ?? say`not specified`).slice(0, 100)}, but ${audience} was expected.`,
  )

async function checkSignature(
  call: Call,
  token: string,
  { alg }: ProtectedHeaderParameters,
  signer: Signer | null,
): Promise<Check> {
  const name = say`Signature`
  if (!signer)
    return {
      name,
      passed: false,
      why: say`The signature cannot be checked, because the issuer’s keys are unknown.`,
    }
  if (!signer.algorithms.includes(alg ?? ''))
    return {
      name,
      passed: false,
      why: say`The signature algorithm is ${alg ?? say`missing`}, but ${signer.algorithms.join(' or ')} was expected.`,
    }
  try {
    await jwtVerify(token, signer.keys, { algorithms: signer.algorithms, currentDate: call.context.clock.now() })
    return { name, passed: true, why: say`Signed with ${alg ?? ''} and a key from ${signer.name}.` }
  } catch (error) {
    // The signature is valid, because jose checks expiration and claims only afterwards. The portal reports those
    // checks separately.
    if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)
      return { name, passed: true, why: say`Signed with ${alg ?? ''} and a key from ${signer.name}.` }
    const silent = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout
    return {
      ...{ name, passed: false },
      why: silent
        ? say`Could not load the keys from ${signer.name}. Try again in a minute.`
        : say`No key from ${signer.name} matches this signature.`,
    }
  }
}

function checkTimes({ context }: Call, { exp, iat, nbf }: JWTPayload): Check[] {
  const now = context.clock.now().getTime() / 1000
  const at = (seconds: number) => new Date(Math.min(Math.max(seconds, 0), 4e9) * 1000).toISOString()
  return [
    check(
      say`Not expired`,
      typeof exp === 'number' && exp + HAND_OFF_TOLERANCE_SECONDS > now,
      say`Valid until ${at(exp ?? 0)}.`,
      exp === undefined ? say`The token has no expiration time (exp).` : say`Expired at ${at(exp)}.`,
    ),
    check(
      say`Already valid`,
      [iat, nbf].every((time) => time === undefined || time - HAND_OFF_TOLERANCE_SECONDS <= now),
      say`The start time is not in the future.`,
      say`The start time is in the future. The issuer’s clock and this portal’s clock may differ.`,
    ),
  ]
}

async function checkHandOff(call: Call, claims: JWTPayload): Promise<Check[]> {
  const misfit = unusableClaimOf(claims)
  const { iss = '', jti } = claims
  const hasId = typeof jti === 'string'
  const used =
    hasId &&
    (await call.inCompany((tx) =>
      tx
        .selectFrom('ccs_hand_off')
        .select('jti')
        .where('company_id', '=', call.company.id)
        .where('issuer', '=', iss)
        .where('jti', '=', jti)
        .executeTakeFirst(),
    ))
  return [
    check(
      say`Hand-off claims`,
      misfit === null,
      say`All claims are present and within their limits.`,
      misfits[misfit ?? ''] ?? '',
    ),
    check(
      say`Not used before`,
      hasId && !used,
      say`No one has signed in with this token yet.`,
      hasId
        ? say`Someone has already signed in with this token.`
        : say`Cannot be checked, because the token has no ID (jti).`,
    ),
  ]
}

const misfits: Record<string, string> = {
  sub: 'The customer number (sub) is missing or is not text.',
  jti: 'The token ID (jti) is missing or shorter than 8 characters.',
  aud: 'The token has more than one audience (aud).',
  lifetime: 'The token is valid for more than 60 seconds, or its times (iat, exp) are missing.',
}
