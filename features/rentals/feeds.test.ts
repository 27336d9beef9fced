import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { type Answer, testClock, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'

/** Reservations as other programs read them. */

const TOWN = 'maplegrove.localhost'
const NOW = '2027-03-01T15:00:00.000Z'
const portal = await testPortal({ clock: testClock(NOW) })
const { owner } = portal
const tokens: Record<string, string> = {}
let company: CompanyId
let resource = 0

const as = (who: string, path: string, body: object = {}): Promise<Answer> =>
  portal.post(TOWN, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function given(answer: Promise<Answer>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
const feed = (url: string) => portal.app.inject({ url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { host: TOWN } })

/** Each event's properties, with what was folded in one piece again. */
function eventsIn(ics: string): Record<string, string>[] {
  const lines = ics.replaceAll(/\r\n /g, '').split('\r\n')
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const [name = '', ...rest] = line.split(':')
    if (line === 'BEGIN:VEVENT') events.push({})
    else Object.assign(events.at(-1) ?? {}, { [name]: rest.join(':') })
  }
  return events
}

beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await liftLimits(owner)
  for (const who of ['admin', 'resident', 'newcomer'])
    tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
  const season = {
    from: '01-01',
    until: '12-31',
    days: [1, 2, 3, 4, 5, 6, 7],
    opens: '00:00',
    closes: '24:00',
    percent: 100,
  }
  resource = (
    await given(
      as('admin', 'muni/add/rental/resource', {
        ...{
          name: 'Grove; Pavilion, größer',
          kind: 'pavilion',
          status: 'open',
          description: '',
          place: '',
          houseRules: '',
        },
        ...{ amenities: '', accessibility: '', capacity: 0, pieces: 1, needsApproval: false, seasons: [season] },
        ...{
          closedOnHolidays: false,
          stepMinutes: 60,
          leastMinutes: 60,
          mostMinutes: 600,
          noticeHours: 0,
          aheadDays: 400,
        },
        ...{ beforeMinutes: 0, afterMinutes: 0, chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0 },
        ...{ addons: [], refundDays: 7, latePercent: 0, agreement: '', door: '', glAccount: '400' },
      }),
    )
  ).resourceId
})

async function book(day: string, who = 'resident'): Promise<number> {
  const { spaces } = await given(as('admin', 'muni/return/rental/resource', { resourceId: resource }))
  const { reservationId } = await given(
    as(who, 'book/rental', {
      ...{ resourceId: resource, spaceId: spaces[0].id, pieces: 1, addons: [], purpose: 'Secret surprise', guests: 20 },
      ...{ phone: '', agrees: true, quotedCents: 0, day, from: '10:00', until: '12:00' },
    }),
  )
  return reservationId
}

describe('a calendar of reservations', () => {
  test('a resident reads their own, and one that is cancelled stays in it as cancelled', async () => {
    const kept = await book('2027-06-01')
    const gone = await book('2027-06-02')
    await book('2027-06-03', 'newcomer')
    const { url } = await given(as('resident', 'make/my/rental/feed'))
    const before = eventsIn((await feed(url)).body)
    expect(before).toHaveLength(2)
    expect(before[0]).toMatchObject({
      ...{ UID: `rental-${company}-${kept}@maplegrove`, DTSTART: '20270601T140000Z', DTEND: '20270601T160000Z' },
      ...{ SUMMARY: 'Grove\\; Pavilion\\, größer', SEQUENCE: '0' },
    })
    await given(as('resident', 'cancel/my/rental', { reservationId: gone }))
    const after = eventsIn((await feed(url)).body)
    expect(after.map(({ UID }) => UID)).toEqual(before.map(({ UID }) => UID))
    expect(after[1]).toMatchObject({ STATUS: 'CANCELLED', SEQUENCE: '1' })
    expect(after[0]).not.toHaveProperty('STATUS')
  })

  test('staff read all of them with who comes, until they may no more', async () => {
    const { url } = await given(as('admin', 'muni/make/rental/feed'))
    const { body, headers } = await feed(url)
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(eventsIn(body).map(({ DESCRIPTION }) => DESCRIPTION)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/R-\d+.*Secret surprise.*20 people/)),
    )
    await owner.query(
      `UPDATE person SET privileges = jsonb_set(coalesce(privileges, '{}'), '{manage_other_payments}', '0') WHERE company_id = $1 AND email = 'admin@maplegrove.example'`,
      [company],
    )
    expect((await feed(url)).statusCode).toBe(404)
    await owner.query(
      `UPDATE person SET privileges = privileges - 'manage_other_payments' WHERE company_id = $1 AND email = 'admin@maplegrove.example'`,
      [company],
    )
    expect((await feed(url)).statusCode).toBe(200)
    expect(await given(as('admin', 'muni/return/rental/feed'))).toEqual({ since: NOW })
    await given(as('admin', 'muni/end/rental/feed'))
    expect((await feed(url)).statusCode).toBe(404)
    expect(await given(as('admin', 'muni/return/rental/feed'))).toEqual({ since: null })
  })

  test('everybody reads when a resource is taken, and nothing of who has it or why', async () => {
    const { takenPath } = await given(as('resident', 'return/rental', { resourceId: resource }))
    const { body, statusCode } = await feed(takenPath)
    expect(statusCode).toBe(200)
    expect(eventsIn(body)).toHaveLength(3)
    for (const secret of ['Secret', 'Ann', 'resident', 'R-1', 'newcomer', '/reservation'])
      expect(body).not.toContain(secret)
    await owner.query(`UPDATE rental_resource SET status = 'closed' WHERE company_id = $1 AND id = $2`, [
      company,
      resource,
    ])
    expect((await feed(takenPath)).statusCode).toBe(404)
    await owner.query(`UPDATE rental_resource SET status = 'open' WHERE company_id = $1 AND id = $2`, [
      company,
      resource,
    ])
    expect((await feed('/calendar-feed/taken-999999.ics')).statusCode).toBe(404)
    expect((await feed('/calendar-feed/rentals-1.ics')).statusCode).toBe(404)
  })

  test('a resident who makes a calendar of their reservations has not that of staff, nor the other way round', async () => {
    expect((await as('resident', 'muni/make/rental/feed')).status).toBe(403)
    const one = (await given(as('resident', 'make/my/rental/feed'))).url
    const { url } = await given(as('resident', 'make/my/rental/feed'))
    expect([(await feed(one)).statusCode, (await feed(url)).statusCode]).toEqual([404, 200])
  })
})

