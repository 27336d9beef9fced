import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { DEMO_PASSWORD } from '../demo.ts'
import { inviteAdministrator } from './invite-administrator.ts'

const HOST = 'maplegrove.localhost'
const admin = 'admin.localhost'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
})

const signIn = (email: string, password: string, host = HOST) => portal.post(host, 'login', { email, password })

describe('sign-in to a company', () => {
  it('returns the token, the person, the privileges and the expiry', async () => {
    const { status, body } = await signIn(' Staff@MapleGrove.example ', DEMO_PASSWORD)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      user: { email: 'staff@maplegrove.example', role_id: 3 },
      expire_time: '2026-11-21T03:00:00.000Z',
    })
    expect(body.privileges.dashboard).toBeGreaterThan(0)
    expect(body.token).toMatch(/^[\w-]{43}$/)
    const types = await portal.post(HOST, 'muni/return/event/types', {}, { token: body.token })
    expect(types.body.eventTypes).toHaveLength(5)
  })

  it('answers identically for wrong passwords, unknown emails and other companies’ accounts', async () => {
    const responses = await Promise.all([
      signIn('manager@maplegrove.example', 'wrong'),
      signIn('nobody@maplegrove.example', 'wrong'),
      signIn('admin@harborcity.example', DEMO_PASSWORD),
    ])
    for (const { status, body } of responses) {
      expect(status).toBe(401)
      expect(body).toEqual({
        success: false,
        code: 'wrong_credentials',
        message: 'Invalid email or password.',
        msg: 'Invalid email or password.',
      })
    }
  })

  it('refuses an inactive account with the same message', async () => {
    await portal.owner.query(`UPDATE person SET is_active = 0 WHERE email = 'newcomer@maplegrove.example'`)
    expect((await signIn('newcomer@maplegrove.example', DEMO_PASSWORD)).body.code).toBe('wrong_credentials')
  })

  it('requires email and password', async () => {
    const { status, body } = await signIn('', '')
    expect([status, body.details.fields]).toEqual([
      400,
      { email: 'Enter your email address.', password: 'Enter your password.' },
    ])
  })

  it.each(['resident@maplegrove.example', 'made-up@maplegrove.example'])(
    'locks after five wrong passwords of %s and sends a notice',
    async (email) => {
      for (let guess = 0; guess < 5; guess += 1) expect((await signIn(email, `wrong ${guess}`)).status).toBe(401)
      const blocked = await signIn(email, DEMO_PASSWORD)
      expect(blocked.status).toBe(429)
      expect(blocked.body.details.retryAfterSeconds).toBe(60)
      portal.clock.advance(61_000)
      expect((await signIn(email, DEMO_PASSWORD)).status).toBe(email.startsWith('resident') ? 200 : 401)
    },
  )

  it('ends the session at sign-out', async () => {
    const token = await portal.signIn(HOST, 'admin@maplegrove.example')
    const signOut = () =>
      portal.app.inject({
        method: 'GET',
        url: '/api/v2/logout',
        headers: { host: HOST, authorization: `Bearer ${token}` },
      })
    expect((await signOut()).statusCode).toBe(200)
    expect((await signOut()).statusCode).toBe(401)
  })

  it('checks current privileges and locks at each call', async () => {
    const token = await portal.signIn(HOST, 'staff@maplegrove.example')
    const readStatus = async () => (await portal.post(HOST, 'muni/return/event/types', {}, { token })).status
    const change = (set: string) =>
      portal.owner.query(`UPDATE person SET ${set} WHERE email = 'staff@maplegrove.example'`)
    expect(await readStatus()).toBe(200)
    await change(`privileges = '{"dashboard": 0}'`)
    expect(await readStatus()).toBe(403)
    await change(`privileges = '{}'`)
    expect(await readStatus()).toBe(200)
    await change('locked_at = now()')
    expect(await readStatus()).toBe(401)
    expect((await signIn('staff@maplegrove.example', DEMO_PASSWORD)).body.code).toBe('wrong_credentials')
    await change('locked_at = NULL')
  })

  it('records the address and browser of the session', async () => {
    const headers = { 'user-agent': `Browser ${'x'.repeat(400)}` }
    await portal.post(HOST, 'login', { email: 'admin@maplegrove.example', password: DEMO_PASSWORD }, { headers })
    const { rows } = await portal.owner.query(
      'SELECT device, address FROM session ORDER BY created_at DESC, id DESC LIMIT 1',
    )
    expect(rows[0]).toMatchObject({ device: expect.stringMatching(/^Browser x{292}$/), address: '127.0.0.1' })
  })

  it('writes successful and refused sign-ins to the audit log', async () => {
    const { rows } = await portal.owner.query('SELECT action, count(*) AS n FROM audit_event GROUP BY 1')
    const counts = Object.fromEntries(rows.map((row) => [row.action, Number(row.n)]))
    expect(counts['sign_in.accepted']).toBeGreaterThan(0)
    expect(counts['sign_in.refused']).toBeGreaterThan(5)
    const { rows: leaks } = await portal.owner.query(
      `SELECT 1 FROM audit_event WHERE audit_event::text ILIKE '%wrong %' OR audit_event::text LIKE '%@%'`,
    )
    expect(leaks).toEqual([])
  })
})

