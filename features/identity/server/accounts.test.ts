import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { DEMO_PASSWORD } from '../demo.ts'

const HOST = 'maplegrove.localhost'
const admin = 'admin.localhost'
const DAY = 86_400_000
const NEW = 'Orchard-Gate#31'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
})

let count = 0
/** Advances the clock past the window of every limit, so that tests do not affect each other. */
const later = () => portal.clock.advance(3 * 3_600_000)
const call = (path: string, body: object, token?: string, host = HOST) =>
  portal.post(host, path, body, token ? { token } : {})
const person = () => ({
  first_name: 'Ida',
  last_name: 'Moss',
  email: `ida.${++count}@example.org`,
  password: NEW,
  mobile_no: '717-555-0144',
})
const signUp = (changes: object = {}) => call('sign-up', { ...person(), ...changes })
const emailsTo = async (address: string) => {
  const { rows } = await portal.owner.query<{ subject: string; text_body: string; html_body: string }>(
    'SELECT subject, text_body, html_body FROM email_outbox WHERE to_address = $1 ORDER BY id',
    [address],
  )
  return rows
}
/** Reads the code of the last link emailed to an address. */
async function codeFor(address: string, table = 'email_outbox'): Promise<string> {
  const { rows } = await portal.owner.query<{ text_body: string }>(
    `SELECT text_body FROM ${table} WHERE to_address = $1 AND text_body ~ '=[A-Za-z0-9_-]{43}' ORDER BY id DESC LIMIT 1`,
    [address],
  )
  return /=([\w-]{43})/.exec(rows[0]?.text_body ?? '')?.[1] ?? ''
}
const people = async () => Number((await portal.owner.query('SELECT count(*) AS n FROM person')).rows[0].n)

describe('sign-up', () => {
  it('creates a resident, signs them in and emails a link', async () => {
    const { status, body } = await signUp({ email: 'Ida.First@example.org' })
    expect(status).toBe(200)
    expect(body.session.user).toMatchObject({ role_id: 1, email: 'Ida.First@example.org', email_confirmed: false })
    const profile = await call('return/profile/user', {}, body.session.token)
    expect(profile.body.user).toMatchObject({ mobile_no: '(717) 555-0144', email_confirmed: false })
    const code = await codeFor('Ida.First@example.org')
    expect((await emailsTo('Ida.First@example.org'))[0]).toMatchObject({
      subject: 'Confirm your email for Maple Grove',
      html_body: expect.stringContaining(`<a href="http://maplegrove.localhost:3000/sign-in?confirm=${code}">`),
    })
    expect((await call('confirm/profile/email', { code })).body.message).toContain('is confirmed')
    const twice = await call('confirm/profile/email', { code })
    expect([twice.status, twice.body.message]).toEqual([200, expect.stringContaining('was already used')])
    const again = await call('login', { email: 'ida.first@example.org', password: NEW })
    expect(again.body.user.email_confirmed).toBe(true)
  })

  it('never takes a role, a company or a confirmation from the body', async () => {
    const { body } = await signUp({
      role_id: 5,
      role: 909,
      company_id: 1,
      email_confirmed_at: '2026-01-01',
      is_active: 0,
    })
    expect(body.session.user).toMatchObject({ role_id: 1, email_confirmed: false })
  })

  it('answers identically if the email has an account, and notifies its owner', async () => {
    later()
    const before = await people()
    const fresh = await signUp()
    const duplicate = await signUp({ email: 'Resident@MapleGrove.example', password: 'Another-One#99' })
    expect(await people()).toBe(before + 1)
    const messageOf = ({ body }: typeof fresh) => body.message.replace(/\S+@\S+/, 'X')
    expect([duplicate.status, messageOf(duplicate)]).toEqual([fresh.status, messageOf(fresh)])
    expect(duplicate.body.session).toBeNull()
    expect(await emailsTo('resident@maplegrove.example')).toMatchObject([
      { subject: 'You already have an account with Maple Grove' },
    ])
    expect((await call('login', { email: 'resident@maplegrove.example', password: DEMO_PASSWORD })).status).toBe(200)
  })

  it('accepts the same email in another company', async () => {
    const one = await signUp({ email: 'both@example.org' })
    const two = await portal.post('harborcity.localhost', 'sign-up', { ...person(), email: 'both@example.org' })
    expect(one.body.session.user.company_id).not.toBe(two.body.session.user.company_id)
  })

  it('works only on a company host, for that company', async () => {
    expect((await portal.post(admin, 'sign-up', person())).status).toBe(404)
    expect((await portal.post('localhost', 'sign-up', person())).status).toBe(404)
    expect((await signUp({ companyId: 999_999 })).status).toBe(404)
  })

  it('limits sign-ups for one email', async () => {
    later()
    const email = 'often@example.org'
    for (let n = 0; n < 3; n += 1) expect((await signUp({ email })).status).toBe(200)
    expect(await signUp({ email })).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(await emailsTo(email)).toHaveLength(3)
  })

  it('resends the link a few times and voids the older one', async () => {
    later()
    const { body } = await signUp({ email: 'again@example.org' })
    const first = await codeFor('again@example.org')
    const { token } = body.session
    expect((await call('send/confirmation/email', {}, token)).body.message).toContain('again@example.org')
    expect(await call('confirm/profile/email', { code: first })).toMatchObject({
      status: 409,
      body: { message: 'We emailed you a newer link. Open that one.' },
    })
    for (let n = 0; n < 2; n += 1) await call('send/confirmation/email', {}, token)
    expect((await call('send/confirmation/email', {}, token)).status).toBe(429)
    portal.clock.advance(7 * DAY + 1)
    expect((await call('confirm/profile/email', { code: await codeFor('again@example.org') })).status).toBe(409)
  })

  it("rejects a company's link in other companies and on the platform host", async () => {
    later()
    await signUp({ email: 'elsewhere@example.org' })
    const code = await codeFor('elsewhere@example.org')
    for (const host of ['harborcity.localhost', admin])
      expect((await call('confirm/profile/email', { code }, undefined, host)).status, host).toBe(409)
    expect((await call('confirm/profile/email', { code })).status).toBe(200)
  })
})

