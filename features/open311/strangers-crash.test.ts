import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, request as pass, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, expect, vi } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { DemoTown } from '../../database/towns/town.ts'
import { systemClock } from '../../server/clock.ts'
import { Jobs } from '../../server/jobs.ts'
import { openLog } from '../../server/log.ts'
import { freePort } from '../../server/ports.ts'
import { type CompanyId, tenancyOn } from '../../server/tenancy.ts'
import { liftLimits, type TestDatabase } from '../../test/databases.ts'
import { testDatabase, testFolder } from '../../test/harness.ts'
import { nightly } from '../../test/nightly.ts'
import { call, signIn } from '../../test/portals.ts'
import { root, run, type Running, said } from '../../test/processes.ts'
import { openTestTown } from '../../test/town.ts'
import { ROUND } from './server/round.ts'

/**
 * Two portals as processes of their own, each with its database: ours sends to theirs, which is killed with -9 while it takes
 * something in, when that is written, and when its answer is on its way.
 */

const moments = ['arriving', 'written', 'answering'] as const
type Moment = (typeof moments)[number]

interface Town {
  host: string
  port: number
  company: CompanyId
  database: TestDatabase
  token: string
  running: Running
  start: () => Promise<Running>
}

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

async function open(data: DemoTown, subdomain: string): Promise<Town> {
  const host = `${subdomain}.localhost`
  const [port, database] = [await freePort(), await testDatabase()]
  const company = await openTestTown({ db: database.pools, clock: systemClock }, data)
  await liftLimits(database.owner)
  const place = 'INSERT INTO town_map (company_id, origin_lat, origin_lon) VALUES ($1, 40.2, -76.9)'
  await database.owner.query(place, [company])
  const env = {
    ...{ DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent', PORT: String(port) },
    ...{ SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GATEWAY_URL: 'http://127.0.0.1:9', OPEN311_LOOPBACK: '1' },
  }
  const start = async () => {
    const running = run(process.execPath, [root('portal/main.ts'), 'start'], env)
    await said(running, 'Mainstreet is ready')
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

async function tell({ host, port, token }: Town, path: string, body: object, as = token) {
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await call(port, path, body, { host, headers, ...(as && { token: as }) })
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBe(200)
  return answer.body
}
const rowsOf = async ({ database }: Town, query: string, ...values: unknown[]) =>
  (await database.owner.query(query, values)).rows

async function photo({ host, port, token }: Town, colour: string, as = ''): Promise<string> {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(picture)]), 'hole.jpg')
  const sent = new Response(form)
  const asked = pass({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/v2/save/communication/file' },
    headers: {
      ...{ host, 'content-type': sent.headers.get('content-type') ?? '' },
      ...(as && { authorization: `Bearer ${token}` }),
    },
  })
  asked.end(Buffer.from(await sent.arrayBuffer()))
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve)
    asked.once('error', reject)
  })
  const body = (await buffer(answer)).toString()
  expect(answer.statusCode, body).toBe(200)
  return (JSON.parse(body) as { file_id: string }).file_id
}

