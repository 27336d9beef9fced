import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { levels } from '../../../shared/areas.ts'
import { testClock, testDatabase, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { moduleUrls } from '../../../shared/modules.ts'
import { labelOf } from '../report.ts'
import { type Section, sectionSchemas, sections } from '../rules.ts'

const ADMIN = 'admin.localhost'
const HOST = 'maplegrove.localhost'
const database = await testDatabase()
const clock = testClock('2026-11-20T15:00:00Z')
const portal = await testPortal({ clock, database })
/** Second portal on the same database. It learns of changes only by notification. */
const other = await testPortal({ clock, database })
let platform = ''
let own = ''
let companyId = 0
let otherId = 0

beforeAll(async () => {
  companyId = await openTestCompany(portal, mapleGrove)
  otherId = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  platform = await portal.signIn(ADMIN, 'super@mainstreet.example')
  own = await portal.signIn(HOST, 'admin@maplegrove.example')
})

const callOwn = (path: string, body: object = {}, token = own) => portal.post(HOST, path, body, { token })
const callPlatform = (path: string, body: object = {}) =>
  portal.post(ADMIN, path, { companyId, ...body }, { token: platform })
const settings = async () => (await callOwn('admin/return/company/config')).body
const save = (section: string, values: object, more: object = {}, token = own) =>
  callOwn('admin/save/company/config', { section, values, ...more }, token)
const change = async (section: string, values: object, more: object = {}) =>
  save(section, { ...(await settings()).config[section], ...values }, more)
const platformChange = async (section: string, values: object) => {
  const { config } = (await callPlatform('admin/return/company/config')).body
  return callPlatform('admin/save/company/config', { section, values: { ...config[section], ...values } })
}

/** Settings that the platform reserves, with another valid value for each. */
const reserved: Partial<Record<Section, Record<string, unknown>>> = {
  details: {
    ...{ name: 'Maple Grove Township', subdomain: 'maple-grove', license_no: 'L-2', timezone_id: 2, is_online: 0 },
    ...{ use_dbilling: 0, is_managed_services: 1, has_chk_agnst_prcl: 1, is_demo: 0, tags: ['pilot'] },
    online_reserved: 1,
  },
  payments: {
    ...{ has_pay_by_phone: 1, pay_by_phone_number: '7175550199', ivr_user_pin_enabled: 0 },
    ...{ has_card_reader: 1, has_tele_check: 1, only_usd_currency: 0 },
  },
  modules: { locked: ['/pay-bills'] },
  processors: { processor_id: 2 },
  texts: { sms_name: 'Grove', sms_number: '7175550198' },
}

/** Settings that the municipality changes, with another valid value for each. */
const free = async (): Promise<Record<Section, Record<string, unknown>>> => {
  const { config } = await settings()
  const { rows } = await portal.owner.query(
    'SELECT id FROM person WHERE company_id = $1 AND role_id BETWEEN 3 AND 5 ORDER BY id LIMIT 2',
    [companyId],
  )
  const [tile, ...tiles] = config.tiles.tiles
  return {
    details: {
      ...{ address1: '7 New Street', address2: 'Floor 2', city: 'Maple', state: 'OH', zipcode: '44101' },
      ...{ phone_no: '3305550144', website_url: 'www.maple.gov', offline_msg: 'Back soon.', fiscal_month: 7 },
    },
    hours: { office_hours_open: '07:30', office_hours_closed: '17:45' },
    modules: Object.fromEntries(moduleUrls.map((url) => [url, config.modules[url] === 1 ? 0 : 1])),
    tiles: { tiles: [{ ...tile, name: 'Water and sewer' }, ...tiles] },
    theme: { background_color: '#123456', text_color: '#222222', logo: '' },
    message: { tagline: 'By the creek', site_wide_message: '<p>Hydrants are <u>flushed</u> on Monday.</p>' },
    payments: {
      ...{ min_payment: 900, max_payment: 90_000, is_pay_in_full: 1, autopay_enabled: 0, autopay_notice_days: 9 },
      ...{ autopay_mandate: 'You agree.', receive_payment_emails: 0, guest_proof: 'last_name', refund_limit: 1000 },
    },
    processors: { primary_contact: Number(rows[0].id), secondary_contact: Number(rows[1].id) },
    alerts: { alerts: [{ name: 'Storms' }], essentials: [{ name: 'Water' }], others: [{ name: 'Events' }] },
    texts: { texts_payments: 0, texts_conversations: 0, quiet_from: '20:00', quiet_to: '07:00' },
    announcements: {
      announcements: [{ location: 'landing', message: 'Leaf pickup starts Monday.', until: '2026-12-01' }],
    },
    contacts: { contacts: [{ name: 'Ann Reese', title: 'Clerk', phone: '7175550101', email: '' }] },
    sharing: { shares_records: 1 },
  }
}

const cases = Object.entries(reserved).flatMap(([section, values]) =>
  Object.entries(values).map(([field, value]) => ({ section: section as Section, field, value })),
)

describe('the settings of a municipality', () => {
  it('name every setting as free or reserved', async () => {
    const offered = await free()
    for (const section of sections) {
      const named = [...Object.keys(reserved[section] ?? {}), ...Object.keys(offered[section])]
      expect([section, named.toSorted()]).toEqual([section, Object.keys(sectionSchemas[section].shape).toSorted()])
    }
    const { sections: access } = await settings()
    expect(Object.keys(access)).toEqual(sections)
    for (const section of sections) {
      const fields = access[section].reserved.map(({ field }: { field: string }) => field)
      expect([section, access[section].mayChange, fields.toSorted()]).toEqual([
        ...[section, true],
        Object.keys(reserved[section] ?? {}).toSorted(),
      ])
    }
  })

  it.each(cases)('refuse a change of $section $field with the name of the field', async ({ section, field, value }) => {
    const before = await settings()
    const answer = await change(section, { [field]: value, ...(field === 'has_pay_by_phone' && number) })
    expect([answer.status, answer.body.code]).toEqual([403, 'not_allowed'])
    expect(answer.body.details.fields[field]).toBe(
      `Only Mainstreet can change “${labelOf(field)}”. Send a support request.`,
    )
    // A stale form must not smuggle the value in either.
    const basis = { ...before.config[section], [field]: value }
    const stale = await change(section, { [field]: value, ...(field === 'has_pay_by_phone' && number) }, { basis })
    expect([200, 403]).toContain(stale.status)
    expect((await settings()).config).toEqual(before.config)
  })
  const number = { pay_by_phone_number: '7175550197' }

  it('refuse a change of a locked module only', async () => {
    expect((await platformChange('modules', { locked: ['/pay-bills'] })).status).toBe(200)
    const { config, sections: access } = await settings()
    expect(access.modules.reserved.map(({ field }: { field: string }) => field)).toEqual(['/pay-bills', 'locked'])
    const refused = await change('modules', { '/pay-bills': config.modules['/pay-bills'] === 1 ? 0 : 1 })
    expect([refused.status, Object.keys(refused.body.details.fields)]).toEqual([403, ['/pay-bills']])
    const relocate = config.modules['/relocate']
    expect((await change('modules', { '/relocate': relocate === 1 ? 0 : 1 })).status).toBe(200)
    expect((await change('modules', { '/relocate': relocate })).status).toBe(200)
    expect((await platformChange('modules', { locked: [] })).status).toBe(200)
  })

  it('name all reserved settings of one save', async () => {
    const { status, body } = await change('details', { name: 'Other', tags: ['x'], address1: '2 Elm Street' })
    expect([status, body.message]).toEqual([
      403,
      'Only Mainstreet can change “Company Name”, “Tags”. Send a support request.',
    ])
    expect((await settings()).config.details.address1).not.toBe('2 Elm Street')
  })

  it('belong to the session’s own company', async () => {
    const answer = await save(
      'hours',
      { office_hours_open: '06:00', office_hours_closed: '16:00' },
      { companyId: otherId },
    )
    expect(answer.status).toBe(404)
    expect((await callOwn('admin/return/company/config', { companyId: otherId })).status).toBe(404)
    expect((await settings()).company.id).toBe(companyId)
  })

  it('refuse other roles of the municipality', async () => {
    for (const name of ['staff', 'manager']) {
      const token = await portal.signIn(HOST, `${name}@maplegrove.example`)
      for (const path of ['admin/return/company/config', 'admin/return/company/config/history'])
        expect([path, (await callOwn(path, {}, token)).status]).toEqual([path, 403])
      const hours = { office_hours_open: '06:00', office_hours_closed: '16:00' }
      expect((await save('hours', hours, {}, token)).status).toBe(403)
    }
  })

  it('show and change only the sections of the person’s areas', async () => {
    const grant = (privileges: object) =>
      portal.owner.query(`UPDATE person SET privileges = $1 WHERE email = 'manager@maplegrove.example'`, [
        JSON.stringify(privileges),
      ])
    const token = await portal.signIn(HOST, 'manager@maplegrove.example')
    const visibleTo = async () => (await callOwn('admin/return/company/config', {}, token)).body
    const { payments, alerts } = (await settings()).config

    await grant({ settings: levels.do, payments: levels.none, alerts: levels.none })
    const narrow = await visibleTo()
    for (const part of [narrow.config, narrow.sections])
      expect(Object.keys(part)).toEqual(sections.filter((one) => !['payments', 'processors', 'alerts'].includes(one)))
    expect((await save('alerts', { ...alerts, others: [{ name: 'Parades' }] }, {}, token)).status).toBe(403)

    await grant({ settings: levels.view, payments: levels.do, alerts: levels.manage })
    expect((await visibleTo()).sections.payments.mayChange).toBe(false)
    expect((await save('payments', { ...payments, min_payment: 100 }, {}, token)).status).toBe(403)

    expect((await visibleTo()).sections.hours.mayChange).toBe(false)
    expect((await save('alerts', { ...alerts, others: [{ name: 'Parades' }] }, {}, token)).status).toBe(200)
    await grant({})
  })

  it('keep both edits of the platform and the municipality', async () => {
    const basis = (await settings()).config.details
    expect((await platformChange('details', { license_no: 'L-77', website_url: 'www.maplegrove.gov' })).status).toBe(
      200,
    )
    const merged = await save('details', { ...basis, phone_no: '7175550166' }, { basis })
    expect(merged.status).toBe(200)
    const { details } = (await settings()).config
    expect([details.license_no, details.website_url, details.phone_no]).toEqual([
      ...['L-77', 'www.maplegrove.gov', '7175550166'],
    ])
    const late = await save('details', { ...details, website_url: 'www.mine.gov' }, { basis })
    expect([late.status, late.body.code]).toEqual([409, 'edit_conflict'])
    expect(late.body.details.fieldConflicts).toMatchObject([
      { field: 'website_url', own: 'www.mine.gov', others: 'www.maplegrove.gov' },
    ])
  })

  it('audit the actor with their audience', async () => {
    const { rows } = await portal.owner.query(
      `SELECT actor_kind, subject, detail->'fields' AS fields FROM audit_event
       WHERE company_id = $1 AND action = 'company.config_saved' ORDER BY id DESC LIMIT 2`,
      [companyId],
    )
    expect(rows).toEqual([
      { actor_kind: 'municipality', subject: 'details', fields: ['phone_no'] },
      { actor_kind: 'platform', subject: 'details', fields: ['license_no', 'website_url'] },
    ])
    const history = await callOwn('admin/return/company/config/history')
    const [latest, others] = history.body.rows
    expect(others.actorName).toBe(`Ruth Mercer (Mainstreet)`)
    expect(latest.actorName).not.toContain('(Mainstreet)')
  })
})

describe('a change by the municipality', () => {
  /** Texts of a residents' page that show a change of each section. */
  const texts: Partial<Record<Section, string>> = {
    details: '7 New Street',
    tiles: 'Water and sewer',
    theme: '--brand:#123456',
    message: 'Hydrants are <u>flushed</u> on Monday.',
    announcements: 'Leaf pickup starts Monday.',
  }

  it.each(sections)('is saved and reaches the residents’ pages of every portal: %s', async (section) => {
    const pageOf = async () => String((await other.get(HOST, '/')).body).replaceAll(String.raw`\u003c`, '<')
    const text = texts[section]
    if (text) expect(await pageOf()).not.toContain(text)
    const values = (await free())[section]
    const saved = await change(section, values)
    expect([saved.status, saved.body.success]).toEqual([200, true])
    expect((await settings()).config[section]).toMatchObject(values)
    if (text) await expect.poll(pageOf, { timeout: 5000 }).toContain(text)
  })

  it('is put back without the settings that the platform changed since', async () => {
    await platformChange('texts', { sms_name: 'Grove', texts_payments: 1 })
    await platformChange('texts', { sms_name: 'Maple' })
    const { rows } = (await callOwn('admin/return/company/config/history', { filters: { section: 'texts' } })).body
    const [, version] = rows
    const past = { versionId: version.id, state: 'before' }
    const compared = (await callOwn('admin/compare/company/config/version', past)).body
    expect(compared.changes.map(({ field }: { field: string }) => field)).toEqual(['texts_payments'])
    const restored = await callOwn('admin/restore/company/config/version', { ...past, basis: compared.basis })
    expect(restored.status).toBe(200)
    expect((await settings()).config.texts).toMatchObject({ sms_name: 'Maple', texts_payments: 0 })
  })

  it('cannot name one person as both contacts', async () => {
    const { primary_contact } = (await settings()).config.processors
    const { status, body } = await change('processors', { secondary_contact: primary_contact })
    expect([status, body.details.fields]).toEqual([422, { secondary_contact: 'Choose two different people.' }])
  })
})

describe('the sign-in settings', () => {
  it('are the municipality’s own', async () => {
    const { body } = await callOwn('admin/return/sign-in/rules')
    expect(body.staff).toBeGreaterThan(1)
    const basis = { requireSecondFactor: body.requireSecondFactor }
    const saved = await callOwn('admin/save/company/sign-in-rules', { requireSecondFactor: true, basis })
    expect(saved.status).toBe(200)
    expect((await callPlatform('admin/return/sign-in/rules')).body.requireSecondFactor).toBe(true)
    const { rows } = await portal.owner.query('SELECT require_second_factor FROM platform_identity_settings')
    expect(rows).toEqual([{ require_second_factor: false }])
    const strange = { companyId: otherId, requireSecondFactor: true }
    expect((await callOwn('admin/save/company/sign-in-rules', strange)).status).toBe(404)
    expect((await callOwn('admin/return/company/sso')).body.companyName).toBe('Maple Grove')
  })
})
