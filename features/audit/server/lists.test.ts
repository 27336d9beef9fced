import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { auditCompany } from '../../../server/audit.ts'
import type { AuditAction } from '../../../shared/audit-actions.ts'
import { type CompanyId, outsideCompanies } from '../../../server/tenancy.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { sealPending } from './seal.ts'
import { verifyChains } from './verify-chain.ts'

const HOST = 'maplegrove.localhost'
const RESIDENT = 'resident@maplegrove.example'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
const { context, clock } = portal
let maple: CompanyId
let [resident, admin] = ['', '']

const idOf = async (email: string, table = 'person') =>
  (await portal.owner.query<{ id: number }>(`SELECT id FROM ${table} WHERE email = $1`, [email])).rows[0]?.id ?? 0
const write = (action: AuditAction, more: { person?: number; detail?: Record<string, unknown> } = {}) =>
  context.inCompany(maple, (tx) =>
    auditCompany(tx, clock, maple, { session: null, requestId: '', kind: 'system' }, { action, ...more }),
  )
const activity = async (body: object = {}, token = resident) =>
  (await portal.post(HOST, 'return/activity/log', body, { token })).body
const log = async (body: object = {}) =>
  (await portal.post(HOST, 'muni/return/audit/events', body, { token: admin })).body
const csv = async (path: string, body: object, token: string) => {
  const { body: ticket } = await portal.post(HOST, path, body, { token })
  return (await portal.get(HOST, ticket.url)).body as string
}

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  await portal.post(HOST, 'login', { email: RESIDENT, password: 'not this one' })
  clock.advance(1000)
  resident = await portal.signIn(HOST, RESIDENT)
  clock.advance(1000)
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
})

