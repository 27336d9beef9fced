import { beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { noting, type Statement } from '../../test/noting.ts'
import { byPhone, EVERY_DAY, expectOk, openRentals, PAID } from '../../test/rentals.ts'
import { MAX_SPACES, type PlannerCell, type PlannerRow } from './contract.ts'

/** Tests the planner through its call, with bookings by the call for phone reservations. */

const { portal, owner, company, as, signInAt, addResource } = await openRentals(PAID)
beforeEach(() => signInAt())

const DAY = '2027-06-12'
const open = (opens: string, closes: string, percent = 100) => ({ seasons: [{ ...EVERY_DAY, opens, closes, percent }] })
const planner = (body: object = {}, role = 'admin') => as(role, 'muni/return/rental/planner', { day: DAY, ...body })
const rowsOf = async (resourceId: number, body: object = {}): Promise<PlannerRow[]> =>
  (await expectOk(planner(body))).rows.filter((row: PlannerRow) => row.resourceId === resourceId)
const brief = ({ cells }: PlannerRow) => cells.map(({ from, until, is }) => `${from} ${until} ${is}`)
const book = (of: { id: number; spaces: number[] }, from: string, until: string, more: object = {}) =>
  as('admin', 'muni/book/rental', {
    ...byPhone({ resourceId: of.id, spaceId: of.spaces[0], pieces: 1 }, { day: DAY, from, until }),
    ...more,
  })

describe('planner of a day', () => {
  test('lists free half hours with their price', async () => {
    const { id } = await addResource({ stepMinutes: 30, minMinutes: 60, ...open('10:00', '12:00', 150) })
    const [row] = await rowsOf(id)
    expect(row).toMatchObject({ closedFor: '', minMinutes: 60, maxMinutes: 600, pieces: 1 })
    expect(row && brief(row)).toEqual(['10:00 10:30 free', '10:30 11:00 free', '11:00 11:30 free', '11:30 12:00 free'])
    expect(row?.cells[0]).toMatchObject({ residentCents: 750, left: 1, reservation: null })
  })

  test('shows a reservation with its buffers', async () => {
    const resource = await addResource({
      ...open('08:00', '14:00'),
      stepMinutes: 30,
      beforeMinutes: 30,
      afterMinutes: 60,
    })
    const { reservationId } = await expectOk(book(resource, '10:00', '11:00'))
    const [row] = await rowsOf(resource.id)
    // A reservation before it needs 60 minutes for cleanup, and its own setup takes 30 minutes.
    expect(row && brief(row)).toEqual([
      ...['08:00 08:30 free', '08:30 10:00 buffer', '10:00 11:00 taken', '11:00 12:30 buffer'],
      ...['12:30 13:00 free', '13:00 13:30 free', '13:30 14:00 free'],
    ])
    expect(row).toMatchObject({ beforeMinutes: 30, afterMinutes: 60 })
    const taken = row?.cells.find(({ is }) => is === 'taken')
    expect(taken?.reservation).toEqual({
      ...{ id: reservationId, number: `R-${100_000 + reservationId}`, name: 'Ann Caller', status: 'held' },
    })
    // A free cell can be booked as shown.
    await expectOk(book(resource, '12:30', '14:00'))
  })

  test('names the reason of a closure', async () => {
    const { id } = await addResource()
    await expectOk(
      as('admin', 'muni/add/rental/blackout', { resourceId: id, from: DAY, until: DAY, reason: 'New roof' }),
    )
    expect(await rowsOf(id)).toMatchObject([{ closedFor: 'New roof', cells: [] }])
    expect(await rowsOf(id, { day: addDays(DAY, 1) })).toMatchObject([{ closedFor: '' }])
  })

  test('marks hours as past, but keeps their reservations', async () => {
    const resource = await addResource({ ...open('09:00', '13:00'), residentCents: 0, depositCents: 0 })
    const today = { day: '2027-03-01' }
    await expectOk(book(resource, '11:00', '12:00', today))
    // It is 10:00 AM in the company. An hour that has started is past.
    const before = await rowsOf(resource.id, today)
    expect(before.map(brief)).toEqual([['09:00 11:00 past', '11:00 12:00 taken', '12:00 13:00 free']])
    await signInAt('2027-03-01T17:30:00.000Z')
    const after = await rowsOf(resource.id, today)
    expect(after.map(brief)).toEqual([['09:00 11:00 past', '11:00 12:00 taken', '12:00 13:00 past']])
  })

  test('shows a part as taken if the entire space is taken', async () => {
    const field = await addResource(open('10:00', '12:00'), ['North', 'South'])
    await expectOk(book({ ...field, spaces: [field.spaces[1] ?? 0] }, '10:00', '11:00'))
    const rows = await rowsOf(field.id)
    expect(rows.map(({ cells: [first] }) => first?.is)).toEqual(['taken', 'taken', 'free'])
    // A part costs less than the entire space.
    expect(rows.map(({ cells }) => cells.at(-1)?.residentCents)).toEqual([1000, 600, 600])
  })

  test('counts free pieces of equipment', async () => {
    const tables = await addResource({ kind: 'equipment', capacity: 0, pieces: 3, ...open('10:00', '12:00') })
    await expectOk(book(tables, '10:00', '11:00', { pieces: 2 }))
    const cells = async (): Promise<PlannerCell[]> => (await rowsOf(tables.id)).flatMap((row) => row.cells)
    expect(await cells()).toMatchObject([
      { is: 'free', left: 1 },
      { is: 'free', left: 3 },
    ])
    await expectOk(book(tables, '10:00', '11:00', { pieces: 1 }))
    expect(await cells()).toMatchObject([
      { is: 'taken', left: 0, reservation: null },
      { is: 'free', left: 3 },
    ])
  })

  test('combines steps of 15 minutes into half hours', async () => {
    const room = await addResource({ ...open('10:00', '11:15'), stepMinutes: 15, minMinutes: 15 })
    await expectOk(book(room, '10:15', '10:30'))
    expect((await rowsOf(room.id)).map(brief)).toEqual([['10:00 10:30 taken', '10:30 11:00 free', '11:00 11:15 free']])
  })

  test('skips an hour that the clocks skip', async () => {
    const { id } = await addResource(open('01:00', '04:00'))
    expect((await rowsOf(id, { day: '2027-03-14' })).map(brief)).toEqual([['01:00 03:00 skipped', '03:00 04:00 free']])
  })

  test('filters by kind, and hides drafts', async () => {
    const { id: draft } = await addResource({ status: 'draft' })
    const { rows } = await expectOk(planner({ kind: 'equipment' }))
    expect(new Set(rows.map(({ kind }: PlannerRow) => kind))).toEqual(new Set(['equipment']))
    expect(await rowsOf(draft)).toEqual([])
  })

  test('refuses a second reservation of a free cell with a sentence', async () => {
    const resource = await addResource(open('10:00', '12:00'))
    await expectOk(book(resource, '10:00', '11:00'))
    const second = await book(resource, '10:00', '11:00')
    expect([second.status, second.body.code]).toEqual([409, 'taken'])
    expect(second.body.message).toBe('Someone else has taken this time. Choose another one.')
  })

  test('is closed to residents and to staff without the privilege', async () => {
    expect((await planner({}, 'resident')).status).toBe(403)
    expect((await planner({ spaceId: 0 })).status).toBe(400)
  })
})

describe('planner of a week', () => {
  test('lists seven days of one space', async () => {
    const field = await addResource(open('10:00', '11:00'), ['North'])
    await expectOk(book(field, '10:00', '11:00', { day: addDays(DAY, 6) }))
    const { rows, hasMore } = await expectOk(planner({ spaceId: field.spaces[0] }))
    expect(hasMore).toBe(false)
    expect(rows.map(({ day, spaceId }: PlannerRow) => [day, spaceId])).toEqual(
      Array.from({ length: 7 }, (_, n) => [addDays(DAY, n), field.spaces[0]]),
    )
    expect(rows.map(({ cells }: PlannerRow) => cells[0]?.is)).toEqual([...Array(6).fill('free'), 'taken'])
  })
})

describe('planner with many spaces', () => {
  test('sends at most the maximum, with as many statements as for one space', async () => {
    const { id, spaces } = await addResource({ kind: 'field', stepMinutes: 30, ...open('08:00', '22:00') })
    const statementsOf = async (body: object) => {
      await expectOk(planner(body))
      const statements: Statement[] = []
      const stop = noting(portal.db.app, statements)
      const { rows, hasMore } = await expectOk(planner(body))
      stop()
      return { rows, hasMore, statements: statements.length }
    }
    const one = await statementsOf({ spaceId: spaces[0] })
    await owner.query(
      `INSERT INTO rental_resource SELECT (jsonb_populate_record(r, jsonb_build_object('id', 900000 + n, 'name', 'Court ' || n))).*
       FROM rental_resource r, generate_series(1, 70) AS n WHERE r.company_id = $1 AND r.id = $2`,
      [company, id],
    )
    await owner.query(
      `INSERT INTO rental_space (company_id, resource_id) SELECT $1, 900000 + n FROM generate_series(1, 70) AS n`,
      [company],
    )
    const many = await statementsOf({ kind: 'field' })
    expect(many.rows).toHaveLength(MAX_SPACES)
    expect(many.hasMore).toBe(true)
    expect(many.statements).toBe(one.statements)
  })
})
