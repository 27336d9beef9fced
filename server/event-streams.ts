import type { FastifyReply } from 'fastify'
import type { Endpoint } from '../shared/endpoint.ts'
import { may } from '../shared/privileges.ts'
import { PLATFORM } from './audit.ts'
import type { Call } from './call.ts'
import { tooMany } from './errors.ts'
import type { AppContext } from './app-context.ts'
import { actorStillMay } from './impersonation.ts'
import { networkOf } from './limits.ts'
import type { LiveEvent } from './live.ts'
import { findPlatformSessionByHash, findSessionByHash } from './sessions.ts'

/** Interval of heartbeats and permission checks, in milliseconds. */
export const BEAT_MS = 25_000

/**
 * Maximum number of open streams of one person on one portal, enough for a few screens in several tabs. Guests on the
 * same network share the limit.
 */
export const MAX_STREAMS = 40
const MAX_GUEST_STREAMS = 200
const open = new WeakMap<AppContext, Map<string, number>>()

/**
 * Counts a new stream for the caller.
 * @returns a function that removes the stream from the count
 * @throws 429 if the caller has too many streams
 */
function countStream({ context, session, address }: Call): () => void {
  const client = session ? `${session.kind} ${session.personId}` : `guest ${networkOf(address)}`
  const streams = open.get(context) ?? new Map<string, number>()
  open.set(context, streams)
  const many = streams.get(client) ?? 0
  if (many >= (session ? MAX_STREAMS : MAX_GUEST_STREAMS))
    throw tooMany('Too many pages are open. Close some of them, then reload this page.', 60)
  streams.set(client, many + 1)
  return () => {
    const left = (streams.get(client) ?? 1) - 1
    if (left > 0) streams.set(client, left)
    else streams.delete(client)
  }
}

/** Streams server-sent events until the caller's session, privilege or connection ends. */
export function streamEvents(
  call: Call,
  endpoint: Endpoint,
  { topic }: { topic: LiveEvent['topic'] },
  reply: FastifyReply,
) {
  const end = countStream(call)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  raw.write(': open\n\n')
  const scope = endpoint.scope === 'company' ? call.company.id : PLATFORM
  const unsubscribe = call.context.live.subscribe(scope, (event) => {
    if (event.topic === topic) raw.write(`event: ${topic}\ndata: ${JSON.stringify(event)}\n\n`)
  })
  const beat = setInterval(
    () =>
      void stillMay(call, endpoint).then(
        (still) => (still ? raw.write(': here\n\n') : raw.end()),
        () => raw.end(),
      ),
    BEAT_MS,
  )
  beat.unref()
  const leave = call.context.onStop(() => raw.end())
  // Listens on the response, because the request emits `close` as soon as its body has been read.
  raw.on('close', () => {
    end()
    unsubscribe()
    leave()
    clearInterval(beat)
  })
}

/**
 * True if the session still exists and has the privilege for this call. An open stream does not keep an idle session
 * alive.
 */
async function stillMay({ context, session }: Call, { access: { privilege } }: Endpoint): Promise<boolean> {
  if (!session) return true
  const { companyId, tokenHash } = session
  const now =
    companyId === null
      ? await context.acrossCompanies((tx) => findPlatformSessionByHash(tx, context, tokenHash))
      : await context.inCompany(companyId, (tx) => findSessionByHash(tx, context, tokenHash, companyId))
  if (!now || !(await actorStillMay(context, now))) return false
  return !privilege || now.kind === 'citizen' || may(now.privileges, ...privilege)
}
