import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import qs from 'qs'
import Stripe from 'stripe'
import type { Env } from '../../server/config.ts'
import type { ProviderEvent } from '../../features/payments/server/providers/provider.ts'
import { addPages } from './pages.ts'
import { routeOf } from './routes.ts'
import * as shapes from './shapes.ts'
import { type StripeRequest, type Fault, StripeFault } from './stripe-fault.ts'
import { StripeWorld } from './world.ts'

/** A received request, for tests that validate it. */
export interface Request {
  method: string
  url: string
  body: string
  route: string
}

const WEBHOOK_SECRET = 'whsec_recorded'
const PUBLISHABLE_KEY = 'pk_test_recorded'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * A local Stripe server. It stores data, responds in Stripe's formats, honors idempotency keys, and signs its events.
 * It records every request for `expect-valid.ts`.
 */
export async function recordedStripe(now: () => Date, { inBrowser = false } = {}) {
  let world = new StripeWorld(now)
  const requests: Request[] = []
  const faults: (Fault | undefined)[] = []
  /** Planned faults. Each applies to the next request of its route, even if requests of other routes arrive first. */
  const planned: { route: string; fault: Fault }[] = []
  const responses = new Map<string, { requestHash: string; status: number; body: unknown }>()
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.all('/v1/*', async (request, reply) => {
    const [path = '', query = ''] = request.url.split('?')
    const body = typeof request.body === 'string' ? request.body : ''
    const route = routeOf(request.method, path)
    requests.push({ method: request.method, url: request.url, body, route: route?.name ?? `${request.method} ${path}` })
    reply.header('date', now().toUTCString())
    const index = planned.findIndex((one) => one.route === route?.name)
    const fault = index < 0 ? faults.shift() : planned.splice(index, 1)[0]?.fault
    const lose = () => {
      request.raw.socket.destroy()
      return reply.hijack()
    }
    if (fault === 'before') return lose()
    if (typeof fault === 'number')
      return reply.code(fault).send({ error: { type: 'api_error', message: 'It is planned to fail.' } })
    const header = (name: string) => String(request.headers[name] ?? '')
    const params = qs.parse(request.method === 'GET' ? query : body)
    const key = header('idempotency-key')
    const input = { world, params, key, account: header('stripe-account') || header('stripe-context') }
    const response = await once(`${request.method} ${path} ${body}`, key, () => responseTo(route, input))
    if (fault === 'after') return lose()
    return reply.code(response.status).send(response.body)
  })

  /**
   * Returns the stored response for an idempotency key, as Stripe first sent it. If none exists, runs `work` and stores
   * its response.
   */
  async function once(what: string, key: string, work: () => Promise<{ status: number; body: unknown }>) {
    const stored = key === '' ? undefined : responses.get(key)
    if (stored && stored.requestHash !== hash(what))
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'The key had another request.' } } }
    if (stored) return stored
    const response = await work()
    if (key !== '') responses.set(key, { requestHash: hash(what), ...structuredClone(response) })
    return response
  }

  let listener: string | null = null
  app.addHook('onResponse', async () => {
    if (listener === null) return
    for (const event of world.model.events.splice(0)) {
      const body = eventOf(world, event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body, now()) }
      await fetch(`${listener}/webhooks/stripe`, { method: 'POST', headers, body }).catch(() => {})
    }
  })
  addPages(app, { key: PUBLISHABLE_KEY, world: () => world, plan: (fault) => void planned.push(fault) })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = new URL(url)
  const at = (host: string) => `http://${host}.stripe.localhost:${port}`
  if (inBrowser) {
    world = new StripeWorld(now, { hooks: at('hooks'), payments: at('payments') })
    world.isReadyAtOnce = true
  }
  const stripe = new Stripe('sk_test_none')

  /** Signs an event's payload as Stripe does at the given time. */
  const sign = (payload: string, at: Date, secret = WEBHOOK_SECRET) =>
    stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) })

  return {
    url,
    requests,
    faults,
    plan: (fault: (typeof planned)[number]) => void planned.push(fault),
    get world() {
      return world
    },
    /** Replaces the world with a new one without data. */
    forget(): StripeWorld {
      world = new StripeWorld(now)
      responses.clear()
      return world
    },
    /** Deletes the idempotency keys, as Stripe does after a day or more. */
    forgetKeys: () => {
      responses.clear()
      world.model.forgetKeys()
    },
    /** Environment variables of a portal that uses this server. */
    env: {
      STRIPE_SECRET_KEY: 'sk_test_recorded',
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
    } satisfies Env,
    /** URL of the script, which browsers load from a separate origin. */
    scriptUrl: `${at('js')}/dahlia/stripe.js`,
    /** Sends events to that portal shortly after they happen, as Stripe does. */
    connect: (portal: string) => void (listener = portal),
    eventOf: (event: ProviderEvent) => eventOf(world, event),
    /** Returns the payload of an event about a company's account. */
    accountEvent: (id: string, event: string) => accountEvent(world, id, event),
    /** Returns the payload of an event about the result of a card reader's charge. */
    readerEvent: (id: string, event: string) => readerEvent(world, id, event),
    sign,
    close: () => app.close(),
  }
}

export type RecordedStripe = Awaited<ReturnType<typeof recordedStripe>>

async function responseTo(
  route: ReturnType<typeof routeOf>,
  input: Omit<StripeRequest, 'id'>,
): Promise<{ status: number; body: unknown }> {
  try {
    if (!route) throw new StripeFault(404, { type: 'invalid_request_error', message: 'Unrecognized request URL' })
    return { status: 200, body: await route.response({ ...input, id: route.id }) }
  } catch (error) {
    if (error instanceof StripeFault) return { status: error.status, body: error.body }
    throw error
  }
}

/** Returns the payload of a model event as Stripe sends it, with the current state of the object. */
function eventOf(world: StripeWorld, { id, object, objectId, intentId, type }: ProviderEvent): string {
  const shape =
    object === 'refund'
      ? shapes.refund(world, world.model.refunds.get(objectId) ?? { ...NO_REFUND, id: objectId, intentId })
      : object === 'dispute'
        ? shapes.dispute(world.model.disputes.get(objectId) ?? { ...NO_DISPUTE, id: objectId, intentId })
        : shapes.intent(world, intentId)
  const event = { id: `evt_${id}`, object: 'event', type: `payment.${type}`, livemode: false, created: world.seconds() }
  return JSON.stringify({ ...event, api_version: '2026-08-26.dahlia', data: { object: shape } })
}

function accountEvent(world: StripeWorld, id: string, event: string): string {
  const existing = world.accounts.get(id)
  const payload = existing ? shapes.account(existing) : { id, object: 'account' }
  const about = { id: event, object: 'event', type: 'account.updated', livemode: false, created: world.seconds() }
  return JSON.stringify({ ...about, account: id, api_version: '2026-08-26.dahlia', data: { object: payload } })
}

function readerEvent(world: StripeWorld, id: string, event: string): string {
  const reader = world.readers.get(id)
  const type = `terminal.reader.action_${reader?.action?.status}`
  const about = { id: event, object: 'event', type, livemode: false, created: world.seconds() }
  return JSON.stringify({
    ...about,
    api_version: '2026-08-26.dahlia',
    data: { object: reader && shapes.reader(reader) },
  })
}

const NO_REFUND = { amountCents: 0, status: 'succeeded' as const, line: null }
const NO_DISPUTE = { amountCents: 0, status: 'needs_response' as const }
