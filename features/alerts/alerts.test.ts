import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../../database/random.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { importPlaces } from '../../server/places/import.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import type { Position } from '../../shared/places.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { ringAround } from './rules.ts'
import { countOf } from './server/audience.ts'
import { sendAlerts } from './server/send.ts'

const HOST = 'maplegrove.localhost'
const NOW = '2026-11-20T15:00:00.000Z'
const portal = await testPortal({ env: { SESSION_HOURS: '720', SESSION_IDLE_HOURS: '720' } })
const { owner, context, clock } = portal
const tokens: Record<string, string> = {}
let company: CompanyId
let harbor: CompanyId
const service: Record<string, number> = {}

const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

const CENTER = { lat: 40.24, lon: -76.92 }
/** Number of buildings on one street, from west to east, about ten meters apart. */
const HOUSES = 400
const positionAt = (n: number): Position => [CENTER.lon + (n % 20) * 0.0004, CENTER.lat + Math.floor(n / 20) * 0.0003]

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, harborCity)
  await liftLimits(owner)
  for (const role of ['admin', 'manager', 'resident'])
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  await expectOk(
    as('admin', 'muni/save/alert/services', {
      alerts: [{ name: 'Emergencies' }],
      essentials: [{ name: 'Water' }],
      others: [{ name: 'Events' }],
    }),
  )
  const { services } = await expectOk(as('admin', 'muni/return/alert/editor'))
  for (const { name, id } of services) service[name] = id
  const rows = Array.from(
    { length: HOUSES },
    (_, n) => `${n + 1},Long Wharf Road,,17011,${positionAt(n)[1]},${positionAt(n)[0]}`,
  )
  await importPlaces(
    { inCompany: context.inCompany, clock },
    company,
    { session: null, requestId: '', kind: 'system' },
    {
      kind: 'addresses',
      file: Readable.from([Buffer.from(['number,street,unit,zip,lat,lon', ...rows].join('\n'))]),
      mode: 'import',
      rowErrors: 'refuse',
    },
  )
  // Opts out everyone in the demo data, so that each test counts only its own people.
  await owner.query(`UPDATE person SET active_email_alerts = 'i', active_phone_alerts = 'i' WHERE role_id = 1`)
})

let people = 0
interface PersonOptions {
  at?: CompanyId
  address?: string
  email?: 'a' | 'i'
  phone?: string
  confirmed?: boolean
}
/**
 * Adds a resident.
 * @returns the id and email of the resident
 */
async function person({ at = company, address = '', email = 'a', phone, confirmed = true }: PersonOptions = {}) {
  const mailbox = `a${(people += 1)}@example.org`
  const { rows } = await owner.query(
    `INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address, active_email_alerts, active_phone_alerts, email_confirmed_at)
     VALUES ($1, $2, 1, 'Ada', $3, $4, $5, 'a', CASE WHEN $6 THEN now() END) RETURNING id`,
    [at, mailbox, `Nr ${people}`, address, email, confirmed],
  )
  const { id } = rows[0]
  if (phone)
    await owner.query(
      `INSERT INTO sms_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at) VALUES ($1, $2, $3, now(), '', now())`,
      [at, id, phone],
    )
  return { id: id as number, email: mailbox }
}
const nobody = () => owner.query(`UPDATE person SET is_active = 0 WHERE role_id = 1`)

const alertText = (headline: string) => ({
  headline,
  description: 'It came up at the river.',
  instruction: 'Stay away.',
})
const nothing = { headline: '', description: '', instruction: '' }
const form = {
  event: 'Flood',
  category: 'Met',
  severity: 'Severe',
  urgency: 'Immediate',
  certainty: 'Observed',
  en: alertText('The river is over its banks'),
  es: nothing,
  ...{ byEmail: true, byText: true, byCall: false, onPages: true, sendAt: '', expiresAt: '2026-11-21T12:00' },
  area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
}
const draft = async (more: object = {}): Promise<number> =>
  (
    await expectOk(
      as('admin', 'muni/write/alert', { form: { ...form, serviceId: String(service['Emergencies']), ...more } }),
    )
  ).alertId
