import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { issueMessage } from '../shared/issues.ts'
import type { AuditAction } from '../shared/audit-actions.ts'
import { CALL_PREFIX } from '../shared/call-prefix.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { missingPermission } from '../shared/privilege-labels.ts'
import { may, privilegesText } from '../shared/privileges.ts'
import { say, translated } from '../shared/messages.ts'
import { withoutModules } from '../shared/modules.ts'
import { forgetParts, sentInParts, writeParts } from './attachments/parts.ts'
import { ReceivedCall, type Call, type Handler } from './call.ts'
import { COMPANY_IDS } from './cursor.ts'
import { malformed, notAllowed, notFound, notSignedIn } from './errors.ts'
import type { Company, Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { streamEvents } from './event-streams.ts'
import { runOnce } from './idempotency.ts'
import {
  actorStillMay,
  auditImpersonatedCall,
  isReading,
  NOT_FOR_OTHERS,
  SEES_ONLY,
  seesOnly,
} from './impersonation.ts'
import type { LiveEvent } from './live.ts'
import { refuseModuleOff } from './modules.ts'
import { refuseWhileOffline } from './offline.ts'
import { countRefused } from './refused-calls.ts'
import { inPreview } from './current-preview.ts'
import { completePreviewStep, isInPreview, NOT_IN_PREVIEW } from './resident-preview.ts'
import { serializerOf } from './serializers.ts'
import {
  findPlatformSession,
  findSession,
  isExistingToken,
  recordSessionUse,
  type Session,
  whereaboutsOf,
} from './sessions.ts'
import { auditView } from './view-log.ts'
import { canBeStored, UNSTORABLE } from './text.ts'
import { issueDownloadToken } from './download-tokens.ts'
import { readLargeUpload, readUpload, type UploadRequest, takeFiles } from './uploads.ts'

/**
 * Mounts calls on every host. For each request, checks the session, then audience and privilege, then the body. Then
 * the handler runs.
 */
export function mountCalls(app: FastifyInstance, context: AppContext, calls: readonly Handler[]): void {
  route(
    app,
    context,
    calls.filter(({ endpoint }) => endpoint.takes === 'json'),
  )
  // Registered in a separate scope, so that only upload calls accept multipart bodies.
  void app.register(async (uploads) => {
    await takeFiles(uploads)
    route(
      uploads,
      context,
      calls.filter(({ endpoint }) => endpoint.takes !== 'json'),
    )
  })
}

function route(app: FastifyInstance, context: AppContext, calls: readonly Handler[]): void {
  for (const implemented of calls) {
    const { endpoint } = implemented
    app.route({
      method: endpoint.method,
      url: CALL_PREFIX + endpoint.path,
      ...(endpoint.responseType === 'json' && {
        schema: { response: { 200: {} } },
        serializerCompiler: () => serializerOf(endpoint),
      }),
      handler: (request, reply) => handleRequest(context, implemented, request, reply),
    })
  }
}

async function handleRequest(context: AppContext, implemented: Handler, request: FastifyRequest, reply: FastifyReply) {
  if (implemented.endpoint.takes !== 'large-file') return handleCall(context, implemented, request, reply, '')
  const tempPath = join(tmpdir(), `mainstreet-upload-${randomUUID()}`)
  try {
    return await handleCall(context, implemented, request, reply, tempPath)
  } finally {
    await rm(tempPath, { force: true })
  }
}

/** Handles a call. `tempPath` is the path of a large uploaded file while the call runs. */
async function handleCall(
  context: AppContext,
  implemented: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
  tempPath: string,
) {
  const { endpoint, handle, checkBeforeToken } = implemented
  const admitted = await admit(context, implemented, request, reply, tempPath)
  request.caller = { companyId: admitted.companyOrNull?.id ?? null, session: admitted.session }
  const parsed = endpoint.body.safeParse(admitted.sent.body ?? {})
  if (!parsed.success) throw malformed(firstMessage(parsed.error), { fields: fieldSentences(parsed.error) })
  if (!canBeStored(parsed.data)) throw malformed(UNSTORABLE)
  const call = new ReceivedCall({ ...admitted, request, endpoint, body: parsed.data })
  await auditImpersonatedCall(call, endpoint)
  await auditView(call, endpoint)
  // Reads uploaded files only when the handler runs, because uploaded parts are deleted after their first use. A
  // repeated call gets its stored response and does not need the parts.
  const run = () =>
    inPreview(call.session?.impersonation?.preview, async () =>
      handle((await withFile(call, endpoint, admitted.sent, tempPath)) as unknown as Call<never>),
    )
  if (endpoint.responseType === 'download') {
    await checkBeforeToken?.(call as unknown as Call<never>)
    return issueDownloadToken(call, endpoint)
  }
  if (endpoint.responseType === 'events')
    return streamEvents(call, endpoint, (await run()) as { topic: LiveEvent['topic'] }, reply)
  const isOnce = endpoint.idempotent === true || (endpoint.idempotent === 'offered' && call.idempotencyKey !== '')
  const result = await (isOnce ? runOnce(call, endpoint, run) : run())
  if (call.session?.impersonation?.preview && typeof endpoint.inPreview === 'string')
    await completePreviewStep(call, endpoint.inPreview)
  const { partsKey } = admitted.sent
  if (endpoint.files && partsKey !== undefined) await forgetParts(call, endpoint.scope, partsKey)
  return inReadersLanguage(result)
}

/** Translates the messages in a response to the reader's language. */
function inReadersLanguage(callResult: unknown): unknown {
  if (typeof callResult !== 'object' || callResult === null) return callResult
  const { message, msg } = callResult as { message?: unknown; msg?: unknown }
  if (typeof message !== 'string' && typeof msg !== 'string') return callResult
  return {
    ...callResult,
    ...(typeof message === 'string' && { message: translated(message) }),
    ...(typeof msg === 'string' && { msg: translated(msg) }),
  }
}

/** Adds the uploaded file to the call. The file comes from the request or from parts that were uploaded earlier. */
async function withFile(
  call: ReceivedCall,
  endpoint: Endpoint,
  sent: UploadRequest,
  tempPath: string,
): Promise<ReceivedCall> {
  const { takes, files, scope } = endpoint
  if (takes === 'json') return call
  let { upload, large } = sent
  if (files && sent.partsKey !== undefined) {
    const use = { scope, kind: files.kind }
    if (takes === 'large-file') large = await writeParts(call, use, sent.partsKey, tempPath)
    else upload = await sentInParts(call, use, sent.partsKey)
  }
  if (!upload && !large) throw malformed('Send one file as multipart/form-data, in the field named “file”.')
  return call.with({ upload, large })
}

/**
 * Finds the caller and the company, and checks access.
 * @throws 401, 403 or 404 if access is denied or the module is off
 */
async function admit(
  context: AppContext,
  { endpoint, module }: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
  storedAs: string,
) {
  const host = await context.hosts.resolve(request.headers.host)
  const hostCompany = host.kind === 'company' ? host.company : null
  const session = await sessionOn(context, host, request)
  // Sends the current privileges for the menus, even if this call is refused.
  if (session && session.kind !== 'citizen')
    reply.header('x-rights', privilegesText(withoutModules(session.privileges, hostCompany?.off ?? [])))
  refuseModuleOff(hostCompany, module, endpoint)
  const { privilege } = endpoint.access
  const audiences = audiencesOf(endpoint.access)
  const open = audiences.includes('public')
  const suspect = { context, session, endpoint, company: hostCompany }
  if (!session && (!open || (endpoint.keepsSession && (await hadSession(context, host, request))))) throw notSignedIn()
  if (!open && session && !audiences.includes(session.kind)) await refuse(suspect, 'access.refused')
  if (session?.impersonation?.preview) {
    if (!isInPreview(endpoint)) await refuse(suspect, 'impersonation.refused', NOT_IN_PREVIEW)
  } else if (session?.impersonation && endpoint.whileImpersonating === 'refused')
    await refuse(suspect, 'impersonation.refused', NOT_FOR_OTHERS)
  if (session && seesOnly(session) && !open && !isReading(endpoint))
    await refuse(suspect, 'impersonation.refused', SEES_ONLY)
  if (privilege && session && session.kind !== 'citizen' && !may(session.privileges, ...privilege))
    await refuse(suspect, 'access.refused', missingPermission(privilege, session.kind))
  // Reads an uploaded file only after the caller's permission was checked.
  const sent = await sentWith(endpoint, request, storedAs)
  const company = await companyOf(context, endpoint, host, session, sent.body)
  if (!hostCompany) refuseModuleOff(company, module, endpoint)
  await refuseForgedHeaders({ ...suspect, company: company ?? suspect.company }, request.headers)
  return { context, host, companyOrNull: company, session, sent }
}

function sentWith(
  { takes, files }: Endpoint,
  request: FastifyRequest,
  storedAs: string,
): UploadRequest | Promise<UploadRequest> {
  if (!files) return { body: request.body }
  return takes === 'large-file' ? readLargeUpload(request, files, storedAs) : readUpload(request, files)
}

interface RequestContext {
  context: AppContext
  session: Session | null
  endpoint: Endpoint
  company: Company | null
}

const tokenOf = (request: FastifyRequest) => /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1]

