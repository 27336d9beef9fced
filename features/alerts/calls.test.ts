import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { freePort } from '../../server/ports.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'

/** Tests alerts by phone, from a resident's phone number to the text that the call speaks. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal({
  env: { PORT: String(await freePort()), SESSION_HOURS: '720', SESSION_IDLE_HOURS: '720' },
})
const { owner, context, clock } = portal
const tokens: Record<string, string> = {}
let company: CompanyId
let serviceId = 0
let residentId = 0

const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await portal.app.listen({ port: portal.config.port, host: portal.config.host })
  await liftLimits(owner)
  for (const role of ['admin', 'resident']) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  await expectOk(
    as('admin', 'muni/save/alert/services', { alerts: [{ name: 'Emergencies' }], essentials: [], others: [] }),
  )
  serviceId = (await expectOk(as('admin', 'muni/return/alert/editor'))).services[0].id
  await owner.query(
    `UPDATE person SET active_email_alerts = 'i', active_phone_alerts = CASE WHEN email = 'resident@maplegrove.example' THEN 'a' ELSE 'i' END
     WHERE role_id = 1`,
  )
  const { rows } = await owner.query(`SELECT id FROM person WHERE email = 'resident@maplegrove.example'`)
  residentId = rows[0].id
})

const alertText = (headline: string) => ({
  headline,
  description: 'It came up at the river.',
  instruction: 'Stay away.',
})
const nothing = { headline: '', description: '', instruction: '' }
const form = {
  ...{ event: 'Flood', category: 'Met', severity: 'Severe', urgency: 'Immediate', certainty: 'Observed' },
  ...{ en: alertText('The river is over its banks'), es: alertText('El río se desborda') },
  ...{ byEmail: true, byText: true, byCall: true, onPages: true, sendAt: '', expiresAt: '2026-11-21T12:00' },
  area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
}
const draft = async (more: object = {}): Promise<number> =>
  (await expectOk(as('admin', 'muni/write/alert', { form: { ...form, serviceId: String(serviceId), ...more } })))
    .alertId
/** Sends an alert, makes the calls and records the results. */
const send = async (alertId: number) => {
  await expectOk(as('admin', 'muni/submit/alert', { alertId, people: 100_000 }))
  await go()
}
const go = async () => {
  await portal.runJobs()
  await context.jobs.runNow('voice.refresh')
  await portal.runJobs()
  await context.jobs.runNow('alerts.finish')
}
const heard = async (phone: string): Promise<string[]> =>
  (await owner.query('SELECT heard FROM sandbox_call WHERE to_number = $1 ORDER BY id', [phone])).rows.map(
    ({ heard: spoken }) => spoken,
  )
const deliveries = async (alertId: number) =>
  (await expectOk(as('admin', 'muni/return/alert/deliveries', { filters: { alertId } }))).rows.filter(
    ({ channel }: { channel: string }) => channel === 'call',
  )
const confirm = async (phone: string) => {
  await expectOk(as('resident', 'start/alert/calls', { phone, agree: true }))
  await portal.runJobs()
  const [spoken = ''] = (await heard(`+1${phone}`)).slice(-1)
  const code = (spoken.match(/\d/g) ?? []).slice(-6).join('')
  return expectOk(as('resident', 'confirm/alert/calls', { code }))
}

describe('phone for calls', () => {
  test('confirms by its spoken code and stores the consent text', async () => {
    expect(await expectOk(as('resident', 'return/alert/calls'))).toMatchObject({ offered: true, state: 'off' })
    expect((await expectOk(as('resident', 'return/alert/choices'))).callOff).toBe('none')
    const started = await expectOk(as('resident', 'start/alert/calls', { phone: '(717) 555-0160', agree: true }))
    expect(started.message).toBe('We are calling (717) 555-0160. You will hear a six-digit code.')
    expect(await expectOk(as('resident', 'return/alert/calls'))).toMatchObject({ state: 'unconfirmed' })
    await portal.runJobs()
    const [spoken = ''] = await heard('+17175550160')
    expect(spoken).toMatch(/^This is Maple Grove\. Your code is (\d, ){5}\d\.$/)
    const code = (spoken.match(/\d/g) ?? []).join('')
    const invalid = await as('resident', 'confirm/alert/calls', { code: code === '000000' ? '111111' : '000000' })
    expect(invalid.body.details.fields.code).toMatch(/not the code from our last call/)
    await expectOk(as('resident', 'confirm/alert/calls', { code }))
    expect(await expectOk(as('resident', 'return/alert/choices'))).toMatchObject({
      callOff: '',
      callPhone: '+17175550160',
    })
    const { rows } = await owner.query('SELECT agreed_to, agreed_at FROM voice_number WHERE person_id = $1', [
      residentId,
    ])
    expect(rows[0]).toMatchObject({
      agreed_at: clock.now(),
      agreed_to: expect.stringMatching(/^I agree that Maple Grove may call/),
    })
  })

  test('refuses an expired code or a missing consent', async () => {
    expect((await as('resident', 'start/alert/calls', { phone: '717-555-0161', agree: false })).status).toBe(400)
    await expectOk(as('resident', 'start/alert/calls', { phone: '717-555-0161', agree: true }))
    await portal.runJobs()
    const code = ((await heard('+17175550161'))[0]?.match(/\d/g) ?? []).join('')
    clock.advance(11 * 60_000)
    expect((await as('resident', 'confirm/alert/calls', { code })).body.message).toMatch(/valid for 10 minutes/)
  })

  test('is deleted at its owner’s request', async () => {
    await confirm('7175550162')
    await expectOk(as('resident', 'stop/alert/calls'))
    expect(await expectOk(as('resident', 'return/alert/calls'))).toMatchObject({ state: 'off', phone: '' })
  })

  test('refuses a phone on which 9 was pressed', async () => {
    await owner.query('INSERT INTO voice_opt_out (company_id, phone, at) VALUES ($1, $2, now())', [
      company,
      '+17175550163',
    ])
    const { status, body } = await as('resident', 'start/alert/calls', { phone: '717-555-0163', agree: true })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/pressed 9 during a call to this phone/)])
  })
})