const submit = async (alertId: number, role = 'admin') => as(role, 'muni/submit/alert', { alertId, people: 100_000 })
const stateOf = async (id: number) =>
  (await owner.query('SELECT status FROM alert WHERE company_id = $1 AND id = $2', [company, id])).rows[0]?.status
const reached = async (id: number, channel = 'email'): Promise<string[]> =>
  (
    await owner.query(
      'SELECT address FROM alert_delivery WHERE company_id = $1 AND alert_id = $2 AND channel = $3 ORDER BY 1',
      [company, id, channel],
    )
  ).rows.map(({ address }) => address)
const emailsOf = async (to: string): Promise<string[]> =>
  (await owner.query('SELECT subject FROM email_outbox WHERE to_address = $1 ORDER BY id', [to])).rows.map(
    ({ subject }) => subject,
  )
const inbox = async (phone: string): Promise<string[]> =>
  (await owner.query('SELECT body FROM sandbox_sms WHERE to_number = $1 ORDER BY id', [phone])).rows.map(
    ({ body }) => body,
  )

describe('alert', () => {
  test('sends once per channel to everyone who has not opted out', async () => {
    await nobody()
    const [ann, bob] = [await person({ phone: '+17175550301' }), await person()]
    await person({ email: 'i' })
    await person({ confirmed: false })
    // Two people with the same phone get only one text message.
    await person({ email: 'i', phone: '+17175550301' })
    const id = await draft()
    const { counted, sample, secondPerson } = await expectOk(as('admin', 'muni/return/alert/audience', { alertId: id }))
    expect(counted).toEqual({
      inArea: 5,
      people: 3,
      email: 2,
      text: 1,
      textSpanish: 0,
      call: 0,
      unwanted: 0,
      unreachable: 2,
    })
    expect([sample.length, secondPerson]).toEqual([3, ''])
    await expectOk(submit(id))
    await portal.runJobs()
    await portal.runJobs()
    expect(await stateOf(id)).toBe('sent')
    expect(await reached(id)).toEqual([ann.email, bob.email].toSorted())
    expect(await emailsOf(ann.email)).toEqual(['The river is over its banks'])
    const texts = await inbox('+17175550301')
    expect(texts).toHaveLength(1)
    expect(texts[0]).toMatch(/^Maple Grove: The river is over its banks\. Stay away\. http.*alert=\d+$/)
    const { tallies } = await expectOk(as('admin', 'muni/return/alert', { alertId: id }))
    expect(tallies.map(({ channel, count }: { channel: string; count: number }) => [channel, count])).toEqual([
      ['email', 2],
      ['text', 1],
    ])
  })

  test('shows both versions in words after an edit conflict', async () => {
    const id = await draft()
    const { form: stored } = await expectOk(as('admin', 'muni/return/alert', { alertId: id }))
    const save = (headline: string, more: object = {}) =>
      as('admin', 'muni/save/alert', {
        alertId: id,
        form: { ...stored, en: alertText(headline), ...more },
        basis: stored,
      })
    await expectOk(save('The river falls'))
    const { status, body } = await save('The river rises')
    const both = (headline: string) => `${headline}\nIt came up at the river.\nStay away.`
    expect([status, body.details.fieldConflicts]).toMatchObject([...[409, [{ field: 'en', label: 'In English' }]]])
    expect(body.details.fieldConflicts[0].texts).toEqual({
      others: both('The river falls'),
      own: both('The river rises'),
    })
  })

  test('requires a headline for Spanish text', async () => {
    const es = { headline: '', description: 'El río subió.', instruction: '' }
    const { status, body } = await as('admin', 'muni/write/alert', {
      form: { ...form, serviceId: String(service['Emergencies']), es },
    })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('or leave all Spanish fields empty')])
  })

  test('refuses to send text with an unfilled placeholder of its template', async () => {
    const id = await draft({ en: { ...alertText('The river is over its banks'), instruction: 'Go to [place].' } })
    const blank = 'Replace [place] in the text first. It is a placeholder from the template.'
    // The panel reports the unfilled placeholder before anyone submits the alert.
    expect((await expectOk(as('admin', 'muni/return/alert', { alertId: id }))).hindrance).toBe(blank)
    const refused = await submit(id)
    expect([refused.status, refused.body.message]).toEqual([409, blank])
    expect(await stateOf(id)).toBe('draft')
  })

  test('sends other services only to subscribers, in their language', async () => {
    await nobody()
    await person()
    await owner.query(
      `UPDATE person SET is_active = 1, email_confirmed_at = now(), active_email_alerts = 'a' WHERE email = 'resident@maplegrove.example'`,
    )
    const choices = [{ serviceId: service['Water'], email: true, text: false, call: false }]
    await expectOk(as('resident', 'save/alert/choices', { language: 'es', choices }))
    const { services, language } = await expectOk(as('resident', 'return/alert/choices'))
    expect(language).toBe('es')
    expect(services.map(({ name, email }: { name: string; email: boolean }) => [name, email])).toEqual([
      ['Emergencies', true],
      ['Water', true],
      ['Events', false],
    ])
    const id = await draft({ serviceId: String(service['Water']), severity: 'Minor', es: alertText('No hay agua') })
    await expectOk(submit(id))
    await portal.runJobs()
    expect(await reached(id)).toEqual(['resident@maplegrove.example'])
    expect((await emailsOf('resident@maplegrove.example')).at(-1)).toBe('No hay agua')
    await owner.query(`UPDATE person SET is_active = 0 WHERE email = 'resident@maplegrove.example'`)
  })

  test('requires another approver at the highest severity', async () => {
    await nobody()
    await person()
    const id = await draft({ severity: 'Extreme' })
    expect((await expectOk(submit(id))).message).toMatch(/is awaiting approval/)
    await portal.runJobs()
    expect([await stateOf(id), await reached(id)]).toEqual(['waiting', []])
    const approve = (role: string) => as(role, 'muni/change/alert/status', { alertId: id, event: 'approve' })
    expect((await approve('admin')).body.message).toMatch(/Someone else/)
    await expectOk(approve('manager'))
    await portal.runJobs()
    expect([await stateOf(id), (await reached(id)).length]).toEqual(['sent', 1])
  })

  test('requires approval above the recipient limit and can be returned to draft', async () => {
    await nobody()
    await person()
    await person()
    await expectOk(as('admin', 'muni/save/alert/settings', { approvalOver: '1' }))
    const id = await draft()
    await expectOk(submit(id))
    expect(await stateOf(id)).toBe('waiting')
    await expectOk(
      as('manager', 'muni/change/alert/status', { alertId: id, event: 'return_to_author', reason: 'Say where.' }),
    )
    expect(await stateOf(id)).toBe('draft')
    await expectOk(as('admin', 'muni/save/alert/settings', { approvalOver: '500' }))
  })

  test('sends a scheduled alert when due and ends it automatically', async () => {
    await nobody()
    const ann = await person()
    const late = { ...form, serviceId: String(service['Emergencies']), sendAt: '2026-11-19T11:00' }
    expect((await as('admin', 'muni/write/alert', { form: late })).body.message).toContain('This time is in the past')
    const id = await draft({ sendAt: '2026-11-20T11:00' })
    await expectOk(submit(id))
    await portal.runJobs()
    expect([await stateOf(id), await emailsOf(ann.email)]).toEqual(['scheduled', []])
    clock.set('2026-11-20T16:00:01.000Z')
    await context.jobs.runNow('alerts.finish')
    await context.jobs.runDue()
    expect([await stateOf(id), await emailsOf(ann.email)]).toEqual(['sent', ['The river is over its banks']])
    clock.set('2026-11-21T17:00:01.000Z')
    await context.jobs.runNow('alerts.finish')
    expect(await stateOf(id)).toBe('ended')
    clock.set(NOW)
  })

  test('shows the latest text on every page while in force', async () => {
    await owner.query(`UPDATE alert SET status = 'ended' WHERE status IN ('sent', 'updated')`)
    await nobody()
    const id = await draft()
    const current = async () => (await expectOk(portal.post(HOST, 'return/current/alerts', {}))).alerts
    expect(await current()).toEqual([])
    await expectOk(submit(id))
    await portal.runJobs()
    expect(await current()).toMatchObject([{ id, headline: 'The river is over its banks' }])
    const update = { kind: 'update', en: alertText('The river falls'), es: nothing, expiresAt: '' }
    await expectOk(as('admin', 'muni/follow/alert', { alertId: id, form: update }))
    await portal.runJobs()
    expect(await current()).toMatchObject([{ id, headline: 'The river falls' }])
    await expectOk(as('admin', 'muni/follow/alert', { alertId: id, form: { ...update, kind: 'all_clear' } }))
    await portal.runJobs()
    expect([await current(), await stateOf(id)]).toEqual([[], 'ended'])
    const { alert, followUps } = await expectOk(portal.post(HOST, 'return/alert', { alertId: id }))
    expect([alert.hasEnded, followUps.map(({ kind }: { kind: string }) => kind)]).toEqual([
      true,
      ['all_clear', 'update'],
    ])
  })
})

