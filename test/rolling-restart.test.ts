import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../server/ports.ts'
import { liftLimits, type TestDatabase } from './databases.ts'
import {
  callAs,
  haproxy,
  listenAt,
  missing,
  type Portal,
  signIn,
  startBalancer,
  startGateway,
  startPortals,
  companiesDatabase,
} from './portals.ts'
import type { RunningProcess } from './processes.ts'

/** Tests portals that crash or restart under load. Clients connect through HAProxy and do not retry. */

/** Maximum parallel requests. */
const WORKERS = 8
const PAUSE_MS = 10
let database: TestDatabase
let balancer: RunningProcess
let port: number
let portals: Portal[]

describe.skipIf(!process.env['NIGHTLY'] || missing(['haproxy', haproxy]))('portals under load', () => {
  beforeAll(async () => {
    port = await freePort()
    database = await companiesDatabase()
    await liftLimits(database.owner)
    const gateway = await startGateway(database.urls.gateway ?? '', port)
    portals = await startPortals(database, gateway, [{}, {}])
    balancer = await startBalancer(port, [portals[0]?.port ?? 0, portals[1]?.port ?? 0])
  })
  beforeEach(() => Promise.all(portals.map((one) => one.start())))
  const portal = (n: 0 | 1) => portals[n] as Portal
  /** Waits until a portal responds again through HAProxy. */
  const isServed = (load: Load, name: string) =>
    expect.poll(() => load.responses.slice(-100).some(({ servedBy }) => servedBy === name)).toBe(true)

  test('loses only requests in progress of a killed portal, repeats none', async () => {
    const before = await checkouts()
    // HAProxy neither reports nor logs a request that is lost on a reused connection. So each request uses a new
    // connection.
    const load = startLoad(port, new Agent())
    for (const name of ['portal1', 'portal2']) await isServed(load, name)
    await portal(1).end('SIGKILL')
    const count = load.responses.length
    await expect.poll(() => load.responses.length).toBeGreaterThan(count + 200)
    await load.stop()
    const lost = load.responses.filter(({ status }) => status !== 200)
    expect(lost.length).toBeLessThanOrEqual(WORKERS)
    // HAProxy resends lost idempotent requests to the other portal. It answers all other lost requests with 502 and
    // logs them.
    for (const { method, status } of lost) expect([method, status]).toEqual(['POST', 502])
    await expect.poll(linesOfLost).toHaveLength(lost.length)
    const done = load.responses.filter(({ status, method }) => status === 200 && method === 'POST').length
    const made = (await checkouts()) - before
    expect(made).toBeGreaterThanOrEqual(done)
    expect(made).toBeLessThanOrEqual(done + lost.length)
  })

  test('loses no request in a rolling restart and reconnects open screens', async () => {
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
    expect(load.responses.filter(({ status }) => status !== 200)).toEqual([])
  })

  /** Returns the lines of HAProxy's log about calls that were lost because the portal was killed. */
  const linesOfLost = () =>
    balancer
      .printed()
      .split('\n')
      .filter((line) => / portals\/portal2 \S+ 502 .*POST \/api\/v2\/find\/guest\/bill/.test(line))

  /** Counts checkouts. Each POST of the load creates one, so a repeated POST creates two. */
  async function checkouts(): Promise<number> {
    const { rows } = await database.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM guest_checkout')
    return rows[0]?.n ?? 0
  }
})

interface ServedRequest {
  n: number
  method: 'GET' | 'POST'
  /** HTTP status. 0 if the connection broke. */
  status: number
  servedBy: string | undefined
}

type Load = ReturnType<typeof startLoad>
let requests = 0

/** Starts `WORKERS` clients that send requests repeatedly. Half of the requests read settings, and half write data. */
function startLoad(port: number, agent: Agent) {
  const responses: ServedRequest[] = []
  let going = true
  const work = async () => {
    while (going) {
      const n = requests++
      const method = n % 2 === 0 ? 'GET' : 'POST'
      const path = method === 'GET' ? `/api/v2/app/settings?n=${n}` : `/api/v2/find/guest/bill?n=${n}`
      const body = method === 'POST' ? { body: { accountNumber: String(8000 + (n % 40)), zip: '17011' } } : {}
      const { status, headers } = await callAs(port, method, path, { ...body, agent }).catch(() => ({
        status: 0,
        headers: {} as Record<string, undefined>,
      }))
      responses.push({ n, method, status, servedBy: headers['x-served-by']?.toString() })
      // Pauses, so that a starting portal gets enough processor time on a small machine.
      await setTimeout(PAUSE_MS)
    }
  }
  const workers = Array.from({ length: WORKERS }, work)
  return {
    responses,
    stop: async () => {
      going = false
      await Promise.all(workers)
      agent.destroy()
    },
  }
}
