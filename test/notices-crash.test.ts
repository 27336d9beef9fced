import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, onTestFinished } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { caseUpdateNotice } from '../server/cases/case-update-notice.ts'
import { notify } from '../server/notices/notify.ts'
import { freePort } from '../server/ports.ts'
import { queueSms } from '../server/sms/queue.ts'
import { usualSmsSettings } from '../server/sms/settings.ts'
import { testDatabase, testFolder, testPortal } from './harness.ts'
import { root, run, waitForOutput } from './processes.ts'
import { openTestCompany } from './company.ts'
import { ACCOUNT, listenAsTwilio, TOKEN } from './twilio.ts'
import { nightly } from './nightly.ts'

/** These tests kill a portal process with `kill -9` while it sends notices. Another portal then finishes the work. */

/** Ids of messages that arrived, and a callback for each arrival. */
const arrived: string[] = []
let onEmail: (() => Promise<void>) | null = null
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    stream.on('error', () => {})
    stream.on('end', async () => {
      arrived.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? '')
      await onEmail?.()
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
/**
 * Simulated Twilio server for both portals. The portal in this process runs its jobs only when a test calls `runJobs`.
 */
const twilio = await listenAsTwilio()
const twilioEnv = {
  ...{
    SMS_PROVIDER: 'twilio',
    TWILIO_API_URL: twilio.url,
    TWILIO_FROM: '+17175550100',
    PUBLIC_URL: 'http://localhost',
  },
  ...{ TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: TOKEN },
}
const portal = await testPortal({ database, env: { SMTP_URL, ...twilioEnv } })
const { context } = portal
const companyId = await openTestCompany(portal, mapleGrove)
const env = {
  ...{ DATA_DIR: testFolder(), DATABASE_URL: database.url, DEMO: '0', LOG_LEVEL: 'silent' },
  ...{ SMTP_URL, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
  // These tests make no payments, so they need no gateway. A gateway would use the port after PORT, which another test
  // may need.
  GATEWAY_URL: 'http://127.0.0.1:9',
  ...twilioEnv,
}

async function startPortal(): Promise<ChildProcess> {
  // Chosen just before the start, because another process may take a port that was chosen earlier.
  const PORT = String(await freePort())
  const running = run(process.execPath, [root('portal/main.ts'), 'start'], { ...env, PORT })
  await waitForOutput(running, 'Mainstreet is ready')
  return running.child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Queues three case updates for one person. The portal combines them into one notice. */
const notifyPerson = async (to: string) => {
  await context.inCompany(companyId, async (tx) => {
    const at = await context.hosts.byId(companyId, tx)
    for (const kind of ['assignment', 'message', 'note'] as const) {
      const data = {
        number: 'P1',
        company: 'Maple Grove',
        kind,
        by: 'Elena Kowalski',
        toDepartment: false,
        path: '/p/1',
      }
      await notify(tx, context, { at, to, notice: caseUpdateNotice, data })
    }
  })
  // Queues the sending job now, instead of after the two-minute wait.
  const job = { company: companyId, address: to, event: caseUpdateNotice.event }
  await context.inCompany(companyId, (tx) => context.jobs.enqueue(tx, 'notices.send', job))
}
/** Waits until these connections have ended and released their locks. */
const ended = async (pids: number[]) => {
  const left = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE pid = ANY ($1)'
  await expect.poll(async () => (await database.owner.query(left, [pids])).rows[0].n).toBe(0)
}
/**
 * Releases the jobs that a killed process had claimed, and runs them. Otherwise, they would wait until the claims
 * expire.
 */
const resume = async () => {
  await database.owner.query(
    "UPDATE jobs.job SET state = 'retry', start_after = now() WHERE state IN ('active', 'created', 'retry')",
  )
  await portal.runJobs()
}
const emailsTo = async (to: string) =>
  (await database.owner.query('SELECT subject, sent_at FROM email_outbox WHERE to_address = $1', [to])).rows

nightly(
  'killed between taking what waited and writing its mail, nothing is lost and nothing is told twice',
  async () => {
    const lockClient = await database.owner.connect()
    onTestFinished(() => lockClient.release(true))
    await lockClient.query('BEGIN; LOCK TABLE email_outbox IN SHARE MODE')
    const child = await startPortal()
    await notifyPerson('first@example.org')
    // Finds the blocked statement of the portal. Filters by database, because a clone has tables with the same ids.
    // Filters by lock mode, because a vacuum can wait for the same lock.
    const blocked = `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database JOIN pg_class c ON c.oid = l.relation
    WHERE d.datname = current_database() AND c.relname = 'email_outbox' AND l.mode = 'RowExclusiveLock' AND NOT l.granted`
    let blockedPids: number[] = []
    await expect
      .poll(async () => (blockedPids = (await lockClient.query(blocked)).rows.map(({ pid }) => pid)).length)
      .toBeGreaterThan(0)
    await kill(child)
    // PostgreSQL notices that the process has ended only at the end of the statement. Until then, the rows that the
    // process locked stay locked.
    await lockClient.query('ROLLBACK')
    await ended(blockedPids)
    await resume()
    expect(await emailsTo('first@example.org')).toMatchObject([
      { subject: '3 updates on P1', sent_at: expect.any(Date) },
    ])
    expect(arrived).toHaveLength(1)
  },
)

nightly(
  'killed when the mail server has the mail and its answer is on its way, it comes again under the same id',
  async () => {
    const before = arrived.length
    const child = await startPortal()
    onEmail = async () => {
      onEmail = null
      await kill(child)
    }
    await notifyPerson('second@example.org')
    await expect.poll(() => onEmail).toBe(null)
    await expect.poll(() => child.signalCode).toBe('SIGKILL')
    await resume()
    expect(await emailsTo('second@example.org')).toMatchObject([
      { subject: '3 updates on P1', sent_at: expect.any(Date) },
    ])
    const ids = arrived.slice(before)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  },
)

nightly(
  'killed when Twilio has the text and its answer is on its way, the text is found there and not sent again',
  async () => {
    const { rows } = await database.owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, 'ida@example.org', 1, 'Ida', 'Moss') RETURNING id`,
      [companyId],
    )
    const child = await startPortal()
    twilio.onMessage = () => kill(child)
    const phone = '+17175550123'
    await context.inCompany(companyId, async (tx) => {
      const company = await context.hosts.byId(companyId, tx)
      if (!company) throw new Error('there is no town')
      const sms = { company, person: rows[0].id, phone, event: 'texts.code', kind: 'account' as const, body: 'hello.' }
      await queueSms(tx, context, sms, usualSmsSettings)
    })
    await expect.poll(() => child.signalCode).toBe('SIGKILL')
    twilio.onMessage = null
    // Advances the clock until the first process's claim on the message has expired.
    portal.clock.set(new Date(Date.now() + 120_000).toISOString())
    await resume()
    expect(twilio.messages.map(({ to, body }) => [to, body])).toEqual([[phone, 'Maple Grove: hello.']])
    const sent = await database.owner.query('SELECT state, provider_id, attempts FROM sms_message')
    expect(sent.rows).toEqual([{ state: 'sent', provider_id: twilio.messages[0]?.sid, attempts: 2 }])
  },
)