describe('activity of a person', () => {
  it('shows their actions and actions on them, newest first, without others', async () => {
    await write('profile.saved', { person: await idOf(RESIDENT) })
    await write('profile.saved', { person: await idOf('newcomer@maplegrove.example') })
    const { entries, next } = await activity()
    expect(entries.map(({ what }: { what: string }) => what)).toEqual(['Profile saved', 'Signed in', 'Sign-in refused'])
    expect(next).toBeNull()
  })

  it('names impersonators and their reasons', async () => {
    const [me, staff] = [await idOf(RESIDENT), await idOf('staff@maplegrove.example')]
    await portal.owner.query(
      `INSERT INTO audit_event (company_id, at, actor_kind, actor_id, impersonator_id, action, detail)
       VALUES ($1, $2, 'citizen', $3, $4, 'impersonation.begun', '{"reason": "asked by phone"}')`,
      [maple, clock.now(), me, staff],
    )
    const { entries } = await activity({ filters: { kind: 'impersonation' } })
    expect(entries).toEqual([expect.objectContaining({ by: expect.stringMatching(/^\w+ \w+/), why: 'asked by phone' })])
  })

  it('describes impersonator actions in plain words, merged within a minute', async () => {
    const [me, staff] = [await idOf(RESIDENT), await idOf('staff@maplegrove.example')]
    clock.advance(60_000)
    for (const [action, path, detail] of [
      ['impersonation.entered', '', { reason: 'asked by phone', impersonation: 1 }],
      ['impersonation.call', 'return/company/selections', { what: 'The services of a landing page' }],
      ['impersonation.call', 'return/company/footer', { what: 'What the footer says of a municipality' }],
      ['impersonation.call', 'return/profile/user', { what: "The caller's profile" }],
      ['impersonation.refused', 'change/profile/email', {}],
    ] as const)
      await portal.owner.query(
        `INSERT INTO audit_event (company_id, at, actor_kind, actor_id, impersonator_id, action, subject_kind, subject, detail)
         VALUES ($1, $2, 'citizen', $3, $4, $5, 'call', $6, $7)`,
        [maple, clock.now(), me, staff, action, path, JSON.stringify(detail)],
      )
    const { entries } = await activity({ filters: { kind: 'impersonation' } })
    expect(entries.slice(0, 4).map(({ what, why }: Record<string, string>) => [what, why])).toEqual([
      ['Staff tried to do something on your behalf that is not allowed', ''],
      ['Staff viewed your profile', ''],
      ['Staff opened a portal page on your behalf', ''],
      ['Staff started using the portal on your behalf', 'asked by phone'],
    ])
    const lines = (await csv('export/activity/log', { filters: { kind: 'impersonation' } }, resident))
      .trim()
      .split('\n')
    expect(lines[2]).toMatch(/^2026-11-20 10:\d\d,Staff viewed your profile,Someone else,,$/)
    expect(JSON.stringify(entries) + lines.join()).not.toMatch(/return\/|caller/)
  })

  it('pages by kind and by days of the company', async () => {
    const person = await idOf(RESIDENT)
    for (let n = 0; n < 30; n++) await write('payment.captured', { person, detail: { n } })
    const first = await activity({ filters: { kind: 'payment' } })
    const second = await activity({ filters: { kind: 'payment' }, cursor: first.next })
    expect([first.entries.length, second.entries.length, second.next]).toEqual([25, 5, null])
    expect(new Set([...first.entries, ...second.entries].map(({ id }: { id: number }) => id)).size).toBe(30)
    expect((await activity({ filters: { toDate: '2026-11-19' } })).entries).toEqual([])
    expect((await activity({ filters: { fromDate: '2026-11-20' } })).entries).toHaveLength(25)
    expect((await portal.post(HOST, 'return/activity/log', { cursor: 'made up' }, { token: resident })).status).toBe(
      400,
    )
  })

  it('shows the amount and items of a payment', async () => {
    const me = await idOf(RESIDENT)
    const { rows } = await portal.owner.query<{ id: number }>(
      `WITH paid AS (INSERT INTO payment_order (company_id, person_id, status, reference, type, payer_name, payer_email, location,
           method, pay_type, bill_cents, fee_cents, total_cents, fee_quote, created_at, search_text)
         VALUES ($1, $2, 1, '100001', 'Utility', 'Ann Reese', '', 4, 1, 1, 10000, 305, 10305, '{}', now(), '') RETURNING id)
       INSERT INTO payment_order_line (company_id, order_id, line_no, kind, payable_id, amount_cents, fee_cents,
         absorbed_fee_cents, gl_account, fee_program, title, details)
       SELECT $1, id, 1, 'utility', 1, 10000, 305, 0, 'UTILITIES', 'convenience', 'Utility bill payment', '[]' FROM paid
       RETURNING order_id::int AS id`,
      [maple, me],
    )
    clock.advance(60_000)
    const subject = { kind: 'payment' as const, id: rows[0]?.id ?? 0 }
    const system = { session: null, requestId: '', kind: 'system' as const }
    await context.inCompany(maple, (tx) =>
      auditCompany(tx, clock, maple, system, { action: 'payment.captured', person: me, subject }),
    )
    const [entry] = (await activity({ filters: { kind: 'payment' } })).entries
    expect([entry.what, entry.about]).toEqual(['Payment received', '$103.05, Utility bill payment'])
    const [, line] = (await csv('export/activity/log', { filters: { kind: 'payment' } }, resident)).split('\n')
    expect(line).toMatch(/,Payment received,[^,]*,,"\$103\.05, Utility bill payment"$/)
  })

  it('exports a CSV', async () => {
    const lines = (await csv('export/activity/log', { filters: { kind: 'sign_in' } }, resident)).trim().split('\n')
    expect(lines).toEqual([
      'Date,Action taken,By,Reason,Payment',
      '2026-11-20 10:00,Signed in,,,',
      '2026-11-20 10:00,Sign-in refused,,,',
    ])
  })
})

