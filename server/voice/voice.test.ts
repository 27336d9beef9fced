import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import type { SpokenText } from '../db/column-types.ts'
import type { Company } from '../hosts.ts'
import { freePort } from '../ports.ts'
import { signatureOf } from '../sms/signature.ts'
import { usualSmsSettings } from '../sms/settings.ts'
import { type CallKind, endCalls, queueCalls } from './queue.ts'
import { AGAIN_AFTER_MINUTES } from './status.ts'
import { minutesOf, readyToSay, secondsOf } from './texts.ts'

const portal = await testPortal({ env: { PORT: String(await freePort()) } })
const { context, clock, owner } = portal
const NOW = '2026-11-20T15:00:00.000Z'
const NIGHT = '2026-11-21T03:00:00.000Z'
let company: Company

beforeAll(async () => {
  const id = await openTestCompany(portal, mapleGrove)
  company = (await context.hosts.byId(id)) as Company
  await portal.app.listen({ port: portal.config.port, host: portal.config.host })
})

beforeEach(async () => {
  clock.set(NOW)
  // Shifts the due times of jobs in the database to match the test's clock, even if the clock moved backward.
  await portal.runJobs()
})

let people = 0
/** Creates a resident who agreed to calls. */
async function person(phone: string): Promise<number> {
  const { rows } = await owner.query(
    `INSERT INTO person (company_id, email, role_id, first_name, last_name) VALUES ($1, $2, 1, 'Ida', 'Moss') RETURNING id`,
    [company.id, `p${(people += 1)}@example.org`],
  )
  await owner.query(
    `INSERT INTO voice_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at) VALUES ($1, $2, $3, now(), '', now())`,
    [company.id, rows[0].id, phone],
  )
  return rows[0].id
}
const messages: SpokenText[] = [{ language: 'en', text: 'The river is over its banks.' }]
const queue = async (phone: string, kind: CallKind = 'alerts', until?: Date) => {
  const called = { person: await person(phone), phone, content: messages }
  const about = { company, event: 'alert.sent' as const, kind, ...(until && { until }) }
  const [id = 0] = await context.inCompany(company.id, (tx) =>
    queueCalls(tx, context, about, [called], usualSmsSettings),
  )
  return id
}
const row = async (id: number) => (await owner.query('SELECT * FROM voice_call WHERE id = $1', [id])).rows[0]
const calls = async (phone: string) =>
  (await owner.query('SELECT * FROM sandbox_call WHERE to_number = $1 ORDER BY id', [phone])).rows
/** Places due calls and lets the sandbox phones answer. */
const go = async () => {
  await context.jobs.runNow('voice.refresh')
  await portal.runJobs()
}
const later = async (minutes: number) => {
  clock.advance(minutes * 60_000)
  await go()
}

test.each([
  ['Stay  inside.\n Now.', 'Stay inside. Now.'],
  [`${'word '.repeat(299)}last word`, `${'word '.repeat(299)}last`],
])('cuts words after a whole word', (text, spoken) => expect(readyToSay(text)).toBe(spoken))

test('estimates the length of a call and counts each started minute', () => {
  expect(secondsOf('The river is over its banks. Stay away.')).toBe(3)
  expect(secondsOf('1, 2, 3, 4, 5, 6')).toBeGreaterThan(secondsOf('a, b, c, d, e, f'))
  expect([0, 1, 60, 61].map(minutesOf)).toEqual([0, 1, 1, 2])
})

