import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { systemClock } from '../server/clock.ts'
import { freePort } from '../server/ports.ts'
import { liftLimits } from './databases.ts'
import { testDatabase, testFolder } from './harness.ts'
import { nightly } from './nightly.ts'
import { root, run, waitForOutput } from './processes.ts'
import { openTestCompany } from './company.ts'

/**
 * In this test, a phone sends work that was done offline. The test kills the portal with `kill -9` while the portal
 * processes this work.
 */

const [ACTIONS, KILLS] = [60, 6]
const noLocation = { text: '', addressId: null, lat: null, lon: null, metres: null }
const newId = () => randomBytes(16).toString('hex')

interface ApiResponse {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows the type of its answer
  body: any
}

nightly(
  `of ${ACTIONS} actions of a phone that come in while the portal is killed ${KILLS} times none is lost and none is done twice`,
  async () => {
    const database = await testDatabase()
    await openTestCompany({ db: database.pools, clock: systemClock }, mapleGrove)
    await liftLimits(database.owner)
    const env = {
      ...{ DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent' },
      ...{ SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GATEWAY_URL: 'http://127.0.0.1:9' },
    }
    let [port, token] = [0, '']
    const start = async (): Promise<ChildProcess> => {
      port = await freePort()
      const running = run(process.execPath, [root('portal/main.ts'), 'start'], { ...env, PORT: String(port) })
      await waitForOutput(running, 'Mainstreet is ready')
      return running.child
    }
    const callApi = async (path: string, body: object, key = newId()): Promise<ApiResponse> => {
      const headers = { host: 'maplegrove.localhost', 'content-type': 'application/json', 'idempotency-key': key }
      const sent = request({
        ...{ host: '127.0.0.1', port, method: 'POST', path: `/api/v2/${path}` },
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      })
      sent.end(JSON.stringify(body))
      const [reply] = (await once(sent, 'response')) as [Readable & { statusCode: number }]
      return { status: reply.statusCode, body: JSON.parse(await text(reply)) }
    }
    let portal = await start()
    const { company } = (await callApi('return/company/id', { subdomain: 'maplegrove' })).body
    const credentials = { companyId: company.id, email: 'admin@maplegrove.example', password: 'Maple-Grove#2026' }
    token = (await callApi('login', credentials)).body.token
    const details = {
      title: 'Mend it',
      description: '',
      kind: 'repair',
      severity: 1,
      location: noLocation,
      assetName: '',
    }
    const assignment = { dueOn: '', departmentId: null, assignedTo: null, checklist: [] }
    const { orderId } = (await callApi('muni/open/work/order', { ...details, ...assignment })).body

    const actions = Array.from({ length: ACTIONS }, (_, n) => {
      const word = `Action ${n}`
      if (n % 3 === 0) return { path: 'muni/add/work/task', body: { orderId, text: word } }
      if (n % 3 === 1)
        return { path: 'muni/add/work/cost', body: { orderId, kind: 'part', text: word, quantity: 1, unitCents: 100 } }
      const action = {
        part: 'order',
        subjectId: orderId,
        subjectName: 'Order',
        label: word,
        call: 'muni/add/work/task',
      }
      const why = { body: {}, refusal: 'It has moved on.', fieldConflicts: [], madeAt: '2026-11-20T08:00:00.000Z' }
      return { path: 'muni/save/field/conflict', body: { ...action, ...why, id: newId() } }
    })
    const countOf = async (word: string) => {
      const { rows } = await database.owner.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM work_order_task WHERE text = $1)::int + (SELECT count(*) FROM work_order_cost WHERE text = $1)::int
           + (SELECT count(*) FROM field_conflict WHERE label = $1)::int AS count`,
        [word],
      )
      return rows[0]?.count ?? 0
    }
    const strikes = new Set(
      Array.from({ length: KILLS }, (_, n) => Math.floor((ACTIONS * (n + 0.5)) / KILLS) + (n % 3)),
    )
    for (const [n, { path, body }] of actions.entries()) {
      const key = newId()
      let kills = strikes.has(n)
      for (let done = false; !done;) {
        let isSettled = false
        const sent = callApi(path, body, key)
          .catch(() => null)
          .finally(() => (isSettled = true))
        if (kills) {
          kills = false
          // Waits until the work is stored. The portal may not have sent the response yet.
          while (!isSettled && (await countOf(`Action ${n}`)) === 0) await setTimeout(0)
          const gone = once(portal, 'exit')
          portal.kill('SIGKILL')
          await gone
          await sent
          // Ends the leases of the killed portal, so that the test does not have to wait.
          await database.owner.query('UPDATE idempotency_key SET lease_until = created_at')
          portal = await start()
          continue
        }
        const reply = await sent
        if (reply) expect(reply.status, JSON.stringify(reply.body)).toBe(200)
        done = reply?.status === 200
      }
    }
    const counts = await Promise.all(actions.map((_, n) => countOf(`Action ${n}`)))
    expect(counts).toEqual(actions.map(() => 1))
    const { body: order } = await callApi('muni/return/work/order', { orderId })
    expect(order.costCents).toBe(100 * order.costs.length)
    portal.kill('SIGKILL')
  },
)
