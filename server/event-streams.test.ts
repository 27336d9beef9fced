import { once } from 'node:events'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { openTestCompany } from '../test/company.ts'
import { BEAT_MS, MAX_STREAMS } from './event-streams.ts'

const HOST = 'harborcity.localhost'
const STAFF = 'admin@harborcity.example'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

beforeAll(() => openTestCompany(portal, harborCity))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/**
 * Opens the stream, runs `whenOpen`, and advances the clock to the next heartbeat. Waits until the stream ends, then
 * returns the status code and the complete output.
 */
async function listen(token: string, whenOpen: (heard: () => string) => Promise<unknown>) {
  const response = await portal.app.inject({
    method: 'GET',
    url: '/api/v2/muni/live/payments',
    headers: { host: HOST, authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  let body = ''
  const ended = once(
    response.stream().on('data', (chunk) => (body += String(chunk))),
    'end',
  )
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await whenOpen(() => body)
  await vi.advanceTimersByTimeAsync(BEAT_MS)
  await ended
  return { statusCode: response.statusCode, body }
}

it('limits the streams of one person until one of them ends', async () => {
  const token = await portal.signIn(HOST, 'resident@harborcity.example')
  const open = () =>
    portal.app.inject({
      method: 'GET',
      url: '/api/v2/watch/my/chats',
      headers: { host: HOST, authorization: `Bearer ${token}` },
      payloadAsStream: true,
    })
  const all = []
  for (let n = 0; n < MAX_STREAMS; n += 1) all.push(await open())
  expect(all.every(({ statusCode }) => statusCode === 200)).toBe(true)
  expect((await open()).statusCode).toBe(429)
  const res = all[0]?.raw.res
  if (!res) throw new Error('no stream was opened')
  const closed = once(res, 'close')
  res.destroy()
  await closed
  expect((await open()).statusCode).toBe(200)
})

describe('live stream', () => {
  it.each([
    ['who is locked', `UPDATE person SET locked_at = now() WHERE email = '${STAFF}'`],
    ['whose session was ended', `UPDATE session SET ended_at = now() WHERE ended_at IS NULL`],
    ['who lost the right', `UPDATE person SET privileges = '{"transaction_management": 0}' WHERE email = '${STAFF}'`],
  ])('ends for a person %s', async (_case, statement) => {
    await portal.owner.query(`UPDATE person SET locked_at = NULL, privileges = '{}' WHERE email = '${STAFF}'`)
    const token = await portal.signIn(HOST, STAFF)
    const { statusCode, body } = await listen(token, () => portal.owner.query(statement))
    expect(statusCode).toBe(200)
    expect(body).toBe(': open\n\n')
  })

  it('continues for everyone else', async () => {
    await portal.owner.query(`UPDATE person SET locked_at = NULL, privileges = '{}' WHERE email = '${STAFF}'`)
    const token = await portal.signIn(HOST, STAFF)
    const { body } = await listen(token, async (heard) => {
      await vi.advanceTimersByTimeAsync(BEAT_MS)
      await vi.waitUntil(() => heard().includes(': here'))
      await portal.get(HOST, '/api/v2/logout', { token })
    })
    expect(body).toBe(': open\n\n: here\n\n')
  })
})
