import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { DEMO_PASSWORD } from '../../identity/demo.ts'

const HOST = 'maplegrove.localhost'
const admin = 'admin.localhost'
const portal = await testPortal({ clock: testClock() })
let company = 0
let token = ''
let userId = 0

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await addTestPlatformStaff(portal)
  const { body } = await portal.post(HOST, 'login', { email: 'resident@maplegrove.example', password: DEMO_PASSWORD })
  token = body.token
  userId = body.user.id
})

const form = {
  first_name: 'Naomi',
  last_name: 'Whitaker',
  service_address: '14 Maple Avenue',
  city: 'Maple Grove',
  state: 'PA',
  zipcode: '17011',
  email: 'resident@maplegrove.example',
  mobile_no: '717-555-0199',
  active_phone_alerts: 'a',
  active_email_alerts: 'a',
}
const save = (changes: object = {}, more: object = {}, by = token, host = HOST) =>
  portal.post(
    host,
    'save/profile/user',
    { companyId: company, userId, formData: { ...form, ...changes }, role: 300, ...more },
    { token: by },
  )
const load = async (by = token, host = HOST, body: object = {}) =>
  portal.post(host, 'return/profile/user', body, { token: by })

describe('profile', () => {
  it('saves and returns the specified fields', async () => {
    expect((await save()).body).toMatchObject({ success: true, msg: 'Profile saved.', email_change: false })
    const { body } = await load(token, HOST, { companyId: company, userId })
    expect(body.user).toMatchObject({ ...form, mobile_no: '(717) 555-0199', email_confirmed: true, new_email: null })
  })

  it.each(['+1 717 555 0199', '1 (717) 555-0199', '717.555.0199'])(
    'accepts %s as a ten-digit number',
    async (mobile_no) => {
      expect((await save({ mobile_no })).status).toBe(200)
      expect((await load()).body.user.mobile_no).toBe('(717) 555-0199')
    },
  )

  it('ignores a role in the body', async () => {
    await save({ role_id: 5 }, { role: 909, role_id: 5 })
    const { rows } = await portal.owner.query('SELECT role_id FROM person WHERE id = $1', [userId])
    expect(rows[0].role_id).toBe(1)
  })

  it("retains a choice about alerts against the client's 'a'", async () => {
    const contact = { primary_contact_method: 3, active_email_alerts: 'i', active_phone_alerts: 'a' }
    expect((await portal.post(HOST, 'save/profile/contact', contact, { token })).status).toBe(200)
    await save()
    expect((await load()).body.user).toMatchObject(contact)
  })

  it.each([
    [{ first_name: '' }, 'formData.first_name', 'First Name is required.'],
    [{ last_name: ' ' }, 'formData.last_name', 'Last Name is required.'],
    [{ email: 'nobody' }, 'formData.email', 'Email is required and must be a valid email address.'],
    [
      { email: 'a@example.org\nBcc: b@example.org' },
      'formData.email',
      'Email is required and must be a valid email address.',
    ],
    [{ state: 'PE' }, 'formData.state', 'No US state or territory has this code. Enter a two-letter code, such as OH.'],
    [{ mobile_no: '717 555 01990' }, 'formData.mobile_no', 'Enter a 10-digit phone number, or leave the field empty.'],
    [
      { mobile_no: '+44 20 7946 0958' },
      'formData.mobile_no',
      'Enter a 10-digit phone number, or leave the field empty.',
    ],
    [{ state: 'Penn' }, 'formData.state', 'Enter the state as two capital letters.'],
    [{ city: '<b>' }, 'formData.city', 'Remove the characters < and > and any hidden or unprintable characters.'],
  ])('refuses %j without saving the profile', async (changes, field, errorText) => {
    const before = (await load()).body.user
    const { status, body } = await save({ service_address: 'elsewhere', ...changes })
    expect([status, body.details.fields[field]]).toEqual([400, errorText])
    expect((await load()).body.user).toEqual(before)
  })

  it('hides the profiles of other people', async () => {
    for (const named of [{ userId: userId + 1 }, { companyId: company + 1 }]) {
      expect((await load(token, HOST, named)).status).toBe(404)
      expect((await save({}, named)).status).toBe(404)
    }
  })

  it('changes the email only with the password and a confirmation link', async () => {
    const next = { email: 'naomi@example.org', city: 'Elm Fork' }
    expect((await save(next)).body.details.fields.password).toBe('To change your email, enter your password.')
    expect((await save({ ...next, password: 'wrong' })).status).toBe(422)
    expect((await load()).body.user.city).toBe('Maple Grove')
    const { body } = await save({ ...next, password: DEMO_PASSWORD })
    expect(body).toMatchObject({
      email_change: true,
      msg: expect.stringContaining('We sent a link to naomi@example.org'),
    })
    expect((await load()).body.user).toMatchObject({
      email: form.email,
      new_email: 'naomi@example.org',
      city: 'Elm Fork',
    })
  })

  it('works for platform staff', async () => {
    const by = await portal.signIn(admin, 'callcenter@mainstreet.example')
    const own = { userId: undefined, companyId: null }
    expect((await save({ email: 'callcenter@mainstreet.example', first_name: 'Cal' }, own, by, admin)).status).toBe(200)
    expect((await load(by, admin)).body.user).toMatchObject({
      first_name: 'Cal',
      service_address: '14 Maple Avenue',
      mobile_no: '(717) 555-0199',
      active_email_alerts: null,
    })
    const { rows } = await portal.owner.query(`SELECT 1 FROM platform_audit_event WHERE action = 'profile.saved'`)
    expect(rows).toHaveLength(1)
  })
})

