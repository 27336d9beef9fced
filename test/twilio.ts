import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/**
 * Local HTTP server with the parts of Twilio's Messages and Calls that the portal uses. It stores and lists sent
 * messages and calls.
 */

export const ACCOUNT = `AC${'a'.repeat(32)}`
export const TOKEN = 'b'.repeat(32)
const RESOURCES = `/2010-04-01/Accounts/${ACCOUNT}/`

export interface TwilioRequest {
  method: string
  url: URL
  form: Record<string, string>
  /** Form fields. A name can occur several times. */
  fields: URLSearchParams
}

interface Call {
  sid: string
  to: string
  from: string
  date_created: string
  status: string
  answered_by: string | null
  duration: string | null
}

interface Message {
  sid: string
  to: string
  body: string
  date_created: string
}

export async function listenAsTwilio() {
  const twilio = {
    url: '',
    query: [] as TwilioRequest[],
    responses: [] as unknown[],
    messages: [] as Message[],
    calls: [] as Call[],
    /** Runs after a text message was accepted, before the response. */
    onMessage: null as (() => Promise<unknown>) | null,
    /** Runs after a call was accepted. If this function fails, the response never arrives. */
    onCall: null as (() => Promise<unknown>) | null,
    /** Status and body of a response that replaces the usual response. */
    refuse: null as { status: number; body: object } | null,
  }
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://twilio.example')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const form = Object.fromEntries(new URLSearchParams(body))
    const say = (status: number, payload: object) => {
      twilio.responses.push(payload)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(payload))
    }
    const basic = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== basic || !url.pathname.startsWith(RESOURCES))
      return say(401, { code: 20003, message: 'Authenticate', status: 401 })
    twilio.query.push({ method: request.method ?? '', url, form, fields: new URLSearchParams(body) })
    if (twilio.refuse) return say(twilio.refuse.status, twilio.refuse.body)
    const resource = url.pathname.slice(RESOURCES.length)
    if (resource.startsWith('Calls')) {
      const [status, payload] = await ofCalls(request.method ?? '', resource, url, form)
      return say(status, payload)
    }
    if (request.method === 'GET')
      return say(200, { messages: twilio.messages.filter(({ to }) => to === url.searchParams.get('To')) })
    const sid = `SM${randomBytes(16).toString('hex')}`
    const { To: to = '', Body: text = '' } = form
    const message = { sid, to, body: text, date_created: new Date().toUTCString() }
    twilio.messages.push(message)
    await twilio.onMessage?.()
    return say(201, { ...message, status: 'queued' })
  }
  async function ofCalls(
    method: string,
    resource: string,
    { searchParams }: URL,
    { To: to = '', From: from = '' }: Record<string, string>,
  ): Promise<[number, object]> {
    const one = /^Calls\/(\w+)\.json$/.exec(resource)?.[1]
    if (one !== undefined) {
      const match = twilio.calls.find(({ sid }) => sid === one)
      return match ? [200, match] : [404, { code: 20404, message: 'not found' }]
    }
    if (method === 'GET')
      return [200, { calls: twilio.calls.filter(({ to: phone }) => phone === searchParams.get('To')) }]
    const sid = `CA${randomBytes(16).toString('hex')}`
    const date_created = new Date().toUTCString()
    const call = { sid, to, from, date_created, status: 'queued', answered_by: null, duration: null }
    twilio.calls.push(call)
    await twilio.onCall?.()
    return [201, call]
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  twilio.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return twilio
}
