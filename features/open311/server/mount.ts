import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Arrived } from '../../../server/call.ts'
import { malformed, notFound, Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countTry, defineAddressLimit } from '../../../server/limits.ts'
import { refuseWhileOffline } from '../../../server/offline.ts'
import { canBeKept, UNKEEPABLE } from '../../../server/text.ts'
import { translated } from '../../../shared/words.ts'
import { bearerOf, keyOf } from '../../api-keys/server/keys.ts'
import type { Open311Request, Open311Response } from './request.ts'
import { report } from './report.ts'
import { request as oneRequest, requests, token } from './requests.ts'
import { requests as requestCase } from '../../service-requests/server/case.ts'
import { definitionOf, discovery, OPEN311, services } from './services.ts'
import { takeUpdate, updates } from './updates.ts'
import { type Value, xmlOf } from './xml.ts'

/** A map of another site asks for a town's requests again and again; a whole office may be one address. */
const readsByAddress = defineAddressLimit('open311-read', {
  most: 300,
  minutes: 10,
  after: 'pause',
  says: 'Open311 was asked 300 times within 10 minutes from your address.',
})

type Reader = (asked: Open311Request, id: string) => Promise<Open311Response>
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
  (asked: Open311Request, key: { id: number; name: string }) => Promise<Open311Response>,
][] = [
  [/^requests$/, report],
  [/^(?:servicerequestupdates|requestupdates)$/, takeUpdate],
]
const NOTHING_HERE = 'There is nothing at this address. GET discovery.xml or services.xml to begin.'

type Format = 'json' | 'xml'

/** What is asked for and in which format: the ending says, and XML is what every server has. */
function readPath(url: string): { what: string; format: Format } {
  const path = url.slice(OPEN311.length + 1).replace(/[?#].*$/s, '')
  const [, what = '', format = 'xml'] = /^(.*?)(?:\.(json|xml))?\/?$/s.exec(path) ?? []
  return { what, format: format === 'json' ? 'json' : 'xml' }
}

/** What everybody may read may be kept for a minute; what somebody reads by a key, and what went wrong, never is. */
function cachingOf(request: FastifyRequest, status: number): string {
  const isPublic = request.method === 'GET' && status === 200 && !/[?&]api_key=/.test(request.url)
  return isPublic && request.headers.authorization === undefined ? 'public, max-age=60' : 'no-store'
}

/** A page of another site may ask as well: nothing here goes by cookies. */
const forPages = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}

function answer(reply: FastifyReply, request: FastifyRequest, { root, value }: Open311Response) {
  const isJson = readPath(request.url).format === 'json'
  void reply
    .headers(forPages)
    .header('cache-control', cachingOf(request, reply.statusCode))
    .header('vary', 'authorization')
    .type(isJson ? 'application/json; charset=utf-8' : 'text/xml; charset=utf-8')
  return reply.send(isJson ? JSON.stringify(value) : xmlOf(root, value))
}

/** The town whose host was called, and which program calls, where it says a key. @throws 401, 404, 429 */
async function askedOf(
  context: AppContext,
  request: FastifyRequest,
  params: URLSearchParams,
  media: Open311Request['media'] = null,
): Promise<Open311Request> {
  const host = await context.hosts.resolve(request.headers.host)
  if (host.kind !== 'town' || !host.company) throw notFound('There is no municipality at this address.')
  const { company } = host
  request.caller = { companyId: company.id, session: null }
  refuseWhileOffline(company, null)
  const jurisdiction = params.get('jurisdiction_id')
  if (jurisdiction && ![company.subdomain, request.hostname].includes(jurisdiction.toLowerCase()))
    throw notFound('This server is of one municipality. Leave out the jurisdiction_id.')
  if (![...params].flat().every((text) => canBeKept(text))) throw malformed(UNKEEPABLE)
  const said = params.get('api_key') || bearerOf(request.headers.authorization)
  const address = request.ip
  const key = said ? await keyOf(context, company, 'open311', { key: said, address }) : null
  if (!key) await countTry(context, [readsByAddress(address, company.id)])
  return {
    context,
    company,
    key,
    params,
    media,
    call: new Arrived({ context, host, town: company, session: null, request, body: null }),
  }
}

async function readAt(
  context: AppContext,
  { what, params, request }: { what: string; params: URLSearchParams; request: FastifyRequest },
) {
  for (const [path, read] of reads) {
    const match = path.exec(what)
    if (match) return read(await askedOf(context, request, params), decodeURIComponent(match[1] ?? ''))
  }
  throw notFound(NOTHING_HERE)
}

async function writeAt(
  context: AppContext,
  { what, params, media, request }: { what: string; request: FastifyRequest } & Form,
) {
  const write = writes.find(([path]) => path.test(what))?.[1]
  if (!write) throw notFound(NOTHING_HERE)
  const asked = await askedOf(context, request, params, media)
  if (!asked.key) throw new Refusal(403, 'no_key', 'Send the api_key that the municipality made for you.')
  return write(asked, asked.key)
}

/** The standard's own statuses: a key that is none is 403, and whatever is wrong with an argument 400. */
const STATUSES: Readonly<Record<number, number>> = { 401: 403, 422: 400 }

function errorsOf(refusal: Refusal): { status: number; value: Value } {
  const status = STATUSES[refusal.status] ?? refusal.status
  const fields = Object.entries((refusal.details?.['fields'] as Record<string, string> | undefined) ?? {})
  const sentences =
    fields.length > 0 ? fields.map(([name, says]) => `${name}: ${translated(says)}`) : [translated(refusal.message)]
  return { status, value: sentences.map((description) => ({ code: status, description })) }
}

interface Form {
  params: URLSearchParams
  media: Open311Request['media']
}

/** Room for the words beside the largest picture. */
const MAX_BYTES = requestCase.calls.files.mostBytes + 64 * 1024

/** The arguments as they were posted: url-encoded as the standard says, or in parts, with a picture among them. @throws 400 */
async function formOf({ body, headers }: FastifyRequest): Promise<Form> {
  if (body instanceof URLSearchParams) return { params: body, media: null }
  const params = new URLSearchParams()
  if (!Buffer.isBuffer(body)) return { params, media: null }
  const type = headers['content-type'] ?? ''
  const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw malformed('The parts of this form could not be read.')
  })
  for (const [name, value] of parts) if (typeof value === 'string') params.append(name, value)
  const media = parts.get('media')
  if (!(media instanceof File) || media.size === 0) return { params, media: null }
  return { params, media: { name: media.name, content: Buffer.from(await media.arrayBuffer()) } }
}

/** Open311 (GeoReport v2) of each town, with the extension for updates: docs/open311.md. */
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
      // What nobody foresaw is logged and answered as everywhere else.
      if (!refusal) return usual(error, request, reply)
      const { status, value } = errorsOf(refusal)
      const retryAfter = refusal.details?.['retryAfterSeconds']
      if (typeof retryAfter === 'number') void reply.header('retry-after', retryAfter)
      return answer(reply.code(status), request, { root: 'errors', value })
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
      return answer(reply, request, await readAt(context, { what, params, request }))
    })
    // Where clients look first that know the town's address alone.
    scope.get<{ Params: { format: string } }>('/open311/discovery.:format(json|xml)', (request, reply) =>
      reply.redirect(`${OPEN311}/discovery.${request.params.format}`),
    )
    scope.post(`${OPEN311}/*`, async (request, reply) => {
      const { what } = readPath(request.url)
      return answer(reply, request, await writeAt(context, { what, request, ...(await formOf(request)) }))
    })
  })
}

/** What the framework refuses by itself. */
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
