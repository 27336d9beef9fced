import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { agreement, byPhone, expectOk, HOST, openRentals, questions, SIGNED } from '../../test/rentals.ts'
import { openTestCompany } from '../../test/company.ts'
import { replaceAccessCodes } from './server/access-codes.ts'
import { syncAccessCodes } from './server/sync-access-codes.ts'

/** Tests the rental questions and the rental agreements. */

const { portal, owner, as, signInAt, addHallWithQuestions, publishQuestions } = await openRentals({
  ...{ capacity: 50, noticeHours: 24, aheadDays: 120 },
})

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
})
beforeEach(() => signInAt())

const DETAILS = { addons: [], purpose: 'Reunion', guests: 10, phone: '', agrees: true, quotedCents: 0 }
const phoneReservation = (hall: object, more: object = {}) => ({
  ...{ ...hall, ...DETAILS, day: '2027-03-12', from: '10:00', until: '12:00' },
  ...more,
})
const emails = async () =>
  (await owner.query(`SELECT to_address AS to, subject, text_body AS text FROM email_outbox ORDER BY id`)).rows

/**
 * Tries to check in several days early and returns the error code. The date is checked last, so `early` means that
 * nothing else blocks the check-in.
 */
const checkInError = async (reservationId: number): Promise<string> =>
  (await as('admin', 'muni/transition/rental', { reservationId, event: 'check_in' })).body.code

