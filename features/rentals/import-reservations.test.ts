import { beforeEach, describe, expect, test } from 'vitest'
import { expectOk, HOST, openRentals, PAID, reservationBody } from '../../test/rentals.ts'
import { importerOf } from '../../test/imported-records.ts'
import { expireRentals, notifyRentals, offerWaitlisted } from './server/notify.ts'

const { portal, owner, context, as, signInAt, addResource } = await openRentals(PAID)

const HEAD = 'number,resource,space,start,start time,end time,name,email,purpose,guests,price,deposit,amount due,status'
let made = 0

beforeEach(() => signInAt())

const importer = async () => importerOf(portal, HOST, await portal.signIn(HOST, 'admin@maplegrove.example'))
const imported = async (lines: string[], head = HEAD) =>
  (await importer())('reservations', [head, ...lines].join('\n'), { rowErrors: 'leave out' })
const rowOf = async (oldNumber: string) => {
  const { rows } = await owner.query(
    `SELECT r.*, (SELECT count(*)::int FROM rental_occupancy o WHERE (o.company_id, o.reservation_id) = (r.company_id, r.id)) AS times,
      (SELECT string_agg(event, ' ') FROM status_history h WHERE h.company_id = r.company_id AND machine = 'rental_reservation' AND subject_id = r.id) AS events
     FROM rental_reservation r WHERE old_number = $1`,
    [oldNumber],
  )
  return rows[0]
}
/** Adds a hall with a unique name. */
async function hall(more: object = {}, parts: string[] = []) {
  const name = `Hall ${(made += 1)}`
  return { name, ...(await addResource({ name, ...more }, parts)) }
}

