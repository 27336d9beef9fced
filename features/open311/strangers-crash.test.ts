import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, request as pass, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, expect, vi } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import { systemClock } from '../../server/clock.ts'
import { Jobs } from '../../server/jobs.ts'
import { openLog } from '../../server/log.ts'
import { freePort } from '../../server/ports.ts'
import { type CompanyId, tenancyOn } from '../../server/tenancy.ts'
import { liftLimits, type TestDatabase } from '../../test/databases.ts'
import { testDatabase, testFolder } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'
import { call, signIn } from '../../test/portals.ts'
import { root, run, type RunningProcess, waitForOutput } from '../../test/processes.ts'
import { openTestCompany } from '../../test/company.ts'
import { ROUND } from './server/round.ts'

/**
 * Runs two portals as processes with separate databases. The first portal sends a request to the second. The test kills
 * the second portal with -9 before it stores the request, after it stores it, and while it responds.
 */

const moments = ['arriving', 'written', 'responding'] as const
type Moment = (typeof moments)[number]

interface TestCompany {
  host: string
  port: number
  company: CompanyId
  database: TestDatabase
  token: string
  running: RunningProcess
  start: () => Promise<RunningProcess>
}

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

async function open(data: DemoCompany, subdomain: string): Promise<TestCompany> {
  const host = `${subdomain}.localhost`
  const [port, database] = [await freePort(), await testDatabase()]
  const company = await openTestCompany({ db: database.pools, clock: systemClock }, data)
  await liftLimits(database.owner)
  const insertMap = 'INSERT INTO company_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)'
  await database.owner.query(insertMap, [company])
  const env = {
    ...{ DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent', PORT: String(port) },
    ...{ SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GATEWAY_URL: 'http://127.0.0.1:9', OPEN311_LOOPBACK: '1' },
  }
  const start = async () => {
    const running = run(process.execPath, [root('portal/main.ts'), 'start'], env)
    await waitForOutput(running, 'Mainstreet is ready')
    return running
  }
  const running = await start()
  return {
    host,
    port,
    company,
    database,
    token: await signIn(port, `admin@${subdomain}.example`, host),
    running,
    start,
  }
}

async function callApi({ host, port, token }: TestCompany, path: string, body: object, as = token) {
  const headers = { 'idempotency-key': randomUUID() }
  const callResult = await call(port, path, body, { host, headers, ...(as && { token: as }) })
  expect(callResult.status, `${path}: ${JSON.stringify(callResult.body)}`).toBe(200)
  return callResult.body
}
const rowsOf = async ({ database }: TestCompany, query: string, ...values: unknown[]) =>
  (await database.owner.query(query, values)).rows

async function photo({ host, port, token }: TestCompany, color: string, as = ''): Promise<string> {
  const image = await sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(image)]), 'hole.jpg')
  const sent = new Response(form)
  const upstream = pass({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/v2/save/communication/file' },
    headers: {
      ...{ host, 'content-type': sent.headers.get('content-type') ?? '' },
      ...(as && { authorization: `Bearer ${token}` }),
    },
  })
  upstream.end(Buffer.from(await sent.arrayBuffer()))
  const callResult = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve)
    upstream.once('error', reject)
  })
  const body = (await buffer(callResult)).toString()
  expect(callResult.statusCode, body).toBe(200)
  return (JSON.parse(body) as { file_id: string }).file_id
}

/**
 * Proxy to the second portal. During the next matching request, the proxy kills that portal at the chosen moment and
 * restarts it.
 */