describe('questions and an agreement', () => {
  test('must be answered before a reservation and stay with their version', async () => {
    const hall = await addHallWithQuestions()
    const { resourceId } = hall
    expect((await expectOk(as('resident', 'return/rental', { resourceId }))).hasQuestions).toBe(true)
    expect((await as('resident', 'book/rental', phoneReservation(hall))).body.code).toBe('questions')
    const unsigned = await as('resident', 'book/rental', phoneReservation(hall, agreement({ alcohol: 'yes' })))
    expect(unsigned.status).toBe(422)
    expect(Object.keys(unsigned.body.details.fields)).toEqual(['server', 'signature'])
    expect((await as('resident', 'book/rental', phoneReservation(hall, agreement(SIGNED, 7)))).body.code).toBe(
      'questions_changed',
    )
    const sent = agreement({ ...SIGNED, alcohol: 'no', nonsense: 'x' })
    const { reservationId } = await expectOk(as('resident', 'book/rental', phoneReservation(hall, sent)))
    const ownAgreement = () => expectOk(as('resident', 'return/my/rental/agreement', { reservationId }))
    const before = await ownAgreement()
    // The portal does not save answers to hidden or unknown fields.
    expect(before).toMatchObject({ stands: 'signed', canSign: false, signed: { version: 1, byStaff: false } })
    expect(before.signed.answers).toEqual({ alcohol: 'no', signature: { typed: 'Naomi Whitaker' } })

    // Renters who have already answered need not answer a new version of the questions. If a reservation moves to
    // another time, its answers stay.
    const [step] = questions.steps
    const more = { ...blankField('text', 'more'), label: 'Anything else?', required: true }
    expect(await publishQuestions(resourceId, { steps: [{ ...step, fields: [...(step?.fields ?? []), more] }] })).toBe(
      2,
    )
    const other = { reservationId, day: '2027-03-14', from: '10:00', until: '12:00' }
    await expectOk(as('resident', 'change/my/rental', other))
    expect(await ownAgreement()).toEqual(before)
    const staffView = await expectOk(as('admin', 'muni/return/rental/agreement', { reservationId }))
    expect(staffView).toMatchObject({ stands: 'signed', questions: null, signed: before.signed })
    expect(await checkInError(reservationId)).toBe('early')
    expect((await as('resident', 'sign/my/rental', { reservationId, version: 2, answers: SIGNED })).status).toBe(409)
  })

  test('are saved as a draft that survives a new version', async () => {
    const { resourceId, ...hall } = await addHallWithQuestions()
    await expectOk(as('resident', 'save/rental/draft', { resourceId, version: 1, raw: { alcohol: 'no' } }))
    const [step] = questions.steps
    const more = { ...blankField('text', 'more'), label: 'Anything else?' }
    await publishQuestions(resourceId, { steps: [{ ...step, fields: [...(step?.fields ?? []), more] }] })
    const { questions: openQuestions } = await expectOk(as('resident', 'return/rental/questions', { resourceId }))
    expect(openQuestions).toMatchObject({ version: 2, isDraft: true, changes: ['“Anything else?” is a new question.'] })
    expect(openQuestions.start.alcohol).toBe('no')
    expect((await expectOk(as('newcomer', 'return/rental/questions', { resourceId }))).questions.isDraft).toBe(false)
    await expectOk(as('resident', 'see/rental/question/changes', { resourceId }))
    await expectOk(as('resident', 'book/rental', phoneReservation({ resourceId, ...hall }, agreement(SIGNED, 2))))
    expect((await expectOk(as('resident', 'return/rental/questions', { resourceId }))).questions.isDraft).toBe(false)
  })

  test('are signed by an emailed link before check-in', async () => {
    const hall = await addHallWithQuestions()
    await owner.query('DELETE FROM email_outbox')
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall)))
    const link = async () => {
      const emailMessage = (await emails())
        .filter(({ subject }) => /answer questions and sign agreement/.test(subject))
        .at(-1)
      expect(emailMessage?.to).toBe('ann@example.org')
      return /agreement\/([\w-]{43})/.exec(emailMessage?.text)?.[1] ?? ''
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
    expect(body).toMatchObject({ name: 'Ann Caller', dates: 1, signed: null, questions: { version: 1 } })
    const sign = { token, version: 1, answers: { ...SIGNED, signature: { typed: 'ann  CALLER' } } }
    const asAnother = await portal.post(HOST, 'sign/rental/by/link', { ...sign, answers: SIGNED })
    expect(asAnother.body.details.fields).toEqual({ signature: 'Sign with your own name: Ann Caller.' })
    expect((await portal.post(HOST, 'sign/rental/by/link', { ...sign, answers: {} })).status).toBe(422)
    // Two clicks in parallel create only one signature.
    const both = await Promise.all([1, 2].map(() => portal.post(HOST, 'sign/rental/by/link', sign)))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await portal.post(HOST, 'return/rental/to/sign', { token })).body).toMatchObject({
      questions: null,
      signed: { by: 'Ann Caller', byStaff: false },
    })
    expect(await checkInError(reservationId)).toBe('early')
  })

  test('appear to the resident of a phone booking, or staff answer', async () => {
    const hall = await addHallWithQuestions({ door: 'hall-east' })
    const ownEmail = { email: 'Resident@maplegrove.example' }
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall, ownEmail)))
    // The renter gets no door code before signing the agreement.
    replaceAccessCodes({ grant: async () => ({ id: 'lock', code: '1000#' }), revoke: async () => {} })
    const code = async () => {
      await syncAccessCodes(portal.context)
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
    replaceAccessCodes(null)

    await owner.query('DELETE FROM email_outbox')
    const later = { day: '2027-03-15', sendsAgreement: false }
    const { reservationId: other } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall, later)))
    expect((await emails()).filter(({ subject }) => /sign/.test(subject))).toEqual([])
    expect((await as('staff', 'muni/sign/rental', { ...sign, reservationId: other })).status).toBe(403)
    const response = await expectOk(as('admin', 'muni/sign/rental', { ...sign, reservationId: other }))
    // The message does not thank the staff member for signing, because the staff member only entered the answers.
    expect(response.message).toMatch(/^The agreement for reservation R-\d+ was saved\.$/)
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
    const hall = await addHallWithQuestions()
    const { resourceId } = hall
    const { reservationId } = await expectOk(as('admin', 'muni/book/rental', byPhone(hall)))
    const { form: set } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId }))
    await expectOk(as('admin', 'muni/save/rental/resource', { ...set, hasQuestions: false, resourceId, basis: set }))
    await expectOk(as('resident', 'book/rental', phoneReservation(hall)))
    expect(await checkInError(reservationId)).toBe('early')
    for (const field of [
      { ...blankField('file', 'plan'), label: 'Maintenance plan' },
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
