import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import type { Attachment } from '../../../server/email-outbox.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'

const admin = 'admin.localhost'
const clock = testClock()
const portal = await testPortal({ clock, env: { DEMO: '1' } })
let token = ''
let maple: CompanyId
let harbor: CompanyId

const email = (company: CompanyId, subject: string, attachments: Attachment[] = []) =>
  portal.context.inCompany(company, (tx) =>
    portal.context.mailer.send(tx, company, {
      to: 'ann@example.org',
      subject,
      text: `Text of ${subject}`,
      html: '<p>x</p>',
      attachments,
    }),
  )
const callApi = (path: string, body: object, by = token) => portal.post(admin, `admin/${path}`, body, { token: by })
const list = async (body: object = {}) => (await callApi('return/outbox/emails', body)).body
const subjects = (page: { rows: { subject: string }[] }) => page.rows.map((row) => row.subject)

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(admin, 'super@mainstreet.example')
  for (let n = 1; n <= 12; n += 1) {
    // Two emails share each time, so that time does not define the order.
    if (n % 2 === 1) clock.advance(1000)
    await email(n % 3 === 0 ? harbor : maple, `Mail ${n}`)
  }
  clock.advance(1000)
  portal.context.mailer.renders('tests', async (_company, of) => Buffer.from(`%PDF-${of}`))
  await email(harbor, 'Receipt', [
    { filename: 'receipt.pdf', contentType: 'application/pdf', renderedBy: 'tests', of: 1 },
  ])
})

describe('outbox of the demo', () => {
  it('lists emails of all companies in both directions without gaps', async () => {
    const first = await list({ pageSize: 5 })
    expect(subjects(first)).toEqual(['Receipt', 'Mail 12', 'Mail 11', 'Mail 10', 'Mail 9'])
    expect(first).toMatchObject({
      count: 13,
      previous: null,
      rows: [{ to: 'ann@example.org', company: 'Harbor City', companyId: harbor }, {}, {}, {}, {}],
    })
    const second = await list({ pageSize: 5, cursor: first.next })
    const third = await list({ pageSize: 5, cursor: second.next })
    expect([...subjects(second), ...subjects(third)]).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((n) => `Mail ${n}`))
    expect(third.next).toBeNull()
    expect(subjects(await list({ pageSize: 5, cursor: third.previous }))).toEqual(subjects(second))
    expect(subjects(await list({ pageSize: 5, cursor: second.previous }))).toEqual(subjects(first))
    expect(subjects(await list({ direction: 'asc', pageSize: 2 }))).toEqual(['Mail 1', 'Mail 2'])
  })

  it('searches by subject, receiver and company', async () => {
    expect(subjects(await list({ search: 'rEceipt' }))).toEqual(['Receipt'])
    expect((await list({ search: 'harbor' })).count).toBe(5)
    expect((await list({ search: 'city  harbor' })).count).toBe(5)
    expect((await list({ search: 'ann@' })).count).toBe(13)
    expect(await list({ search: 'nothing like it' })).toMatchObject({ rows: [], count: 0, next: null, previous: null })
  })

  it('shows an email with its attachments and downloads one once', async () => {
    const [row] = (await list({ search: 'Receipt' })).rows
    const of = { companyId: row.companyId, emailId: row.id }
    expect((await callApi('return/outbox/email', of)).body).toMatchObject({
      text: 'Text of Receipt',
      attachments: [{ name: 'receipt.pdf', bytes: 6 }],
    })
    const { url } = (await callApi('download/outbox/attachment', { ...of, at: 0 })).body
    expect(await portal.get(admin, url)).toMatchObject({
      status: 200,
      body: '%PDF-1',
      headers: { 'content-type': 'application/pdf' },
    })
    expect((await portal.get(admin, url)).status).toBe(404)
    const missing = (await callApi('download/outbox/attachment', { ...of, at: 1 })).body
    expect((await portal.get(admin, missing.url)).status).toBe(404)
  })

  it("refuses another company's id and a made-up page token", async () => {
    const [row] = (await list({ search: 'Receipt' })).rows
    expect((await callApi('return/outbox/email', { companyId: maple, emailId: row.id })).status).toBe(404)
    expect((await callApi('return/outbox/emails', { cursor: 'nonsense' })).status).toBe(400)
    const cursor = Buffer.from('["not a time",1,0]').toString('base64url')
    expect((await callApi('return/outbox/emails', { cursor })).status).toBe(400)
  })

  it('includes emails to platform staff', async () => {
    const { context } = portal
    await context.acrossCompanies((tx) =>
      context.mailer.send(tx, null, { to: 'ruth@example.com', subject: 'To Ruth', text: 'Dear Ruth', html: '' }),
    )
    const [row] = (await list({ search: 'to ruth' })).rows
    expect(row).toMatchObject({ to: 'ruth@example.com', companyId: 0, company: 'Mainstreet' })
    expect((await callApi('return/outbox/platform/email', { emailId: row.id })).body).toMatchObject({
      text: 'Dear Ruth',
    })
    expect((await callApi('return/outbox/platform/email', { emailId: row.id + 1000 })).status).toBe(404)
    const callCenter = await portal.signIn(admin, 'callcenter@mainstreet.example')
    expect((await callApi('return/outbox/platform/email', { emailId: row.id }, callCenter)).status).toBe(403)
  })

  it('requires the super administrator', async () => {
    const callCenter = await portal.signIn(admin, 'callcenter@mainstreet.example')
    const staffToken = await portal.signIn('maplegrove.localhost', 'admin@maplegrove.example')
    const { rows } = await list()
    const calls: [string, object][] = [
      ['return/outbox/emails', {}],
      ['return/outbox/email', { companyId: maple, emailId: rows[1].id }],
      ['download/outbox/attachment', { companyId: maple, emailId: rows[1].id, at: 0 }],
    ]
    for (const [path, body] of calls) {
      expect([path, (await callApi(path, body, callCenter)).status]).toEqual([path, 403])
      expect([path, (await portal.post(admin, `admin/${path}`, body)).status]).toEqual([path, 401])
      expect([
        path,
        (await portal.post('maplegrove.localhost', `admin/${path}`, body, { token: staffToken })).status,
      ]).toEqual([path, 403])
    }
  })
})

it('is unavailable outside the demo', async () => {
  const live = await testPortal({ env: { DEMO: '0' } })
  await addTestPlatformStaff(live)
  const companyId = await openTestCompany(live, mapleGrove)
  const by = { token: await live.signIn(admin, 'super@mainstreet.example') }
  expect((await live.post(admin, 'admin/return/outbox/emails', {}, by)).status).toBe(404)
  expect((await live.post(admin, 'admin/return/outbox/email', { companyId, emailId: 1 }, by)).status).toBe(404)
  const boot = await live.get(admin, '/admin')
  expect(boot.body).not.toContain('"demo":true')
})
