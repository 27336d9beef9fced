import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, blankStep, whenAll } from '../../shared/fields/blank.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/town.ts'
import { lockInstead } from './server/access-codes.ts'
import { bringCodes } from './server/give-codes.ts'

/** Tests questions to renters, and series of dates requested by residents. */

const HOST = 'maplegrove.localhost'
const NOW = '2027-03-01T15:00:00.000Z'
const portal = await testPortal({ clock: testClock(NOW) })
const { owner } = portal
const tokens: Record<string, string> = {}
const PEOPLE = ['admin', 'staff', 'resident', 'newcomer'] as const

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await liftLimits(owner)
})
beforeEach(async () => {
  portal.clock.set(NOW)
  for (const role of PEOPLE) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
})

const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function expectOk(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

const DAYS = [1, 2, 3, 4, 5, 6, 7]
const EVERY_DAY = { from: '01-01', until: '12-31', days: DAYS, opens: '00:00', closes: '24:00', percent: 100 }
const form = {
  ...{ kind: 'hall', status: 'open', description: '', place: '', houseRules: '', amenities: '', accessibility: '' },
  ...{ capacity: 50, pieces: 1, needsApproval: false, seasons: [EVERY_DAY], closedOnHolidays: false, stepMinutes: 60 },
  ...{ leastMinutes: 60, mostMinutes: 600, noticeHours: 24, aheadDays: 120, beforeMinutes: 0, afterMinutes: 0 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '400', certificateFrom: null },
}
let made = 0
async function aHall(more: object = {}) {
  const { resourceId } = await expectOk(
    as('admin', 'muni/add/rental/resource', { ...form, name: `House ${(made += 1)}`, ...more }),
  )
  const { spaces } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
  return { resourceId: resourceId as number, spaceId: spaces[0].id as number, pieces: 1 }
}

const yesNo = {
  ...{ label: 'Will there be alcohol?', required: true },
  options: [
    { value: 'yes', label: 'Yes, some' },
    { value: 'no', label: 'None' },
  ],
}
const questions = {
  steps: [
    {
      ...blankStep('event'),
      title: 'Event',
      fields: [
        { ...blankField('choice', 'alcohol'), ...yesNo },
        {
          ...blankField('text', 'server'),
          ...{ label: 'Who serves it?', required: true, showWhen: whenAll({ '==': [{ var: 'alcohol' }, 'yes'] }) },
        },
        { ...blankField('reading', 'terms'), label: 'Agreement', text: 'I leave it clean.' },
        { ...blankField('signature', 'signature'), label: 'Signature', required: true },
      ],
    },
  ],
}
const SIGNED = { alcohol: 'yes', server: 'Corner Catering', signature: { typed: 'Naomi Whitaker' } }
async function publish(resourceId: number, definition: object = questions) {
  await expectOk(as('admin', 'muni/save/rental/fields', { resourceId, definition }))
  return (await expectOk(as('admin', 'muni/publish/rental/fields', { resourceId, definition }))).version as number
}
async function createHallWithQuestions(more: object = {}) {
  const hall = await aHall(more)
  await publish(hall.resourceId)
  return hall
}

const DETAILS = { addons: [], purpose: 'Reunion', guests: 10, phone: '', agrees: true, quotedCents: 0 }
const booking = (hall: object, more: object = {}) => ({
  ...{ ...hall, ...DETAILS, day: '2027-03-12', from: '10:00', until: '12:00' },
  ...more,
})
const agreement = (answers: object = SIGNED, version = 1) => ({ agreement: { version, answers } })
const PHONE = { name: 'Ann Caller', email: 'ann@example.org', phone: '', purpose: 'Party', guests: 5, isResident: true }
const byPhone = (hall: object, more: object = {}) => ({
  ...{ ...hall, ...PHONE, day: '2027-03-13', from: '10:00', until: '12:00' },
  ...more,
})
const mails = async () =>
  (await owner.query(`SELECT to_address AS to, subject, text_body AS text FROM email_outbox ORDER BY id`)).rows

/** Returns the reason that blocks a check-in days before. The check for an early check-in comes last. */
const hindrance = async (reservationId: number): Promise<string> =>
  (await as('admin', 'muni/transition/rental', { reservationId, event: 'check_in' })).body.code

describe('questions and an agreement', () => {
  test('must be answered before a reservation and stay with their version', async () => {
    const hall = await createHallWithQuestions()
    const { resourceId } = hall
    expect((await expectOk(as('resident', 'return/rental', { resourceId }))).asks).toBe(true)
    expect((await as('resident', 'book/rental', booking(hall))).body.code).toBe('questions')
    const unsigned = await as('resident', 'book/rental', booking(hall, agreement({ alcohol: 'yes' })))
    expect(unsigned.status).toBe(422)
    expect(Object.keys(unsigned.body.details.fields)).toEqual(['server', 'signature'])
    expect((await as('resident', 'book/rental', booking(hall, agreement(SIGNED, 7)))).body.code).toBe(
      'questions_changed',
    )
    const sent = agreement({ ...SIGNED, alcohol: 'no', nonsense: 'x' })
    const { reservationId } = await expectOk(as('resident', 'book/rental', booking(hall, sent)))
    const ownAgreement = () => expectOk(as('resident', 'return/my/rental/agreement', { reservationId }))
    const before = await ownAgreement()
    // Answers hidden by a condition or without a question are not saved.
    expect(before).toMatchObject({ stands: 'signed', canSign: false, signed: { version: 1, byStaff: false } })
    expect(before.signed.answers).toEqual({ alcohol: 'no', signature: { typed: 'Naomi Whitaker' } })

    // A new version does not ask people who already answered, and a move retains their answers.
    const [step] = questions.steps
    const more = { ...blankField('text', 'more'), label: 'Anything else?', required: true }
    expect(await publish(resourceId, { steps: [{ ...step, fields: [...(step?.fields ?? []), more] }] })).toBe(2)
    const other = { reservationId, day: '2027-03-14', from: '10:00', until: '12:00' }
    await expectOk(as('resident', 'change/my/rental', other))
    expect(await ownAgreement()).toEqual(before)
    const staffView = await expectOk(as('admin', 'muni/return/rental/agreement', { reservationId }))
    expect(staffView).toMatchObject({ stands: 'signed', asked: null, signed: before.signed })
    expect(await hindrance(reservationId)).toBe('early')
    expect((await as('resident', 'sign/my/rental', { reservationId, version: 2, answers: SIGNED })).status).toBe(409)
  })

  test('are saved as a draft that survives a new version', async () => {
    const { resourceId, ...hall } = await createHallWithQuestions()
    await expectOk(as('resident', 'save/rental/draft', { resourceId, version: 1, raw: { alcohol: 'no' } }))
    const [step] = questions.steps
    const more = { ...blankField('text', 'more'), label: 'Anything else?' }
    await publish(resourceId, { steps: [{ ...step, fields: [...(step?.fields ?? []), more] }] })
    const { asked } = await expectOk(as('resident', 'return/rental/questions', { resourceId }))
    expect(asked).toMatchObject({ version: 2, isDraft: true, changes: ['“Anything else?” is a new question.'] })
    expect(asked.start.alcohol).toBe('no')
    expect((await expectOk(as('newcomer', 'return/rental/questions', { resourceId }))).asked.isDraft).toBe(false)
    await expectOk(as('resident', 'see/rental/question/changes', { resourceId }))
    await expectOk(as('resident', 'book/rental', booking({ resourceId, ...hall }, agreement(SIGNED, 2))))
    expect((await expectOk(as('resident', 'return/rental/questions', { resourceId }))).asked.isDraft).toBe(false)
  })

  test('are signed by an emailed link before check-in', async () => {
    const hall = await createHallWithQuestions()
    await owner.query('DELETE FROM email_outbox')
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall)))
    const link = async () => {
      const mail = (await mails()).filter(({ subject }) => /answer some questions and sign/.test(subject)).at(-1)
      expect(mail?.to).toBe('ann@example.org')
      return /agreement\/([\w-]{43})/.exec(mail?.text)?.[1] ?? ''
    }
    const first = await link()
    const refused = await as('admin', 'muni/transition/rental', { reservationId, event: 'check_in' })
    expect(refused.body).toMatchObject({ code: 'not_signed', message: expect.stringContaining('is not signed yet') })
    const { rows } = await expectOk(as('admin', 'muni/return/rentals', { filters: { unsigned: true } }))
    expect(rows.map(({ id, agreement: stands }: { id: number; agreement: string }) => [id, stands])).toContainEqual([
      reservationId,
      'unsigned',
    ])
    await expectOk(as('admin', 'muni/send/rental/sign/link', { reservationId }))
    const token = await link()
    expect((await portal.post(HOST, 'return/rental/to/sign', { token: first })).status).toBe(404)
    expect((await portal.post('harborcity.localhost', 'return/rental/to/sign', { token })).status).toBe(404)
    const { body } = await portal.post(HOST, 'return/rental/to/sign', { token })
    expect(body).toMatchObject({ name: 'Ann Caller', dates: 1, signed: null, asked: { version: 1 } })
    const sign = { token, version: 1, answers: { ...SIGNED, signature: { typed: 'ann  CALLER' } } }
    const asAnother = await portal.post(HOST, 'sign/rental/by/link', { ...sign, answers: SIGNED })
    expect(asAnother.body.details.fields).toEqual({ signature: 'Sign with your own name: Ann Caller.' })
    expect((await portal.post(HOST, 'sign/rental/by/link', { ...sign, answers: {} })).status).toBe(422)
    // Two parallel clicks sign once.
    const both = await Promise.all([1, 2].map(() => portal.post(HOST, 'sign/rental/by/link', sign)))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await portal.post(HOST, 'return/rental/to/sign', { token })).body).toMatchObject({
      asked: null,
      signed: { by: 'Ann Caller', byStaff: false },
    })
    expect(await hindrance(reservationId)).toBe('early')
  })

  test('appear to the resident of a phone booking, or staff answer', async () => {
    const hall = await createHallWithQuestions({ door: 'hall-east' })
    const ownEmail = { email: 'Resident@maplegrove.example' }
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall, ownEmail)))
    // An unsigned renter gets no door code.
    lockInstead({ grant: async () => ({ id: 'lock', code: '1000#' }), revoke: async () => {} })
    const code = async () => {
      await bringCodes(portal.context)
      return (await expectOk(as('resident', 'return/my/rental/access', { reservationId }))).is
    }
    expect(await code()).toBe('none')
    expect(await expectOk(as('resident', 'return/my/rental/agreement', { reservationId }))).toMatchObject({
      ...{ stands: 'unsigned', canSign: true },
    })
    const sign = { reservationId, version: 1, answers: SIGNED }
    expect((await as('newcomer', 'sign/my/rental', sign)).status).toBe(404)
    await expectOk(as('resident', 'sign/my/rental', sign))
    expect(await code()).toBe('later')
    lockInstead(null)

    await owner.query('DELETE FROM email_outbox')
    const later = { day: '2027-03-15', sendsAgreement: false }
    const { reservationId: other } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall, later)))
    expect((await mails()).filter(({ subject }) => /sign/.test(subject))).toEqual([])
    expect((await as('staff', 'muni/sign/rental', { ...sign, reservationId: other })).status).toBe(403)
    const response = await expectOk(as('admin', 'muni/sign/rental', { ...sign, reservationId: other }))
    // The staff member who entered the answers gets no thank-you for signing.
    expect(response.message).toMatch(/^The agreement of R-\d+ is kept\.$/)
    const { signed } = await expectOk(as('admin', 'muni/return/rental/agreement', { reservationId: other }))
    expect(signed).toMatchObject({ byStaff: true, answers: SIGNED })
    const sheet = await expectOk(as('admin', 'muni/return/rental/day', { day: '2027-03-15' }))
    expect(sheet.resources[0].reservations[0].agreement).toBe('signed')
    const { url } = await expectOk(as('admin', 'muni/export/rentals', { filters: { resource: hall.resourceId } }))
    const csv = await portal.app.inject({ url, headers: { host: HOST } })
    const rows: Record<string, string>[] = parse(csv.payload, { columns: true, bom: true, relax_column_count: true })
    expect(rows.map((row) => [row['Will there be alcohol?'], row['Who serves it?'], row['Signature']])).toEqual([
      ['Yes, some', 'Corner Catering', 'Naomi Whitaker'],
      ['Yes, some', 'Corner Catering', 'Naomi Whitaker'],
    ])
  })

  test('are not required after they are turned off', async () => {
    const hall = await createHallWithQuestions()
    const { resourceId } = hall
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall)))
    const { form: set } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
    await expectOk(as('admin', 'muni/save/rental/resource', { ...set, asksQuestions: false, resourceId, basis: set }))
    await expectOk(as('resident', 'book/rental', booking(hall)))
    expect(await hindrance(reservationId)).toBe('early')
    for (const field of [
      { ...blankField('file', 'plan'), label: 'Plan' },
      { ...blankField('payment', 'fee'), label: 'Fee', fixed: 500 },
    ]) {
      const definition = { steps: [{ ...blankStep('one'), fields: [field] }] }
      await expectOk(as('admin', 'muni/save/rental/fields', { resourceId, definition }))
      expect((await as('admin', 'muni/publish/rental/fields', { resourceId, definition })).status).toBe(422)
    }
    expect((await as('staff', 'muni/save/rental/fields', { resourceId, definition: questions })).status).toBe(403)
    const elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    for (const path of ['muni/return/rental/fields', 'muni/save/rental/fields', 'muni/publish/rental/fields']) {
      const body = { resourceId, definition: questions }
      expect((await portal.post('harborcity.localhost', path, body, { token: elsewhere })).status).toBe(404)
    }
  })
})

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
    const hall = await aHall({ ...OPEN, residentCents: 1000, otherCents: 1000, depositCents: 5000 })
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
    const none = await aHall()
    expect((await as('resident', 'preview/my/rental/series', series(none))).body.code).toBe('no_series')
    expect((await as('resident', 'book/rental/series', series(none))).body.code).toBe('no_series')
    const hall = await aHall({ seriesDates: 3, seriesApproval: false })
    const { dates: previewDates, hasMore } = await expectOk(as('resident', 'preview/my/rental/series', series(hall)))
    expect([previewDates.length, hasMore]).toEqual([3, true])
    const ahead = series(hall, { repeats: { ...WEEKLY, every: 10, until: '' } })
    const late = await expectOk(as('resident', 'preview/my/rental/series', ahead))
    expect(late.dates.at(-1).mistake).toMatch(/ahead at most/)
    // The message starts with the date.
    expect((await as('resident', 'book/rental/series', ahead)).body.message).toMatch(/2027.*ahead at most/)
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
    const hall = await createHallWithQuestions({
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
    await portal.runJobs('rentals.tell')
    const all = await dates(reservationId)
    expect(all.map(({ status }: { status: string }) => status)).toEqual(Array(5).fill('requested'))
    // The office sees the series as one decision.
    const filters = { approve: true, resource: hall.resourceId }
    const { rows: toApprove } = await expectOk(as('admin', 'muni/return/rentals', { filters }))
    expect(toApprove.map(({ id }: { id: number }) => id)).toEqual([all[0].id])
    const { rows } = await owner.query(
      `SELECT count(DISTINCT agreement_id)::int AS sets, count(agreement_id)::int AS signed FROM rental_reservation WHERE resource_id = $1`,
      [hall.resourceId],
    )
    expect(rows[0]).toEqual({ sets: 1, signed: 5 })
    // The first date, which has the deposit, is cancelled. The button of any other date approves the rest.
    await expectOk(as('resident', 'cancel/my/rental', { reservationId: all[0].id }))
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: all[3].id, event: 'approve' }))
    await portal.runJobs('rentals.tell')
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
    const subjects = (await mails()).map(({ subject }) => subject)
    expect(subjects.filter((one) => /5 dates asked for/.test(one))).toHaveLength(1)
    expect(subjects.filter((one) => /4 dates to be paid/.test(one))).toHaveLength(1)

    const again = series(hall, { ...agreement(), quotedCents: 15_000, from: '08:00', until: '10:00' })
    const { reservationId: second } = await expectOk(as('resident', 'book/rental/series', again))
    const reason = 'The floor is mended in March.'
    await expectOk(as('admin', 'muni/transition/rental', { reservationId: second, event: 'decline', reason }))
    await portal.runJobs('rentals.tell')
    const declined = (await mails()).filter(({ subject }) => /5 dates declined/.test(subject))
    expect(declined.map(({ text }) => text.includes(reason))).toEqual([true])
  })

  test('goes in full to only one of two parallel requests', async () => {
    const hall = await aHall(OPEN)
    const both = await Promise.all(['resident', 'newcomer'].map((role) => as(role, 'book/rental/series', series(hall))))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { rows } = await owner.query(
      `SELECT count(*)::int AS dates, count(DISTINCT person_id)::int AS people FROM rental_reservation WHERE resource_id = $1`,
      [hall.resourceId],
    )
    expect(rows[0]).toEqual({ dates: 5, people: 1 })
  })

  test('waits for the office if only its deposit costs money', async () => {
    const hall = await aHall({ ...OPEN, depositCents: 5000 })
    const { reservationId, next } = await expectOk(
      as('resident', 'book/rental/series', series(hall, { quotedCents: 5000 })),
    )
    expect(next).toBe('wait')
    expect((await dates(reservationId)).map(({ status }: { status: string }) => status)).toEqual(
      Array(5).fill('requested'),
    )
  })
})