async function lineTo(otherCompany: TestCompany) {
  let armed: { requestLine: string; moment: Moment; isWritten: () => Promise<boolean> } | null = null
  let strikes = 0
  /** Resolves when the second portal runs again after the kill. */
  let restarted = Promise.resolve()
  const kill = async () => {
    strikes += 1
    otherCompany.running.child.kill('SIGKILL')
    await otherCompany.running.ended
    // Releases the killed portal's active jobs, so that the test does not wait for their timeouts.
    await rowsOf(otherCompany, `UPDATE jobs.job SET state = 'retry', start_after = now() WHERE state = 'active'`)
  }
  const restart = () =>
    void (restarted = otherCompany.start().then((running) => {
      otherCompany.running = running
    }))
  const server = createServer((incoming, callResult) => {
    void (async () => {
      const voided = armed && `${incoming.method} ${incoming.url}`.startsWith(armed.requestLine) ? armed : null
      if (voided) armed = null
      const body = await buffer(incoming)
      const on = pass({
        port: otherCompany.port,
        host: '127.0.0.1',
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      })
      on.on('error', () => callResult.destroy())
      on.on('response', (upstreamResponse) => {
        void (async () => {
          const content = await buffer(upstreamResponse).catch(() => null)
          if (voided?.moment === 'responding') await kill()
          // The response to a POST is lost. The response to a GET is complete, so the proxy still delivers it.
          if (content === null || (voided && incoming.method === 'POST')) callResult.destroy()
          else callResult.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers).end(content)
          if (voided?.moment === 'responding') restart()
        })()
      })
      on.end(body)
      if (!voided || voided.moment === 'responding') return
      while (voided.moment === 'written' && !(await voided.isWritten())) await setTimeout(0)
      await kill()
      callResult.destroy()
      restart()
    })()
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    arm: (requestLine: string, moment: Moment, isWritten = async () => true) =>
      void (armed = { requestLine, moment, isWritten }),
    strikes: () => strikes,
    restarted: () => restarted,
  }
}

const categoryForm = (name: string) => ({
  ...{ name, hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null },
  ...{ forGuests: true, needsLocation: true, onMap: true, categoryId: null },
})

