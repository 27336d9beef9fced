import { once } from 'node:events'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { openTestTown } from '../test/town.ts'
import { BEAT_MS, MAX_STREAMS } from './event-streams.ts'

const TOWN = 'harborcity.localhost'
const CLERK = 'admin@harborcity.example'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

beforeAll(() => openTestTown(portal, harborCity))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Opens the stream, lets `whenOpen` happen and one more beat go by, and answers all that was heard until the stream ended. */
async function listen(token: string, whenOpen: (heard: () => string) => Promise<unknown>) {
  const answer = await portal.app.inject({
    method: 'GET',
    url: '/api/v2/muni/live/payments',
    headers: { host: TOWN, authorization: `Bearer ${token}` },
    payloadAsStream: true,
  })
  let body = ''
  const ended = once(
    answer.stream().on('data', (chunk) => (body += String(chunk))),
    'end',
  )
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await whenOpen(() => body)
  await vi.advanceTimersByTimeAsync(BEAT_MS)
  await ended
  return { statusCode: answer.statusCode, body }
}

it('opens so many streams of one person, and another one once one of them ends', async () => {
  const token = await portal.signIn(TOWN, 'resident@harborcity.example')
  const open = () =>
    portal.app.inject({
      method: 'GET',
      url: '/api/v2/watch/my/chats',
      headers: { host: TOWN, authorization: `Bearer ${token}` },
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

describe('a live stream', () => {
  it.each([
    ['who is locked', `UPDATE person SET locked_at = now() WHERE email = '${CLERK}'`],
    ['whose session was ended', `UPDATE session SET ended_at = now() WHERE ended_at IS NULL`],
    ['who lost the right', `UPDATE person SET privileges = '{"transaction_management": 0}' WHERE email = '${CLERK}'`],
  ])('ends for somebody %s', async (_who, statement) => {
    await portal.owner.query(`UPDATE person SET locked_at = NULL, privileges = '{}' WHERE email = '${CLERK}'`)
    const token = await portal.signIn(TOWN, CLERK)
    const { statusCode, body } = await listen(token, () => portal.owner.query(statement))
    expect(statusCode).toBe(200)
    expect(body).toBe(': open\n\n')
  })

  it('goes on for everybody else', async () => {
    await portal.owner.query(`UPDATE person SET locked_at = NULL, privileges = '{}' WHERE email = '${CLERK}'`)
    const token = await portal.signIn(TOWN, CLERK)
    const { body } = await listen(token, async (heard) => {
      await vi.advanceTimersByTimeAsync(BEAT_MS)
      await vi.waitUntil(() => heard().includes(': here'))
      await portal.get(TOWN, '/api/v2/logout', { token })
    })
    expect(body).toBe(': open\n\n: here\n\n')
  })
})
