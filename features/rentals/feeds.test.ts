import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { reservationBody, expectOk, HOST, NOW, openRentals, type TestResource } from '../../test/rentals.ts'

/** Tests the calendar feeds of reservations for other calendar programs. */

const { portal, owner, company, as, signInAt, addResource } = await openRentals({ kind: 'pavilion' })
let resource: TestResource

const feed = (url: string) => portal.app.inject({ url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { host: HOST } })

/** Unfolds the lines of a calendar file and parses the properties of each event. */
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
  await signInAt()
  resource = await addResource({ name: 'Grove; Pavilion, größer' })
})

async function book(day: string, role = 'resident'): Promise<number> {
  const input = reservationBody(resource, { purpose: 'Secret surprise', day, from: '10:00', until: '12:00' })
  return (await expectOk(as(role, 'book/rental', input))).reservationId
}

describe('calendar of reservations', () => {
  test('shows residents their own reservations, including cancelled ones', async () => {
    const activeId = await book('2027-06-01')
    const gone = await book('2027-06-02')
    await book('2027-06-03', 'newcomer')
    const { url } = await expectOk(as('resident', 'make/my/rental/feed'))
    const before = eventsIn((await feed(url)).body)
    expect(before).toHaveLength(2)
    expect(before[0]).toMatchObject({
      ...{ UID: `rental-${company}-${activeId}@maplegrove`, DTSTART: '20270601T140000Z', DTEND: '20270601T160000Z' },
      ...{ SUMMARY: 'Grove\\; Pavilion\\, größer', SEQUENCE: '0' },
    })
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: gone }))
    const after = eventsIn((await feed(url)).body)
    expect(after.map(({ UID }) => UID)).toEqual(before.map(({ UID }) => UID))
    expect(after[1]).toMatchObject({ STATUS: 'CANCELLED', SEQUENCE: '1' })
    expect(after[0]).not.toHaveProperty('STATUS')
  })

  test('shows staff all reservations with renters while they have the privilege', async () => {
    const { url } = await expectOk(as('admin', 'muni/make/rental/feed'))
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
    expect(await expectOk(as('admin', 'muni/return/rental/feed'))).toEqual({ since: NOW })
    await expectOk(as('admin', 'muni/end/rental/feed'))
    expect((await feed(url)).statusCode).toBe(404)
    expect(await expectOk(as('admin', 'muni/return/rental/feed'))).toEqual({ since: null })
  })

  test('shows everyone the taken times without renter or purpose', async () => {
    const { occupancyFeedPath } = await expectOk(as('resident', 'return/rental', { resourceId: resource.id }))
    const { body, statusCode } = await feed(occupancyFeedPath)
    expect(statusCode).toBe(200)
    expect(eventsIn(body)).toHaveLength(3)
    for (const secret of ['Secret', 'Ann', 'resident', 'R-1', 'newcomer', '/reservation'])
      expect(body).not.toContain(secret)
    await owner.query(`UPDATE rental_resource SET status = 'closed' WHERE company_id = $1 AND id = $2`, [
      company,
      resource.id,
    ])
    expect((await feed(occupancyFeedPath)).statusCode).toBe(404)
    await owner.query(`UPDATE rental_resource SET status = 'open' WHERE company_id = $1 AND id = $2`, [
      company,
      resource.id,
    ])
    expect((await feed('/calendar-feed/taken-999999.ics')).statusCode).toBe(404)
    expect((await feed('/calendar-feed/rentals-1.ics')).statusCode).toBe(404)
  })

  test('separates the feeds of residents and staff', async () => {
    expect((await as('resident', 'muni/make/rental/feed')).status).toBe(403)
    const one = (await expectOk(as('resident', 'make/my/rental/feed'))).url
    const { url } = await expectOk(as('resident', 'make/my/rental/feed'))
    expect([(await feed(one)).statusCode, (await feed(url)).statusCode]).toEqual([404, 200])
  })
})

const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

test.runIf(process.env['NIGHTLY'])('is fully readable by other programs with 5,000 reservations', async () => {
  await owner.query(
    `INSERT INTO rental_reservation (company_id, resource_id, space_id, title, starts_at, ends_at, status, name, purpose, price_cents, changes, created_at, updated_at)
     SELECT $1, $2, s.id, repeat('Größer als üblich; ', 1 + n % 9), at, at + interval '1 hour', CASE WHEN n % 9 = 0 THEN 'cancelled' ELSE 'confirmed' END,
       'Ann ' || n, E'Line one\nand, two', 0, n % 4, $3, $3
     FROM rental_space s, generate_series(1, 5100) n, LATERAL (SELECT $3::timestamptz + n * interval '2 hours' AS at) t
     WHERE s.company_id = $1 AND s.resource_id = $2`,
    [company, resource.id, NOW],
  )
  await owner.query('ANALYZE rental_reservation')
  const { url } = await expectOk(as('admin', 'muni/make/rental/feed'))
  const { body } = await feed(url)
  expect(eventsIn(body)).toHaveLength(5000)
  for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  // Each line ends with CRLF.
  expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  if (isThere('python3', '-c', 'import icalendar')) {
    const read = `
import sys, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
events = calendar.walk('VEVENT')
print(len(events), sum(len(event.errors) for event in events), len({str(event['UID']) for event in events}),
  sum(event.get('STATUS') == 'CANCELLED' for event in events), sum('SEQUENCE' in event for event in events))`
    const output = execFileSync('python3', ['-c', read], { input: body, encoding: 'utf8' })
    const cancelled = body.split('STATUS:CANCELLED').length - 1
    expect(output.trim()).toBe(`5000 0 5000 ${cancelled} 5000`)
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
