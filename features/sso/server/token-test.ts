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
import { ccsIssuerOf, misfitOf } from './hand-off.ts'
import { clientOf, providerOf } from './issuers.ts'
import { keysAt, keysOf } from './keys.ts'
import { say } from '../../../shared/words.ts'

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

const NO_TOKEN = 'This is no signed token: it has three parts of letters and digits with dots between them.'

/** Trusted signer of a token, and the purpose of tokens from that signer. */
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

/** Finds the trusted signer that the token names. Null if the company does not trust that signer. */
async function signerOf(call: Call, issuer: unknown): Promise<Signer | null> {
  const { context, company } = call
  const { provider, ccs } = await call.inCompany(async (tx) => ({
    provider: await providerOf(tx, company.id),
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
    say`${signer?.name ?? ''}: this municipality trusts it.`,
    iss === undefined
      ? say`It names no issuer.`
      : say`"${String(iss).slice(0, 100)}" is not one that this municipality trusts.`,
  )

const checkType = ({ typ }: ProtectedHeaderParameters, { handOff }: Signer) =>
  check(
    say`Type`,
    handOff ? typ === HAND_OFF_TYPE : typ === undefined || /^jwt$/i.test(typ),
    say`It is of the type ${typ ?? 'JWT'}.`,
    say`Its type is ${typ ?? say`missing`}; ${handOff ? HAND_OFF_TYPE : 'JWT'} was expected.`,
  )

const checkAudience = ({ aud }: JWTPayload, { audience, handOff }: Signer) =>
  check(
    say`Audience`,
    handOff ? aud === audience : [aud].flat().includes(audience),
    say`It is meant for this municipality.`,
    say`It is meant for ${String(aud ?? say`nobody`).slice(0, 100)}; ${audience} was expected.`,
  )

async function checkSignature(
  call: Call,
  token: string,
  { alg }: ProtectedHeaderParameters,
  signer: Signer | null,
): Promise<Check> {
  const name = say`Signature`
  if (!signer) return { name, passed: false, why: say`It cannot be checked without an issuer whose keys are known.` }
  if (!signer.algorithms.includes(alg ?? ''))
    return {
      name,
      passed: false,
      why: say`It is signed by ${alg ?? say`nothing`}; ${signer.algorithms.join(' or ')} was expected.`,
    }
  try {
    await jwtVerify(token, signer.keys, { algorithms: signer.algorithms, currentDate: call.context.clock.now() })
    return { name, passed: true, why: say`It is signed by ${alg ?? ''} with a key of ${signer.name}.` }
  } catch (error) {
    // The portal checks expiration and claims separately, because jose verifies them only after the signature.
    if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed)
      return { name, passed: true, why: say`It is signed by ${alg ?? ''} with a key of ${signer.name}.` }
    const silent = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout
    return {
      ...{ name, passed: false },
      why: silent
        ? say`The keys of ${signer.name} could not be fetched. Try again in a minute.`
        : say`No key of ${signer.name} made this signature.`,
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
      say`It is good until ${at(exp ?? 0)}.`,
      exp === undefined ? say`It says no end (exp).` : say`It ended at ${at(exp)}.`,
    ),
    check(
      say`Begun`,
      [iat, nbf].every((time) => time === undefined || time - HAND_OFF_TOLERANCE_SECONDS <= now),
      say`It is not from the future.`,
      say`It begins later than now: the clocks differ.`,
    ),
  ]
}

async function checkHandOff(call: Call, claims: JWTPayload): Promise<Check[]> {
  const misfit = misfitOf(claims)
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
      say`Claims of a hand-off`,
      misfit === null,
      say`All are there and within their limits.`,
      misfits[misfit ?? ''] ?? '',
    ),
    check(
      say`Not used before`,
      hasId && !used,
      say`Nobody was signed in with it yet.`,
      hasId ? say`Somebody was signed in with it already.` : say`Without its own number (jti) nobody can tell.`,
    ),
  ]
}

const misfits: Record<string, string> = {
  sub: 'The customer’s number (sub) is missing or not a text.',
  jti: 'Its own number (jti) is missing or shorter than 8 characters.',
  aud: 'It is meant for more than one place (aud).',
  lifetime: 'It lives longer than 60 seconds, or says no times (iat, exp).',
}
