import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { freePort } from '../../server/ports.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'

/** Alerts by telephone, from a resident's number to what its phone heard. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal({
  env: { PORT: String(await freePort()), SESSION_HOURS: '720', SESSION_IDLE_HOURS: '720' },
})
const { owner, context, clock } = portal
const tokens: Record<string, string> = {}
let company: CompanyId
let serviceId = 0
let residentId = 0

const as = (who: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function given(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await portal.app.listen({ port: portal.config.port, host: portal.config.host })
  await liftLimits(owner)
  for (const who of ['admin', 'resident']) tokens[who] = await portal.signIn(HOST, `${who}@maplegrove.example`)
  await given(
    as('admin', 'muni/save/alert/services', { alerts: [{ name: 'Emergencies' }], essentials: [], others: [] }),
  )
  serviceId = (await given(as('admin', 'muni/return/alert/editor'))).services[0].id
  await owner.query(
    `UPDATE person SET active_email_alerts = 'i', active_phone_alerts = CASE WHEN email = 'resident@maplegrove.example' THEN 'a' ELSE 'i' END
     WHERE role_id = 1`,
  )
  const { rows } = await owner.query(`SELECT id FROM person WHERE email = 'resident@maplegrove.example'`)
  residentId = rows[0].id
})

const said = (headline: string) => ({ headline, description: 'It came up at the river.', instruction: 'Stay away.' })
const nothing = { headline: '', description: '', instruction: '' }
const form = {
  ...{ event: 'Flood', category: 'Met', severity: 'Severe', urgency: 'Immediate', certainty: 'Observed' },
  ...{ en: said('The river is over its banks'), es: said('El río se desborda') },
  ...{ byEmail: true, byText: true, byCall: true, onPages: true, sendAt: '', expiresAt: '2026-11-21T12:00' },
  area: { kind: 'everyone', zoneIds: [], polygons: [], routes: [], formTypeId: '' },
}
const draft = async (more: object = {}): Promise<number> =>
  (await given(as('admin', 'muni/write/alert', { form: { ...form, serviceId: String(serviceId), ...more } }))).alertId
/** Sends it, lets phones ring, and notes what became of it. */
const send = async (alertId: number) => {
  await given(as('admin', 'muni/submit/alert', { alertId, people: 100_000 }))
  await go()
}
const go = async () => {
  await portal.runJobs()
  await context.jobs.runNow('voice.look')
  await portal.runJobs()
  await context.jobs.runNow('alerts.look')
}
const heard = async (phone: string): Promise<string[]> =>
  (await owner.query('SELECT heard FROM sandbox_call WHERE to_number = $1 ORDER BY id', [phone])).rows.map(
    ({ heard: words }) => words,
  )
const deliveries = async (alertId: number) =>
  (await given(as('admin', 'muni/return/alert/deliveries', { filters: { alertId } }))).rows.filter(
    ({ channel }: { channel: string }) => channel === 'call',
  )
/** A number for calls, by its code. */
const confirm = async (phone: string) => {
  await given(as('resident', 'begin/alert/calls', { phone, agree: true }))
  await portal.runJobs()
  const [words = ''] = (await heard(`+1${phone}`)).slice(-1)
  const code = (words.match(/\d/g) ?? []).slice(-6).join('')
  return given(as('resident', 'confirm/alert/calls', { code }))
}

describe('a phone for calls', () => {
  test('counts once the code that it said comes back, with what its owner agreed to', async () => {
    expect(await given(as('resident', 'return/alert/calls'))).toMatchObject({ offered: true, state: 'off' })
    expect((await given(as('resident', 'return/alert/choices'))).callOff).toBe('none')
    const begun = await given(as('resident', 'begin/alert/calls', { phone: '(717) 555-0160', agree: true }))
    expect(begun.message).toBe('We are calling (717) 555-0160. The call says a code of six digits.')
    expect(await given(as('resident', 'return/alert/calls'))).toMatchObject({ state: 'unconfirmed' })
    await portal.runJobs()
    const [words = ''] = await heard('+17175550160')
    expect(words).toMatch(/^This is Maple Grove\. Your code is (\d, ){5}\d\.$/)
    const code = (words.match(/\d/g) ?? []).join('')
    const wrong = await as('resident', 'confirm/alert/calls', { code: code === '000000' ? '111111' : '000000' })
    expect(wrong.body.details.fields.code).toMatch(/not the code of our last call/)
    await given(as('resident', 'confirm/alert/calls', { code }))
    expect(await given(as('resident', 'return/alert/choices'))).toMatchObject({
      callOff: '',
      callPhone: '+17175550160',
    })
    const { rows } = await owner.query('SELECT agreed_to, agreed_at FROM voice_number WHERE person_id = $1', [
      residentId,
    ])
    expect(rows[0]).toMatchObject({
      agreed_at: clock.now(),
      agreed_to: expect.stringMatching(/^I agree that Maple Grove calls/),
    })
  })

  test('is not confirmed by a code that is too old, nor without agreeing', async () => {
    expect((await as('resident', 'begin/alert/calls', { phone: '717-555-0161', agree: false })).status).toBe(400)
    await given(as('resident', 'begin/alert/calls', { phone: '717-555-0161', agree: true }))
    await portal.runJobs()
    const code = ((await heard('+17175550161'))[0]?.match(/\d/g) ?? []).join('')
    clock.advance(11 * 60_000)
    expect((await as('resident', 'confirm/alert/calls', { code })).body.message).toMatch(/good for 10 minutes/)
  })

  test('is forgotten when its owner says so', async () => {
    await confirm('7175550162')
    await given(as('resident', 'stop/alert/calls'))
    expect(await given(as('resident', 'return/alert/calls'))).toMatchObject({ state: 'off', phone: '' })
  })

  test('on which somebody pressed 9 is not taken again', async () => {
    await owner.query('INSERT INTO voice_stop (company_id, phone, at) VALUES ($1, $2, now())', [
      company,
      '+17175550163',
    ])
    const { status, body } = await as('resident', 'begin/alert/calls', { phone: '717-555-0163', agree: true })
    expect([status, body.message]).toEqual([409, expect.stringMatching(/pressed 9 on this phone/)])
  })
})

