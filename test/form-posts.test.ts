import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { features } from '../portal/server.ts'
import type { PageRenderer } from '../server/page-texts.ts'
import { builtPages } from '../server/pages.ts'
import { testPortal } from './harness.ts'

const HOST = 'maplegrove.localhost'
const FORM = 'application/x-www-form-urlencoded'
const renderer = (await import(new URL('../dist/server/citizen-server.js', import.meta.url).href)) as PageRenderer
const pages = builtPages(fileURLToPath(new URL('../dist/web', import.meta.url)), renderer)
const { app } = await testPortal({ demo: true, pages })
const posts = features.flatMap(({ formPosts = [] }) => formPosts)

/** Sends a form as a browser without JavaScript does. */
const send = (url: string, entries: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { host: HOST, 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(entries).toString(),
  })

const pageOf = async (url: string) => (await app.inject({ url, headers: { host: HOST } })).body
const headingOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''
const keyIn = (html: string) => /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? ''

const bill = { accountNumber: '100001', zip: '17011' }
const request = {
  category: 'site',
  message: 'The page stays empty on my phone.',
  name: 'Ida Moss',
  email: 'ida@mail.example',
  phone: '',
}

test('four forms work without JavaScript', () => {
  expect(posts.map(({ path }) => path).toSorted()).toEqual([
    '/guest-utility-payment',
    '/parking-ticket-payment',
    '/parking-tickets',
    '/support',
  ])
})

test.each(posts.map(({ path }) => path))('%s shows its entries again with the errors', async (path) => {
  const html = await pageOf(path)
  expect(html).toMatch(/<form[^>]*data-plain/)
  const field = /<(?:input type="text"|textarea)[^>]*\bname="([^"]+)"/.exec(html)?.[1] ?? ''
  const refused = await send(path, { [field]: 'x <"?> y' })
  expect(refused.statusCode).toBe(422)
  expect(headingOf(refused.body)).toMatch(/^Error: /)
  expect(refused.body).toContain('x &lt;&quot;?&gt; y')
  expect(refused.body).toMatch(/aria-invalid="true"|role="alert"/)
  expect(refused.headers['cache-control']).toBe('no-store')
})

test('opens the bill that a guest finds', async () => {
  const response = await send('/guest-utility-payment', bill)
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/guest\/payment\/[\w-]{43}$/),
  ])
})

test('shows a sentence for a bill that does not exist', async () => {
  const missing = await send('/guest-utility-payment', { ...bill, zip: '17099' })
  expect(missing.statusCode).toBeGreaterThanOrEqual(400)
  expect(missing.body).toContain('No bill matches your entries.')
  expect(missing.body).toContain('value="17099"')
})

test('sends a support request once, even if its button is pressed twice', async () => {
  const key = keyIn(await pageOf('/support'))
  const numbers = []
  for (let n = 0; n < 2; n++)
    numbers.push(/Request (S\d+)/.exec((await send('/support', { ...request, idempotencyKey: key })).body)?.[1])
  expect(numbers[0]).toMatch(/^S\d+$/)
  expect(numbers[1]).toBe(numbers[0])
  expect(keyIn(await pageOf('/support'))).not.toBe(key)
})

test.each([
  ['the header of the browser', { 'sec-fetch-site': 'cross-site' }],
  ['another part of this site', { 'sec-fetch-site': 'same-site' }],
  ['an origin', { 'sec-fetch-site': undefined, origin: 'https://elsewhere.example' }],
  ['an origin that is no URL', { 'sec-fetch-site': undefined, origin: 'null' }],
])('ignores a form of another site, known by %s', async (_by, { 'sec-fetch-site': site, ...headers }) => {
  const forged = await app.inject({
    method: 'POST',
    url: '/guest-utility-payment',
    headers: { host: HOST, 'content-type': FORM, ...(site && { 'sec-fetch-site': site }), ...headers },
    payload: new URLSearchParams(bill).toString(),
  })
  expect(forged.statusCode).toBe(403)
  expect(forged.body).toContain('Another site sent this form')
})

test('accepts a form of the same origin from a browser that does not name the site', async () => {
  const headers = { host: HOST, 'content-type': FORM, origin: `http://${HOST}` }
  const own = await app.inject({
    method: 'POST',
    url: '/guest-utility-payment',
    headers,
    payload: new URLSearchParams(bill).toString(),
  })
  expect(own.statusCode).toBe(303)
})

test('refuses a form that is too large, and a form on a host without it', async () => {
  expect((await send('/support', { message: 'x'.repeat(70_000) })).statusCode).toBe(413)
  expect((await send('/support', request, { host: 'admin.localhost' })).statusCode).toBe(404)
})

test('shows the responses of its calls without a call of the browser', async () => {
  const html = await pageOf('/frequently-asked-questions?search=trash')
  expect(html).toContain('best match first')
  expect(html).toContain('"path":"search/faqs","body":{"text":"trash"}')
})