describe('input validation', () => {
  const bad: [string, object, string][] = [
    ['a line break', { email: 'dot@example.org\r\nBcc: all@example.org' }, 'email'],
    ['a look-alike letter', { email: 'аdmin@maplegrove.example' }, 'email'],
    ['a full-width at sign', { email: 'admin＠maplegrove.example' }, 'email'],
    ['NUL in the email', { email: 'a\0b@example.org' }, 'email'],
    ['SQL as email', { email: "x'; DROP TABLE person; --" }, 'email'],
    ['a comment as email', { email: '"a b"@example.org' }, 'email'],
    ['NUL in a name', { first_name: 'A\0' }, 'first_name'],
    ['a name that turns the line', { last_name: 'A\u202Egnp' }, 'last_name'],
    ['HTML as name', { first_name: '<img src=x onerror=alert(1)>' }, 'first_name'],
    ['a name without an end', { first_name: 'x'.repeat(81) }, 'first_name'],
    ['no name', { first_name: '   ' }, 'first_name'],
    ['a phone of words', { mobile_no: 'call me' }, 'mobile_no'],
  ]
  it.each(bad)('answers %s with a message and stores nothing', async (_what, changes, field) => {
    later()
    const before = await people()
    const { status, body } = await signUp(changes)
    expect(status).toBe(400)
    expect(body.details.fields[field]).toMatch(/\w+ .*\.$/)
    expect(await people()).toBe(before)
  })

  it('refuses a body of ten megabytes before reading it', async () => {
    const { status, body } = await signUp({ first_name: 'x'.repeat(10_000_000) })
    expect([status, body.code]).toEqual([413, 'too_large'])
  })

  it.each([
    ['short', 'Use 8 to 20 characters.'],
    ['no-number-Here', 'Use at least one number.'],
    ['Password1!', 'appeared in a data breach'],
    ['Trustno1!', 'appeared in a data breach'],
  ])('refuses the password %s and names the problem', async (password, expected) => {
    const before = await people()
    const { status, body } = await signUp({ password })
    expect([status, body.details.fields.password]).toEqual([422, expect.stringContaining(expected)])
    expect(await people()).toBe(before)
  })

  it('allows a company to choose the NIST password rules', async () => {
    const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'harborcity'`)
    await portal.context.acrossCompanies((tx) =>
      tx.insertInto('identity_settings').values({ company_id: rows[0].id, password_rules: 'nist' }).execute(),
    )
    const harbor = (password: string) => portal.post('harborcity.localhost', 'sign-up', { ...person(), password })
    expect((await portal.post('harborcity.localhost', 'return/password/rules')).body).toEqual({
      rules: 'nist',
      link: null,
    })
    expect((await harbor(NEW)).status).toBe(200)
    expect((await harbor('Short-One#1')).body.details.fields.password).toBe('Use 15 to 64 characters.')
    expect((await harbor('just some words without any rule')).status).toBe(200)
    expect((await call('return/password/rules', {})).body.rules).toBe('standard')
  })
})

describe('forgotten password', () => {
  const requestReset = (email: string, host = HOST) => call('reset/profile/password', { email }, undefined, host)
  const set = (code: string, password: string, host = HOST) =>
    call('set/profile/password', { code, password }, undefined, host)

  it('answers identically for every email, and emails only existing accounts', async () => {
    later()
    const responses = await Promise.all([
      requestReset('manager@maplegrove.example'),
      requestReset('nobody@maplegrove.example'),
    ])
    const [existing, unknown] = responses.map(({ status, body }) => [
      status,
      body.msg.replace(/\S+@\S+/, 'X'),
      body.success,
    ])
    expect(existing).toEqual(unknown)
    expect(responses[0]?.body.msg).toBe(responses[0]?.body.message)
    await portal.runJobs()
    expect(await emailsTo('nobody@maplegrove.example')).toEqual([])
    expect(await emailsTo('manager@maplegrove.example')).toHaveLength(1)
  })

  it('sets a new password once, ends all sessions and notifies the person', async () => {
    later()
    const email = 'manager@maplegrove.example'
    const before = await portal.signIn(HOST, email)
    await requestReset(email.toUpperCase())
    await portal.runJobs()
    const code = await codeFor(email)
    expect((await call('return/password/rules', { code })).body).toEqual({ rules: 'standard', link: 'good' })
    expect((await set(code, 'weak')).status).toBe(422)
    // The code is checked before the password.
    expect((await set('A'.repeat(43), 'weak')).body.code).toBe('link_expired')
    expect((await set(code, NEW)).body).toMatchObject({ success: true, email })
    expect((await set(code, 'Second-Try#22')).status).toBe(409)
    expect((await call('return/password/rules', { code })).body.link).toBe('used')
    expect((await call('return/password/rules', { code: 'A'.repeat(43) })).body.link).toBe('expired')
    expect((await call('return/profile/user', {}, before)).status).toBe(401)
    expect((await call('login', { email, password: DEMO_PASSWORD })).status).toBe(401)
    expect((await call('login', { email, password: NEW })).status).toBe(200)
    expect((await emailsTo(email)).at(-1)?.subject).toBe('Your password for Maple Grove was changed')
  })

  it('unlocks an account that wrong guesses had locked', async () => {
    later()
    const email = 'newcomer@maplegrove.example'
    for (let n = 0; n < 5; n += 1) await call('login', { email, password: `no ${n}` })
    expect((await call('login', { email, password: DEMO_PASSWORD })).status).toBe(429)
    await requestReset(email)
    await portal.runJobs()
    expect((await set(await codeFor(email), NEW)).status).toBe(200)
    expect((await call('login', { email, password: NEW })).status).toBe(200)
  })

  it('accepts only the last link, within an hour, for an unlocked account', async () => {
    later()
    const email = 'staff@maplegrove.example'
    await requestReset(email)
    await portal.runJobs()
    const first = await codeFor(email)
    await requestReset(email)
    await portal.runJobs()
    expect((await set(first, NEW)).status).toBe(409)
    expect((await call('return/password/rules', { code: first })).body.link).toBe('newer')
    const second = await codeFor(email)
    await portal.owner.query('UPDATE person SET locked_at = now() WHERE email = $1', [email])
    expect((await set(second, NEW)).status).toBe(409)
    await portal.owner.query('UPDATE person SET locked_at = NULL WHERE email = $1', [email])
    portal.clock.advance(3_600_001)
    expect((await set(second, NEW)).status).toBe(409)
  })

  it('accepts one of two simultaneous uses of a link', async () => {
    later()
    await requestReset('staff@maplegrove.example')
    await portal.runJobs()
    const code = await codeFor('staff@maplegrove.example')
    const both = await Promise.all([set(code, 'First-Wins#1x'), set(code, 'Second-Wins#2x')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('limits requests per email, whether an account exists or not', async () => {
    later()
    for (const email of ['admin@maplegrove.example', 'nobody.else@maplegrove.example']) {
      for (let n = 0; n < 3; n += 1) expect((await requestReset(email)).status).toBe(200)
      expect((await requestReset(email)).status, email).toBe(429)
    }
  })

  it('works for platform staff on their own host', async () => {
    later()
    expect((await requestReset('callcenter@mainstreet.example')).status).toBe(200)
    await portal.runJobs()
    expect(await emailsTo('callcenter@mainstreet.example')).toEqual([])
    await requestReset('callcenter@mainstreet.example', admin)
    await portal.runJobs()
    const code = await codeFor('callcenter@mainstreet.example', 'platform_email')
    expect((await set(code, NEW)).status).toBe(409)
    expect((await set(code, NEW, admin)).status).toBe(200)
    const { status } = await portal.post(admin, 'admin/login', {
      email: 'callcenter@mainstreet.example',
      password: NEW,
    })
    expect(status).toBe(200)
  })

  it('stores no usable link', async () => {
    const { rows } = await portal.owner.query(
      `SELECT 1 FROM account_link l, email_outbox m WHERE m.text_body LIKE '%' || encode(l.code_hash, 'base64') || '%'`,
    )
    expect(rows).toEqual([])
    const { rows: audited } = await portal.owner.query(
      `SELECT action FROM audit_event WHERE audit_event::text LIKE '%@%' OR audit_event::text ~ '[A-Za-z0-9_-]{43}'`,
    )
    expect(audited).toEqual([])
  })
})

describe('signed-in person', () => {
  const email = 'admin@harborcity.example'
  const harbor = 'harborcity.localhost'
  const long = 'a longer one, as this town wants it'

  it('changes the password with the current one and ends the other sessions', async () => {
    later()
    const [here, there] = [await portal.signIn(harbor, email), await portal.signIn(harbor, email)]
    const change = (current: string, password: string) =>
      call('change/profile/password', { current, password }, here, harbor)
    expect((await change('wrong', long)).body.details.fields.current).toBe('That is not your current password.')
    expect((await change(DEMO_PASSWORD, DEMO_PASSWORD)).status).toBe(422)
    expect((await change(DEMO_PASSWORD, long)).body.message).toContain('other sessions were ended')
    expect((await call('return/profile/user', {}, there, harbor)).status).toBe(401)
    expect((await call('return/profile/user', {}, here, harbor)).status).toBe(200)
    expect((await call('login', { email, password: long }, undefined, harbor)).status).toBe(200)
  })

  it('limits wrong current passwords as sign-in does', async () => {
    later()
    const token = await portal.signIn(harbor, email, long)
    for (let n = 0; n < 5; n += 1)
      await call('change/profile/password', { current: `no ${n}`, password: NEW }, token, harbor)
    expect((await call('change/profile/password', { current: long, password: NEW }, token, harbor)).status).toBe(429)
    expect((await call('login', { email, password: long }, undefined, harbor)).status).toBe(429)
  })

  it('changes the email by a link and notifies the old address', async () => {
    later()
    const token = (await signUp({ email: 'old@example.org' })).body.session.token
    const move = (to: string, password = NEW) => call('change/profile/email', { email: to, password }, token)
    expect((await move('new@example.org', 'wrong')).status).toBe(422)
    expect((await move('OLD@example.org')).body.details.fields.email).toBe('This is already your email.')
    expect((await move('new@example.org')).status).toBe(200)
    expect((await call('return/profile/user', {}, token)).body.user).toMatchObject({
      email: 'old@example.org',
      new_email: 'new@example.org',
    })
    expect((await call('login', { email: 'old@example.org', password: NEW })).status).toBe(200)
    expect((await emailsTo('old@example.org')).at(-1)?.text_body).toContain('n***@example.org')
    const code = await codeFor('new@example.org')
    expect((await call('confirm/profile/email', { code })).body.email).toBe('new@example.org')
    expect((await call('login', { email: 'old@example.org', password: NEW })).status).toBe(401)
    expect((await call('login', { email: 'new@example.org', password: NEW })).body.user.email_confirmed).toBe(true)
    expect((await emailsTo('old@example.org')).at(-1)?.subject).toBe('Your email for Maple Grove was changed')
  })

  it('does not reveal which emails have an account', async () => {
    later()
    const token = (await signUp({ email: 'curious@example.org' })).body.session.token
    const move = (to: string) => call('change/profile/email', { email: to, password: NEW }, token)
    const [free, used] = [await move('free@example.org'), await move('resident@maplegrove.example')]
    expect(used.body.message.replace(/\S+@\S+/, '')).toBe(free.body.message.replace(/\S+@\S+/, ''))
    expect((await emailsTo('resident@maplegrove.example')).at(-1)?.text_body).not.toMatch(/=[\w-]{43}/)
  })

  it('cancels an email change when the password is reset', async () => {
    later()
    const token = (await signUp({ email: 'mine@example.org' })).body.session.token
    await call('change/profile/email', { email: 'thief@example.org', password: NEW }, token)
    const stolen = await codeFor('thief@example.org')
    await call('reset/profile/password', { email: 'mine@example.org' })
    await portal.runJobs()
    await call('set/profile/password', { code: await codeFor('mine@example.org'), password: 'Back-To-Me#77' })
    expect((await call('confirm/profile/email', { code: stolen })).status).toBe(409)
  })

  it('cancels and reports an email change when the password changes in settings', async () => {
    later()
    const email = 'still.mine@example.org'
    const token = (await signUp({ email })).body.session.token
    await call('change/profile/email', { email: 'thief@example.org', password: NEW }, token)
    const stolen = await codeFor('thief@example.org')
    const { body } = await call('change/profile/password', { current: NEW, password: 'Back-To-Me#77' }, token)
    expect(body.changeEnded).toBe(true)
    expect((await emailsTo(email)).at(-1)?.text_body).toContain('Your pending email change was cancelled')
    expect((await call('confirm/profile/email', { code: stolen })).status).toBe(409)
    expect((await call('login', { email, password: 'Back-To-Me#77' })).status).toBe(200)
  })

  it('lists the sessions and ends one or all others', async () => {
    later()
    const form = person()
    const here = (await call('sign-up', form)).body.session.token
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1' }
    const phone = (await portal.post(HOST, 'login', form, { headers })).body.token
    const third = (await call('login', form)).body.token
    const list = async () => (await call('return/profile/sessions', {}, here)).body.sessions
    const sessions = await list()
    expect(sessions).toHaveLength(3)
    expect(sessions.filter((session: { current: boolean }) => session.current)).toHaveLength(1)
    const mobile = sessions.find((session: { device: string }) => session.device === 'Safari on iPhone')
    expect(mobile).toMatchObject({ address: '127.0.0.1', current: false })
    const stranger = (await signUp()).body.session.token
    expect((await call('end/profile/session', { id: mobile.id }, stranger)).status).toBe(404)
    expect((await call('end/profile/session', { id: mobile.id }, here)).body.ended).toBe(1)
    expect((await call('return/profile/user', {}, phone)).status).toBe(401)
    expect((await call('end/profile/session', { others: true }, here)).body.ended).toBe(1)
    expect((await call('return/profile/user', {}, third)).status).toBe(401)
    expect(await list()).toHaveLength(1)
  })
})
