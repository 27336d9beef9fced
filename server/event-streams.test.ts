import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../test/harness.ts'
import { openTestTown } from '../test/town.ts'
import { BEAT_MS } from './event-streams.ts'

const TOWN = 'harborcity.localhost'
const CLERK = 'admin@harborcity.example'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

beforeAll(() => openTestTown(portal, harborCity))
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Listens until the stream ends, or until `whenOpen` has run and one beat was heard. */
async function listen(token: string, whenOpen: () => Promise<unknown>) {
  const stream = portal.app.inject({
    method: 'GET',
    url: '/api/v2/muni/live/payments',
    headers: { host: TOWN, authorization: `Bearer ${token}` },
  })
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  await whenOpen()
  await vi.advanceTimersByTimeAsync(BEAT_MS)
  return stream
}

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
    const { body } = await listen(token, async () => {
      await vi.advanceTimersByTimeAsync(BEAT_MS)
      // What the beat asked the database is answered before this is.
      await portal.get(TOWN, '/api/v2/logout', { token })
    })
    expect(body).toBe(': open\n\n: here\n\n')
  })
})
