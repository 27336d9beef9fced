import compress from '@fastify/compress'
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { watchResponses } from './response-watchers.ts'
import { mountApiDocs } from './api-docs.ts'
import { clamd, noScanner } from './attachments/scanner.ts'
import { mountCalls } from './mount.ts'
import { emptyBoot } from '../shared/boot.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Pools } from './db/pool.ts'
import { refusalOfViolation } from './db/unique.ts'
import { failureBody, malformed, Refusal } from './errors.ts'
import type { Feature } from './feature.ts'
import type { Files } from './files.ts'
import { endIdleConnections, mountHealth } from './health.ts'
import { Hosts } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import type { Jobs } from './jobs.ts'
import { mountLanguages, readLanguages } from './languages.ts'
import { Live } from './live.ts'
import { type Log, requestLog } from './log.ts'
import type { Mailer } from './mailer.ts'
import { mountMetrics } from './metrics.ts'
import { parseFailures } from './parse.ts'
import type { BootLoader, OriginsLoader, PageSource } from './page-texts.ts'
import { mountInModule } from './modules.ts'
import { mountPages } from './pages.ts'
import { openSecrets } from './secrets.ts'
import { securityHeaders } from './security-headers.ts'
import type { Session } from './sessions.ts'
import { inOrder } from './setup.ts'
import { openSms } from './sms/open.ts'
import { openVoice } from './voice/open.ts'
import { outsideCompanies, readingOn, readingOutside, readingSharedOn, tenancyOn } from './tenancy.ts'
import { UNSTORABLE } from './text.ts'
import { mountDownloads } from './download-tokens.ts'
import { isTooDeep } from '../shared/json-depth.ts'
import { say } from '../shared/messages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller and company of the request, for its log line. */
    caller: { companyId: number | null; session: Session | null } | null
  }
}

/** Maximum size of a call's body, in bytes. Uploads have a separate limit. */
const BODY_LIMIT = 1024 * 1024

export interface AppParts {
  config: Config
  clock: Clock
  log: Log
  jobs: Jobs
  mailer: Mailer
  files: Files
  pages: PageSource
  db: Pools
  features: readonly Feature[]
}

export interface App {
  app: FastifyInstance
  context: AppContext
  /** Makes /readyz report that this portal is shutting down. The portal still answers requests. */
  leave(): void
}

export interface AppContextParts extends Omit<AppParts, 'pages'> {
  /** Registers a callback for when the portal stops. */
  onStop?: AppContext['onStop']
}

/**
 * Builds the context that every call and job uses, and defines the jobs of all features. The context receives messages
 * from other portals only after `context.live.start()`.
 */
export function buildAppContext(parts: AppContextParts): AppContext {
  const { config, clock, log, jobs, mailer, files, db, features } = parts
  const hosts = new Hosts(db.app, config.baseHost)
  const live = new Live(db.connection, hosts, log)
  const phones = { config, clock, jobs, outside: outsideCompanies(db.app) }
  const context: AppContext = {
    ...{ config, clock, log, jobs, mailer, files, hosts, live },
    languages: readLanguages(config.languagesDir),
    sms: openSms(phones),
    voice: openVoice(phones),
    scanner: config.clamd ? clamd(config.clamd) : noScanner,
    secrets: openSecrets(config.secretKey),
    inCompany: tenancyOn(db.app),
    readingCompany: readingOn(db.app),
    readingShared: readingSharedOn(db.app),
    outside: outsideCompanies(db.app),
    acrossCompanies: outsideCompanies(db.platform),
    readingAll: readingOutside(db.platform),
    streams: db.streams,
    platformStreams: db.platformStreams,
    retention: features.flatMap(({ retention }) => retention ?? []),
    findable: features.flatMap(({ findable }) => findable ?? []),
    lookups: features.flatMap(({ lookups = [], module }) => lookups.map((lookup) => ({ ...lookup, module }))),
    ongoingItems: features.flatMap(({ ongoingItems }) => ongoingItems ?? []),
    awaitingStaff: features.flatMap(({ awaitingStaff }) => awaitingStaff ?? []),
    setup: inOrder(features.flatMap(({ setup }) => setup ?? [])),
    openRecords: features.flatMap(({ module, openRecords }) =>
      module && openRecords ? [{ ...openRecords, module }] : [],
    ),
    endpoints: features.flatMap(({ calls }) => (calls ?? []).map(({ endpoint }) => endpoint)),
    onStop: parts.onStop ?? (() => () => {}),
  }
  parseFailures.report = (details) => log.warn(details, 'a parser failed or reached its limit')
  for (const { jobs: define } of features) define?.(context)
  return context
}

