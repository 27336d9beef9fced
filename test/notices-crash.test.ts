import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { news } from '../server/cases/news.ts'
import { notify } from '../server/notices/notify.ts'
import { freePort } from '../server/ports.ts'
import { testDatabase, testFolder, testPortal } from './harness.ts'
import { root, run, said } from './processes.ts'
import { openTestTown } from './town.ts'

/** A portal in a process of its own is killed with -9 while it sends notices; another one goes on with what it left. */

/** The message ids that arrived, and what happens when one does. */
const arrived: string[] = []
let onMail: (() => Promise<void>) | null = null
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    stream.on('error', () => {})
    stream.on('end', async () => {
      arrived.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? '')
      await onMail?.()
      done()
    })
  },
})
server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

const database = await testDatabase()
const SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
/** It is never asked to work by itself: the test says when. */
const portal = await testPortal({ database, env: { SMTP_URL } })
const { house } = portal
const town = await openTestTown(portal, mapleGrove)
const port = await freePort()
const env = {
  ...{ PORT: String(port), DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent' },
  ...{ SMTP_URL, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
}

async function startPortal(): Promise<ChildProcess> {
  const running = run(process.execPath, [root('portal/main.ts'), 'start'], env)
  await said(running, 'Mainstreet is ready')
  return running.child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Three entries of a case, to be told at once. */
const tell = async (to: string) => {
  await house.inCompany(town, async (tx) => {
    const at = await house.hosts.byId(town, tx)
    for (const kind of ['assignment', 'message', 'note'] as const) {
      const facts = { number: 'P1', town: 'Maple Grove', kind, by: 'Elena Kowalski', toDepartment: false, path: '/p/1' }
      await notify(tx, house, { at, to, notice: news, facts })
    }
  })
  // The two minutes are over.
  const job = { company: town, address: to, event: news.event }
  await house.inCompany(town, (tx) => house.jobs.enqueue(tx, 'notices.send', job))
}
/** What was in hand when a process died comes back when its time is over: here at once. */
const goOn = async () => {
  await database.owner.query(
    "UPDATE jobs.job SET state = 'retry', start_after = now() WHERE state IN ('active', 'created', 'retry')",
  )
  await portal.runJobs()
}
const mailsTo = async (to: string) =>
  (await database.owner.query('SELECT subject, sent_at FROM mail_outbox WHERE to_address = $1', [to])).rows

test('killed between taking what waited and writing its mail, nothing is lost and nothing is told twice', async () => {
  const held = await database.owner.connect()
  onTestFinished(() => held.release(true))
  await held.query('BEGIN; LOCK TABLE mail_outbox IN SHARE MODE')
  const child = await startPortal()
  await tell('first@example.org')
  const blocked =
    "SELECT count(*)::int AS n FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.relname = 'mail_outbox' AND NOT l.granted"
  await expect.poll(async () => (await held.query(blocked)).rows[0].n, { timeout: 20_000 }).toBeGreaterThan(0)
  await kill(child)
  await held.query('ROLLBACK')
  await goOn()
  expect(await mailsTo('first@example.org')).toMatchObject([
    { subject: '3 new entries in P1', sent_at: expect.any(Date) },
  ])
  expect(arrived).toHaveLength(1)
}, 60_000)

test('killed when the mail server has the mail and its answer is on its way, it comes again under the same id', async () => {
  const before = arrived.length
  const child = await startPortal()
  onMail = async () => {
    onMail = null
    await kill(child)
  }
  await tell('second@example.org')
  await expect.poll(() => onMail, { timeout: 20_000 }).toBe(null)
  await expect.poll(() => child.signalCode).toBe('SIGKILL')
  await goOn()
  expect(await mailsTo('second@example.org')).toMatchObject([
    { subject: '3 new entries in P1', sent_at: expect.any(Date) },
  ])
  const ids = arrived.slice(before)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
}, 60_000)