describe('an alert by telephone', () => {
  test('is previewed as it is said, counted, told its cost, heard in the language of who is called, and in the report', async () => {
    await confirm('7175550164')
    const choices = [{ serviceId, email: true, text: true, call: true }]
    await given(as('resident', 'save/alert/choices', { language: 'es', choices }))
    const id = await draft()
    const { calls } = await given(as('admin', 'muni/return/alert', { alertId: id }))
    expect(calls.map(({ language, said: words }: { language: string; said: string }) => [language, words])).toEqual([
      ['en', 'This is an alert from Maple Grove. The river is over its banks. Stay away. It came up at the river.'],
      ['es', 'Esta es una alerta de Maple Grove. El río se desborda. Stay away. It came up at the river.'],
    ])
    const [{ seconds, minutes }] = calls
    expect([seconds > 15 && seconds < 40, minutes]).toEqual([true, 1])
    const { counted, sample, cost } = await given(as('admin', 'muni/return/alert/audience', { alertId: id }))
    expect(counted).toMatchObject({ people: 1, email: 0, text: 0, call: 1 })
    expect([sample[0].call, cost]).toEqual([true, { segments: 0, minutes: 1 }])
    await send(id)
    expect((await heard('+17175550164')).at(-1)).toMatch(/^Esta es una alerta de Maple Grove\. El río se desborda\./)
    expect(await deliveries(id)).toMatchObject([{ channel: 'call', state: 'delivered', to: '(***) ***-0164' }])
    const { tallies } = await given(as('admin', 'muni/return/alert', { alertId: id }))
    expect(tallies).toEqual([{ channel: 'call', state: 'delivered', count: 1 }])
    const { rows } = await given(
      as('admin', 'muni/return/notices', { filters: { channel: 'call', about: 'alert.sent' } }),
    )
    expect(rows[0]).toMatchObject({ to: '(***) ***-0164', state: 'delivered', minutes: 1 })
  })

  test('does not ring for who chose otherwise, nor where the alert is not told by call', async () => {
    const before = (await heard('+17175550164')).length
    await send(await draft({ byCall: false }))
    const choices = [{ serviceId, email: true, text: true, call: false }]
    await given(as('resident', 'save/alert/choices', { language: 'en', choices }))
    await send(await draft())
    expect(await heard('+17175550164')).toHaveLength(before)
    const back = [{ serviceId, email: true, text: true, call: true }]
    await given(as('resident', 'save/alert/choices', { language: 'en', choices: back }))
  })

  test('is followed by news to whom it rang, after which the older one rings no more', async () => {
    const id = await draft()
    await owner.query(`UPDATE voice_number SET phone = '+17175550181'`)
    await send(id)
    // Busy: it would ring again.
    expect(await deliveries(id)).toMatchObject([{ state: 'waiting' }])
    const news = { kind: 'all_clear', en: said('The river falls'), es: nothing, expiresAt: '' }
    const { alertId } = await given(as('admin', 'muni/follow/alert', { alertId: id, form: news }))
    await go()
    clock.advance(20 * 60_000)
    await go()
    await go()
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', reason: 'over' }])
    const [told] = (await heard('+17175550181')).filter(Boolean)
    expect(told).toMatch(/^This is the all-clear for an alert from Maple Grove\. The river falls\./)
    expect(await deliveries(alertId)).toMatchObject([{ state: 'delivered' }])
  })

  test('of unclear fate is listed, and called again only by staff, which is audited', async () => {
    await owner.query(`UPDATE voice_number SET phone = '+17175550165'`)
    const id = await draft()
    await given(as('admin', 'muni/submit/alert', { alertId: id, people: 100_000 }))
    await context.jobs.runNow('alerts.send')
    await owner.query(
      `UPDATE voice_call SET state = 'unclear', reason = 'no answer', tries = 1 WHERE phone = '+17175550165'`,
    )
    await go()
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: 'unclear', reason: 'unclear', can: { repeat: true } })
    expect(await heard('+17175550165')).toEqual([])
    const repeat = () => as('admin', 'muni/repeat/alert/delivery', { deliveryId: delivery.id })
    expect((await given(repeat())).message).toMatch(/is called again\.$/)
    expect((await repeat()).status).toBe(409)
    await go()
    expect(await heard('+17175550165')).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', can: { repeat: false } }])
    const { rows } = await owner.query(`SELECT detail FROM audit_event WHERE action = 'alert.repeated'`)
    expect(rows).toMatchObject([{ detail: { channel: 'call' } }])
  })
})
