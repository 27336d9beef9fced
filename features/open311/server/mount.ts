import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ReceivedCall } from '../../../server/call.ts'
import { malformed, notFound, Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { refuseWhileOffline } from '../../../server/offline.ts'
import { canBeStored, UNSTORABLE } from '../../../server/text.ts'
import { translated } from '../../../shared/messages.ts'
import { bearerOf, keyOf } from '../../api-keys/api.ts'
import type { Open311Request, Open311Response } from './request.ts'
import { report } from './report.ts'
import { request as oneRequest, requests, token } from './requests.ts'
import { requests as requestCase } from '../../service-requests/api.ts'
import { definitionOf, discovery, OPEN311, services } from './services.ts'
import { takeUpdate, updates } from './updates.ts'
import { type Value, xmlOf } from './xml.ts'

/**
 * Rate limit per IP address. The limit is high, because maps on other sites poll the requests and a whole office may
 * share one IP address.
 */
const readsByAddress = defineAddressLimit('open311-read', {
  max: 300,
  minutes: 10,
  after: 'pause',
  text: 'Your IP address sent 300 Open311 requests within 10 minutes.',
})

type Reader = (request: Open311Request, id: string) => Promise<Open311Response>
const reads: readonly [RegExp, Reader][] = [
  [/^discovery$/, discovery],
  [/^services$/, services],
  [/^services\/([^/]+)$/, definitionOf],
  [/^requests$/, requests],
  [/^requests\/([^/]+)$/, oneRequest],
  [/^tokens\/([^/]+)$/, token],
  [/^(?:servicerequestupdates|requestupdates)$/, updates],
]
const writes: readonly [
  RegExp,
  (request: Open311Request, key: { id: number; name: string }) => Promise<Open311Response>,
][] = [
  [/^requests$/, report],
  [/^(?:servicerequestupdates|requestupdates)$/, takeUpdate],
]
const NOTHING_HERE = 'This URL does not exist. Start with GET discovery.xml or services.xml.'

type Format = 'json' | 'xml'

/** Returns the resource and the format. The file extension decides the format, and XML is the default. */
function readPath(url: string): { what: string; format: Format } {
  const path = url.slice(OPEN311.length + 1).replace(/[?#].*$/s, '')
  const [, what = '', format = 'xml'] = /^(.*?)(?:\.(json|xml))?\/?$/s.exec(path) ?? []
  return { what, format: format === 'json' ? 'json' : 'xml' }
}

/** Returns the caching rule: one minute for public responses. Responses to an API key and errors are not cached. */
function cachingOf(request: FastifyRequest, status: number): string {
  const isPublic = request.method === 'GET' && status === 200 && !/[?&]api_key=/.test(request.url)
  return isPublic && request.headers.authorization === undefined ? 'public, max-age=60' : 'no-store'
}

/** Headers that let pages of other sites call the API. The headers are safe, because Open311 uses no cookies. */
const forPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}

function sendResponse(reply: FastifyReply, request: FastifyRequest, { root, value }: Open311Response) {
  const isJson = readPath(request.url).format === 'json'
  void reply
    .headers(forPages)
    .header('cache-control', cachingOf(request, reply.statusCode))
    .header('vary', 'authorization')
    .type(isJson ? 'application/json; charset=utf-8' : 'text/xml; charset=utf-8')
  return reply.send(isJson ? JSON.stringify(value) : xmlOf(root, value))
}

/**
 * Returns the company of the host. If the caller sends a key, also returns the calling program. @throws 401 for a wrong
 * key, 404, 429
 */
async function inputOf(
  context: AppContext,
  request: FastifyRequest,
  params: URLSearchParams,
  media: Open311Request['media'] = null,
): Promise<Open311Request> {
  const host = await context.hosts.resolve(request.headers.host)
  if (host.kind !== 'company' || !host.company) throw notFound('No municipality exists at this address.')
  const { company } = host
  request.caller = { companyId: company.id, session: null }
  refuseWhileOffline(company, null)
  const jurisdiction = params.get('jurisdiction_id')
  if (jurisdiction && ![company.subdomain, request.hostname].includes(jurisdiction.toLowerCase()))
    throw notFound('Leave out the jurisdiction_id because this server serves only one municipality.')
  if (![...params].flat().every((text) => canBeStored(text))) throw malformed(UNSTORABLE)
  const apiKey = params.get('api_key') || bearerOf(request.headers.authorization)
  const address = request.ip
  const key = apiKey ? await keyOf(context, company, 'open311', { key: apiKey, address }) : null
  if (!key) await countAttempt(context, [readsByAddress(address, company.id)])
  return {
    context,
    company,
    key,
    params,
    media,
    call: new ReceivedCall({ context, host, companyOrNull: company, session: null, request, body: null }),
  }
}

async function readAt(
  context: AppContext,
  { what, params, request }: { what: string; params: URLSearchParams; request: FastifyRequest },
) {
  for (const [path, read] of reads) {
    const match = path.exec(what)
    if (match) return read(await inputOf(context, request, params), decodeURIComponent(match[1] ?? ''))
  }
  throw notFound(NOTHING_HERE)
}

async function writeAt(
  context: AppContext,
  { what, params, media, request }: { what: string; request: FastifyRequest } & Form,
) {
  const write = writes.find(([path]) => path.test(what))?.[1]
  if (!write) throw notFound(NOTHING_HERE)
  const input = await inputOf(context, request, params, media)
  if (!input.key) throw new Refusal(403, 'no_key', 'Send the api_key that the municipality created for you.')
  return write(input, input.key)
}

/** Status codes that the Open311 standard requires: 403 for a wrong key, 400 for a wrong argument. */
const STATUSES: Readonly<Record<number, number>> = { 401: 403, 422: 400 }

function errorsOf(refusal: Refusal): { status: number; value: Value } {
  const status = STATUSES[refusal.status] ?? refusal.status
  const fields = Object.entries((refusal.details?.['fields'] as Record<string, string> | undefined) ?? {})
  const sentences =
    fields.length > 0
      ? fields.map(([name, errorText]) => `${name}: ${translated(errorText)}`)
      : [translated(refusal.message)]
  return { status, value: sentences.map((description) => ({ code: status, description })) }
}

interface Form {
  params: URLSearchParams
  media: Open311Request['media']
}

/** Maximum size of a request: the largest photo plus room for the text fields. */
const MAX_BYTES = requestCase.calls.files.maxBytes + 64 * 1024

/** Reads the posted arguments: URL-encoded as in the standard, or multipart with a photo. @throws 400 */
async function formOf({ body, headers }: FastifyRequest): Promise<Form> {
  if (body instanceof URLSearchParams) return { params: body, media: null }
  const params = new URLSearchParams()
  if (!Buffer.isBuffer(body)) return { params, media: null }
  const type = headers['content-type'] ?? ''
  const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw malformed('The multipart form could not be read. Check its format, then send it again.')
  })
  for (const [name, value] of parts) if (typeof value === 'string') params.append(name, value)
  const media = parts.get('media')
  if (!(media instanceof File) || media.size === 0) return { params, media: null }
  return { params, media: { name: media.name, content: Buffer.from(await media.arrayBuffer()) } }
}

