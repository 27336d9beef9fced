import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { contrast, makeTheme } from '../../shared/theme.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import type { Company } from '../hosts.ts'
import { layOut } from './layout.ts'
import { defineNotice, type EmailTemplate } from './notice.ts'
import { notify, noticeSenderOf } from './notify.ts'

const bins = defineNotice<{ street: string }>({
  event: 'tests.bins',
  required: false,
  called: 'news of the bins',
  waitSeconds: 60,
  why: () => 'You get this mail because you have bins.',
  content: ({ street }, at) => ({
    subject: `The bins of ${street}`,
    paragraphs: [`The bins of ${street} are emptied.`, { label: 'See when', url: at.url(`/bins/${street}`) }],
  }),
  together: (all) => ({
    subject: `The bins of ${all.length} streets`,
    paragraphs: [all.map(({ street }) => street).join(', ')],
  }),
})
const fine = defineNotice<{ cents: number }>({
  event: 'tests.fine',
  required: true,
  why: () => 'You get this mail because you owe us.',
  content: ({ cents }) => ({ subject: `You owe ${cents}`, paragraphs: ['Please pay.'] }),
})

/** Addresses of mailboxes that no longer exist. The mail server accepts emails to all other addresses. */
const gone = new Set<string>()
const received: { to: string; raw: string }[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) =>
    done(gone.has(address) ? Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 }) : undefined),
  onData: (stream, session, done) => {
    let raw = ''
    stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo[0]?.address ?? '', raw: raw.replaceAll(/=\r?\n/g, '') })
      done()
    })
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
afterAll(() => new Promise<void>((resolve) => server.close(resolve)))