test('stores the CAP message as sent, whatever changes later', async () => {
  await nobody()
  const id = await draft()
  await expectOk(submit(id))
  await portal.runJobs()
  const [{ public_id: publicId }] = (await owner.query('SELECT public_id FROM alert WHERE id = $1', [id])).rows
  const message = async () => String((await portal.get(HOST, `/alerts/cap/${publicId}.xml`)).body)
  const entry = async () =>
    String((await portal.get(HOST, '/alerts/feed.xml')).body)
      .split(publicId)[1]
      ?.split('</entry>')[0]
  const [first, listed] = [await message(), await entry()]
  expect(first).toContain('<expires>2026-11-21T12:00:00-05:00</expires>')
  const update = { kind: 'update', en: alertText('The river falls'), es: nothing, expiresAt: '2026-11-22T12:00' }
  await expectOk(as('admin', 'muni/follow/alert', { alertId: id, form: update }))
  await portal.runJobs()
  await owner.query(`UPDATE company SET name = 'Maple Grove Township' WHERE id = $1`, [company])
  const { rows } = await owner.query('SELECT expires_at FROM alert WHERE id = $1', [id])
  expect(rows[0].expires_at.toISOString()).toBe('2026-11-22T17:00:00.000Z')
  expect([await message(), await entry()]).toEqual([first, listed])
  await owner.query(`UPDATE company SET name = 'Maple Grove' WHERE id = $1`, [company])
})