describe('import of reservations', () => {
  test('keeps the status, the price and the old number, and reserves the time', async () => {
    const { name, id, spaces } = await hall({ beforeMinutes: 60, afterMinutes: 60 })
    const { body } = await imported([
      `A-1,${name},,2027-06-12,10:00 AM,12:00 PM,Ann Lee,ann@example.com,Party,30,"$1,100.00",50.00,,Confirmed`,
      `A-2,${name},,6/12/2027,12:00,14:00,Bo Lee,,Lunch,,,,,Approved`,
      `A-3,${name},,2026-06-12,9 am,10 am,Cy Lee,,,,20.00,,,`,
      `A-4,${name},,2026-06-13,9:00,10:00,Di Lee,,,,,,,No-show`,
      `A-5,${name},,2027-06-12,10:00,12:00,Ed Lee,,,,,,,Cancelled`,
      `A-6,${name},,2027-06-13,10:00,12:00,Flo Lee,,,,,,,Pending`,
      `A-7,${name},,2027-06-14,18:00,24:00,Gus Lee,,,,100.00,50.00,80.00,Booked`,
    ])
    expect(body).toMatchObject({ imported: true, created: 7, errorCount: 0 })
    expect(await rowOf('A-1')).toMatchObject({
      ...{ status: 'confirmed', title: name, name: 'Ann Lee', purpose: 'Party (A-1)', guests: 30, times: 1 },
      ...{ price_cents: 110_000, security_deposit_cents: 5000, paid_cents: 0, events: 'import', is_notified: true },
    })
    expect([(await rowOf('A-3')).status, (await rowOf('A-3')).times]).toEqual(['completed', 1])
    expect((await rowOf('A-4')).status).toBe('no_show')
    expect([(await rowOf('A-5')).status, (await rowOf('A-5')).times]).toEqual(['cancelled', 0])
    expect((await rowOf('A-6')).status).toBe('requested')
    // Only the part that is due is the price. The renter can pay until the start.
    const due = await rowOf('A-7')
    expect(due).toMatchObject({ status: 'held', price_cents: 3000, security_deposit_cents: 5000 })
    expect(due.held_until).toEqual(due.starts_at)

    const { rows } = await expectOk(as('admin', 'muni/return/rentals', { search: 'a-1' }))
    expect(rows).toMatchObject([{ name: 'Ann Lee', status: 'confirmed' }])
    const taken = { ...reservationBody({ id, spaces }), day: '2027-06-12', from: '10:00', until: '12:00' }
    expect((await as('resident', 'book/rental', { ...taken, quotedCents: 7000 })).body.code).toBe('taken')
  })

  test('refuses double reservations, also of parts and of existing reservations', async () => {
    const { name, id, spaces } = await hall({ residentCents: 0, otherCents: 0, depositCents: 0 }, ['North', 'South'])
    await expectOk(
      as('resident', 'book/rental', {
        ...reservationBody({ id, spaces: [spaces[1] ?? 0] }),
        ...{ day: '2027-06-12', from: '10:00', until: '12:00' },
      }),
    )
    const { body } = await imported([
      `B-1,${name},,2027-06-12,11:00,13:00,Ann Lee,,,,,,,`,
      `B-2,${name},South,2027-06-12,11:00,13:00,Ann Lee,,,,,,,`,
      `B-3,"${name}, South",,2027-06-12,12:30,13:30,Bo Lee,,,,,,,`,
      `B-4,${name},North,2027-06-12,12:00,13:00,Cy Lee,,,,,,,`,
    ])
    const from = 'is already reserved from June 12, 2027,'
    expect(body.invalidRows).toMatchObject([
      { where: 'Line 2', reason: `“${name}, Entire resource” ${from} 10:00 AM to June 12, 2027, 12:00 PM.` },
      { where: 'Line 4', reason: `“${name}, South” ${from} 11:00 AM to June 12, 2027, 1:00 PM.` },
    ])
    expect(body).toMatchObject({ created: 2 })
    expect(await rowOf('B-1')).toBeUndefined()
  })

  test('reserves several pieces of equipment until none is free', async () => {
    const { name } = await hall({ kind: 'equipment', pieces: 3 })
    const head = 'number,resource,start,end,name,quantity'
    const { body } = await imported(
      [
        `C-1,${name},2027-06-12 10:00,2027-06-12 12:00,Ann Lee,2`,
        `C-2,${name},2027-06-12T10:00,2027-06-12T12:00,Bo Lee,1`,
        `C-3,${name},6/12/2027 10:00 AM,11:00 AM,Cy Lee,1`,
        `C-4,${name},2027-06-13 10:00,2027-06-13 12:00,Cy Lee,4`,
      ],
      head,
    )
    expect(body).toMatchObject({ created: 2, errorCount: 2 })
    expect(body.invalidRows.map(({ reason }) => reason)).toEqual([
      'The maximum quantity is 3.',
      expect.stringContaining('is already reserved'),
    ])
  })

  test('explains each invalid row', async () => {
    const { name } = await hall()
    const row = (more: Record<string, string>) => {
      const values: Record<string, string> = {
        ...{ number: `D-${(made += 1)}`, resource: name, start: '2027-07-01', 'start time': '10:00' },
        ...{ 'end time': '12:00', name: 'Ann Lee' },
        ...more,
      }
      return HEAD.split(',')
        .map((column) => `"${values[column] ?? ''}"`)
        .join(',')
    }
    const invalid: [Record<string, string>, string][] = [
      [{ number: '' }, 'Enter the old number.'],
      [{ resource: '' }, 'Enter the name of the resource.'],
      [{ resource: 'No Hall' }, 'No resource has the name “No Hall”. Add or import the resource first.'],
      [{ space: 'Attic' }, `No resource has the name “${name}, Attic”. Add or import the resource first.`],
      [{ start: '' }, 'Enter the day of the reservation.'],
      [{ start: '2027-02-30' }, '“2027-02-30” in “Start” is not a date. Use a format such as 2026-11-21.'],
      [{ 'start time': '' }, 'Enter the start time and the end time.'],
      [{ 'start time': '10' }, '“10” in “Start time” is not a time. Use a format such as 14:30 or 2:30 PM.'],
      [{ 'end time': '13:00 PM' }, '“13:00 PM” in “End time” is not a time. Use a format such as 14:30 or 2:30 PM.'],
      [{ 'end time': '9:00' }, 'Choose an end time that is after the start time.'],
      [{ start: '2027-03-14', 'start time': '2:30', 'end time': '4:00' }, 'Because of daylight saving time'],
      [{ name: '' }, 'Enter the name of the renter.'],
      [{ email: 'ann at home' }, 'Enter an email address, such as name@example.com.'],
      [{ guests: 'many' }, '“many” in “Guests” is not a whole number from 0 to 100,000.'],
      [{ guests: '-3' }, '“-3” in “Guests” is not a whole number from 0 to 100,000.'],
      [{ price: 'free' }, '“free” in “Price” is not an amount. Use a format such as 25.00.'],
      [{ price: '-5.00' }, 'The amount in “Price” is less than zero.'],
      [
        { price: '10.00', 'amount due': '11.00' },
        'The amount due is greater than the price with the security deposit.',
      ],
      [
        { start: '2026-01-01', 'amount due': '5.00' },
        'Only a confirmed reservation in the future can have an amount due.',
      ],
      [{ status: 'Waitlisted' }, '“Waitlisted” in “Status” was not found.'],
      [{ start: '2026-01-01', status: 'Pending' }, 'The requested time has started.'],
      [{ status: 'Completed' }, 'The reservation is in the future. Use the status “Confirmed”.'],
    ]
    const { body } = await imported(invalid.map(([values]) => row(values)))
    expect(body).toMatchObject({ created: 0, errorCount: invalid.length })
    for (const [at, [, reason]] of invalid.entries()) expect(body.invalidRows[at]?.reason).toContain(reason)
  })

  test('refuses rows of two days, of names that several resources have, and with a repeated number', async () => {
    const { name } = await hall()
    await addResource({ name: 'Twin Hall' })
    await addResource({ name: 'Twin Hall' })
    const { body } = await imported(
      [
        `E-1,${name},2027-06-12 10:00,2027-06-13 12:00,Ann Lee`,
        'E-2,Twin Hall,2027-06-12 10:00,2027-06-12 12:00,Ann Lee',
        `E-3,${name},2027-06-12 22:00,2027-06-13 0:00,Ann Lee`,
        `E-3,${name},2027-06-14 22:00,2027-06-14 23:00,Ann Lee`,
      ],
      'number,resource,start,end,name',
    )
    expect(body.invalidRows.map(({ reason }) => reason)).toEqual([
      'A reservation is on one day. Use one row for each day, each with its own number.',
      'Several resources have the name “Twin Hall”. Give them different names first.',
      'This row repeats an earlier row of the file: Line 4.',
    ])
    expect(body.created).toBe(1)
  })

  test('changes nothing if the same file comes again', async () => {
    const { name } = await hall()
    const lines = [
      `G-1,${name},,2027-06-12,10:00,12:00,Ann Lee,,,,,,,`,
      `G-2,${name},,2027-06-13,10:00,12:00,Bo,,,,,,,`,
    ]
    expect((await imported(lines)).body).toMatchObject({ created: 2, unchanged: 0 })
    const again = (await imported(lines)).body
    expect(again).toMatchObject({ created: 0, unchanged: 2, errorCount: 0 })
    expect(again.importId).toBeUndefined()
  })

  test('sends no email and leaves the waitlist as it is', async () => {
    const { name, id, spaces } = await hall()
    const times = { day: '2027-06-12', from: '10:00', until: '12:00' }
    await imported([`H-1,${name},,2027-06-12,10:00,12:00,Ann Lee,ann@example.com,,,,,,`])
    await expectOk(
      as('resident', 'wait/for/rental', { ...reservationBody({ id, spaces }), ...times, quotedCents: 7000 }),
    )
    await notifyRentals(context)
    const before = (await portal.emails()).length
    await imported([
      `H-2,${name},,2027-06-12,14:00,16:00,Ann Lee,ann@example.com,,,,,,`,
      `H-3,${name},,2027-06-12,16:00,18:00,Ann Lee,ann@example.com,,,10.00,,10.00,`,
      `H-4,${name},,2026-06-12,14:00,16:00,Ann Lee,ann@example.com,,,,,,Cancelled`,
    ])
    await notifyRentals(context)
    await expireRentals(context)
    await offerWaitlisted(context)
    expect((await portal.emails()).length).toBe(before)
    expect((await rowOf('H-3')).status).toBe('held')
  })

  test('belongs to a resident only after the resident confirmed the email', async () => {
    const { name } = await hall()
    const { rows } = await owner.query(
      `UPDATE person SET email_confirmed_at = NULL WHERE email = 'newcomer@maplegrove.example' RETURNING id`,
    )
    expect(rows).toHaveLength(1)
    await imported([
      `I-1,${name},,2027-06-12,10:00,12:00,Ann Lee,newcomer@maplegrove.example,,,,,,`,
      `I-2,${name},,2027-06-12,12:00,14:00,Ann Lee,RESIDENT@maplegrove.example,,,,,,`,
    ])
    expect((await rowOf('I-1')).person_id).toBeNull()
    expect((await rowOf('I-2')).person_id).not.toBeNull()
  })

  test('needs the permission to create reservations', async () => {
    const staff = importerOf(portal, HOST, await portal.signIn(HOST, 'resident@maplegrove.example'))
    expect((await staff('reservations', HEAD)).status).toBe(403)
  })
})