/** The line to their portal, which kills it at the named moment of the next such request and starts it again. */
async function lineTo(theirs: Town) {
  let armed: { asked: string; moment: Moment; isWritten: () => Promise<boolean> } | null = null
  let strikes = 0
  /** Theirs again, once it was killed. */
  let back = Promise.resolve()
  const kill = async () => {
    strikes += 1
    theirs.running.child.kill('SIGKILL')
    await theirs.running.ended
    // What it had in its hands is nobody's any more, and need not be waited for.
    await rowsOf(theirs, `UPDATE jobs.job SET state = 'retry', start_after = now() WHERE state = 'active'`)
  }
  const restart = () =>
    void (back = theirs.start().then((running) => {
      theirs.running = running
    }))
  const server = createServer((asked, answer) => {
    void (async () => {
      const struck = armed && `${asked.method} ${asked.url}`.startsWith(armed.asked) ? armed : null
      if (struck) armed = null
      const body = await buffer(asked)
      const on = pass({
        port: theirs.port,
        host: '127.0.0.1',
        path: asked.url,
        method: asked.method,
        headers: asked.headers,
      })
      on.on('error', () => answer.destroy())
      on.on('response', (told) => {
        void (async () => {
          const content = await buffer(told).catch(() => null)
          if (struck?.moment === 'answering') await kill()
          // What is told is known: whether the rest of it can still be had is another matter.
          if (content === null || (struck && asked.method === 'POST')) answer.destroy()
          else answer.writeHead(told.statusCode ?? 500, told.headers).end(content)
          if (struck?.moment === 'answering') restart()
        })()
      })
      on.end(body)
      if (!struck || struck.moment === 'answering') return
      while (struck.moment === 'written' && !(await struck.isWritten())) await setTimeout(0)
      await kill()
      answer.destroy()
      restart()
    })()
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    arm: (asked: string, moment: Moment, isWritten = async () => true) => void (armed = { asked, moment, isWritten }),
    strikes: () => strikes,
    back: () => back,
  }
}

const categoryForm = (name: string) => ({
  ...{ name, hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 3, escalateTo: null },
  ...{ forGuests: true, needsPlace: true, onMap: true, categoryId: null },
})

nightly(
  'requests, words and photos between two portals stand once on both, though one is killed at each moment',
  async () => {
    const [ours, theirs] = [await open(mapleGrove, 'maplegrove'), await open(harborCity, 'harborcity')]
    const line = await lineTo(theirs)
    const { categoryId } = await tell(ours, 'muni/save/request/category', categoryForm('Hole in a county road'))
    const service = (await tell(theirs, 'muni/save/request/category', categoryForm('Pothole'))).categoryId
    const { key } = await tell(theirs, 'muni/make/api/key', { name: 'Maple Grove', use: 'open311' })
    const form = {
      ...{ name: 'County Works', url: `http://${theirs.host}:${line.port}/open311/v2`, jurisdictionId: '' },
      ...{ active: true, followsStatus: true, sendsContact: true },
    }
    const first = { ...form, routes: [], portalId: null, apiKey: key }
    const { portalId } = await tell(ours, 'muni/save/other/portal', first)
    await tell(ours, 'muni/test/other/portal', { portalId })
    const routes = [{ categoryId, serviceCode: String(service) }]
    await tell(ours, 'muni/save/other/portal', { ...form, routes, portalId, apiKey: '' })

    const { log } = openLog({ logLevel: 'silent' })
    const jobs = new Jobs(ours.database.urls, systemClock, log)
    jobs.define(ROUND, async () => {}, { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 900 })
    await jobs.open()
    const inCompany = tenancyOn(ours.database.pools.app)
    /** Rounds of ours, each without its waiting times, until it holds. */
    const until = async (holds: () => Promise<boolean>) => {
      await vi.waitFor(
        async () => {
          if (await holds()) return
          await line.back()
          await rowsOf(ours, 'UPDATE open311_sent SET next_at = now()')
          await rowsOf(ours, 'UPDATE open311_said SET next_at = now()')
          await rowsOf(ours, 'UPDATE open311_portal SET look_at = now()')
          await inCompany(ours.company, (tx) => jobs.enqueue(tx, ROUND, {}))
          expect(await holds()).toBe(true)
        },
        { timeout: 300_000, interval: 500 },
      )
      await line.back()
    }
    const filesOf = async (town: Town, kind: string, id: number) =>
      rowsOf(
        town,
        `SELECT content_type FROM attachment WHERE subject_kind = $1 AND subject_id = $2 AND state = 'clean'`,
        kind,
        id,
      )
    const once = async (town: Town, kind: string, id: number) =>
      vi.waitFor(async () => expect(await filesOf(town, kind, id)).toEqual([{ content_type: 'image/jpeg' }]), {
        ...{ timeout: 300_000, interval: 500 },
      })

    const sent: { id: number; there: number; token: string }[] = []
    for (const moment of moments) {
      const mark = `Struck when ${moment}`
      const theirRows = () => rowsOf(theirs, `SELECT id FROM service_request WHERE starts_with(description, $1)`, mark)
      line.arm('POST /open311/v2/requests', moment, async () => (await theirRows()).length > 0)
      const { number, token } = await tell(
        ours,
        'send/communication/request',
        {
          ...{ description: mark, name: 'Ann Lee', phone: '', email: `${moment}@example.org`, categoryId },
          ...{ version: 0, answers: {}, files: [await photo(ours, '#a33')] },
          place: { text: 'At the school', addressId: null, lat: 40.2, lon: -76.9, metres: null },
        },
        '',
      )
      const [{ id }] = await rowsOf(ours, 'SELECT id FROM service_request WHERE number = $1', number)
      await until(
        async () =>
          (await rowsOf(ours, 'SELECT state FROM open311_sent WHERE request_id = $1', id))[0]?.state === 'sent',
      )
      const [there, ...more] = await theirRows()
      expect(more, mark).toEqual([])
      await once(theirs, 'request', Number(there.id))
      sent.push({ id: Number(id), there: Number(there.id), token })
    }
    expect(line.strikes()).toBe(moments.length)

    for (const [n, moment] of moments.entries()) {
      const { there, token } = sent[n] ?? expect.fail()
      const words = `It is deeper: ${moment}`
      const theirEntries = () =>
        rowsOf(
          theirs,
          `SELECT id FROM case_entry WHERE subject_kind = 'request' AND subject_id = $1 AND starts_with(text, $2)`,
          ...[there, words],
        )
      line.arm('POST /open311/v2/servicerequestupdates', moment, async () => (await theirEntries()).length > 0)
      const files = [await photo(ours, '#33a')]
      await tell(ours, 'send/requests/message', { token, message: words, files }, '')
      const stateOf = `SELECT m.state FROM open311_said m JOIN case_entry e ON e.company_id = m.company_id AND e.id = m.entry_id WHERE e.text = $1`
      await until(async () => (await rowsOf(ours, stateOf, words))[0]?.state === 'sent')
      const [entry, ...more] = await theirEntries()
      expect(more, words).toEqual([])
      await once(theirs, 'case_entry', Number(entry.id))
    }
    expect(line.strikes()).toBe(2 * moments.length)

    // Their words and photo come back: cut off while it is asked, and gone between its words and its photo.
    for (const [n, moment] of (['arriving', 'answering'] as const).entries()) {
      const { id, there } = sent[n] ?? expect.fail()
      const words = `Filled: ${moment}`
      const [row] = await rowsOf(theirs, 'SELECT last_message_id FROM service_request WHERE id = $1', there)
      const files = [await photo(theirs, '#3a3', theirs.token)]
      const reply = { subjectId: there, message: words, files, complete: true, seen: Number(row.last_message_id) }
      await tell(theirs, 'muni/reply/request', reply)
      line.arm('GET /open311/v2/servicerequestupdates', moment)
      const replies = () =>
        rowsOf(
          ours,
          `SELECT id, text FROM case_entry WHERE subject_kind = 'request' AND subject_id = $1 AND kind = 'reply'`,
          id,
        )
      await until(async () => (await replies()).length > 0)
      const [entry, ...more] = await replies()
      expect([entry.text, more]).toEqual([expect.stringMatching(new RegExp(`^${words}`)), []])
      await once(ours, 'case_entry', Number(entry.id))
      const [{ status }] = await rowsOf(ours, 'SELECT status FROM service_request WHERE id = $1', id)
      const [{ status: theirStatus }] = await rowsOf(theirs, 'SELECT status FROM service_request WHERE id = $1', there)
      expect([status, theirStatus]).toEqual([2, 2])
    }
    expect(line.strikes()).toBe(2 * moments.length + 2)
    expect(await rowsOf(theirs, 'SELECT id FROM service_request')).toHaveLength(moments.length)

    await jobs.stop()
    for (const town of [ours, theirs]) town.running.child.kill('SIGKILL')
  },
)