test('sends news exactly to the recipients of the first alert', async () => {
  await nobody()
  const [ann, bob, cat] = [await person(), await person(), await person()]
  const id = await draft()
  await expectOk(submit(id))
  await portal.runJobs()
  // Only people who received the alert get its follow-up. Residents who moved away still get it, and new residents do
  // not.
  await owner.query(`UPDATE alert_delivery SET state = 'failed' WHERE alert_id = $1 AND address = $2`, [id, bob.email])
  await owner.query(`UPDATE person SET service_address = 'Elsewhere' WHERE id = $1`, [cat.id])
  await person()
  const { alertId } = await expectOk(
    as('admin', 'muni/follow/alert', {
      alertId: id,
      form: { kind: 'cancel', en: alertText('It was a mistake'), es: nothing, expiresAt: '' },
    }),
  )
  await portal.runJobs()
  expect(await reached(alertId)).toEqual([ann.email, cat.email].toSorted())
  expect((await emailsOf(ann.email)).at(-1)).toBe('CANCELLED: It was a mistake')
  // The email starts with the cancellation, before the text of the alert. Its links show their targets.
  const { text_body: text } = (await portal.emails()).findLast(({ to_address }) => to_address === ann.email) ?? {}
  expect(text).toMatch(/^CANCELLED: It was a mistake\n[^]*^Read more on our website: http/m)
  expect([await stateOf(id), await stateOf(alertId)]).toEqual(['cancelled', 'ended'])
})

