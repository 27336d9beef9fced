import type { FastifyReply } from 'fastify'
import type { Endpoint } from '../shared/endpoint.ts'
import { may } from '../shared/privileges.ts'
import { PLATFORM } from './audit.ts'
import type { Call } from './call.ts'
import { actorStillMay } from './impersonation.ts'
import type { LiveEvent } from './live.ts'
import { findPlatformSessionByHash, findSessionByHash } from './sessions.ts'

/** How often a stream shows that it lives, and asks whether whoever listens still may. */
export const BEAT_MS = 25_000

/** Keeps a stream of server-sent events open for as long as the caller's session, rights and connection live. */
export function streamEvents(
  call: Call,
  endpoint: Endpoint,
  { topic }: { topic: LiveEvent['topic'] },
  reply: FastifyReply,
) {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  raw.write(': open\n\n')
  const place = endpoint.scope === 'company' ? call.company.id : PLATFORM
  const unsubscribe = call.house.live.subscribe(place, (event) => {
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
  const leave = call.house.onStop(() => raw.end())
  // Of the answer, not of the request, which closes as soon as it was read.
  raw.on('close', () => {
    unsubscribe()
    leave()
    clearInterval(beat)
  })
}

/** Is the session still there, and does it still hold what the call asks for? Listening does not keep it from growing idle. */
async function stillMay({ house, session }: Call, { access: { privilege } }: Endpoint): Promise<boolean> {
  if (!session) return true
  const { companyId, tokenHash } = session
  const now =
    companyId === null
      ? await house.acrossCompanies((tx) => findPlatformSessionByHash(tx, house, tokenHash))
      : await house.inCompany(companyId, (tx) => findSessionByHash(tx, house, tokenHash, companyId))
  if (!now || !(await actorStillMay(house, now))) return false
  return !privilege || now.kind === 'citizen' || may(now.privileges, ...privilege)
}