async function sessionOn(context: AppContext, host: Host, request: FastifyRequest): Promise<Session | null> {
  const token = tokenOf(request)
  if (!token) return null
  const session = await sessionBy(context, host, token)
  if (!session || !(await actorStillMay(context, session))) return null
  await recordSessionUse(context, session, whereaboutsOf(request))
  return session
}

/** True if the token belonged to a session that has ended. With an unknown token, the caller counts as a guest. */
async function hadSession(context: AppContext, host: Host, request: FastifyRequest): Promise<boolean> {
  const token = tokenOf(request)
  const company = host.kind === 'company' ? host.company : null
  return (
    token !== undefined &&
    company !== null &&
    context.readingCompany(company.id, (tx) => isExistingToken(tx, token, company.id))
  )
}

async function sessionBy(context: AppContext, host: Host, token: string): Promise<Session | null> {
  if (host.kind === 'admin') return context.readingAll((tx) => findPlatformSession(tx, context, token))
  const company = host.kind === 'company' ? host.company : null
  return company && context.readingCompany(company.id, (tx) => findSession(tx, context, token, company.id))
}

/**
 * Returns the company of a call. On a company's host, this is the host's company, and a body that names another company
 * is refused. On the administrator's host, the body names the company. Null for calls without a company.
 */
