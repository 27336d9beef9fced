import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { type TestPortal, testPortal } from '../test/harness.ts'
import { openTestCompany } from '../test/company.ts'
import { root } from '../test/processes.ts'
import { ARIA_SCROLL_STYLE, ARIA_STYLE_ID } from './aria-styles.ts'

const HOST = 'maplegrove.localhost'

let portal: TestPortal
beforeAll(async () => {
  portal = await testPortal({ env: { METRICS_TOKEN: 'a-token-of-the-monitoring' } })
  await openTestCompany(portal, mapleGrove)
})

test('reports health on every host after migrations if the database answers', async () => {
  for (const host of ['localhost', HOST, '10.1.2.3']) {
    expect(await portal.get(host, '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await portal.get(host, '/readyz')).toMatchObject({ status: 200 })
  }
})

test('shows metrics to the token’s holder by route, without addresses', async () => {
  await portal.get(HOST, '/guest/payment/secret-token-of-a-payment')
  expect((await portal.get(HOST, '/metrics')).status).toBe(403)
  const { status, body } = await portal.get(HOST, '/metrics', {
    headers: { authorization: 'Bearer a-token-of-the-monitoring' },
  })
  expect(status).toBe(200)
  expect(body).toContain('mainstreet_request_seconds_count')
  expect(body).not.toContain('secret-token')
})

describe('every answer', () => {
  test.each(['/', '/healthz', '/api/v2/nothing', '/assets/nothing.html'])(
    '%s carries the security headers',
    async (url) => {
      const { headers } = await portal.get(HOST, url)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'permissions-policy': 'camera=(self), microphone=(), geolocation=(self), payment=()',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
    },
  )

  test('forbids inline scripts and frames only the gateway', async () => {
    const policy = String((await portal.get(HOST, '/')).headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain(`frame-src ${portal.config.gateway.publicOrigin};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  test.each(['/assets/nothing.js', '/assets/nothing.css'])('%s carries only the headers of a file', async (url) => {
    const { headers } = await portal.get(HOST, url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('content-security-policy')
    expect(headers).not.toHaveProperty('permissions-policy')
  })

  test('allows frames only from the configured support form provider', async () => {
    const elsewhere = await testPortal({ env: { SUPPORT_FORM_URL: 'https://forms.example/support/42?theme=1' } })
    const { body, headers } = await elsewhere.get(HOST, '/')
    const frames = `frame-src ${elsewhere.config.gateway.publicOrigin} https://forms.example;`
    expect(String(headers['content-security-policy'])).toContain(frames)
    expect(String(body)).toContain('"formUrl":"https://forms.example/support/42?theme=1"')
  })

  test('permits exactly the inline styles of the page', async () => {
    for (const url of ['/', '/municipality']) {
      const { body, headers } = await portal.get(HOST, url)
      const permitted = new Set(String(headers['content-security-policy']).match(/(?<=')sha256-[^']+/g))
      const styles = [...String(body).matchAll(/<style[^>]*>([^<]*)</g)].map(([, text = '']) => text)
      expect(styles.length).toBeGreaterThanOrEqual(2)
      // React Aria adds one more style while a dialog is open.
      for (const text of [...styles, ARIA_SCROLL_STYLE])
        expect(permitted.delete(`sha256-${createHash('sha256').update(text).digest('base64')}`)).toBe(true)
      expect(permitted.size).toBe(0)
      expect(String(body)).not.toMatch(/ style="/)
    }
  })

  test.each([
    ['usePress', new RegExp(ARIA_STYLE_ID)],
    ['usePress', /@layer \{\s+\[\$\{[^}]+\}\] \{\s+touch-action: pan-x pan-y pinch-zoom;\s+\}\s+\}/],
    ['usePreventScroll', new RegExp(ARIA_SCROLL_STYLE.replace(/[{}*]/g, '\\$&'))],
  ])('knows the style of %s in React Aria', async (name, style) => {
    const folder = name === 'usePress' ? 'interactions' : 'overlays'
    const file = root(`node_modules/react-aria/dist/private/${folder}/${name}.mjs`)
    expect(await readFile(file, 'utf8')).toMatch(style)
  })
})

describe('the response of a page', () => {
  const read = (encoding: string, headers = {}) =>
    portal.app.inject({ url: '/', headers: { host: HOST, 'accept-encoding': encoding, ...headers } })

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('is compressed for a browser that accepts %s', async (accepted, encoding, decompress) => {
    const [plain, small] = [await read('identity'), await read(accepted)]
    expect([plain.headers['content-encoding'], small.headers['content-encoding']]).toEqual([undefined, encoding])
    expect(small.rawPayload.length * 2).toBeLessThan(plain.rawPayload.length)
    expect(decompress(small.rawPayload).toString()).toBe(plain.body)
  })

  test('is empty if the browser already has the page', async () => {
    const { headers } = await read('br')
    expect(headers['cache-control']).toBe('private, no-cache')
    const again = await read('br', { 'if-none-match': headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['content-security-policy']).toBe(headers['content-security-policy'])
  })

  test('changes with the company', async () => {
    const before = await read('br')
    await portal.owner.query(`UPDATE company SET name = name || ' Town' WHERE subdomain = 'maplegrove'`)
    portal.context.hosts.forget()
    const after = await read('br', { 'if-none-match': before.headers.etag })
    expect([after.statusCode, after.headers.etag === before.headers.etag]).toEqual([200, false])
  })

  test('is not stored for staff', async () => {
    expect((await portal.get(HOST, '/municipality')).headers['cache-control']).toBe('no-store')
  })
})

test('compresses a JSON response that is not short', async () => {
  const headersOf = (encoding: string) => ({ host: HOST, 'accept-encoding': encoding })
  const short = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/return/company/id',
    headers: headersOf('br'),
    payload: { subdomain: 'maplegrove' },
  })
  expect(short.headers['content-encoding']).toBeUndefined()
  const read = (encoding: string) => portal.app.inject({ url: '/api/docs/json', headers: headersOf(encoding) })
  const [plain, small] = [await read('identity'), await read('br')]
  expect(small.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body)
})

describe('missing addresses', () => {
  test.each([
    ['a missing asset', '/assets/gone-12345678.js', 404],
    ['an unknown page', '/no/such/page', 404],
  ])('%s', async (_what, url, status) => {
    expect((await portal.get(HOST, url)).status).toBe(status)
  })

  test('never answers a missing asset with a page', async () => {
    expect((await portal.get(HOST, '/assets/gone-12345678.js')).body).not.toContain('<!doctype')
  })
})

describe('impossible address or number', () => {
  test.each([
    ['a download of a town beyond the largest number', 'admin.localhost', '/api/v2/download/99999999999/x', 404],
    ['a download of no whole number', 'admin.localhost', '/api/v2/download/1.5/x', 404],
  ])('answers %s as not found', async (_what, host, url, status) => {
    expect((await portal.get(host, url)).status).toBe(status)
  })

  test('answers 400 with a message if the database cannot store a value', async () => {
    const key = Buffer.from(JSON.stringify(['0000-01-01T00:00:00Z', 1, 0])).toString('base64url')
    const token = await portal.signIn(HOST, 'admin@maplegrove.example')
    expect(await portal.post(HOST, 'muni/return/audit/events', { cursor: key }, { token })).toMatchObject({
      status: 400,
      body: { code: 'malformed', message: expect.stringMatching(/^[A-Z].*\.$/) },
    })
  })

  test('refuses two Host headers', async () => {
    const address = await portal.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${HOST}\r\nHost: admin.localhost\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"malformed"/s)
  })

  test('refuses another company’s id even in a call without a company', async () => {
    const token = await portal.signIn(HOST, 'admin@maplegrove.example')
    const callAs = (companyId: unknown) => portal.post(HOST, 'muni/return/event/types', { companyId }, { token })
    const own = (await portal.post(HOST, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id
    expect(
      await Promise.all([own, String(own), '', own + 1, -1, 'x'].map(async (id) => (await callAs(id)).status)),
    ).toEqual([...[200, 200, 200], ...[404, 404, 404]])
  })
})

describe('request body', () => {
  const send = (payload: string, type: string) =>
    portal.app.inject({ method: 'POST', url: '/api/v2/login', headers: { host: HOST, 'content-type': type }, payload })

  test.each([
    ['that is too large', JSON.stringify({ email: 'x'.repeat(2_000_000) }), 'application/json', 413],
    ['of another type', 'email=x', 'application/x-www-form-urlencoded', 415],
    ['that is no JSON', '{"email":', 'application/json', 400],
    ['with a prototype key', '{"__proto__":{"admin":true}}', 'application/json', 400],
  ])('refuses in one sentence a body %s', async (_what, payload, type, status) => {
    const reply = await send(payload, type)
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({ success: false, message: expect.stringMatching(/^[A-Z].*\.$/) })
  })
})

test('explains what to do if a query exceeds its time limit', async () => {
  const client = await portal.owner.connect()
  try {
    await client.query('BEGIN; LOCK TABLE company')
    const response = portal.post('localhost', 'return/company/directory', {})
    await expect
      .poll(async () => {
        const { rows } = await client.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows.length
      })
      .toBeGreaterThan(0)
    expect(await response).toMatchObject({
      status: 503,
      body: { code: 'too_slow', message: expect.stringContaining('Request less data') },
    })
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})

test('escapes page data so that it cannot end the script element', async () => {
  await portal.owner.query(
    `UPDATE company SET name = '</script><script>alert(1)</script>' WHERE subdomain = 'maplegrove'`,
  )
  portal.context.hosts.forget()
  const { body } = await portal.get(HOST, '/')
  expect(body).not.toContain('<script>alert')
  expect(body).toContain('\\u003cscript>alert(1)')
})