describe('text messages', () => {
  const NIGHT = '2026-11-21T03:00:00.000Z'
  test('sends emergencies at night, delays others until morning and respects STOP', async () => {
    await nobody()
    const [loud, quiet] = ['+17175550311', '+17175550312']
    await person({ phone: loud })
    const optedOut = await person({ phone: quiet })
    await owner.query(`INSERT INTO sms_opt_out (company_id, phone, at) VALUES ($1, $2, now())`, [company, quiet])
    clock.set(NIGHT)
    for (const more of [{}, { severity: 'Minor', en: alertText('A parade comes by') }]) {
      const id = await draft({ ...more, byEmail: false })
      await expectOk(submit(id))
    }
    await portal.runJobs()
    expect((await inbox(loud)).map((body) => body.includes('river'))).toEqual([true])
    clock.set('2026-11-21T13:00:30.000Z')
    await portal.runJobs()
    await context.jobs.runNow('alerts.finish')
    expect((await inbox(loud)).map((body) => body.includes('parade'))).toEqual([false, true])
    expect([
      await inbox(quiet),
      (await owner.query(`SELECT FROM alert_delivery WHERE person_id = $1`, [optedOut.id])).rowCount,
    ]).toEqual([[], 0])
    clock.set(NOW)
  })
})

describe('area', () => {
  /** True if a position is inside a border, by the even-odd rule: counts the sides that a ray to the east crosses. */
  const isIn = ([x, y]: Position, ring: readonly Position[]): boolean =>
    ring.reduce((inside, [ax, ay], at) => {
      const [bx, by] = ring[(at + 1) % ring.length] as Position
      return ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax ? !inside : inside
    }, false)

  test('reaches addresses in a drawn area exactly as an oracle', async () => {
    await nobody()
    const random = randomFrom(3)
    const rows = Array.from({ length: HOUSES }, (_, n) => ({
      n,
      address: `${n + 1} Long Wharf Rd., Maple Grove, PA 17011`,
    }))
    await owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, service_address, email_confirmed_at)
       SELECT $1, 'w' || r.n || '@example.org', 1, 'Wil', 'Wharf', r.address, now()
       FROM jsonb_to_recordset($2::jsonb) AS r (n int, address text)`,
      [company, JSON.stringify(rows)],
    )
    for (const corners of [3, 8, 60, 600]) {
      const middle: Position = [CENTER.lon + 0.0041, CENTER.lat + 0.0031]
      const ring = Array.from({ length: corners }, (_, at): Position => {
        const angle = (2 * Math.PI * at) / corners
        const out = 0.004 * (0.4 + 0.6 * random.next())
        return [middle[0] + out * Math.cos(angle), middle[1] + out * Math.sin(angle) * 0.8]
      })
      const expected = rows.filter(({ n }) => isIn(positionAt(n), ring)).length
      const area = { kind: 'drawn' as const, polygons: [[ring]] }
      const addressed = { service_id: service['Emergencies'] ?? 0, area, by_email: true, by_sms: true, by_call: false }
      const { people: count } = await context.readingCompany(company, (tx) => countOf(tx, company, addressed))
      expect({ corners, count }).toEqual({ corners, count: expected })
      expect(expected).toBeGreaterThan(0)
    }
  })

  test('reaches people inside any border but outside all holes', async () => {
    const ring = (n: number, metres: number) => {
      const [lon, lat] = positionAt(n)
      return ringAround({ lat, lon }, metres)
    }
    const [one, hole, other] = [ring(105, 150), ring(105, 60), ring(310, 90)]
    const polygons = [[one, hole], [other]]
    const area = { ...form.area, kind: 'drawn', polygons }
    const id = await draft({ area })
    const { form: stored, areaText } = await expectOk(as('admin', 'muni/return/alert', { alertId: id }))
    expect([stored.area.polygons, areaText]).toEqual([polygons, 'Area around Long Wharf Road'])
    const { rows } = await owner.query(
      `SELECT count(*)::int AS n FROM person WHERE company_id = $1 AND is_active = 1 AND role_id = 1 AND service_address LIKE '%Long Wharf%'`,
      [company],
    )
    expect(rows[0].n).toBe(HOUSES)
    const inside = Array.from({ length: HOUSES }, (_, n) => positionAt(n)).filter(
      (at) => (isIn(at, one) && !isIn(at, hole)) || isIn(at, other),
    )
    const { counted } = await expectOk(as('admin', 'muni/return/alert/audience', { alertId: id }))
    expect(counted.inArea).toBe(inside.length)
    expect(inside.length).toBeGreaterThan(5)
  })

  test('reaches people with a linked account on a route', async () => {
    const ann = await person()
    await person()
    const { rows } = await owner.query(
      `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode, route)
       SELECT $1, 'RT' || n, 'Ann', '1 Elm', 'Maple Grove', 'PA', '17011', 'R' || n FROM generate_series(7, 8) n RETURNING id`,
      [company],
    )
    await owner.query(
      'INSERT INTO linked_account (company_id, person_id, account_id, linked_at) VALUES ($1, $2, $3, now())',
      [company, ann.id, rows[0].id],
    )
    const { routes } = await expectOk(as('admin', 'muni/return/alert/editor'))
    expect(routes).toEqual([
      { name: 'R7', linked: 1 },
      { name: 'R8', linked: 0 },
    ])
    const id = await draft({ area: { ...form.area, kind: 'routes', routes: ['R8', 'R7'] } })
    const { counted } = await expectOk(as('admin', 'muni/return/alert/audience', { alertId: id }))
    expect(counted).toMatchObject({ inArea: 1, email: 1 })
    expect((await expectOk(as('admin', 'muni/return/alert', { alertId: id }))).areaText).toBe(
      'Accounts on routes R7, R8',
    )
    await expectOk(submit(id))
    await sendAlerts(context)
    expect([await stateOf(id), await reached(id)]).toEqual(['sent', [ann.email]])
  })

  test('refuses a self-crossing border at its field', async () => {
    const [lon, lat] = positionAt(0)
    const corners = [
      [lon, lat],
      [lon + 0.01, lat + 0.01],
      [lon + 0.01, lat],
      [lon, lat + 0.01],
    ]
    const area = { ...form.area, kind: 'drawn', polygons: [[corners]] }
    const { status, body } = await as('admin', 'muni/write/alert', {
      form: { ...form, serviceId: String(service['Emergencies']), area },
    })
    expect([status, body.message]).toEqual([422, expect.stringMatching(/crosses itself/)])
  })
})

describe('sending', () => {
  test('resumes an interrupted delivery without duplicates and alternates between companies', async () => {
    await nobody()
    const many = 600
    await owner.query(
      `INSERT INTO person (company_id, email, role_id, first_name, last_name, email_confirmed_at)
       SELECT $1, 'm' || n || '@example.org', 1, 'Mia', 'Many', now() FROM generate_series(1, $2::int) n`,
      [company, many],
    )
    const small = await person({ at: harbor })
    const id = await draft({ byText: false })
    await expectOk(as('admin', 'muni/save/alert/settings', { approvalOver: '1000' }))
    await expectOk(submit(id))
    const harborToken = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const inHarbor = (path: string, body: object) =>
      portal.post('harborcity.localhost', path, body, {
        token: harborToken,
        headers: { 'idempotency-key': randomUUID() },
      })
    await expectOk(
      inHarbor('muni/save/alert/services', { alerts: [{ name: 'Emergencies' }], essentials: [], others: [] }),
    )
    const { services } = await expectOk(inHarbor('muni/return/alert/editor', {}))
    const other = await expectOk(
      inHarbor('muni/write/alert', { form: { ...form, serviceId: String(services[0].id), byText: false } }),
    )
    await expectOk(inHarbor('muni/submit/alert', { alertId: other.alertId, people: 10_000 }))
    // Makes the outbox fail during the second batch of the large company.
    const { sendMany } = context.mailer
    const delivered: string[] = []
    context.mailer.sendMany = async (tx, at, emails) => {
      const ids = await sendMany(tx, at, emails)
      if (delivered.length > 250) throw new Error('killed')
      delivered.push(...emails.map(({ to }) => to))
      return ids
    }
    await expect(sendAlerts(context)).rejects.toThrow('killed')
    context.mailer.sendMany = sendMany
    expect(await stateOf(id)).toBe('sending')
    // The small company did not wait for the large one.
    expect(delivered.slice(0, 260)).toContain(small.email)
    await Promise.all([sendAlerts(context), sendAlerts(context)])
    const { rows } = await owner.query(
      `SELECT count(*)::int AS emails, count(DISTINCT to_address)::int AS addresses FROM email_outbox WHERE to_address LIKE 'm%@example.org'`,
    )
    expect([await stateOf(id), rows[0]]).toEqual(['sent', { emails: many, addresses: many }])
  })
})
