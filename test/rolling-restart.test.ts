import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../server/ports.ts'
import { liftLimits, type TestDatabase } from './databases.ts'
import {
  ask,
  haproxy,
  listenAt,
  missing,
  type Portal,
  signIn,
  startBalancer,
  startGateway,
  startPortals,
  townsDatabase,
} from './portals.ts'
import type { Running } from './processes.ts'

/** Portals that die or leave while they are asked. Whoever asks comes through HAProxy and does not ask twice. */

/** Requests that are under way at once, at most. */
const HANDS = 8
const PAUSE_MS = 10
let database: TestDatabase
let balancer: Running
let port: number
let portals: Portal[]

describe.skipIf(!process.env['NIGHTLY'] || missing(['haproxy', haproxy]))('under load', () => {
  beforeAll(async () => {
    port = await freePort()
    database = await townsDatabase()
    await liftLimits(database.owner)
    const gateway = await startGateway(database.urls.gateway ?? '', port)
    portals = await startPortals(database, gateway, [{}, {}])
    balancer = await startBalancer(port, [portals[0]?.port ?? 0, portals[1]?.port ?? 0])
  })
  beforeEach(() => Promise.all(portals.map((one) => one.start())))
  const portal = (n: 0 | 1) => portals[n] as Portal
  /** A portal is back when it answers again through the balancer. */
  const isServed = (load: Load, name: string) =>
    expect.poll(() => load.answers.slice(-100).some(({ servedBy }) => servedBy === name)).toBe(true)

  test('of a portal that is killed with -9 only what it had in hand is lost, and nothing is done twice', async () => {
    const before = await checkouts()
    // To a connection that was used before HAProxy says nothing of a lost request, nor does it log it: one for each.
    const load = startLoad(port, new Agent())
    for (const name of ['portal1', 'portal2']) await isServed(load, name)
    await portal(1).end('SIGKILL')
    const count = load.answers.length
    await expect.poll(() => load.answers.length).toBeGreaterThan(count + 200)
    await load.stop()
    const lost = load.answers.filter(({ status }) => status !== 200)
    expect(lost.length).toBeLessThanOrEqual(HANDS)
    // What may be done twice was asked of the other portal. The rest is told, by an answer and in the log.
    for (const { method, status } of lost) expect([method, status]).toEqual(['POST', 502])
    await expect.poll(linesOfLost).toHaveLength(lost.length)
    const done = load.answers.filter(({ status, method }) => status === 200 && method === 'POST').length
    const made = (await checkouts()) - before
    expect(made).toBeGreaterThanOrEqual(done)
    expect(made).toBeLessThanOrEqual(done + lost.length)
  })

  test('a rolling restart loses nothing, and open screens are told to come again', async () => {
    const token = await signIn(port, 'staff@maplegrove.example')
    const load = startLoad(port, new Agent({ keepAlive: true }))
    await isServed(load, 'portal2')
    const screens = await Promise.all(portals.map((one) => listenAt(one.port, token)))
    expect(await portal(0).end('SIGTERM')).toBe(0)
    expect(screens[0]?.ended()).toBe(true)
    await portal(0).start()
    await isServed(load, 'portal1')
    expect(await portal(1).end('SIGTERM')).toBe(0)
    expect(screens[1]?.ended()).toBe(true)
    await load.stop()
    expect(load.answers.filter(({ status }) => status !== 200)).toEqual([])
  })

  /** What HAProxy says of the calls that the killed portal took with it. */
  const linesOfLost = () =>
    balancer
      .printed()
      .split('\n')
      .filter((line) => / portals\/portal2 \S+ 502 .*POST \/api\/v2\/find\/guest\/bill/.test(line))

  /** Each POST of the load makes one of these, and a second one if it is done twice. */
  async function checkouts(): Promise<number> {
    const { rows } = await database.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM guest_checkout')
    return rows[0]?.n ?? 0
  }
})

interface Answered {
  n: number
  method: 'GET' | 'POST'
  /** 0 where the line broke. */
  status: number
  servedBy: string | undefined
}

type Load = ReturnType<typeof startLoad>
let asked = 0

/** HANDS callers, each asking again soon after it was answered: pages, and calls that leave something behind. */
function startLoad(port: number, agent: Agent) {
  const answers: Answered[] = []
  let going = true
  const work = async () => {
    while (going) {
      const n = asked++
      const method = n % 2 === 0 ? 'GET' : 'POST'
      const path = method === 'GET' ? `/api/v2/app/settings?n=${n}` : `/api/v2/find/guest/bill?n=${n}`
      const body = method === 'POST' ? { body: { accountNumber: String(8000 + (n % 40)), zip: '17011' } } : {}
      const { status, headers } = await ask(port, method, path, { ...body, agent }).catch(() => ({
        status: 0,
        headers: {} as Record<string, undefined>,
      }))
      answers.push({ n, method, status, servedBy: headers['x-served-by']?.toString() })
      // A breath, so that a portal that starts meanwhile gets its share of a small machine.
      await setTimeout(PAUSE_MS)
    }
  }
  const hands = Array.from({ length: HANDS }, work)
  return {
    answers,
    stop: async () => {
      going = false
      await Promise.all(hands)
      agent.destroy()
    },
  }
}