/** Builds the portal: creates its context and mounts all calls and pages. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { config, log, db, features } = parts
  const calls = features.flatMap(({ calls = [], module }) =>
    module ? calls.map((one) => ({ ...one, module })) : calls,
  )
  const stopping = new Set<() => void>()
  const context = buildAppContext({
    ...parts,
    onStop: (callback) => {
      stopping.add(callback)
      return () => stopping.delete(callback)
    },
  })
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    genReqId: () => crypto.randomUUID(),
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // During shutdown, requests on open connections get a normal response instead of a 503. After each response, the
    // connection closes.
    return503OnClosing: false,
  })
  app.decorateRequest('caller', null)
  readJsonBodies(app)
  app.addHook('onRequest', refuseTwoHosts)
  const inLanguageOf = mountLanguages(app, context.languages)
  handleErrors(app, log, inLanguageOf)
  securityHeaders(app, config)
  // A session is never in a cookie, so a foreign page cannot make a reader's call and guess secrets from its size. Bodies
  // of requests are never decompressed.
  await app.register(compress, { customTypes: /^(?:application\/json|text\/html)/, globalDecompression: false })
  watchResponses(app, [requestLog(log), mountMetrics(app, config.metricsToken)])
  const leave = mountHealth(app, db.app)
  mountApiDocs(
    app,
    calls.map((call) => call.endpoint),
    config.version,
  )
  mountCalls(app, context, calls)
  mountDownloads(app, context, calls)
  for (const { mount = [], module } of features) {
    for (const routes of mount) {
      if (module) mountInModule(app, context, module, routes)
      else routes(app, context)
    }
  }
  const formPosts = features.flatMap((feature) => feature.formPosts ?? [])
  await mountPages(app, context, parts.pages, bootOf(features), originsOf(features), formPosts)
  app.addHook('preClose', async () => {
    for (const end of stopping) end()
    endIdleConnections(app)
  })
  app.addHook('onClose', async () => {
    await context.live.stop()
  })
  await context.live.start()
  return { app, context, leave }
}

/** Collects the external origins from which pages may load content. Each feature can add origins. */
const originsOf =
  (features: readonly Feature[]): OriginsLoader =>
  async (context, host) => {
    const all = await Promise.all(features.map(async ({ origins }) => origins?.(context, host)))
    const existing = all.filter((one) => one !== null && one !== undefined)
    return {
      scripts: existing.flatMap(({ scripts }) => scripts),
      frames: existing.flatMap(({ frames }) => frames),
      calls: existing.flatMap(({ calls }) => calls),
    }
  }

const bootOf =
  (features: readonly Feature[]): BootLoader =>
  async (context, host) =>
    Object.assign({ ...emptyBoot }, ...(await Promise.all(features.map(async ({ boot }) => boot?.(context, host)))))

/** Parses JSON bodies. Refuses keys that change prototypes, and nesting too deep for recursive code. */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isTooDeep(body as string))
      return done(malformed('The request has too many nested brackets. Send a simpler request.'))
    return parse(request, body as string, done)
  })
}

/**
 * Refuses requests with two Host headers. Node reads the first, but a proxy may read the last. The two headers could
 * name different companies.
 */
function refuseTwoHosts(
  { raw: { rawHeaders } }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') hosts += 1
  done(hosts > 1 ? malformed('The request names two hosts. Send one Host header.') : undefined)
}

/**
 * Converts every error to one response format. Unexpected errors become a 500 with a request id and no internal
 * details.
 */
function handleErrors(app: FastifyInstance, log: Log, inLanguageOf: ReturnType<typeof mountLanguages>): void {
  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const refusal = error instanceof Refusal ? error : (refusalOfViolation(error) ?? foreseen(error))
    if (refusal && isUnreadable(error))
      log.warn({ err: error, requestId: request.id }, 'a value that the database refused')
    if (refusal) {
      const retryAfter = refusal.details?.['retryAfterSeconds']
      if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter)
      return reply.code(refusal.status).send(inLanguageOf(request, () => failureBody(refusal)))
    }
    log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a request failed')
    const body = inLanguageOf(request, () => {
      const message = say`Something went wrong on our side. Your entries are not lost. If this happens again, contact us with reference ${request.id.slice(0, 8)}.`
      return failureBody(new Refusal(500, 'internal', message, { requestId: request.id }))
    })
    return reply.code(500).send(body)
  })
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send(inLanguageOf(request, () => failureBody(new Refusal(404, 'not_found', 'No page exists at this address.')))),
  )
}

/**
 * PostgreSQL error codes for a NUL character, in text (22021) and JSON (22P05). The portal checks bodies for NUL
 * earlier.
 */
const HOLDS_NUL = new Set(['22021', '22P05'])

/**
 * True if the database refused a value that passed the portal's checks. Examples are numbers out of range, impossible
 * dates (class 22) and texts too long for an index (54000). The caller gets a client error. The log records the error,
 * because a check is missing.
 */
const isUnreadable = ({ code }: { code?: string | undefined }) => /^(?:22...|54000)$/.test(code ?? '')
const UNREADABLE =
  'One of the values could not be processed. Check for a number that is too large, a date that does not exist, or text that is too long.'

/**
 * PostgreSQL error code of a canceled statement. The statement exceeded its time limit (`server/tenancy.ts`), or an
 * operator ended it.
 */
const CANCELED = '57014'
const TOO_SLOW = 'This request took too long. Request less data, such as fewer days or only one municipality.'

/**
 * Converts expected errors of the framework and the database to refusals. Examples are bodies that are too large or not
 * JSON.
 */
function foreseen(error: FastifyError): Refusal | null {
  if (HOLDS_NUL.has(error.code)) return malformed(UNSTORABLE)
  if (isUnreadable(error)) return malformed(UNREADABLE)
  if (error.code === CANCELED) return new Refusal(503, 'too_slow', TOO_SLOW)
  const status = error.statusCode ?? 500
  if (status === 413) return new Refusal(413, 'too_large', 'This request is too large. Send less data at a time.')
  if (status === 415) return new Refusal(415, 'wrong_type', 'Send the request body as application/json.')
  if (status >= 400 && status < 500) return new Refusal(status, 'malformed', 'The request could not be read.')
  return null
}