nightly(
  'requests, words and photos between two portals stand once on both, though one is killed at each moment',
  async () => {
    const [ours, otherCompany] = [await open(mapleGrove, 'maplegrove'), await open(harborCity, 'harborcity')]
    const line = await lineTo(otherCompany)
    const { categoryId } = await callApi(ours, 'muni/save/request/category', categoryForm('Hole in a county road'))
    const service = (await callApi(otherCompany, 'muni/save/request/category', categoryForm('Pothole'))).categoryId
    const { key } = await callApi(otherCompany, 'muni/make/api/key', { name: 'Maple Grove', use: 'open311' })
    const form = {
      ...{ name: 'County Works', url: `http://${otherCompany.host}:${line.port}/open311/v2`, jurisdictionId: '' },
      ...{ active: true, followsStatus: true, sendsContact: true },
    }
    const first = { ...form, routes: [], portalId: null, apiKey: key }
    const { portalId } = await callApi(ours, 'muni/save/other/portal', first)
    await callApi(ours, 'muni/test/other/portal', { portalId })
    const routes = [{ categoryId, serviceCode: String(service) }]
    await callApi(ours, 'muni/save/other/portal', { ...form, routes, portalId, apiKey: '' })

    const { log } = openLog({ logLevel: 'silent' })
    const jobs = new Jobs(ours.database.urls, systemClock, log)
    jobs.define(ROUND, async () => {}, { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 900 })
    await jobs.open()
    const inCompany = tenancyOn(ours.database.pools.app)
    /** Runs our portal's jobs repeatedly, without retry delays, until `holds` returns true. */
    const until = async (holds: () => Promise<boolean>) => {
      await vi.waitFor(
        async () => {
          if (await holds()) return
          await line.restarted()
          await rowsOf(ours, 'UPDATE open311_sent_request SET next_at = now()')
          await rowsOf(ours, 'UPDATE open311_sent_comment SET next_at = now()')
          await rowsOf(ours, 'UPDATE open311_portal SET next_check_at = now()')
          await inCompany(ours.company, (tx) => jobs.enqueue(tx, ROUND, {}))
          expect(await holds()).toBe(true)
        },
        { timeout: 300_000, interval: 500 },
      )
      await line.restarted()
    }
    const filesOf = async (testCompany: TestCompany, kind: string, id: number) =>
      rowsOf(
        testCompany,
        `SELECT content_type FROM attachment WHERE subject_kind = $1 AND subject_id = $2 AND state = 'clean'`,
        kind,
        id,
      )
    const once = async (testCompany: TestCompany, kind: string, id: number) =>
      vi.waitFor(async () => expect(await filesOf(testCompany, kind, id)).toEqual([{ content_type: 'image/jpeg' }]), {
        ...{ timeout: 300_000, interval: 500 },
      })

    const sent: { id: number; there: number; token: string }[] = []
    for (const moment of moments) {
      const mark = `Struck when ${moment}`
      const theirRows = () =>
        rowsOf(otherCompany, `SELECT id FROM service_request WHERE starts_with(description, $1)`, mark)
      line.arm('POST /open311/v2/requests', moment, async () => (await theirRows()).length > 0)
      const { number, token } = await callApi(
        ours,
        'send/communication/request',
        {
          ...{ description: mark, name: 'Ann Lee', phone: '', email: `${moment}@example.org`, categoryId },
          ...{ version: 0, answers: {}, files: [await photo(ours, '#a33')] },
          location: { text: 'At the school', addressId: null, lat: 40.2, lon: -76.9, metres: null },
        },
        '',
      )
      const [{ id }] = await rowsOf(ours, 'SELECT id FROM service_request WHERE number = $1', number)
      await until(
        async () =>
          (await rowsOf(ours, 'SELECT state FROM open311_sent_request WHERE request_id = $1', id))[0]?.state === 'sent',
      )
      const [there, ...more] = await theirRows()
      expect(more, mark).toEqual([])
      await once(otherCompany, 'request', Number(there.id))
      sent.push({ id: Number(id), there: Number(there.id), token })
    }
    expect(line.strikes()).toBe(moments.length)

    for (const [n, moment] of moments.entries()) {
      const { there, token } = sent[n] ?? expect.fail()
      const messageText = `It is deeper: ${moment}`
      const theirEntries = () =>
        rowsOf(
          otherCompany,
          `SELECT id FROM case_entry WHERE subject_kind = 'request' AND subject_id = $1 AND starts_with(text, $2)`,
          ...[there, messageText],
        )
      line.arm('POST /open311/v2/servicerequestupdates', moment, async () => (await theirEntries()).length > 0)
      const files = [await photo(ours, '#33a')]
      await callApi(ours, 'send/requests/message', { token, message: messageText, files }, '')
      const stateOf = `SELECT m.state FROM open311_sent_comment m JOIN case_entry e ON e.company_id = m.company_id AND e.id = m.entry_id WHERE e.text = $1`
      await until(async () => (await rowsOf(ours, stateOf, messageText))[0]?.state === 'sent')
      const [entry, ...more] = await theirEntries()
      expect(more, messageText).toEqual([])
      await once(otherCompany, 'case_entry', Number(entry.id))
    }
    expect(line.strikes()).toBe(2 * moments.length)

    // Fetches the second portal's reply with its photo. The second portal is killed once before it responds and once
    // while it responds.
    for (const [n, moment] of (['arriving', 'responding'] as const).entries()) {
      const { id, there } = sent[n] ?? expect.fail()
      const messageText = `Filled: ${moment}`
      const [row] = await rowsOf(otherCompany, 'SELECT last_message_id FROM service_request WHERE id = $1', there)
      const files = [await photo(otherCompany, '#3a3', otherCompany.token)]
      const reply = { subjectId: there, message: messageText, files, complete: true, seen: Number(row.last_message_id) }
      await callApi(otherCompany, 'muni/reply/request', reply)
      line.arm('GET /open311/v2/servicerequestupdates', moment)
      const replies = () =>
        rowsOf(
          ours,
          `SELECT id, text FROM case_entry WHERE subject_kind = 'request' AND subject_id = $1 AND kind = 'reply'`,
          id,
        )
      await until(async () => (await replies()).length > 0)
      const [entry, ...more] = await replies()
      expect([entry.text, more]).toEqual([expect.stringMatching(new RegExp(`^${messageText}`)), []])
      await once(ours, 'case_entry', Number(entry.id))
      const [{ status }] = await rowsOf(ours, 'SELECT status FROM service_request WHERE id = $1', id)
      const [{ status: theirStatus }] = await rowsOf(
        otherCompany,
        'SELECT status FROM service_request WHERE id = $1',
        there,
      )
      expect([status, theirStatus]).toEqual([2, 2])
    }
    expect(line.strikes()).toBe(2 * moments.length + 2)
    expect(await rowsOf(otherCompany, 'SELECT id FROM service_request')).toHaveLength(moments.length)

    await jobs.stop()
    for (const testCompany of [ours, otherCompany]) testCompany.running.child.kill('SIGKILL')
  },
)
