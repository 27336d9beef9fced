import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { type TestPortal, testPortal } from '../test/harness.ts'
import { openTestCompany } from '../test/company.ts'
import type { CompanyId } from './tenancy.ts'

/** Starts a mail server that refuses the first `refuse` emails and accepts all others. */
async function listenForEmail(refuse = 0) {
  const emails: { to: string[]; text: string }[] = []
  let left = refuse
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        if (left-- > 0) return done(Object.assign(new Error('mailbox dot@example.com is full'), { responseCode: 452 }))
        emails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        return done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  opened.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, emails }
}

const opened: (() => Promise<void>)[] = []
afterAll(() => Promise.all(opened.map((close) => close())))

const email = {
  to: 'dot@example.com',
  subject: 'Your receipt',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
  attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf', renderedBy: 'tests', of: 17 }],
}

const send = ({ context }: TestPortal, company: CompanyId) =>
  context.inCompany(company, (tx) => context.mailer.send(tx, company, email))

async function portalWith(env: Record<string, string>) {
  const portal = await testPortal({ env })
  portal.context.mailer.renders('tests', async (_company, of) => Buffer.from(`%PDF of ${of}`))
  return { portal, company: await openTestCompany(portal, mapleGrove) }
}

test('sends an email once by SMTP after the commit, with its attachment', async () => {
  const server = await listenForEmail()
  const { portal, company } = await portalWith({ SMTP_URL: server.url })
  await send(portal, company)
  await portal.runJobs()
  await portal.runJobs()
  expect(server.emails).toHaveLength(1)
  expect(server.emails[0]).toMatchObject({
    to: ['dot@example.com'],
    text: expect.stringContaining('filename=receipt.pdf'),
  })
  expect(server.emails[0]?.text).toContain(Buffer.from('%PDF of 17').toString('base64'))
  expect(await portal.emails()).toMatchObject([{ subject: 'Your receipt', sent_at: expect.any(Date) }])
})

test('does not send an email of a rolled back transaction', async () => {
  const server = await listenForEmail()
  const { portal, company } = await portalWith({ SMTP_URL: server.url })
  const { context } = portal
  await expect(
    context.inCompany(company, async (tx) => {
      await context.mailer.send(tx, company, email)
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await portal.runJobs()
  expect(server.emails).toEqual([])
  expect(await portal.emails()).toEqual([])
})

test('retries a refused email and records no address in the error', async () => {
  const server = await listenForEmail(1)
  const { portal, company } = await portalWith({ SMTP_URL: server.url })
  await send(portal, company)
  await portal.runJobs()
  expect(server.emails).toEqual([])
  const [refused] = await portal.emails()
  expect(refused).toMatchObject({ sent_at: null, last_error: '452' })
  portal.clock.advance(60_000)
  await portal.runJobs()
  expect(server.emails).toHaveLength(1)
})

test('stays in the outbox without a mail server', async () => {
  const { portal, company } = await portalWith({})
  await send(portal, company)
  await portal.runJobs()
  expect(await portal.emails()).toMatchObject([
    { to_address: 'dot@example.com', sent_at: null, attachments: [{ filename: 'receipt.pdf' }] },
  ])
})

test('sends platform staff’s email from the platform’s outbox', async () => {
  const server = await listenForEmail(1)
  const { portal } = await portalWith({ SMTP_URL: server.url })
  const { subject, text, html } = email
  await portal.context.acrossCompanies((tx) =>
    portal.context.mailer.send(tx, null, { to: 'ruth@example.com', subject, text, html }),
  )
  await portal.runJobs()
  expect(server.emails).toHaveLength(0)
  portal.clock.advance(3_600_000)
  await portal.runJobs()
  expect(server.emails).toMatchObject([{ to: ['ruth@example.com'] }])
  const { rows } = await portal.owner.query('SELECT attempts, sent_at, last_error FROM platform_email')
  expect(rows).toMatchObject([{ attempts: 2, sent_at: expect.any(Date), last_error: null }])
  // The application role works only for companies, so it may not access the platform's outbox.
  await expect(portal.db.app.query('SELECT 1 FROM platform_email')).rejects.toThrow('permission denied')
})