const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0

test.runIf(process.env['NIGHTLY'])('other programs read all of a calendar with 5,000 reservations', async () => {
  await owner.query(
    `INSERT INTO rental_reservation (company_id, resource_id, space_id, title, starts_at, ends_at, status, name, purpose, price_cents, changes, created_at, updated_at)
     SELECT $1, $2, s.id, repeat('Größer als üblich; ', 1 + n % 9), at, at + interval '1 hour', CASE WHEN n % 9 = 0 THEN 'cancelled' ELSE 'confirmed' END,
       'Ann ' || n, E'Line one\nand, two', 0, n % 4, $3, $3
     FROM rental_space s, generate_series(1, 5100) n, LATERAL (SELECT $3::timestamptz + n * interval '2 hours' AS at) t
     WHERE s.company_id = $1 AND s.resource_id = $2`,
    [company, resource, NOW],
  )
  await owner.query('ANALYZE rental_reservation')
  const { url } = await given(as('admin', 'muni/make/rental/feed'))
  const { body } = await feed(url)
  expect(eventsIn(body)).toHaveLength(5000)
  for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  // No line ends otherwise.
  expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  if (isThere('python3', '-c', 'import icalendar')) {
    const read = `
import sys, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
events = calendar.walk('VEVENT')
print(len(events), sum(len(event.errors) for event in events), len({str(event['UID']) for event in events}),
  sum(event.get('STATUS') == 'CANCELLED' for event in events), sum('SEQUENCE' in event for event in events))`
    const told = execFileSync('python3', ['-c', read], { input: body, encoding: 'utf8' })
    const cancelled = body.split('STATUS:CANCELLED').length - 1
    expect(told.trim()).toBe(`5000 0 5000 ${cancelled} 5000`)
    expect(cancelled).toBeGreaterThan(500)
  }
  if (isThere('khal', '--version')) {
    const folder = mkdtempSync(join(tmpdir(), 'khal-'))
    writeFileSync(join(folder, 'all.ics'), body)
    const config = join(folder, 'config')
    writeFileSync(
      config,
      `[calendars]\n[[one]]\npath = ${folder}/one\n[locale]\nlocal_timezone = America/New_York\ndefault_timezone = America/New_York\n[sqlite]\npath = ${folder}/khal.db\n`,
    )
    const env = { ...process.env, LC_ALL: 'C.UTF-8', XDG_CACHE_HOME: folder }
    const printed = execFileSync(
      'khal',
      ['-c', config, 'printics', '--format', 'EVENT {uid}', join(folder, 'all.ics')],
      { encoding: 'utf8', env, maxBuffer: 1 << 26 },
    )
    expect(printed.split('\n').filter((line) => line.startsWith('EVENT'))).toHaveLength(5000)
    rmSync(folder, { recursive: true })
  }
})