describe('a call', () => {
  test('plays its words to the person who answers', async () => {
    const id = await queue('+17175550150')
    await go()
    expect(await calls('+17175550150')).toMatchObject([
      { status: 'completed', heard: messages[0]?.text, to_number: '+17175550150' },
    ])
    expect(await row(id)).toMatchObject({ state: 'delivered', reason: '', tries: 1, minutes: 1 })
  })

  test('is retried after growing waits if the phone is busy', async () => {
    const id = await queue('+17175550181')
    await go()
    expect(await row(id)).toMatchObject({ state: 'waiting', reason: 'busy', tries: 1 })
    await later(9)
    expect((await calls('+17175550181')).length).toBe(1)
    await later(1)
    expect(await row(id)).toMatchObject({ state: 'waiting', tries: 2 })
    await later(30)
    expect(await row(id)).toMatchObject({ state: 'delivered', tries: 3 })
  })

  test('stops after three retries, with shorter waits in an emergency', async () => {
    const id = await queue('+17175550182', 'emergencies')
    await go()
    for (const minutes of AGAIN_AFTER_MINUTES.emergencies) {
      expect(await row(id)).toMatchObject({ state: 'waiting', reason: 'no-answer' })
      await later(minutes)
    }
    expect(await row(id)).toMatchObject({ state: 'failed', reason: 'no-answer', tries: 4 })
    await later(1000)
    expect((await calls('+17175550182')).length).toBe(4)
    expect(
      AGAIN_AFTER_MINUTES.emergencies.every((minutes, at) => minutes < (AGAIN_AFTER_MINUTES.alerts[at] ?? 0)),
    ).toBe(true)
  })

  test('leaves a message on a machine, and rests an unknown number', async () => {
    const [machine, nobody] = [await queue('+17175550183'), await queue('+17175550184')]
    await go()
    expect(await row(machine)).toMatchObject({ state: 'delivered', reason: 'machine' })
    expect(await row(nobody)).toMatchObject({ state: 'failed', reason: '404', tries: 1 })
    const again = await queue('+17175550184')
    await go()
    expect(await row(again)).toMatchObject({ state: 'resting' })
  })

  test('is the last to a number after its listener pressed 9', async () => {
    const phone = '+17175550185'
    const id = await queue(phone, 'emergencies')
    await go()
    expect(await row(id)).toMatchObject({ state: 'delivered', reason: 'pressed 9' })
    expect((await calls(phone))[0].heard).toContain('You will no longer get these calls from Maple Grove.')
    await owner.query('DELETE FROM voice_number WHERE phone = $1', [phone])
    const next = await queue(phone, 'emergencies')
    await go()
    expect(await row(next)).toMatchObject({ state: 'stopped', reason: 'pressed 9', tries: 0 })
    expect(await calls(phone)).toHaveLength(1)
    const { rows } = await owner.query(`SELECT action FROM audit_event WHERE action = 'calls.opted_out'`)
    expect(rows).toHaveLength(1)
  })

  test('waits for the end of the quiet hours, except in an emergency', async () => {
    clock.set(NIGHT)
    const [quiet, loud] = [await queue('+17175550151'), await queue('+17175550152', 'emergencies')]
    await go()
    expect([await row(quiet), await row(loud)]).toMatchObject([{ state: 'waiting', tries: 0 }, { state: 'delivered' }])
    clock.set('2026-11-21T13:00:01.000Z')
    await go()
    expect(await row(quiet)).toMatchObject({ state: 'delivered' })
  })

  test('waits for the morning if its retry falls into the night', async () => {
    clock.set('2026-11-21T01:55:00.000Z')
    const id = await queue('+17175550182', 'alerts')
    await go()
    await later(10)
    expect(await row(id)).toMatchObject({ state: 'waiting', tries: 1 })
    expect((await row(id)).call_after.toISOString()).toBe('2026-11-21T13:00:00.000Z')
    await owner.query(`UPDATE voice_call SET state = 'failed' WHERE id = $1`, [id])
  })

  test('is not placed if its number was removed or its message expired', async () => {
    const id = await queue('+17175550153')
    await owner.query('DELETE FROM voice_number WHERE phone = $1', ['+17175550153'])
    const expired = await queue('+17175550154', 'alerts', new Date(NOW))
    const ended = await queue('+17175550155')
    await context.inCompany(company.id, (tx) => endCalls(tx, company.id, [ended], clock.now()))
    await go()
    expect([await row(id), await row(expired), await row(ended)]).toMatchObject([
      { state: 'stopped', reason: 'off' },
      { state: 'failed', reason: 'expired' },
      { state: 'failed', reason: 'expired' },
    ])
    expect(await calls('+17175550154')).toEqual([])
  })

  test('is not placed twice if the portal stopped before recording it', async () => {
    const id = await queue('+17175550156')
    await go()
    // Simulates a portal that stopped after it sent the request, before it recorded the response.
    await owner.query(
      `UPDATE voice_call SET state = 'waiting', provider_id = NULL, minutes = 0, requested_at = $2, held_until = $2 WHERE id = $1`,
      [id, clock.now()],
    )
    clock.advance(1000)
    await go()
    const [call, ...more] = await calls('+17175550156')
    expect(more).toEqual([])
    expect(await row(id)).toMatchObject({ state: 'sent', provider_id: call.sid, tries: 1 })
  })

  test('repeats its words for key 1 and ignores unsigned callbacks', async () => {
    const id = await queue('+17175550157')
    const url = `/webhooks/calls/keys?company=${company.id}&call=${id}`
    const pressKey = (Digits: string, token = portal.config.sms.authToken) => {
      const params = new URLSearchParams({ CallSid: 'CA1', Digits })
      const origin = `http://localhost:${portal.config.port}`
      return portal.app.inject({
        ...{ method: 'POST', url, payload: params.toString() },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': signatureOf(token, origin + url, params),
        },
      })
    }
    expect((await pressKey('1')).body).toContain('The river is over its banks.')
    expect((await pressKey('5')).body).toContain('<Hangup/>')
    expect((await pressKey('9', 'x'.repeat(32))).statusCode).toBe(403)
    const { rowCount } = await owner.query('SELECT FROM voice_opt_out WHERE phone = $1', ['+17175550157'])
    expect(rowCount).toBe(0)
  })
})