describe('alert by phone', () => {
  test('previews spoken text, count and cost, then reports calls in each language', async () => {
    await confirm('7175550164')
    const choices = [{ serviceId, email: true, text: true, call: true }]
    await expectOk(as('resident', 'save/alert/choices', { language: 'es', choices }))
    const id = await draft()
    const { calls } = await expectOk(as('admin', 'muni/return/alert', { alertId: id }))
    expect(calls.map(({ language, text: spoken }: { language: string; text: string }) => [language, spoken])).toEqual([
      ['en', 'This is an alert from Maple Grove. The river is over its banks. Stay away. It came up at the river.'],
      ['es', 'Esta es una alerta de Maple Grove. El río se desborda. Stay away. It came up at the river.'],
    ])
    const [{ seconds, minutes }] = calls
    expect([seconds > 15 && seconds < 40, minutes]).toEqual([true, 1])
    const { counted, sample, cost } = await expectOk(as('admin', 'muni/return/alert/audience', { alertId: id }))
    expect(counted).toMatchObject({ people: 1, email: 0, text: 0, call: 1 })
    expect([sample[0].call, cost]).toEqual([true, { segments: 0, minutes: 1 }])
    await send(id)
    expect((await heard('+17175550164')).at(-1)).toMatch(/^Esta es una alerta de Maple Grove\. El río se desborda\./)
    expect(await deliveries(id)).toMatchObject([{ channel: 'call', state: 'delivered', to: '(***) ***-0164' }])
    const { tallies } = await expectOk(as('admin', 'muni/return/alert', { alertId: id }))
    expect(tallies).toEqual([{ channel: 'call', state: 'delivered', count: 1 }])
    const { rows } = await expectOk(
      as('admin', 'muni/return/notices', { filters: { channel: 'call', about: 'alert.sent' } }),
    )
    expect(rows[0]).toMatchObject({ to: '(***) ***-0164', state: 'delivered', minutes: 1 })
  })

  test('calls no one who opted out and no alert without this channel', async () => {
    const before = (await heard('+17175550164')).length
    await send(await draft({ byCall: false }))
    const choices = [{ serviceId, email: true, text: true, call: false }]
    await expectOk(as('resident', 'save/alert/choices', { language: 'en', choices }))
    await send(await draft())
    expect(await heard('+17175550164')).toHaveLength(before)
    const back = [{ serviceId, email: true, text: true, call: true }]
    await expectOk(as('resident', 'save/alert/choices', { language: 'en', choices: back }))
  })

  test('sends news to called phones and stops pending older calls', async () => {
    const id = await draft()
    await owner.query(`UPDATE voice_number SET phone = '+17175550181'`)
    await send(id)
    // The line is busy, so the portal would repeat the call.
    expect(await deliveries(id)).toMatchObject([{ state: 'waiting' }])
    const followUp = { kind: 'all_clear', en: alertText('The river falls'), es: nothing, expiresAt: '' }
    const { alertId } = await expectOk(as('admin', 'muni/follow/alert', { alertId: id, form: followUp }))
    await go()
    clock.advance(20 * 60_000)
    await go()
    await go()
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', reason: 'expired' }])
    const [allClearText] = (await heard('+17175550181')).filter(Boolean)
    expect(allClearText).toMatch(/^This is the all-clear for an alert from Maple Grove\. The river falls\./)
    expect(await deliveries(alertId)).toMatchObject([{ state: 'delivered' }])
  })

  test('lists an uncertain call and repeats it only by staff, audited', async () => {
    await owner.query(`UPDATE voice_number SET phone = '+17175550165'`)
    const id = await draft()
    await expectOk(as('admin', 'muni/submit/alert', { alertId: id, people: 100_000 }))
    await context.jobs.runNow('alerts.send')
    await owner.query(
      `UPDATE voice_call SET state = 'unclear', reason = 'no answer', tries = 1 WHERE phone = '+17175550165'`,
    )
    await go()
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: 'unclear', reason: 'unclear', can: { repeat: true } })
    expect(await heard('+17175550165')).toEqual([])
    const repeat = () => as('admin', 'muni/repeat/alert/delivery', { deliveryId: delivery.id })
    expect((await expectOk(repeat())).message).toMatch(/^Calling .* again\.$/)
    expect((await repeat()).status).toBe(409)
    await go()
    expect(await heard('+17175550165')).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', can: { repeat: false } }])
    const { rows } = await owner.query(`SELECT detail FROM audit_event WHERE action = 'alert.repeated'`)
    expect(rows).toMatchObject([{ detail: { channel: 'call' } }])
  })
})
