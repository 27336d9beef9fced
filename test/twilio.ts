import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** Twilio's Messages as far as we use them, over plain HTTP: what is sent is kept, and listed. */

export const ACCOUNT = `AC${'a'.repeat(32)}`
export const TOKEN = 'b'.repeat(32)
const MESSAGES = `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`

export interface Asked {
  method: string
  url: URL
  form: Record<string, string>
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
    asked: [] as Asked[],
    answered: [] as unknown[],
    messages: [] as Message[],
    /** Runs when a text was taken, before that is answered. */
    onMessage: null as (() => Promise<unknown>) | null,
    /** What is answered instead. */
    refuse: null as { status: number; body: object } | null,
  }
  const server = createServer((request, answer) => {
    void handle(request, answer).catch(() => answer.destroy())
  })
  async function handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://twilio.example')
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const form = Object.fromEntries(new URLSearchParams(body))
    const say = (status: number, said: object) => {
      twilio.answered.push(said)
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    }
    const basic = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== basic || url.pathname !== MESSAGES)
      return say(401, { code: 20003, message: 'Authenticate', status: 401 })
    twilio.asked.push({ method: request.method ?? '', url, form })
    if (twilio.refuse) return say(twilio.refuse.status, twilio.refuse.body)
    if (request.method === 'GET')
      return say(200, { messages: twilio.messages.filter(({ to }) => to === url.searchParams.get('To')) })
    const sid = `SM${randomBytes(16).toString('hex')}`
    const { To: to = '', Body: said = '' } = form
    const message = { sid, to, body: said, date_created: new Date().toUTCString() }
    twilio.messages.push(message)
    await twilio.onMessage?.()
    return say(201, { ...message, status: 'queued' })
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