/** Mounts Open311 (GeoReport v2) for each company, with the update extension. See docs/open311.md. */
export function mountOpen311(app: FastifyInstance, context: AppContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    scope.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: MAX_BYTES },
      (_request, body, done) => done(null, body),
    )
    const usual = app.errorHandler
    scope.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      const refusal = error instanceof Refusal ? error : foreseen(error)
      // The portal's regular error handler logs unexpected errors and sends the response.
      if (!refusal) return usual(error, request, reply)
      const { status, value } = errorsOf(refusal)
      const retryAfter = refusal.details?.['retryAfterSeconds']
      if (typeof retryAfter === 'number') void reply.header('retry-after', retryAfter)
      return sendResponse(reply.code(status), request, { root: 'errors', value })
    })
    scope.options(`${OPEN311}/*`, (_request, reply) =>
      reply
        .code(204)
        .headers({
          ...forPages,
          'access-control-allow-methods': 'GET,POST',
          'access-control-allow-headers': 'authorization,content-type',
          'access-control-max-age': '86400',
        })
        .send(),
    )
    scope.get(`${OPEN311}/*`, async (request, reply) => {
      const { what } = readPath(request.url)
      const params = new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? '')
      return sendResponse(reply, request, await readAt(context, { what, params, request }))
    })
    // First URL that clients try if they know only the company's host.
    scope.get<{ Params: { format: string } }>('/open311/discovery.:format(json|xml)', (request, reply) =>
      reply.redirect(`${OPEN311}/discovery.${request.params.format}`),
    )
    scope.post(`${OPEN311}/*`, async (request, reply) => {
      const { what } = readPath(request.url)
      return sendResponse(reply, request, await writeAt(context, { what, request, ...(await formOf(request)) }))
    })
  })
}

/** Converts an error of the web framework to a refusal. Null if the error is unexpected. */
function foreseen({ statusCode = 500 }: FastifyError): Refusal | null {
  if (statusCode === 415)
    return new Refusal(
      415,
      'wrong_type',
      'Send the arguments as a form: application/x-www-form-urlencoded or multipart/form-data.',
    )
  return statusCode >= 400 && statusCode < 500
    ? new Refusal(statusCode, 'malformed', 'The request could not be read.')
    : null
}