describe('sign-in of platform staff', () => {
  it('accepts only platform accounts', async () => {
    const { body } = await portal.post(admin, 'admin/login', {
      email: 'super@mainstreet.example',
      password: DEMO_PASSWORD,
    })
    expect(body.user).toMatchObject({ role_id: 909, company_id: null })
    const stranger = await portal.post(admin, 'admin/login', {
      email: 'admin@maplegrove.example',
      password: DEMO_PASSWORD,
    })
    expect([stranger.status, stranger.body.message]).toEqual([401, 'Invalid email or password.'])
  })

  it('allows role 900 to sign in without any privilege', async () => {
    await portal.owner.query(`
      INSERT INTO platform_person (email, password_hash, role_id, first_name, last_name)
      SELECT 'provider@mainstreet.example', password_hash, 900, 'Pat', 'Provider' FROM platform_person LIMIT 1`)
    const { status, body } = await portal.post(admin, 'admin/login', {
      email: 'provider@mainstreet.example',
      password: DEMO_PASSWORD,
    })
    expect([status, body.user.role_id, body.privileges]).toEqual([200, 900, {}])
  })

  it('gives no access on a company host', async () => {
    const token = await portal.signIn(admin, 'super@mainstreet.example')
    expect((await portal.post(HOST, 'muni/return/event/types', {}, { token })).status).toBe(401)
    expect(
      (await portal.post(HOST, 'admin/login', { email: 'super@mainstreet.example', password: DEMO_PASSWORD })).status,
    ).toBe(404)
  })
})

describe('invitation', () => {
  const invite = async (email: string) => {
    const link = await inviteAdministrator(
      { db: portal.db, clock: portal.clock, config: { publicUrl: 'http://localhost:3000' } },
      email,
    )
    return new URL(link)
  }
  const accept = (code: string | null, password: string) =>
    portal.post(admin, 'admin/accept/invitation', { code, password })

  it('sets a password once', async () => {
    const link = await invite('first@town.example')
    expect(link.origin + link.pathname).toBe('http://admin.localhost:3000/admin/sign-in')
    const code = link.searchParams.get('invitation')
    const weak = await accept(code, 'password')
    expect([weak.status, weak.body.details.fields.password]).toEqual([
      422,
      'Use at least one special character, such as ! # or -. Use at least one number. Use at least one capital letter.',
    ])
    expect((await accept(code, 'Town-Hall#2026')).body.email).toBe('first@town.example')
    expect((await accept(code, 'Town-Hall#2027')).status).toBe(409)
    const signedIn = await portal.post(admin, 'admin/login', {
      email: 'First@Town.example',
      password: 'Town-Hall#2026',
    })
    expect(signedIn.body.user.role_id).toBe(909)
  })

  it('expires after one day', async () => {
    const code = (await invite('late@town.example')).searchParams.get('invitation')
    portal.clock.advance(24 * 3_600_000 + 1)
    expect((await accept(code, 'Town-Hall#2026')).body.code).toBe('invitation_expired')
  })

  it('is refused for an invalid email address', async () => {
    await expect(invite('nobody')).rejects.toThrow('Enter an email address, such as name@example.com')
  })
})

it('returns the installation’s settings to everyone', async () => {
  const response = await portal.app.inject({
    method: 'GET',
    url: '/api/v2/app/settings',
    headers: { host: 'localhost' },
  })
  expect(response.json().settings).toMatchObject({
    server_name: expect.any(String),
    environment: 'development',
    app_version: expect.any(String),
  })
})

describe('offline company', () => {
  const harbor = 'harborcity.localhost'
  const setOnline = async (online: 0 | 1) => {
    await portal.owner.query(`UPDATE company SET is_online = ${online} WHERE subdomain = 'harborcity'`)
    portal.context.hosts.forget()
  }
  const offline = { status: 404, body: { code: 'offline' } }
  beforeAll(() => setOnline(0))
  afterAll(() => setOnline(1))

  it('allows its staff to sign in, work and manage their own account', async () => {
    const token = await portal.signIn(harbor, 'admin@harborcity.example')
    const readStatus = async (path: string, body: object = {}) =>
      (await portal.post(harbor, path, body, { token })).status
    expect(await readStatus('muni/return/event/types')).toBe(200)
    expect(await readStatus('return/company/selections')).toBe(200)
    expect(await readStatus('return/profile/sessions')).toBe(200)
    expect((await portal.get(harbor, '/api/v2/logout', { token })).status).toBe(200)
  })

  it('allows an invited administrator to set a password and sign in', async () => {
    const by = await portal.signIn(admin, 'super@mainstreet.example')
    const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'harborcity'`)
    const invited = { firstName: 'Ines', lastName: 'Hale', roleId: 5, position: 1, departmentId: null }
    const email = 'ines@harborcity.example'
    const body = { ...invited, email, companyId: rows[0].id }
    expect((await portal.post(admin, 'muni/invite/municipality/staff', body, { token: by })).status).toBe(200)
    const emailMessage = (await portal.emails()).find(({ to_address }) => to_address === email)
    const code = /invitation=([\w-]{43})/.exec(emailMessage?.text_body ?? '')?.[1]
    expect((await portal.post(harbor, 'accept/invitation', { code, password: 'Town-Hall#2026' })).status).toBe(200)
    const token = await portal.signIn(harbor, email, 'Town-Hall#2026')
    expect((await portal.post(harbor, 'muni/return/event/types', {}, { token })).status).toBe(200)
  })

  it('refuses residents at sign-in, with a session and as guests', async () => {
    expect(await signIn('resident@harborcity.example', DEMO_PASSWORD, harbor)).toMatchObject(offline)
    await setOnline(1)
    const token = await portal.signIn(harbor, 'resident@harborcity.example')
    await setOnline(0)
    expect(await portal.post(harbor, 'return/company/selections', {}, { token })).toMatchObject(offline)
    expect(await portal.post(harbor, 'return/profile/sessions', {}, { token })).toMatchObject(offline)
    expect(await portal.post(harbor, 'return/company/selections', {})).toMatchObject(offline)
    expect(await portal.post(harbor, 'sign-up', {})).toMatchObject(offline)
  })
})