describe('closing an account', () => {
  const close = (body: object, by: string) => portal.post(HOST, 'close/profile/account', body, { token: by })
  const signUp = async (email: string) => {
    const body = { first_name: 'Ida', last_name: 'Moss', mobile_no: '', password: 'Orchard-Gate#31', email }
    const { session } = (await portal.post(HOST, 'sign-up', body)).body
    return { token: session.token as string, id: session.user.id as number }
  }
  const password = 'Orchard-Gate#31'

  it('requires the password and ends all access', async () => {
    const { token: own, id } = await signUp('ida.close@example.org')
    expect((await close({ password: 'wrong' }, own)).body.details.fields).toHaveProperty('password')
    expect((await portal.post(HOST, 'return/profile/closing', {}, { token: own })).body).toEqual({ blockers: [] })
    expect((await close({ password }, own)).body).toMatchObject({ success: true, message: 'Your account was closed.' })
    expect((await portal.post(HOST, 'return/profile/user', {}, { token: own })).status).toBe(401)
    expect((await portal.post(HOST, 'login', { email: 'ida.close@example.org', password })).status).not.toBe(200)
    const { rows } = await portal.owner.query('SELECT is_active, active_email_alerts FROM person WHERE id = $1', [id])
    expect(rows).toEqual([{ is_active: 0, active_email_alerts: 'i' }])
  })

  it.each([
    [
      'AutoPay is on. Turn it off first.',
      `INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before,
         day_of_month, enrolled_at, search_text)
       SELECT company_id, person_id, 'bill', 1, '1', id, 'active', 'due', 0, 0, now(), '' FROM stored_method WHERE person_id = $1`,
    ],
  ])('refuses to close the account: %s', async (text, sql) => {
    const { token: own, id } = await signUp(`ida.${text.length}@example.org`)
    await portal.owner.query(
      `INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label,
         mandate_text, mandate_at, mandate_address, mandate_device, created_at)
       VALUES ($2, $1, 1, 'sandbox', '', 'pm_x', 'Visa', 'x', now(), '', '', now())`,
      [id, company],
    )
    await portal.owner.query(sql, [id])
    const { body } = await portal.post(HOST, 'return/profile/closing', {}, { token: own })
    expect(body.blockers).toMatchObject([{ text }])
    const refused = await close({ password }, own)
    expect([refused.status, refused.body.code]).toEqual([409, 'account_in_use'])
    expect((await portal.post(HOST, 'return/profile/user', {}, { token: own })).status).toBe(200)
  })
})
