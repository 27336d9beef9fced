import { randomBytes, scryptSync } from 'node:crypto'
import fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testPortal } from '../test/harness.ts'
import { watchResponses } from './response-watchers.ts'
import { requestLog } from './log.ts'
import { mountMetrics } from './metrics.ts'

/** Reads the total request time of a route from the metrics, in seconds. */
const secondsOf = (metrics: string, route: string): number =>
  Number(new RegExp(`mainstreet_request_seconds_sum\\{route="${route}"[^}]*\\} ([\\d.e-]+)`).exec(metrics)?.[1])

test('reports a slow call’s time correctly in log and metric', async () => {
  const lines: { route: string; ms: number }[] = []
  const app = fastify()
  app.decorateRequest('caller', null)
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  watchResponses(app, [requestLog(log), mountMetrics(app, null)])
  let inside = 0
  app.get('/slow', async () => {
    const began = performance.now()
    scryptSync(randomBytes(16), 'salt', 64, { N: 2 ** 15, maxmem: 2 ** 26 })
    inside = performance.now() - began
    return 'done'
  })
  const began = performance.now()
  await app.inject({ url: '/slow' })
  const outside = performance.now() - began
  const line = lines.find(({ route }) => route === '/slow')?.ms ?? 0
  const { body } = await app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  const metric = secondsOf(body, '/slow') * 1000
  await app.close()
  expect(inside).toBeGreaterThan(0)
  // Log lines have only one decimal place, so the two times may differ slightly.
  for (const ms of [line, metric]) {
    expect(ms).toBeGreaterThanOrEqual(inside - 0.1)
    expect(ms).toBeLessThanOrEqual(outside + 0.1)
  }
})

test('counts the time of a call in the portal’s metric', async () => {
  const portal = await testPortal()
  const began = performance.now()
  await portal.post('admin.localhost', 'admin/login', { email: 'nobody@example.com', password: 'Maple-Grove#2026' })
  const outside = performance.now() - began
  const { body } = await portal.get('localhost', '/metrics')
  const seconds = secondsOf(body, '/api/v2/admin/login')
  expect(seconds).toBeGreaterThan(0)
  expect(seconds * 1000).toBeLessThanOrEqual(outside)
})

test('answers metrics without a token only to direct loopback requests', async () => {
  const { get, app } = await testPortal()
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]:3000'])
    expect((await get(host, '/metrics')).status, host).toBe(200)
  const passedOn: Record<string, string>[] = [
    { host: 'mainstreet.example.gov' },
    { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
    { host: 'localhost', 'x-real-ip': '203.0.113.9' },
    { host: 'localhost', forwarded: 'for=203.0.113.9' },
    { host: 'localhost', via: '1.1 proxy' },
  ]
  for (const headers of passedOn)
    expect((await app.inject({ url: '/metrics', headers })).statusCode, JSON.stringify(headers)).toBe(403)
  const elsewhere = await app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress: '203.0.113.9' })
  expect(elsewhere.statusCode).toBe(403)
})