const portal = await testPortal({
  env: { SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` },
})
const { context, clock } = portal
const HOST = 'maplegrove.localhost'
let maple: Company
let harbor: Company

beforeAll(async () => {
  const companies = [await openTestCompany(portal, mapleGrove), await openTestCompany(portal, harborCity)]
  const loadedCompanies = await Promise.all(companies.map((id) => context.hosts.byId(id)))
  if (!loadedCompanies[0] || !loadedCompanies[1]) throw new Error('there are no towns')
  ;[maple, harbor] = loadedCompanies as [Company, Company]
})

const notifyAbout = (to: string, streets: string[], at = maple, person?: number) =>
  context.inCompany(at.id, async (tx) => {
    for (const street of streets)
      await notify(tx, context, { at, to, notice: bins, data: { street }, ...(person !== undefined && { person }) })
  })
const fined = (to: string) =>
  context.inCompany(maple.id, (tx) => notify(tx, context, { at: maple, to, notice: fine, data: { cents: 5 } }))
const wait = async () => {
  await portal.runJobs()
  clock.advance(60_000)
  await portal.runJobs()
}
const sentTo = (to: string) => received.filter((message) => message.to === to)
const emailsTo = async (to: string) =>
  (await portal.owner.query('SELECT * FROM email_outbox WHERE to_address = $1 ORDER BY id', [to])).rows

describe('several notices in a short time', () => {
  test('combines a hundred in one email without duplicates', async () => {
    await notifyAbout('ann@example.org', ['Elm'])
    await notifyAbout('Ann@Example.org', ['Elm', ...Array.from({ length: 98 }, (_, n) => `Street ${n}`)])
    await portal.runJobs()
    expect(await emailsTo('ann@example.org')).toEqual([])
    await wait()
    expect((await emailsTo('ann@example.org')).map(({ subject }) => subject)).toEqual(['The bins of 99 streets'])
    expect(sentTo('ann@example.org')).toHaveLength(1)
  })

  test('sends each once in parallel jobs, then continues with new ones', async () => {
    await notifyAbout('bob@example.org', ['Elm'])
    const job = { company: maple.id, address: 'bob@example.org', event: 'tests.bins' }
    await Promise.all([1, 2, 3, 4].map(() => context.jobs.runNow('notices.send', job)))
    expect((await emailsTo('bob@example.org')).map(({ subject }) => subject)).toEqual(['The bins of Elm'])
    await notifyAbout('bob@example.org', ['Elm'])
    await wait()
    expect(await emailsTo('bob@example.org')).toHaveLength(2)
  })

  test('sends no notice of a rolled back transaction', async () => {
    const undone = context.inCompany(maple.id, async (tx) => {
      await notify(tx, context, { at: maple, to: 'eve@example.org', notice: bins, data: { street: 'Elm' } })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await wait()
    expect(await emailsTo('eve@example.org')).toEqual([])
  })
})

describe('refused address', () => {
  test('pauses twice as long each time and resets after a delivery', async () => {
    const to = 'moved@example.org'
    gone.add(to)
    const states = async () =>
      (await emailsTo(to)).map(({ failed_at, last_error, attempts }) => [failed_at !== null, last_error, attempts])
    await fined(to)
    await portal.runJobs()
    expect(await states()).toEqual([[true, '550', 1]])
    await fined('Moved@example.org'.toLowerCase())
    await portal.runJobs()
    expect((await states())[1]).toEqual([true, 'rests', 1])
    const rest = async () =>
      (
        await portal.owner.query(
          'SELECT refusals, rests_until - refused_at AS rest, code FROM refused_address WHERE address = $1',
          [to],
        )
      ).rows[0]
    expect(await rest()).toMatchObject({ refusals: 1, code: '550', rest: { days: 1 } })
    clock.advance(24 * 3_600_000 + 1)
    await fined(to)
    await portal.runJobs()
    expect(await rest()).toMatchObject({ refusals: 2, rest: { days: 2 } })
    // The person's other email address is not affected.
    await fined('moved.to@example.org')
    await portal.runJobs()
    expect(sentTo('moved.to@example.org')).toHaveLength(1)
    clock.advance(48 * 3_600_000 + 1)
    gone.delete(to)
    await fined(to)
    await portal.runJobs()
    expect(sentTo(to)).toHaveLength(1)
    expect(await rest()).toBeUndefined()
  })
})

describe('unsubscribe link', () => {
  const unsubscribeLink = (to: string) =>
    /^List-Unsubscribe: <http:\/\/[^/]+(\/notices\/stop\?of=[^>]+)>/im.exec(
      sentTo(to)
        .at(-1)
        ?.raw.replaceAll(/\r?\n /g, ' ') ?? '',
    )?.[1] ?? ''
  const clickUnsubscribe = (url: string, payload = 'List-Unsubscribe=One-Click') =>
    portal.app.inject({
      ...{ method: 'POST', url, payload },
      headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('unsubscribes in one click without signing in and can resubscribe', async () => {
    const to = 'cat@example.org'
    await notifyAbout(to, ['Elm'])
    await wait()
    const url = unsubscribeLink(to)
    expect(sentTo(to)[0]?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
    expect((await emailsTo(to))[0]?.html_body).toContain(`${url}"`)
    // Opening the page must not unsubscribe anyone, because mail servers also open links.
    const page = await portal.get(HOST, url)
    expect([page.status, page.body]).toEqual([
      200,
      expect.stringContaining('Maple Grove sends these emails to cat@example.org: news of the bins.'),
    ])
    const click = await clickUnsubscribe(url)
    expect([click.statusCode, click.body]).toEqual([
      200,
      expect.stringContaining('will no longer send these emails to cat@example.org: news of the bins'),
    ])
    expect((await clickUnsubscribe(url)).statusCode).toBe(200)
    await notifyAbout(to, ['Oak'])
    await wait()
    expect(sentTo(to)).toHaveLength(1)
    // Required notices and notices of another company still arrive.
    await fined(to)
    await notifyAbout(to, ['Harbor'], harbor)
    await wait()
    expect(sentTo(to)).toHaveLength(3)
    await clickUnsubscribe(url, 'again=1')
    await notifyAbout(to, ['Fir'])
    await wait()
    expect(sentTo(to)).toHaveLength(4)
    const { rows } = await portal.owner.query(
      `SELECT action, detail FROM audit_event WHERE action LIKE 'notices.%' ORDER BY id`,
    )
    expect(rows).toMatchObject([
      { action: 'notices.unsubscribed', detail: { to, notice: 'news of the bins' } },
      { action: 'notices.resumed' },
    ])
  })

  test('is missing from required notices and refuses made-up or foreign links', async () => {
    await fined('dan@example.org')
    await portal.runJobs()
    expect(sentTo('dan@example.org')[0]?.raw).not.toMatch(/unsubscribe|notices\/stop/i)
    await notifyAbout('dan@example.org', ['Elm'], harbor)
    await wait()
    const foreign = unsubscribeLink('dan@example.org')
    const strange = `/notices/stop?of=${context.secrets.seal(JSON.stringify({ event: 'tests.fine', company: maple.id, address: 'x' }))}`
    for (const url of [
      foreign,
      strange,
      `${foreign}x`,
      '/notices/stop?of=nonsense',
      '/notices/stop',
      '/notices/stop?of=1&of=2',
    ]) {
      expect([url, (await portal.get(HOST, url)).status]).toEqual([url, 404])
      expect([url, (await clickUnsubscribe(url)).statusCode]).toEqual([url, 404])
    }
  })

  test('shares a resident’s choices with their settings', async () => {
    const { rows } = await portal.owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, active_email_alerts)
       SELECT $1, who || '@example.org', 1, 'Flo', 'Reed', choice FROM (VALUES ('no', 'i'), ('yes', 'a'), ('unsaid', NULL)) AS p (who, choice)
       RETURNING id, email`,
      [maple.id],
    )
    for (const { id, email } of rows) await notifyAbout(email, ['Elm'], maple, id)
    await wait()
    const counts = ['no', 'yes', 'unsaid'].map((recipient) => sentTo(`${recipient}@example.org`).length)
    expect(counts).toEqual([0, 1, 1])
  })
})

describe('email layout', () => {
  const email: EmailTemplate = {
    subject: 'A <b> subject',
    paragraphs: [
      'One & two.\nThree.',
      { label: 'Go <on>', url: 'http://x.localhost/?a=1&b="2"', text: 'Go on here: ' },
      'End.',
    ],
  }

  test('matches HTML and plain text, in the company’s colors, loading nothing', () => {
    const at = noticeSenderOf(context, maple)
    const { text, html } = layOut(at, email, { why: 'Because.', unsubscribeUrl: 'http://x.localhost/stop' })
    expect(text).toBe(
      `One & two.\nThree.\n\nGo on here: http://x.localhost/?a=1&b="2"\n\nEnd.\n\n${maple.name}, ${maple.address1}, ${maple.city}, ${maple.state} ${maple.zipcode}\n\n-- \nBecause.\nUnsubscribe: http://x.localhost/stop\n`,
    )
    const { tokens } = makeTheme(maple.themeBackground, maple.themeText)
    expect(html).toContain(`background:${tokens.brand};color:${tokens['on-brand']}`)
    expect(contrast(tokens.brand, tokens['on-brand'])).toBeGreaterThan(4.5)
    expect(html).toContain('One &amp; two.<br>Three.')
    expect(html).toContain('>Go &lt;on&gt;</a>')
    expect(html).not.toMatch(/<img|<script|<link|url\(|<b>/)
    for (const word of ['End.', 'Because.', maple.address1]) expect(html).toContain(word)
  })

  test('shows the platform’s name and no address', () => {
    const { text, html } = layOut(noticeSenderOf(context, null), email, { why: 'Because.', unsubscribeUrl: null })
    expect(text).toContain('\n\nMainstreet\n\n-- \nBecause.\n')
    expect(html).not.toContain('Unsubscribe')
  })
})
