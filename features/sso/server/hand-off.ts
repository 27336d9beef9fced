import type { FastifyInstance } from 'fastify'
import { errors, jwtVerify, type JWTPayload } from 'jose'
import { auditCompany, type AuditEntry } from '../../../server/audit.ts'
import { originOf } from '../../../server/config.ts'
import { Refusal } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { hashSecret, newSecret, whereaboutsOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import {
  HAND_OFF_ALGORITHMS,
  HAND_OFF_SECONDS,
  HAND_OFF_TOLERANCE_SECONDS,
  HAND_OFF_TYPE,
  type HandoffRefusal,
} from '../rules.ts'
import { keysOf } from './keys.ts'

const PATH = '/sso/verify-ccs-token'
const MAX_BYTES = 16 * 1024
/** Time limit for the page to exchange its code, in milliseconds. */
const CODE_MS = 60_000
/** Rate limit per IP address. Counts only refused tokens. */
const perAddress = defineAddressLimit('hand-off', { max: 30 })

export const ccsIssuerOf = (tx: Tx, company: CompanyId, { hold = false } = {}) =>
  tx
    .selectFrom('ccs_issuer')
    .selectAll()
    .where('company_id', '=', company)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()
export type CcsIssuer = NonNullable<Awaited<ReturnType<typeof ccsIssuerOf>>>

/**
 * Adds the endpoint that receives a hand-off. The customer's browser posts a signed token that is valid for at most one
 * minute. The endpoint redirects (303) to a page with a single-use code in the URL fragment. Browsers do not send the
 * fragment to servers, and the token never appears in a URL.
 */
export function mountHandOff(app: FastifyInstance, context: AppContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post(PATH, async (request, reply) => {
      const host = await context.hosts.resolve(request.headers.host)
      const company = host.kind === 'company' ? host.company : null
      if (!company?.isOnline) return reply.redirect(PATH, 303)
      const token = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('token') ?? ''
      const counted = await countAttempt(context, [perAddress(request.ip)]).catch(asBusy)
      if (!counted) return reply.redirect(`${PATH}?refused=busy`, 303)
      const result = await receive(context, company, token)
      if ('code' in result) {
        await counted.release()
        return reply.redirect(`${PATH}#${result.code}`, 303)
      }
      const detail = { how: 'hand_off', ...whereaboutsOf(request), reason: result.reason }
      const auditEntry: AuditEntry = { action: 'sign_in.refused', detail }
      const actor = { session: null, requestId: request.id }
      await context.inCompany(company.id, (tx) => auditCompany(tx, context.clock, company.id, actor, auditEntry))
      return reply.redirect(`${PATH}?refused=${result.refused}`, 303)
    })
  })
}

type HandoffResult = { code: string } | { refused: HandoffRefusal; reason: string }

/**
 * Returns null if the rate limit was exceeded, so that the caller can redirect with a refusal. Rethrows any other
 * error.
 */
function asBusy(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

async function receive(context: AppContext, company: Company, token: string): Promise<HandoffResult> {
  const issuer = await context.inCompany(company.id, (tx) => ccsIssuerOf(tx, company.id))
  if (issuer?.is_active !== 1) return { refused: 'off', reason: 'no_billing_system' }
  try {
    return await keep(context, company, issuer, await verifyHandOff(context, company, issuer, token))
  } catch (error) {
    return whyRefused(context, error)
  }
}

export interface HandoffClaims {
  sub: string
  jti: string
  exp: number
}

/**
 * Verifies a hand-off token.
 * @throws errors of the library jose, or `Unfit` if the token is valid but its claims are not usable
 */
export async function verifyHandOff(
  context: AppContext,
  company: Company,
  issuer: CcsIssuer,
  token: string,
): Promise<HandoffClaims> {
  const { payload } = await jwtVerify(token, keysOf(context, issuer), {
    algorithms: [...HAND_OFF_ALGORITHMS],
    typ: HAND_OFF_TYPE,
    issuer: issuer.issuer,
    audience: originOf(context.config, company.subdomain),
    clockTolerance: HAND_OFF_TOLERANCE_SECONDS,
    maxTokenAge: HAND_OFF_SECONDS,
    requiredClaims: ['sub', 'jti', 'exp', 'iat'],
    currentDate: context.clock.now(),
  })
  const unfit = unusableClaimOf(payload)
  if (unfit) throw new Unfit(unfit)
  return payload as unknown as HandoffClaims
}

/**
 * Returns the name of the first claim that is not usable. Null if all claims are usable. The callers check the
 * signature and the expiration.
 */
export function unusableClaimOf({ sub, jti, exp, iat, aud }: JWTPayload): string | null {
  if (typeof sub !== 'string' || !/^[^\p{C}]{1,100}$/u.test(sub)) return 'sub'
  if (typeof jti !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(jti)) return 'jti'
  // If a token is valid for several audiences, one of them could replay it here.
  if (typeof aud !== 'string') return 'aud'
  return exp === undefined || iat === undefined || exp - iat > HAND_OFF_SECONDS || exp <= iat ? 'lifetime' : null
}

class Unfit extends Error {}

async function keep(
  context: AppContext,
  company: Company,
  { issuer }: CcsIssuer,
  { sub, jti, exp }: HandoffClaims,
): Promise<HandoffResult> {
  const code = newSecret()
  const now = context.clock.now()
  const isStored = await context.inCompany(company.id, (tx) =>
    tx
      .insertInto('ccs_hand_off')
      .values({
        ...{ company_id: company.id, issuer, jti, code_hash: hashSecret(code), subject: sub, created_at: now },
        code_expires_at: new Date(now.getTime() + CODE_MS),
        expires_at: new Date((exp + 2 * HAND_OFF_TOLERANCE_SECONDS) * 1000 + CODE_MS),
        used_at: null,
      })
      .onConflict((conflict) => conflict.columns(['company_id', 'issuer', 'jti']).doNothing())
      .returning('jti')
      .executeTakeFirst(),
  )
  return isStored ? { code } : { refused: 'expired', reason: 'replayed' }
}

function whyRefused(context: AppContext, error: unknown): HandoffResult {
  if (error instanceof Unfit) return { refused: 'invalid', reason: `unfit_${error.message}` }
  if (error instanceof errors.JWTExpired) return { refused: 'expired', reason: 'expired' }
  if (error instanceof errors.JWTClaimValidationFailed) return { refused: 'invalid', reason: `wrong_${error.claim}` }
  if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
    return { refused: 'invalid', reason: error.code.toLowerCase() }
  context.log.warn({ err: error }, 'the keys of a billing system could not be fetched')
  return { refused: 'busy', reason: 'keys_silent' }
}
