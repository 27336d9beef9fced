import { beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'

const ADMIN = 'admin.localhost'
const HOST = 'maplegrove.localhost'
const portal = await testPortal({
  clock: testClock('2026-11-20T15:00:00Z'),
  env: {
    ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  },
})
let token = ''
let companyId = 0
let otherId = 0

beforeAll(async () => {
  companyId = await openTestCompany(portal, mapleGrove)
  otherId = await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

const callAs = (path: string, body: object = {}, as = token) =>
  portal.post(ADMIN, path, { companyId, ...body }, { token: as })
const config = async (id = companyId) => (await callAs('admin/return/company/config', { companyId: id })).body
const save = (section: string, values: object, more: object = {}) =>
  callAs('admin/save/company/config', { section, values, ...more })
const change = async (section: string, values: object, more: object = {}) =>
  save(section, { ...(await config()).config[section], ...values }, more)
const history = async (section?: string, more: object = {}) =>
  (await callAs('admin/return/company/config/history', { filters: { section }, ...more })).body

describe('a saved section', () => {
  it('appears immediately on the company’s pages', async () => {
    await portal.get(HOST, '/')
    const saved = await change('theme', { background_color: '#8a1c3c' })
    expect(saved).toMatchObject({ status: 200, body: { success: true, message: 'Colors and logo saved.' } })
    expect((await portal.get(HOST, '/')).body).toContain('--brand:#8a1c3c')

    const { tiles } = (await config()).config.tiles
    const moved = [{ ...tiles[1], button_text: 'Pay now' }, tiles[0], ...tiles.slice(2)]
    expect((await save('tiles', { tiles: moved })).status).toBe(200)
    const { body } = await portal.post(HOST, 'return/company/selections', {})
    expect(body.topServices.map((tile: { name: string }) => tile.name).slice(0, 2)).toEqual([
      'Pay a Bill',
      'Utility Customer Portal',
    ])
    // A tile that moves keeps its id, because its route is the same (spec 9.4).
    expect(body.topServices.map((tile: { id: number }) => tile.id).slice(0, 2)).toEqual([3, 1])

    await change('modules', { '/utility-portal': 0 })
    const components = (await portal.post(HOST, 'return/company/components', {})).body.components
    expect(components.find((one: { url: string }) => one.url === '/utility-portal').is_active).toBe(0)

    await change('details', { is_online: '0', offline_msg: 'Back on Monday.' })
    const { body: resolved } = await portal.post(HOST, 'return/company/id', { subdomain: 'maplegrove' })
    expect(resolved.company.is_online).toBe(0)
    await change('details', { is_online: 1 })
  })

  it('sanitizes the message before it is stored', async () => {
    await change('message', {
      site_wide_message: '<p onclick="x()">Hydrants are <b>flushed</b>.<script>bad()</script></p>',
    })
    const saved = (await config()).config.message.site_wide_message
    expect(saved).toBe('<p>Hydrants are <b>flushed</b>.</p>')
    const preview = await callAs('admin/preview/company/message', { html: '<a href="javascript:x()">a</a><i>b</i>' })
    expect(preview.body.html).toBe('<a>a</a><i>b</i>')
  })

  it('applies to later payments', async () => {
    const saved = await change('payments', {
      min_payment: 700,
      has_pay_by_phone: true,
      pay_by_phone_number: '717-555-0100',
    })
    expect(saved.status).toBe(200)
    const { rows } = await portal.owner.query(
      'SELECT s.min_payment_cents::int, c.pay_by_phone_number FROM payment_settings s JOIN company c ON c.id = s.company_id WHERE c.id = $1',
      [companyId],
    )
    expect(rows).toEqual([{ min_payment_cents: 700, pay_by_phone_number: '7175550100' }])
  })

  it.each([
    ['details', { name: '' }, 'name', 'Company Name is required.'],
    ['details', { address1: '' }, 'address1', 'Address is required.'],
    ['details', { city: '' }, 'city', 'City is Required.'],
    ['details', { state: '' }, 'state', 'State is Required.'],
    ['details', { zipcode: '' }, 'zipcode', 'Zipcode is Required.'],
    ['details', { phone_no: '' }, 'phone_no', 'Phone number is Required.'],
    ['details', { website_url: '' }, 'website_url', 'Company website is Required.'],
    ['details', { website_url: 'no site' }, 'website_url', 'Company Website is not a valid URL.'],
    ['details', { subdomain: '' }, 'subdomain', 'Subdomain is Required.'],
    ['details', { is_online: '' }, 'is_online', 'Online Status is Required.'],
    ['details', { use_dbilling: '' }, 'use_dbilling', 'Billing System intrigration is required.'],
    ['details', { is_managed_services: '' }, 'is_managed_services', 'Managed Services Status is Required.'],
    ['details', { name: 'HARBOR city' }, 'name', 'Company Name already exists.'],
    ['details', { subdomain: 'HarborCity' }, 'subdomain', 'Subdomain already exists.'],
    ['details', { timezone_id: 99 }, 'timezone_id', 'Choose a time zone from the list.'],
    [
      'hours',
      { office_hours_closed: '07:00' },
      'office_hours_closed',
      'Enter a closing time that is later than the opening time.',
    ],
    ['payments', { max_payment: 1 }, 'max_payment', 'Enter an amount that is at least the smallest payment.'],
    ['payments', { pay_by_phone_number: '' }, 'pay_by_phone_number', 'Enter the pay-by-phone number.'],
    ['theme', { text_color: 'red' }, 'text_color', 'Enter a color as #rrggbb, such as #324c96.'],
    [
      'theme',
      { logo: '/logos/1/x' },
      'logo',
      'This image was not uploaded for this municipality. Upload the logo here.',
    ],
    ['alerts', { others: [{ name: 'ab' }] }, 'others.0.name', 'Enter at least 3 characters.'],
    [
      'alerts',
      { others: [{ name: 'Fvck ups' }] },
      'others.0.name',
      'Please choose other words: “Fvck” cannot be used here.',
    ],
    ['message', { tagline: 'A sh1tty place' }, 'tagline', 'Please choose other words: “sh1tty” cannot be used here.'],
  ])('%s refuses %o', async (section, values, field, message) => {
    const { status, body } = await change(section, values)
    expect([status, body.message, body.details.fields[field]]).toEqual([422, message, message])
  })

  it('refuses a save over concurrent changes', async () => {
    const basis = (await config()).config.hours
    expect((await change('hours', { office_hours_open: '09:00' }, { basis })).status).toBe(200)
    const late = await change('hours', { office_hours_open: '10:00' }, { basis })
    expect([late.status, late.body.code]).toEqual([409, 'edit_conflict'])
    expect((await config()).config.hours.office_hours_open).toBe('09:00')
  })

  it('does not wait for other transactions of the municipality', async () => {
    const other = await portal.owner.connect()
    try {
      await other.query('BEGIN')
      // PostgreSQL takes this lock for each insert of a row that refers to the company.
      await other.query('SELECT 1 FROM company WHERE id = $1 FOR KEY SHARE', [companyId])
      expect((await change('hours', { office_hours_open: '08:15' })).status).toBe(200)
    } finally {
      await other.query('ROLLBACK')
      other.release()
    }
  })

  it('audits the changed fields', async () => {
    const { rows } = await portal.owner.query(
      `SELECT subject, detail FROM audit_event WHERE company_id = $1 AND action = 'company.config_saved' AND subject = 'hours' ORDER BY id LIMIT 1`,
      [companyId],
    )
    expect(rows[0]).toMatchObject({ subject: 'hours', detail: { fields: ['office_hours_open'], origin: 'form' } })
  })

  it('refuses the call center and hides versions from other companies', async () => {
    const weaker = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const body = { section: 'hours', values: {} }
    expect((await callAs('admin/save/company/config', body, weaker)).status).toBe(403)
    expect((await callAs('admin/return/company/config', {}, weaker)).body.can).toEqual({
      update: false,
      seeStaff: true,
    })
    expect((await history(undefined, { companyId: otherId })).rows).toEqual([])
  })
})

describe('the history', () => {
  it('describes changes, pages by key, and restores an old state', async () => {
    for (const minute of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'])
      await change('hours', { office_hours_open: `07:${minute}` })
    const first = await history('hours')
    expect(first.rows).toHaveLength(10)
    expect(first.rows[0]).toMatchObject({
      section: 'hours',
      changes: [{ label: 'Office opens', old: '07:11', new: '07:12' }],
    })
    const second = await history('hours', { cursor: first.next })
    expect(second.next).toBeNull()
    expect(second.rows.at(-1).changes[0]).toMatchObject({ new: '09:00' })

    const versionId = first.rows[5].id
    const compared = await callAs('admin/compare/company/config/version', { versionId, state: 'after' })
    expect(compared.body.changes).toEqual([
      { field: 'office_hours_open', label: 'Office opens', old: '07:12', new: '07:07' },
    ])
    const stale = { versionId, state: 'after', basis: compared.body.basis - 1 }
    expect((await callAs('admin/restore/company/config/version', stale)).status).toBe(409)
    const back = await callAs('admin/restore/company/config/version', {
      versionId,
      state: 'after',
      basis: compared.body.basis,
    })
    expect(back).toMatchObject({ status: 200, body: { message: 'Office hours restored.' } })
    const [newest] = (await history()).rows
    expect(newest).toMatchObject({ origin: 'restored', changes: [{ old: '07:12', new: '07:07' }] })
    const again = await callAs('admin/restore/company/config/version', { versionId, state: 'after', basis: newest.id })
    expect(again.status).toBe(409)
    const strange = { companyId: otherId, versionId, state: 'after' }
    expect((await callAs('admin/compare/company/config/version', strange)).status).toBe(404)
  })

  it('describes a moved tile by the tile names only', async () => {
    const { tiles } = (await config()).config.tiles
    await save('tiles', { tiles: [...tiles.slice(1), tiles[0]] })
    const [{ changes }] = (await history('tiles')).rows
    const names = tiles.map((tile: { name: string }) => tile.name)
    expect(changes).toEqual([
      { field: 'tiles', label: 'Tiles', old: names.join('; '), new: [...names.slice(1), names[0]].join('; ') },
    ])
  })

  it('cannot be changed or deleted', async () => {
    for (const role of ['app', 'platform'] as const)
      await expect(portal.db[role].query('DELETE FROM company_config_version')).rejects.toThrow(/permission denied/)
  })
})

describe('a transferred configuration', () => {
  const exported = async () => {
    const { body } = await callAs('admin/export/company/config')
    const response = await portal.get(ADMIN, body.url)
    expect(response.headers['content-disposition']).toContain('maplegrove-configuration.json')
    return response.body
  }

  it('exports settings without identity, logo or contacts', async () => {
    const file = await exported()
    expect(file.sections.details).not.toHaveProperty('name')
    expect(file.sections.details).not.toHaveProperty('subdomain')
    expect(file.sections.theme).not.toHaveProperty('logo')
    expect(file.sections).not.toHaveProperty('processors')
    const source = { kind: 'file', content: JSON.stringify(file) }
    const before = (await config(otherId)).config
    const compared = await callAs('admin/compare/company/config/import', { companyId: otherId, source })
    expect(compared.body.sections.map((one: { section: string }) => one.section)).toContain('theme')
    expect((await config(otherId)).config).toEqual(before)
    const done = await callAs('admin/import/company/config', { companyId: otherId, source })
    expect(done).toMatchObject({ status: 200, body: { message: 'Imported settings from the file.' } })
    const after = (await config(otherId)).config
    expect(after.theme.background_color).toBe('#8a1c3c')
    expect([after.details.name, after.details.subdomain]).toEqual(['Harbor City', 'harborcity'])
    const again = await callAs('admin/compare/company/config/import', {
      companyId: otherId,
      source: { kind: 'company', id: companyId },
    })
    expect(again.body).toMatchObject({ from: 'Maple Grove', sections: [] })
    const usual = await callAs('admin/compare/company/config/import', {
      companyId: otherId,
      source: { kind: 'defaults' },
    })
    expect(usual.body.from).toBe("Mainstreet's defaults")
  })

  it('changes no identity, own words or online status of the other company', async () => {
    const marks: Record<string, Record<string, unknown>> = {
      details: {
        ...{ license_no: 'L-1', address1: '9 Mark Road', address2: 'Floor 9', city: 'Marktown', state: 'OH' },
        ...{ zipcode: '44444', phone_no: '3305550144', website_url: 'www.marktown.gov', tags: ['mark'] },
        ...{ offline_msg: 'Marked as offline.', is_online: 1, is_demo: 1 },
      },
      message: { tagline: 'Marked', site_wide_message: '<p>Marked</p>' },
      payments: { has_pay_by_phone: 1, pay_by_phone_number: '3305550145', autopay_mandate: 'Marked terms.' },
      texts: { sms_name: 'Marked', sms_number: '3305550146' },
      announcements: { announcements: [{ location: 'landing', message: 'Marked', until: '2027-01-01' }] },
      contacts: { contacts: [{ name: 'Mark', title: '', phone: '', email: '' }] },
      hours: { office_hours_open: '07:15' },
    }
    for (const [section, values] of Object.entries(marks))
      expect((await change(section, values)).body.details).toBeUndefined()
    const other = (await config(otherId)).config
    const offline = { section: 'details', values: { ...other.details, is_online: 0 }, companyId: otherId }
    expect((await callAs('admin/save/company/config', offline)).status).toBe(200)
    const before = (await config(otherId)).config
    const from = { companyId: otherId, source: { kind: 'company', id: companyId } }
    const { body } = await callAs('admin/import/company/config', from)
    expect(body.saved).toContain('hours')
    const after = (await config(otherId)).config
    expect(after.hours.office_hours_open).toBe('07:15')
    for (const [section, values] of Object.entries(marks))
      if (section !== 'hours')
        for (const field of Object.keys(values))
          expect([section, field, after[section][field]]).toEqual([section, field, before[section][field]])
    expect(after.details.is_online).toBe(0)
  })

  it('refuses a pay-by-phone number of another company', async () => {
    await change('payments', { has_pay_by_phone: 1, pay_by_phone_number: '717-555-0177' })
    const other = (await config(otherId)).config.payments
    const values = { ...other, has_pay_by_phone: 1, pay_by_phone_number: '(717) 555-0177' }
    const { status, body } = await callAs('admin/save/company/config', {
      companyId: otherId,
      section: 'payments',
      values,
    })
    const message = 'Another municipality already uses this pay-by-phone number. Enter another number.'
    expect([status, body.details.fields.pay_by_phone_number]).toEqual([422, message])
  })

  it('refuses unknown values with a message for each', async () => {
    const file = await exported()
    file.sections.theme.text_color = 'blue'
    file.sections.details.name = 'Elsewhere'
    file.sections.payments.secret_key = 'sk_1'
    file.sections.plugins = {}
    const { status, body } = await callAs('admin/compare/company/config/import', {
      source: { kind: 'file', content: JSON.stringify(file) },
    })
    expect(status).toBe(422)
    expect(Object.values(body.details.fields)).toEqual([
      'Details, Company Name: this setting cannot be imported. Remove it from the file.',
      'Colors and logo, Text color: Enter a color as #rrggbb, such as #324c96.',
      'Payments: “secret_key” is not a known setting. Remove it from the file.',
      '“plugins” is not a known section. Remove it from the file.',
    ])
    for (const content of ['{', '[]', '{"format":"other"}'])
      expect((await callAs('admin/compare/company/config/import', { source: { kind: 'file', content } })).status).toBe(
        422,
      )
  })
})

describe('the logo', () => {
  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#8a1c3c' } })
  const upload = async (
    files: [name: string, type: string, content: Buffer][],
    { host = ADMIN, as = token, company = String(companyId) } = {},
  ) => {
    const form = new FormData()
    form.append('company', company)
    for (const [name, type, content] of files) form.append('file', new Blob([new Uint8Array(content)], { type }), name)
    const sent = new Response(form)
    const response = await portal.app.inject({
      method: 'POST',
      url: '/api/v2/admin/save/company/logo/details',
      headers: { host, authorization: `Bearer ${as}`, 'content-type': sent.headers.get('content-type') ?? '' },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    return { status: response.statusCode, body: response.json() }
  }

  it('is rendered again, shown immediately, and served permanently', async () => {
    const camera = await image(1600, 900)
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer()
    const { status, body } = await upload([['seal.jpg', 'image/jpeg', camera]])
    expect([status, body.path]).toEqual([200, expect.stringMatching(/^\/logos\/\d+\/[0-9a-f-]{36}$/)])
    expect((await portal.post(HOST, 'load/company/info', {})).body.company.file_path).toBe(body.path)
    const served = await portal.app.inject({ url: body.path, headers: { host: HOST } })
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { width, height, exif } = await sharp(served.rawPayload).metadata()
    expect([width, height, exif]).toEqual([711, 400, undefined])
    expect((await history('theme')).rows[0]).toMatchObject({ origin: 'logo' })
    expect((await portal.get(HOST, body.path.replace(`/${companyId}/`, `/${otherId}/`))).status).toBe(404)
  })

  it("can be changed by the company's administrators only", async () => {
    const png = await image(40, 40).png().toBuffer()
    const own = await portal.signIn(HOST, 'admin@maplegrove.example')
    expect((await upload([['a.png', 'image/png', png]], { host: HOST, as: own })).status).toBe(200)
    const strange = { host: HOST, as: own, company: String(otherId) }
    expect((await upload([['a.png', 'image/png', png]], strange)).status).toBe(404)
    const staffMember = await portal.signIn(HOST, 'staff@maplegrove.example')
    expect((await upload([['a.png', 'image/png', png]], { host: HOST, as: staffMember })).status).toBe(403)
  })

  it.each([
    ['a text that calls itself a picture', 'image/png', () => Buffer.from('<svg onload=x>'), 415],
    ['a picture of another kind', 'image/png', () => image(9, 9).gif().toBuffer(), 415],
    ['half a picture', 'image/png', async () => (await image(300, 300).png().toBuffer()).subarray(0, 90), 415],
    ['what unpacks to too much', 'image/png', () => image(7000, 6000).png({ palette: true }).toBuffer(), 415],
    ['more than 5 MB', 'image/png', () => Buffer.alloc(5 * 1024 * 1024 + 1), 413],
  ])('%s is refused', async (_what, type, content, expected) => {
    const { status, body } = await upload([['logo.png', type, await content()]])
    expect([status, body.success]).toEqual([expected, false])
    expect(body.message).toMatch(/\.$/)
  })

  it('accepts exactly one multipart file', async () => {
    const png = await image(9, 9).png().toBuffer()
    expect((await upload([])).status).toBe(400)
    expect(
      (
        await upload([
          ['a.png', 'image/png', png],
          ['b.png', 'image/png', png],
        ])
      ).status,
    ).toBe(400)
    expect((await callAs('admin/save/company/logo/details')).status).toBe(400)
    const other = await portal.app.inject({
      method: 'POST',
      url: '/api/v2/login',
      headers: { host: HOST, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--',
    })
    expect(other.statusCode).toBe(415)
  })
})

describe('the processor', () => {
  it('is chosen from the list with contacts of the company', async () => {
    const { processors } = (await callAs('muni/return/processor/list')).body
    expect(processors).toEqual([
      { processorId: 1, name: 'Sandbox' },
      { processorId: 2, name: 'Stripe' },
      { processorId: 3, name: 'Bank file' },
    ])
    const { users } = (await callAs('muni/return/municipality/users', { fromUtilSetUp: true })).body
    expect(users.length).toBeGreaterThan(1)
    const [first, second] = users
    const form = {
      company: companyId,
      selectedProcessor: '2',
      primaryStaff: String(first.id),
      secondaryStaff: second.id,
    }
    const saved = await portal.post(ADMIN, 'admin/save/company/util/processor', form, { token })
    expect(saved.body).toEqual({ success: true, message: 'The processor for Maple Grove was saved.' })
    expect((await callAs('admin/return/company/util/processor')).body.processor).toEqual([
      { processor_id: 2, primary_contact: first.id, secondary_contact: second.id },
    ])
    const [version] = (await history('processors')).rows
    expect(version.changes[0]).toMatchObject({ label: 'Processor', old: 'Sandbox', new: 'Stripe' })

    const elsewhere = (await callAs('muni/return/municipality/users', { companyId: otherId })).body.users[0]
    const invalid = await portal.post(
      ADMIN,
      'admin/save/company/util/processor',
      { ...form, primaryStaff: elsewhere.id },
      { token },
    )
    expect([invalid.status, invalid.body.message]).toEqual([422, 'Choose a staff member of this municipality.'])
  })

  it.each([
    ['company', 'Company is required - if you see this something bad happened.'],
    ['selectedProcessor', 'A processor is required.'],
    ['primaryStaff', 'Primary Staff is required.'],
    ['secondaryStaff', 'Secondary Staff is required.'],
  ])('requires %s', async (field, message) => {
    const form = { company: companyId, selectedProcessor: 1, primaryStaff: 1, secondaryStaff: 1 }
    for (const empty of ['', null, undefined]) {
      const response = await portal.post(
        ADMIN,
        'admin/save/company/util/processor',
        { ...form, [field]: empty },
        { token },
      )
      expect([response.status, response.body.message, response.body.details.fields[field]]).toEqual([
        422,
        message,
        message,
      ])
    }
  })
})
