import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { agreement, byPhone, expectOk, openRentals } from '../../test/rentals.ts'
import { openTestCompany } from '../../test/company.ts'

/** Tests series of dates that residents request. */

const { portal, owner, as, signInAt, addHall, addHallWithQuestions } = await openRentals({
  ...{ capacity: 50, noticeHours: 24, aheadDays: 120 },
})

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
})
beforeEach(() => signInAt())

const emails = async () =>
  (await owner.query(`SELECT to_address AS to, subject, text_body AS text FROM email_outbox ORDER BY id`)).rows

describe('series of dates by a resident', () => {
  const WEEKLY = { unit: 'week', every: 1, weekdays: [], by: 'day', until: '2027-04-09' }
  const series = (hall: object, more: object = {}) => ({
    ...{ ...hall, from: '18:00', until: '20:00', guests: 10, repeats: WEEKLY, startsOn: '2027-03-12', addons: [] },
    ...{ choices: [], purpose: 'Choir', phone: '', agrees: true, quotedCents: 0 },
    ...more,
  })
  const dates = async (id: number) =>
    (await expectOk(as('resident', 'return/my/rental/series', { reservationId: id }))).series.dates
  const OPEN = { seriesDates: 8, seriesApproval: false }

  test('shows conflicts of each date and books all dates or none', async () => {
    const hall = await addHall({ ...OPEN, residentCents: 1000, otherCents: 1000, depositCents: 5000 })
    await expectOk(as('admin', 'muni/book/rental', byPhone(hall, { day: '2027-03-19', from: '19:00', until: '21:00' })))
    const seen = await expectOk(as('resident', 'preview/my/rental/series', series(hall)))
    expect(
      seen.dates.map((one: { mistake: string; totalCents: number }) => [one.mistake !== '', one.totalCents]),
    ).toEqual([
      ...[
        [false, 7000],
        [true, 2000],
        [false, 2000],
        [false, 2000],
        [false, 2000],
      ],
    ])
    const conflicted = await as('resident', 'book/rental/series', series(hall, { quotedCents: seen.totalCents }))
    expect(conflicted).toMatchObject({ status: 409 })
    const { rows: none } = await owner.query(`SELECT 1 FROM rental_series WHERE resource_id = $1`, [hall.resourceId])
    expect(none).toEqual([])
    const choices = [
      { of: '2027-03-19', instead: { day: '2027-03-20', from: '18:00', until: '20:00' } },
      { of: '2027-04-09', instead: null },
    ]
    const { totalCents } = await expectOk(as('resident', 'preview/my/rental/series', series(hall, { choices })))
    expect(totalCents).toBe(13_000)
    const { reservationId, next } = await expectOk(
      as('resident', 'book/rental/series', series(hall, { choices, quotedCents: totalCents })),
    )
    expect(next).toBe('pay')
    expect((await dates(reservationId)).map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 10))).toEqual([
      ...['2027-03-12', '2027-03-20', '2027-03-26', '2027-04-02'],
    ])
    // One cart pays for all dates.
    const { token } = await expectOk(as('resident', 'pay/my/rental', { reservationId, together: true }))
    const cart = await owner.query(`SELECT payables FROM guest_checkout ORDER BY id DESC LIMIT 1`)
    expect([token.length > 0, cart.rows[0].payables.length]).toEqual([true, 4])
    expect((await as('newcomer', 'return/my/rental/series', { reservationId })).status).toBe(404)
    expect((await as('newcomer', 'cancel/my/rental/series', { reservationId })).status).toBe(404)
    await expectOk(as('resident', 'cancel/my/rental/series', { reservationId }))
    expect((await dates(reservationId)).every(({ status }: { status: string }) => status === 'cancelled')).toBe(true)
  })

  test('stays within the limits of the resource', async () => {
    const none = await addHall()
    expect((await as('resident', 'preview/my/rental/series', series(none))).body.code).toBe('no_series')
    expect((await as('resident', 'book/rental/series', series(none))).body.code).toBe('no_series')
    const hall = await addHall({ seriesDates: 3, seriesApproval: false })
    const { dates: previewDates, hasMore } = await expectOk(as('resident', 'preview/my/rental/series', series(hall)))
    expect([previewDates.length, hasMore]).toEqual([3, true])
    const ahead = series(hall, { repeats: { ...WEEKLY, every: 10, until: '' } })
    const late = await expectOk(as('resident', 'preview/my/rental/series', ahead))
    expect(late.dates.at(-1).mistake).toMatch(/up to \d+ days in advance/)
    // The series is refused if a date is too far in advance. The message names the date.
    expect((await as('resident', 'book/rental/series', ahead)).body.message).toMatch(/2027.*up to \d+ days in advance/)
    for (const invalid of [
      { guests: 51 },
      { pieces: 2 },
      { spaceId: 999_999 },
      { quotedCents: 5 },
      { choices: previewDates.map(({ of }: { of: string }) => ({ of, instead: null })) },
      { agrees: false },
    ])
      expect((await as('resident', 'book/rental/series', series(hall, invalid))).status).toBeGreaterThanOrEqual(400)
    const elsewhere = await portal.signIn('harborcity.localhost', 'resident@harborcity.example')
    expect(
      (await portal.post('harborcity.localhost', 'book/rental/series', series(hall), { token: elsewhere })).status,
    ).toBe(404)
  })

  test('is decided together with one set of answers and one email', async () => {
    const hall = await addHallWithQuestions({
      seriesDates: 8,
      seriesApproval: true,
      residentCents: 1000,
      otherCents: 1000,
      depositCents: 5000,
    })
    await owner.query('DELETE FROM email_outbox')
    const sent = series(hall, { ...agreement(), quotedCents: 15_000 })
    expect((await as('resident', 'book/rental/series', { ...sent, agreement: null })).body.code).toBe('questions')
    const { reservationId, next } = await expectOk(as('resident', 'book/rental/series', sent))
    expect(next).toBe('wait')
    await portal.runJobs('rentals.notify')
    const all = await dates(reservationId)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('requested'))
    // Staff decide the series as one request.
    const filters = { approve: true, resource: hall.resourceId }
    const { rows: toApprove } = await expectOk(as('admin', 'muni/return/rentals', { filters }))
    expect(toApprove.map(({ id }: { id: number }) => id)).toEqual([all[0].id])
    const { rows } = await owner.query(
      `SELECT count(DISTINCT agreement_id)::int AS sets, count(agreement_id)::int AS signed FROM rental_reservation WHERE resource_id = $1`,
      [hall.resourceId],
    )
    expect(rows[0]).toEqual({ sets: 1, signed: 5 })
    // The date with the deposit is cancelled. The approval of any other date approves all remaining dates.
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: all[0].id }))
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: all[3].id, event: 'approve' }))
    await portal.runJobs('rentals.notify')
    const approved = await dates(reservationId)
    expect(approved.map((one: { status: string; totalCents: number }) => [one.status, one.totalCents])).toEqual([
      ...[
        ['cancelled', 7000],
        ['held', 7000],
        ['held', 2000],
        ['held', 2000],
        ['held', 2000],
      ],
    ])
    const subjects = (await emails()).map(({ subject }) => subject)
    expect(subjects.filter((one) => /5 dates requested/.test(one))).toHaveLength(1)
    expect(subjects.filter((one) => /4 dates awaiting payment/.test(one))).toHaveLength(1)

    const again = series(hall, { ...agreement(), quotedCents: 15_000, from: '08:00', until: '10:00' })
    const { reservationId: second } = await expectOk(as('resident', 'book/rental/series', again))
    const reason = 'The floor is mended in March.'
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: second, event: 'decline', reason }))
    await portal.runJobs('rentals.notify')
    const declined = (await emails()).filter(({ subject }) => /5 dates declined/.test(subject))
    expect(declined.map(({ text }) => text.includes(reason))).toEqual([true])
  })

  test('goes in full to only one of two parallel requests', async () => {
    const hall = await addHall(OPEN)
    const both = await Promise.all(['resident', 'newcomer'].map((role) => as(role, 'book/rental/series', series(hall))))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { rows } = await owner.query(
      `SELECT count(*)::int AS dates, count(DISTINCT person_id)::int AS people FROM rental_reservation WHERE resource_id = $1`,
      [hall.resourceId],
    )
    expect(rows[0]).toEqual({ dates: 5, people: 1 })
  })

  test('waits for the office if only its deposit costs money', async () => {
    const hall = await addHall({ ...OPEN, depositCents: 5000 })
    const { reservationId, next } = await expectOk(
      as('resident', 'book/rental/series', series(hall, { quotedCents: 5000 })),
    )
    expect(next).toBe('wait')
    expect((await dates(reservationId)).map(({ status }: { status: string }) => status)).toEqual(
      Array(5).fill('requested'),
    )
  })
})