describe('audit log', () => {
  it('names the actor and finds entries by or about one person', async () => {
    const page = await log({ search: ` ${RESIDENT.toUpperCase()} `, filters: { kind: 'sign_in' } })
    expect(page.rows.map(({ what, actorName }: { what: string; actorName: string }) => [what, actorName])).toEqual([
      ['Signed in', expect.stringMatching(/^\w+ \w+$/)],
      ['Sign-in refused', 'A guest'],
    ])
    expect((await log({ search: 'nobody@maplegrove.example' })).rows).toEqual([])
  })

  it('pages forward and back without a gap in both orders', async () => {
    for (const direction of ['desc', 'asc']) {
      const pages = [await log({ direction })]
      while (pages.at(-1).next) pages.push(await log({ direction, cursor: pages.at(-1).next }))
      const ids = pages.flatMap(({ rows }) => rows.map(({ id }: { id: number }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length).toBe(pages[0].count)
      const back = await log({ direction, cursor: pages.at(-1).previous })
      expect(back.rows).toEqual(pages.at(-2).rows)
    }
  })

  it('shows which records are sealed', async () => {
    await sealPending(context)
    await write('profile.saved')
    const { rows } = await log({ pageSize: 5 })
    expect(rows.map(({ sealed }: { sealed: boolean }) => sealed)).toEqual([false, true, true, true, true])
  })

  it('exports a CSV and logs the export', async () => {
    const text = await csv('muni/export/audit/events', { filters: {} }, admin)
    expect(text.trim().split('\n')[0]).toBe(
      'Number,Date,Kind,By,Impersonated by,Action,Action taken,About,Person,Details,Request',
    )
    expect(text).toContain(',sign_in.accepted,Signed in,')
    expect((await log({ filters: { kind: 'export' } })).rows[0].action).toBe('export.audit')
  })

  it.each(['staff', 'manager', 'resident'])('is not available to the %s', async (name) => {
    const token = await portal.signIn(HOST, `${name}@maplegrove.example`)
    expect((await portal.post(HOST, 'muni/return/audit/events', {}, { token })).status).toBe(403)
  })

  it('stays within its company', async () => {
    const token = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const { body } = await portal.post('harborcity.localhost', 'muni/return/audit/events', {}, { token })
    expect(body.rows.map(({ action }: { action: string }) => action)).toEqual(['sign_in.accepted', expect.any(String)])
    expect(JSON.stringify(body)).not.toContain('Maple')
  })
})

describe('refused calls', () => {
  const refused = async () =>
    (await log({ filters: { kind: 'access' } })).rows.map(({ actorName, about, detail }: Record<string, unknown>) => ({
      actorName,
      about,
      detail,
    }))
  const callApi = (path: string) => portal.post(HOST, path, {}, { token: resident })

  it('create one sealed, counted row per minute, person and call', async () => {
    clock.advance(60_000 - (clock.now().getTime() % 60_000))
    await sealPending(context)
    const before = await refused()
    for (let n = 0; n < 20; n++) expect((await callApi('muni/return/audit/events')).status).toBe(403)
    clock.advance(1000)
    await callApi('muni/return/utility/customers')
    await sealPending(context)
    expect(await refused()).toEqual(before)
    clock.advance(60_000)
    await callApi('muni/return/audit/events')
    await sealPending(context)
    const anyName = expect.stringMatching(/^\w+ \w+$/)
    expect(await refused()).toEqual([
      {
        actorName: anyName,
        about: "Lists the company's utility accounts and residents",
        detail: [{ name: 'Requested', value: "Lists the company's utility accounts and residents" }],
      },
      {
        actorName: anyName,
        about: 'Lists the audit log entries of a company',
        detail: [
          { name: 'Requested', value: 'Lists the audit log entries of a company' },
          { name: 'First', value: expect.stringMatching(/^2026-11-20T/) },
          { name: 'Number of times', value: '20' },
        ],
      },
      ...before,
    ])
    expect(await outsideCompanies(portal.db.platform)(verifyChains)).toMatchObject([{ violations: 0 }, {}])
    expect((await portal.owner.query('SELECT times FROM refused_call')).rows).toEqual([{ times: 1 }])
  })

  it('appear in the platform’s own log for platform staff', async () => {
    const token = await portal.signIn('admin.localhost', 'callcenter@mainstreet.example')
    const denied = await portal.post('admin.localhost', 'admin/return/audit/events', {}, { token })
    expect(denied.status).toBe(403)
    clock.advance(60_000)
    await sealPending(context)
    const { rows } = await portal.owner.query(
      `SELECT subject_kind, subject, actor_id FROM platform_audit_event WHERE action = 'access.refused'`,
    )
    expect(rows).toEqual([
      {
        ...{ subject_kind: 'call', subject: 'admin/return/audit/events' },
        actor_id: await idOf('callcenter@mainstreet.example', 'platform_person'),
      },
    ])
  })
})

describe('views of personal data', () => {
  const countViews = async () =>
    (await log({ filters: { kind: 'view' } })).rows.map(({ detail }: { detail: { name: string; value: string }[] }) =>
      Object.fromEntries(detail.map(({ name, value }) => [name, value])),
    )
  const search = (body: object) => portal.post(HOST, 'muni/return/utility/customers', body, { token: admin })

  it('logs the query, and an equal one only once in ten minutes', async () => {
    await search({ search: 'Jordan', filters: { name: 'Jo' } })
    await search({ search: 'Jordan', filters: { name: 'Jo' }, pageSize: 5 })
    expect(await countViews()).toEqual([
      {
        Requested: expect.stringMatching(/^Lists the company's utility accounts/),
        Search: '{"search":"Jordan","filters":{"name":"Jo","profiles":false}}',
      },
    ])
    await search({ filters: {} })
    expect(await countViews()).toHaveLength(2)
    clock.advance(600_000)
    await search({ filters: {} })
    expect(await countViews()).toHaveLength(3)
  })

  it('skips residents who view data about themselves', async () => {
    const before = await countViews()
    await portal.post(HOST, 'return/profile/user', {}, { token: resident })
    expect(await countViews()).toEqual(before)
  })
})

describe('log of the platform', () => {
  const ADMIN = 'admin.localhost'
  let token = ''
  const events = async (body: object = {}) =>
    (await portal.post(ADMIN, 'admin/return/audit/events', body, { token })).body

  beforeAll(async () => {
    await portal.post(ADMIN, 'admin/login', { email: 'super@mainstreet.example', password: 'not this one' })
    clock.advance(1000)
    token = await portal.signIn(ADMIN, 'super@mainstreet.example')
  })

  it('shows actions of platform staff without those of companies', async () => {
    const { rows, count } = await events({ search: 'super@mainstreet.example' })
    expect(rows.map(({ what }: { what: string }) => what)).toEqual(['Signed in', 'Sign-in refused'])
    expect(count).toBe(2)
    const all = await events({ pageSize: 100 })
    expect(JSON.stringify(all)).not.toContain('@maplegrove')
  })

  it('pages without a gap', async () => {
    for (let n = 0; n < 12; n++) await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const first = await events({ pageSize: 10 })
    const second = await events({ pageSize: 10, cursor: first.next })
    const ids = [...first.rows, ...second.rows].map(({ id }: { id: number }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await events({ pageSize: 10, cursor: second.previous })).rows).toEqual(first.rows)
  })

  it('shows which records are sealed', async () => {
    await sealPending(context)
    expect((await events()).rows.every(({ sealed }: { sealed: boolean }) => sealed)).toBe(true)
  })

  it('exports a CSV by a one-time link on this host', async () => {
    const { url } = (await portal.post(ADMIN, 'admin/export/audit/events', {}, { token })).body
    expect((await portal.get(HOST, url)).status).toBe(404)
    const { body } = await portal.get(ADMIN, url)
    expect(body.trim().split('\n')[0]).toBe(
      'Number,Date (UTC),Kind,By,Impersonated by,Action,Action taken,About,Person,Details,Request',
    )
    expect(body).toContain('sign_in.accepted')
    expect((await portal.get(ADMIN, url)).status).toBe(404)
    expect((await events({ filters: { kind: 'export' } })).rows[0].action).toBe('export.audit')
  })

  it('shows a single company’s log to permitted staff', async () => {
    const { body } = await portal.post(ADMIN, 'muni/return/audit/events', { companyId: maple }, { token })
    expect(body.rows.length).toBeGreaterThan(0)
  })

  it('is not available to call center and company administrators', async () => {
    const callcenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    for (const path of ['admin/return/audit/events', 'admin/export/audit/events']) {
      expect((await portal.post(ADMIN, path, {}, { token: callcenter })).status).toBe(403)
      expect((await portal.post(HOST, path, {}, { token: admin })).status).toBe(403)
    }
  })
})

describe('the kinds of the audit log', () => {
  it('shows changes without looks at data, or looks only', async () => {
    await write('view.personal_data')
    await write('payment.refund_arrived')
    const actions = async (kind?: string) =>
      new Set((await log({ filters: { kind } })).rows.map(({ action }: { action: string }) => action))
    expect(await actions()).toContain('view.personal_data')
    expect(await actions('changes')).not.toContain('view.personal_data')
    expect(await actions('changes')).toContain('payment.refund_arrived')
    expect(await actions('view')).toEqual(new Set(['view.personal_data']))
  })
})
