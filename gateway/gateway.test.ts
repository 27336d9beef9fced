import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../test/harness.ts'
import { buildGateway } from './app.ts'
import { SANDBOX } from './database.ts'
import { openDatabase } from '../provider-kit/database.ts'
import { openMovements } from '../provider-kit/movements.ts'
import { readSettings } from './settings.ts'

const SECRET = 'a-secret-for-signatures'
const KEY = 'a-key-for-the-interface'
const DAY = 86_400

type Json = Record<string, unknown>
interface ReceivedEvent {
  id: string
  type: string
  data: { object_id: string; intent: string }
}

/** Starts the gateway on a free port, with an HTTP server that receives its events. */
async function open() {
  const database = await testDatabase()
  const received: { event: ReceivedEvent; signature: string; raw: string }[] = []
  let refusals = 0
  const listener = createServer((request, response) => {
    let raw = ''
    request.on('data', (chunk: Buffer) => (raw += chunk.toString()))
    request.on('end', () => {
      const refuse = refusals > 0
      if (refuse) refusals--
      else
        received.push({
          event: JSON.parse(raw) as ReceivedEvent,
          signature: String(request.headers['gateway-signature']),
          raw,
        })
      response.writeHead(refuse ? 500 : 200).end()
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const webhookUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const settings = readSettings({
    GATEWAY_PORT: '0',
    GATEWAY_DATABASE_URL: database.urls.gateway ?? '',
    GATEWAY_API_KEY: KEY,
    GATEWAY_WEBHOOK_URL: webhookUrl,
    GATEWAY_WEBHOOK_SECRET: SECRET,
    GATEWAY_FRAME_ANCESTORS: 'http://localhost:3000 http://*.localhost:3000',
    GATEWAY_FAULT_HOLD_MS: '200',
  })
  const app = await buildGateway(settings, () => 'http://gateway.test')
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return {
      status: reply.status,
      body: (await reply.json().catch(() => null)) as Json & { error?: { code: string } },
    }
  }
  const { body: account } = await send(
    'POST',
    '/v1/accounts',
    { reference: 'town', name: 'Town' },
    { 'idempotency-key': 'account' },
  )
  const change = (path: string, body: unknown, key: string = randomUUID()) =>
    send('POST', path, body, { 'idempotency-key': key, 'gateway-account': String(account['id']) })
  const inspect = async (path: string) =>
    (await send('GET', path, undefined, { 'gateway-account': String(account['id']) })).body
  const card = (number: string, more: Json = {}) =>
    send('POST', `/fields/tokens?account=${String(account['id'])}`, {
      type: 'card',
      number,
      month: 8,
      year: 2031,
      cvc: '123',
      ...more,
    })
  const bank = (number: string, more: Json = {}) =>
    send('POST', `/fields/tokens?account=${String(account['id'])}`, {
      type: 'echeck',
      routing: '110000000',
      number,
      holder: 'Dot',
      account_type: 2,
      ...more,
    })
  const intent = async (method = 'card') =>
    String((await change('/v1/intents', { amount_cents: 10_195, fee_cents: 195, method })).body['id'])
  /** Creates an intent and confirms it with a test number. */
  const pay = async (number: string) => {
    const echeck = number.length === 12
    const { body } = await (echeck ? bank(number) : card(number))
    return (await change(`/v1/intents/${await intent(echeck ? 'echeck' : 'card')}/confirm`, { token: body['token'] }))
      .body
  }
  /** Creates an off-session intent with the payment source of another intent. */
  const payAgain = async (sameAs: string) =>
    (await change(`/v1/intents/${await intent()}/confirm`, { same_as: sameAs })).body
  const control = (path: string, body: unknown) => send('POST', `/v1/test/${path}`, body)
  const close = async () => {
    await app.close()
    listener.close()
  }
  return {
    app,
    base,
    send,
    change,
    inspect,
    card,
    bank,
    intent,
    pay,
    payAgain,
    control,
    received,
    refuse: (n: number) => (refusals = n),
    close,
    owner: database.owner,
    databaseUrl: database.urls.gateway ?? '',
  }
}

let gateway: Awaited<ReturnType<typeof open>>
beforeAll(async () => void (gateway = await open()))
afterAll(() => gateway.close())

describe('the published test numbers', () => {
  test.each([
    ['4242424242424242', 'succeeded', null],
    ['4000000000000002', 'failed', 'card_declined'],
    ['4000000000009995', 'failed', 'insufficient_funds'],
    ['4000000000000069', 'failed', 'expired_card'],
    ['4000000000000127', 'failed', 'incorrect_cvc'],
    ['4000000000000119', 'failed', 'processing_error'],
    ['4000002760003184', 'requires_action', null],
    ['4000000000000077', 'processing', null],
    ['4000000000000341', 'failed', 'card_declined'],
    ['4000000000009987', 'failed', 'lost_card'],
    ['000123456789', 'processing', null],
  ])('%s: %s %s', async (number, status, code) => {
    const paid = await gateway.pay(number)
    expect(paid['status']).toBe(status)
    expect((paid['error'] as { code: string } | null)?.code ?? null).toBe(code)
  })

  test('refuses and does not store an unpublished card number', async () => {
    const { status, body } = await gateway.card('4111111111111111')
    expect(status).toBe(422)
    expect(body['errors']).toMatchObject({ number: expect.stringContaining('only the published test numbers') })
    await gateway.pay('4242424242424242')
    const { rows } = await gateway.owner.query(`SELECT string_agg(t::text, ' ') AS text FROM sandbox_gateway.token t`)
    expect(rows[0].text).not.toMatch(/4242424242424242|4111111111111111/)
  })

  test.each([
    ['a mistyped digit', { number: '4242424242424241' }, 'number'],
    ['a month that is over', { month: 1, year: 2024 }, 'expiry'],
    ['a code of two digits', { cvc: '12' }, 'cvc'],
  ])('reports %s at its field', async (_what, more, field) => {
    const { status, body } = await gateway.card('4242424242424242', more)
    expect(status).toBe(422)
    expect(Object.keys(body['errors'] as Json)).toEqual([field])
  })

  test('reports a routing number with a wrong check digit', async () => {
    expect((await gateway.bank('000123456789', { routing: '110000001' })).body['errors']).toMatchObject({
      routing: 'This routing number does not exist. Check it.',
    })
  })

  test('fails a refused challenge and pays an approved one once', async () => {
    const reply = async (id: unknown, what: string) =>
      fetch(`${gateway.base}/challenge/${String(id)}`, {
        method: 'POST',
        body: new URLSearchParams({ response: what }),
        redirect: 'manual',
      })
    const [refused, approved] = [await gateway.pay('4000002760003184'), await gateway.pay('4000002760003184')]
    await reply(refused['id'], 'refuse')
    await reply(approved['id'], 'approve')
    await reply(approved['id'], 'refuse')
    expect(await gateway.inspect(`/v1/intents/${String(refused['id'])}`)).toMatchObject({
      status: 'failed',
      error: { code: 'authentication_failed' },
    })
    expect(await gateway.inspect(`/v1/intents/${String(approved['id'])}`)).toMatchObject({ status: 'succeeded' })
  })
})

describe('stored methods', () => {
  const mandate = { accepted_at: '2026-11-20T15:00:00.000Z', ip_address: '127.0.0.1', text: 'I agree.' }
  const customer = async () => String((await gateway.change('/v1/customers', { reference: randomUUID() })).body['id'])
  /** Creates a setup intent and confirms it with a test number. */
  const keep = async (number: string, of: string, more: Json = {}) => {
    const method = number.length === 12 ? 'echeck' : 'card'
    const { body: setup } = await gateway.change('/v1/setup_intents', { customer: of, method })
    const { body } = await (method === 'echeck' ? gateway.bank(number) : gateway.card(number, more))
    const path = `/v1/setup_intents/${String(setup['id'])}/confirm`
    return (await gateway.change(path, { token: body['token'], mandate })).body
  }
  const idOf = (setup: Json) => String((setup['payment_method'] as Json | null)?.['id'])
  const charge = async (id: string, method = 'card') =>
    (
      await gateway.change(`/v1/intents/${await gateway.intent(method)}/confirm`, {
        payment_method: id,
        off_session: true,
      })
    ).body

  test('charges a stored method repeatedly off-session until it is deleted', async () => {
    const of = await customer()
    const setup = await keep('4242424242424242', of)
    expect(setup).toMatchObject({ status: 'succeeded', payment_method: { brand: 'visa', last4: '4242', exp_month: 8 } })
    const id = idOf(setup)
    for (const _ of [1, 2]) expect(await charge(id)).toMatchObject({ status: 'succeeded' })
    expect(await gateway.inspect(`/v1/customers/${of}/payment_methods`)).toMatchObject({ data: [{ id }] })
    for (const _ of [1, 2]) await gateway.change(`/v1/payment_methods/${id}/detach`, {})
    expect(await gateway.inspect(`/v1/customers/${of}/payment_methods`)).toEqual({ data: [] })
    expect(await charge(id)).toMatchObject({ status: 'failed', error: { code: 'payment_method_removed' } })
    expect(await charge('pm_card_visa:1')).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    ['4000000000000002', 'failed', 'card_declined'],
    ['4000000000009995', 'succeeded', 'insufficient_funds'],
    ['4000000000000341', 'succeeded', 'card_declined'],
    ['4000000000009987', 'succeeded', 'lost_card'],
    ['4000002760003184', 'succeeded', 'authentication_required'],
  ])('returns for %s: setup %s, then %s', async (number, status, code) => {
    const setup = await keep(number, await customer())
    expect(setup['status']).toBe(status)
    const refused = status === 'failed' ? setup : await charge(idOf(setup))
    expect(refused['error']).toMatchObject({ code })
  })

  test('requires a mandate for a bank account and reports failed debits later', async () => {
    const of = await customer()
    const { body: setup } = await gateway.change('/v1/setup_intents', { customer: of, method: 'echeck' })
    const { body } = await gateway.bank('000123456789')
    const path = `/v1/setup_intents/${String(setup['id'])}/confirm`
    const without = await gateway.change(path, { token: body['token'] })
    expect(without).toMatchObject({ status: 400, body: { error: { code: 'mandate_required' } } })
    const numbers = { '000111111113': 'R02', '000444444440': 'R03', '000333333335': 'R07', '000111111116': 'R01' }
    const debits = []
    for (const [number, code] of Object.entries(numbers))
      debits.push({ code, id: String((await charge(idOf(await keep(number, of)), 'echeck'))['id']) })
    await gateway.control('clock', { advance_seconds: 1.5 * DAY })
    for (const { code, id } of debits)
      await expect
        .poll(() => gateway.inspect(`/v1/intents/${id}`))
        .toMatchObject({ status: 'failed', return_code: code })
  })

  test('refuses an expired stored card and stores one method per setup', async () => {
    const of = await customer()
    const setup = await keep('4242424242424242', of, { month: 12, year: 2026 })
    const again = await gateway.change(`/v1/setup_intents/${String(setup['id'])}/confirm`, { token: 'tok', mandate })
    expect(idOf(again.body)).toBe(idOf(setup))
    await gateway.control('clock', { now: '2027-01-02T00:00:00.000Z' })
    expect(await charge(idOf(setup))).toMatchObject({ status: 'failed', error: { code: 'expired_card' } })
    await gateway.control('clock', { now: new Date().toISOString() })
  })
})

describe('clock', () => {
  test('settles eChecks, then returns one and opens a dispute', async () => {
    const [good, refused, returned, disputed] = [
      await gateway.pay('000123456789'),
      await gateway.pay('000111111116'),
      await gateway.pay('000222222227'),
      await gateway.pay('4000000000000259'),
    ].map((paid) => `/v1/intents/${String(paid['id'])}`) as [string, string, string, string]
    await gateway.control('clock', { advance_seconds: 2.5 * DAY })
    expect(await gateway.inspect(good)).toMatchObject({ status: 'succeeded' })
    expect(await gateway.inspect(refused)).toMatchObject({ status: 'failed', return_code: 'R01' })
    expect(await gateway.inspect(returned)).toMatchObject({ status: 'succeeded' })
    expect(await gateway.inspect(disputed)).toMatchObject({ status: 'succeeded', disputed: true })
    await gateway.control('clock', { advance_seconds: 3 * DAY })
    expect(await gateway.inspect(returned)).toMatchObject({ status: 'returned', return_code: 'R10' })
    expect(await gateway.inspect(good)).toMatchObject({ status: 'succeeded' })
  })
})

describe('balance transactions', () => {
  type Line = { id: string; type: string; intent: string; amount_cents: number; metadata: Json }
  const page = async (query: string) =>
    (await gateway.inspect(`/v1/balance_transactions?${query}`)) as unknown as { data: Line[]; has_more: boolean }
  /** Reads all movements after an id, in pages of two. */
  async function after(id: string | undefined): Promise<Line[]> {
    const { data, has_more } = await page(`limit=2${id ? `&starting_after=${id}` : ''}`)
    return has_more ? [...data, ...(await after(data.at(-1)?.id))] : data
  }

  test('lists each movement once in order, with a sum equal to the balance', async () => {
    const last = (await after(undefined)).at(-1)?.id
    const [card, echeck, disputed] = [
      await gateway.pay('4242424242424242'),
      await gateway.pay('000222222227'),
      await gateway.pay('4000000000000259'),
    ]
    await gateway.change('/v1/refunds', { intent: card['id'], amount_cents: 195 })
    for (const days of [3, 4]) await gateway.control('clock', { advance_seconds: days * DAY })
    await gateway.control('disputes', { intent: disputed['id'], decision: 'won' })
    expect(await gateway.control('disputes', { intent: disputed['id'], decision: 'lost' })).toMatchObject({
      status: 404,
    })
    const lines = await after(last)
    const of = ({ id }: Json) =>
      lines.filter(({ intent }) => intent === id).map(({ type, amount_cents }) => `${type} ${amount_cents}`)
    expect(of(card)).toEqual(['capture 10195', 'refund -195'])
    expect(of(echeck)).toEqual(['capture 10195', 'return -10195'])
    expect(of(disputed)).toEqual(['capture 10195', 'dispute -10195', 'dispute_won 10195'])
    const all = await after(undefined)
    expect((await gateway.inspect('/v1/balance'))['balance_cents']).toBe(
      all.reduce((sum, line) => sum + line.amount_cents, 0),
    )
    expect((await gateway.send('GET', '/v1/balance_transactions?starting_after=txn_none')).status).toBe(404)
  })

  test('never adds a line before one that was already read', async () => {
    const [paid, other] = [await gateway.pay('4242424242424242'), await gateway.pay('4242424242424242')]
    const start = (await after(undefined)).at(-1)?.id
    const database = openDatabase(gateway.databaseUrl, SANDBOX)
    const [noted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const about = { account: String(paid['account']), intent: String(paid['id']), object: 'refund' } as const
    const slow = database.transact(async (client) => {
      const line = { ...about, type: 'refund', object_id: 're_slow', amount_cents: -1, fee_cents: 0 } as const
      await openMovements(database, { now: () => new Date() } as never).note(client, line)
      noted.resolve()
      await release.promise
    })
    await noted.promise
    let isRefunded = false
    const quick = gateway
      .change('/v1/refunds', { intent: other['id'], amount_cents: 1 })
      .then(() => (isRefunded = true))
    const waits = async () =>
      (await gateway.owner.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rowCount
    await expect.poll(async () => isRefunded || ((await waits()) ?? 0) > 0, { timeout: 10_000 }).toBe(true)
    const seen = await after(start)
    release.resolve()
    await Promise.all([slow, quick])
    const all = await after(start)
    expect([...seen, ...(await after(seen.at(-1)?.id ?? start))]).toEqual(all)
    expect(all).toHaveLength(2)
    await database.close()
  })

  test('creates missing lines for an older gateway', async () => {
    const lines = async () =>
      (
        await gateway.owner.query<{ line: string }>(
          `SELECT type || ' ' || object_id || ' ' || amount_cents AS line FROM sandbox_gateway.movement
           WHERE type IN ('capture', 'refund', 'return', 'dispute') AND object_id <> 're_slow' ORDER BY 1`,
        )
      ).rows
    const before = await lines()
    expect(before.length).toBeGreaterThan(0)
    await gateway.owner.query('DELETE FROM sandbox_gateway.movement')
    const database = openDatabase(gateway.databaseUrl, SANDBOX)
    await database.prepare()
    await database.close()
    expect(await lines()).toEqual(before)
  })
})

describe('idempotency', () => {
  test('returns the same response for one key and body, otherwise 422', async () => {
    const key = randomUUID()
    const request = { amount_cents: 500, method: 'card' }
    const [first, second] = await Promise.all([
      gateway.change('/v1/intents', request, key),
      gateway.change('/v1/intents', request, key),
    ])
    expect(first.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await gateway.change('/v1/intents', { ...request, amount_cents: 501 }, key)).toMatchObject({
      status: 422,
      body: { error: { code: 'key_reused' } },
    })
  })

  test('refuses calls with a missing key, missing account or wrong API key', async () => {
    expect((await gateway.send('POST', '/v1/intents', { amount_cents: 5, method: 'card' })).status).toBe(400)
    expect(
      (await gateway.send('POST', '/v1/intents', {}, { 'gateway-account': 'acct_no', 'idempotency-key': 'k' })).status,
    ).toBe(400)
    expect((await gateway.send('GET', '/v1/balance', undefined, { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  test('accepts a token for only one intent', async () => {
    const { body } = await gateway.card('4242424242424242')
    const confirm = async () =>
      (await gateway.change(`/v1/intents/${await gateway.intent()}/confirm`, { token: body['token'] })).body
    expect([await confirm(), await confirm()]).toMatchObject([
      { status: 'succeeded' },
      { status: 'failed', error: { code: 'invalid_token' } },
    ])
  })

  test('refuses cancelling a paid intent and confirming a cancelled one', async () => {
    const paid = await gateway.pay('4242424242424242')
    expect((await gateway.change(`/v1/intents/${String(paid['id'])}/cancel`, {})).body.error?.code).toBe('wrong_state')
    const id = await gateway.intent()
    expect((await gateway.change(`/v1/intents/${id}/cancel`, {})).body['status']).toBe('canceled')
    expect((await gateway.change(`/v1/intents/${id}/confirm`, { token: 'tok' })).body.error?.code).toBe('wrong_state')
  })

  test('refuses refunds above the paid amount', async () => {
    const paid = await gateway.pay('4242424242424242')
    const refund = (amount_cents: number) => gateway.change('/v1/refunds', { intent: paid['id'], amount_cents })
    expect((await refund(10_000)).status).toBe(200)
    expect((await refund(196)).body.error?.code).toBe('too_much')
    expect((await refund(195)).status).toBe(200)
  })
})

describe('injected faults', () => {
  test('create nothing before the work, and everything exactly once after it', async () => {
    const request = { amount_cents: 700, method: 'card' }
    const count = async () =>
      Number((await gateway.owner.query('SELECT count(*) FROM sandbox_gateway.intent')).rows[0].count)
    const before = await count()
    await gateway.control('faults', { fault: 'timeout-before', path: '/v1/intents' })
    await expect(gateway.change('/v1/intents', request)).rejects.toThrow()
    expect(await count()).toBe(before)
    const key = randomUUID()
    await gateway.control('faults', { fault: 'timeout-after', path: '/v1/intents' })
    await expect(gateway.change('/v1/intents', request, key)).rejects.toThrow()
    expect((await gateway.change('/v1/intents', request, key)).status).toBe(200)
    expect(await count()).toBe(before + 1)
    await gateway.control('faults', { fault: '500', path: '/v1/intents' })
    expect((await gateway.change('/v1/intents', request)).status).toBe(500)
  })
})

describe('events', () => {
  const typesOf = (id: unknown) =>
    gateway.received.filter(({ event }) => event.data.intent === id).map(({ event }) => event.type)

  test('report changes, signed over the raw body and the time', async () => {
    const paid = await gateway.pay('4242424242424242')
    // The gateway may already have sent the event, so the flush may have nothing to send.
    await gateway.control('flush', {})
    await expect.poll(() => typesOf(paid['id'])).toContain('intent.succeeded')
    const arrived = gateway.received.find(({ event }) => event.data.intent === paid['id'])
    const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(arrived?.signature ?? '') ?? []
    expect(createHmac('sha256', SECRET).update(`${seconds}.${arrived?.raw}`).digest('hex')).toBe(signature)
  })

  test('are repeated until they are accepted', async () => {
    gateway.refuse(1)
    const paid = await gateway.pay('4242424242424242')
    await expect.poll(() => typesOf(paid['id']), { timeout: 10_000 }).toEqual(['intent.succeeded'])
  })

  test('are sent twice or never if the test requests it', async () => {
    await gateway.control('webhooks', { mode: { duplicate: 1 } })
    const twice = await gateway.pay('4242424242424242')
    await expect.poll(() => typesOf(twice['id'])).toEqual(['intent.succeeded', 'intent.succeeded'])
    await gateway.control('webhooks', { mode: { drop: 1 } })
    const never = await gateway.pay('4242424242424242')
    await gateway.control('webhooks', { mode: 'clean' })
    const after = await gateway.pay('4242424242424242')
    await expect.poll(() => typesOf(after['id'])).toEqual(['intent.succeeded'])
    expect(typesOf(never['id'])).toEqual([])
  })
})

describe('hosted fields', () => {
  test('are framed only on the portal’s own hosts', async () => {
    const fields = (parent: string) => fetch(`${gateway.base}/fields/card?parent=${encodeURIComponent(parent)}`)
    const ours = await fields('http://maplegrove.localhost:3000')
    expect(ours.status).toBe(200)
    expect(ours.headers.get('content-security-policy')).toContain(
      'frame-ancestors http://localhost:3000 http://*.localhost:3000',
    )
    for (const parent of [
      'http://evil.example',
      'http://maplegrove.localhost:3000.evil.example',
      'https://maplegrove.localhost:3000',
    ])
      expect((await fields(parent)).status).toBe(400)
  })
})

test('refuses to run in live mode', () => {
  expect(() => readSettings({ GATEWAY_LIVE: '1' })).toThrow('live mode')
})
