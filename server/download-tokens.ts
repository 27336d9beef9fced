import type { FastifyInstance } from 'fastify'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { may } from '../shared/privileges.ts'
import { auditCompanyOrPlatform, type AuditEntry, wasAudited } from './audit.ts'
import { ReceivedCall, type Call, type Download, type Handler, signedIn } from './call.ts'
import { notAllowed, notFound } from './errors.ts'
import type { Company, Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { actorStillMay, auditImpersonatedCall } from './impersonation.ts'
import { findSessionByHash, hashSecret, newSecret, type Session, sessionColumns, sessionOf } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Lifetime of a download token, in seconds. */
const DOWNLOAD_TOKEN_SECONDS = 60

const isPublic = ({ access }: Endpoint): boolean => audiencesOf(access).includes('public')

/** Placeholder for the company id in the URL of a download that belongs to no single company. */
const NO_COMPANY = 0

/** Stores a download request and returns a URL that works once. */
export async function issueDownloadToken(call: ReceivedCall, endpoint: Endpoint): Promise<{ url: string }> {
  const { context, companyOrNull: company } = call
  // A public call needs no session, so its token stores no person.
  const session = isPublic(endpoint) ? null : signedIn(call)
  const code = newSecret()
  const ticket = {
    code_hash: hashSecret(code),
    call: endpoint.path,
    body: JSON.stringify(call.body),
    person_id: session?.personId ?? 0,
    expires_at: new Date(context.clock.now().getTime() + DOWNLOAD_TOKEN_SECONDS * 1000),
    used_at: null,
  }
  if (company)
    await context.inCompany(company.id, (tx) =>
      tx
        .insertInto('download_token')
        .values({
          ...ticket,
          company_id: company.id,
          person_kind: session?.kind ?? 'guest',
          session_hash: session?.impersonation ? session.tokenHash : null,
        })
        .execute(),
    )
  else await context.acrossCompanies((tx) => tx.insertInto('platform_download_token').values(ticket).execute())
  return { url: `${CALL_PREFIX}download/${company?.id ?? NO_COMPANY}/${code}` }
}

/** Mounts the route that redeems download tokens. The portal checks the person's permissions again at the download. */
export function mountDownloads(app: FastifyInstance, context: AppContext, calls: readonly Handler[]): void {
  const byPath = new Map(calls.filter((c) => c.endpoint.responseType === 'download').map((c) => [c.endpoint.path, c]))
  app.get<{ Params: { company: string; code: string } }>(
    `${CALL_PREFIX}download/:company/:code`,
    async (request, reply) => {
      const host = await context.hosts.resolve(request.headers.host)
      const { company, ticket, session } = await redeem(
        context,
        host,
        Number(request.params.company),
        request.params.code,
      )
      const implemented = byPath.get(ticket.call)
      if (!implemented) throw gone()
      const { access } = implemented.endpoint
      const mayFetch =
        isPublic(implemented.endpoint) ||
        (session &&
          audiencesOf(access).includes(session.kind) &&
          (!access.privilege || may(session.privileges, ...access.privilege)))
      if (!mayFetch) throw notAllowed()
      request.caller = { companyId: company?.id ?? null, session }
      const call = new ReceivedCall({ context, host, companyOrNull: company, session, request, body: ticket.body })
      await auditImpersonatedCall(call, implemented.endpoint)
      const { name, contentType, stream } = (await implemented.handle(call as unknown as Call<never>)) as Download
      await auditDownload(call, implemented.endpoint)
      return reply
        .header('content-type', contentType)
        .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
        .header('cache-control', 'no-store')
        .send(stream)
    },
  )
}

/**
 * Matches the paths of downloads that contain many rows or the content of a record. Downloads of a single upload do not
 * match, because the calls that show uploads already write the audit entry.
 */
const TAKES_DATA_OUT = /(?:^|\/)(?:export|print|zip)\//

/**
 * Writes an audit entry if staff download data, unless the call writes its own entry. Impersonated calls already have
 * an entry.
 */
async function auditDownload(call: ReceivedCall, endpoint: Endpoint): Promise<void> {
  const { context, companyOrNull: company, session } = call
  if (!session || session.kind === 'citizen' || session.impersonation) return
  if (!TAKES_DATA_OUT.test(endpoint.path) || wasAudited(call)) return
  const auditEntry: AuditEntry = {
    action: 'export.file',
    subject: { kind: 'call', id: endpoint.path },
    detail: { what: endpoint.summary, query: Object(call.body) },
  }
  const write = (tx: Tx) => auditCompanyOrPlatform(tx, context.clock, company?.id ?? null, call, auditEntry)
  await (company ? context.inCompany(company.id, write) : context.acrossCompanies(write))
}

interface RedeemedToken {
  company: Company | null
  ticket: { call: string; body: unknown }
  session: Session | null
}

/**
 * Redeems a token.
 * @throws 404 if the token was used, has expired or belongs to another company
 */
async function redeem(context: AppContext, host: Host, scope: number, code: string): Promise<RedeemedToken> {
  if (scope === NO_COMPANY && host.kind === 'admin') {
    const ticket = await context.acrossCompanies((tx) => redeemPlatforms(tx, context, code))
    if (!ticket) throw gone()
    return { company: null, ticket, session: await platformHolder(context, ticket.person_id) }
  }
  const company =
    host.kind === 'company'
      ? host.company
      : host.kind === 'admin' && Number.isSafeInteger(scope)
        ? await context.hosts.byId(scope)
        : null
  if (!company || company.id !== scope) throw gone()
  const ticket = await context.inCompany(company.id, (tx) => redeemOfCompany(tx, context, company.id, code))
  if (!ticket) throw gone()
  const { session_hash, person_kind, person_id } = ticket
  if (session_hash) return { company, ticket, session: await impersonatedHolder(context, session_hash, company.id) }
  if (person_kind === 'guest') return { company, ticket, session: null }
  const session =
    person_kind === 'platform'
      ? await platformHolder(context, person_id)
      : await companyHolder(context, person_id, company.id)
  return { company, ticket, session }
}

const gone = () =>
  notFound('This download link was already used or has expired. Return to the page and press the button again.')

const redeemOfCompany = (tx: Tx, context: AppContext, company: CompanyId, code: string) =>
  tx
    .updateTable('download_token')
    .set({ used_at: context.clock.now() })
    .where('company_id', '=', company)
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .returning(['call', 'body', 'person_id', 'person_kind', 'session_hash'])
    .executeTakeFirst()

const redeemPlatforms = (tx: Tx, context: AppContext, code: string) =>
  tx
    .updateTable('platform_download_token')
    .set({ used_at: context.clock.now() })
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', context.clock.now())
    .returning(['call', 'body', 'person_id'])
    .executeTakeFirst()

/**
 * Returns the impersonated session that requested the download, if it is still valid. The download is then recorded for
 * both people.
 */
async function impersonatedHolder(context: AppContext, hash: Buffer, company: CompanyId): Promise<Session | null> {
  const session = await context.inCompany(company, (tx) => findSessionByHash(tx, context, hash, company))
  return session && (await actorStillMay(context, session)) ? session : null
}

/** Returns a session for the platform person who requested the download. Null if the person may no longer sign in. */
async function platformHolder(context: AppContext, id: number): Promise<Session | null> {
  const person = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('platform_person')
      .select(sessionColumns)
      .where('id', '=', id)
      .where('is_active', '=', 1)
      .where('locked_at', 'is', null)
      .executeTakeFirst(),
  )
  return person ? { ...sessionOf(person, null), ...forThisDownload } : null
}

/** Returns a session for the company's person who requested the download. Null if the person may no longer sign in. */
async function companyHolder(context: AppContext, id: number, company: CompanyId): Promise<Session | null> {
  const person = await context.inCompany(company, (tx) =>
    tx
      .selectFrom('person')
      .select(sessionColumns)
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('is_active', '=', 1)
      .where('locked_at', 'is', null)
      .executeTakeFirst(),
  )
  return person ? { ...sessionOf(person, company), ...forThisDownload } : null
}

/**
 * Values that a download's session has instead of a real session's. The download token replaces the session's token.
 */
const forThisDownload = { tokenHash: Buffer.alloc(0), expiresAt: new Date(8.64e15), seenAt: new Date(8.64e15) }