async function companyOf(
  context: AppContext,
  endpoint: Endpoint,
  host: Host,
  session: Session | null,
  body: unknown,
): Promise<Company | null> {
  const named = namedCompany(body)
  if (host.kind === 'company' && host.company && named !== null && named !== host.company.id)
    throw notFound('This municipality was not found.')
  if (endpoint.scope === 'none') return null
  if (host.kind === 'company') {
    if (!host.company) throw notFound('No municipality exists at this address.')
    if (!endpoint.whileOffline) refuseWhileOffline(host.company, session)
    return host.company
  }
  const company = host.kind === 'admin' && named !== null && session ? await context.hosts.byId(named) : null
  if (!company) throw notFound('Specify the municipality.')
  return company
}

/** Returns the company id in a body. Null if missing, -1 if it can't be a company's id. */
function namedCompany(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('companyId' in body)) return null
  const { companyId } = body
  if (companyId === null || companyId === '') return null
  // Only accepts numbers and text, because converting other types to a number might throw.
  const id = typeof companyId === 'number' || typeof companyId === 'string' ? Number(companyId) : -1
  return Number.isInteger(id) && id > 0 && id <= COMPANY_IDS ? id : -1
}

/**
 * Refuses forged requests. The headers of spec 7 never grant access, but headers that contradict the session are a sign
 * of forgery.
 */
async function refuseForgedHeaders(suspect: RequestContext, headers: IncomingHttpHeaders): Promise<void> {
  const { session, company } = suspect
  const headerOf = (name: string) => (typeof headers[name] === 'string' && headers[name] !== '' ? headers[name] : null)
  const [userId, companyId, overseeing] = [headerOf('userid'), headerOf('companyid'), headerOf('overseeingeye')]
  const forged =
    (session !== null && userId !== null && userId !== String(session.personId)) ||
    (company !== null && companyId !== null && companyId !== String(company.id)) ||
    (session !== null && overseeing !== null && isTrue(overseeing) !== (session.impersonatorId !== null))
  if (forged)
    await refuse(
      suspect,
      'access.forged_headers',
      'This page does not match your current session. Reload the page and try again.',
    )
}

const isTrue = (text: string) => text === 'true' || text === '1'

/** Refuses a call with 403. Counts the attempt for the audit log if its company or session is known. */
async function refuse(suspect: RequestContext, action: AuditAction, message?: string): Promise<never> {
  const { context, session, endpoint, company } = suspect
  if (company || session) await countRefused(context, { company: company?.id ?? null, session, action, endpoint })
  throw notAllowed(message)
}

function fieldSentences(error: z.core.$ZodError): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of error.issues) fields[issue.path.join('.') || 'body'] ??= issueMessage(issue) ?? issue.message
  return fields
}

function firstMessage(error: z.core.$ZodError): string {
  const issue = error.issues[0]
  if (!issue) return say`The request could not be read.`
  const message = issueMessage(issue) ?? issue.message
  return issue.path.length > 0 && message.startsWith('Invalid') ? `${issue.path.join('.')}: ${message}` : message
}
