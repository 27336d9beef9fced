import { defineColumns } from '../../../server/columns.ts'
import type { Call } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { withHistory } from '../../../server/imported-rows.ts'
import {
  byNames,
  clockIn,
  dayIn,
  defineImporter,
  dollarsIn,
  type Get,
  noonOf,
  oneOf,
  parseRow,
  personColumns,
  residentWithOwnEmail,
  wholeIn,
  yesIn,
} from '../../../server/importers.ts'
import { RowError } from '../../../server/row-error.ts'
import { actorOf, recordCreation } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { mobileField } from '../../../shared/accounts.ts'
import { addDays, formatInstant, midnightIn } from '../../../shared/dates.ts'
import { emailOrNone } from '../../../shared/email.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { importedItems } from '../../calendar/api.ts'
import { clockAt, type Times } from '../rules.ts'
import { type RentalStatus, rentalStates } from '../states.ts'
import { saveCalendarItem } from './calendar-item.ts'
import { busyIn, occupy } from './occupy.ts'
import { RENTAL } from './reservation-rows.ts'
import { lockedRental, rentalStateStore } from './reservations.ts'
import { titleOf } from './reserve.ts'
import { lockResourceTimes, type Resource, type Space } from './resources.ts'

const columns = defineColumns('reservations', {
  needs: ['number', 'resource', 'from', 'name|last'],
  columns: {
    number: {
      title: 'Old number',
      aliases:
        'number reservation reservation_number reservation_id booking booking_number booking_id permit_number confirmation confirmation_number contract_number rental_number id',
      content: 'code',
      sample: 'P-2026-118',
    },
    resource: {
      title: 'Resource',
      aliases: 'facility facility_name resource_name venue site shelter pavilion facility_description',
      sample: 'Lions Pavilion',
    },
    space: { title: 'Space', aliases: 'space_name room room_name area subfacility sub_facility section part' },
    from: {
      title: 'Start',
      aliases:
        'from start_date starts starts_at start_date_time start_datetime date event_date reservation_date rental_date begin_date date_from',
      content: 'date',
      sample: '2026-12-19',
    },
    fromTime: { title: 'Start time', aliases: 'from_time begin_time time_from time_in', sample: '10:00 AM' },
    until: {
      title: 'End',
      aliases: 'until to end_date ends ends_at end_date_time end_datetime date_to',
      content: 'date',
    },
    untilTime: { title: 'End time', aliases: 'until_time to_time time_to time_out', sample: '2:00 PM' },
    ...personColumns,
    name: {
      ...personColumns.name,
      aliases: `${personColumns.name.aliases} renter renter_name reserved_by permit_holder`,
    },
    purpose: {
      title: 'Purpose',
      aliases: 'event event_name event_type event_description activity description',
      sample: 'Birthday party',
    },
    guests: {
      title: 'Guests',
      aliases: 'attendance headcount head_count attendees number_of_guests expected_attendance people participants',
      content: 'number',
      sample: '35',
    },
    pieces: { title: 'Pieces', aliases: 'quantity qty units', content: 'number' },
    price: {
      title: 'Price',
      aliases: 'fee fees rental_fee rental_amount amount charge charges total total_fee total_charges',
      content: 'money',
      sample: '100.00',
    },
    deposit: {
      title: 'Security deposit',
      aliases: 'deposit damage_deposit deposit_amount',
      content: 'money',
      sample: '50.00',
    },
    due: { title: 'Amount due', aliases: 'balance balance_due amount_owed due outstanding', content: 'money' },
    payBy: { title: 'Pay by', aliases: 'due_date payment_due payment_due_date', content: 'date' },
    status: { title: 'Status', aliases: 'state reservation_status booking_status', sample: 'Confirmed' },
    resident: { title: 'Resident', aliases: 'is_resident residency' },
    created: {
      title: 'Reserved',
      aliases: 'created created_at date_created booked booked_on date_booked entered date_entered',
      content: 'date',
    },
  },
})
type Name = keyof (typeof columns)['columns']

const statuses = byNames<RentalStatus>([
  ['confirmed', '|confirmed|approved|booked|reserved|paid|active|permitted|issued|final|firm'],
  ['requested', 'requested|request|pending|pending approval|tentative|submitted'],
  ['completed', 'completed|complete|closed|finished|checked out|past'],
  ['no_show', 'no-show|no show|noshow'],
  ['cancelled', 'cancelled|canceled|cancel|void|voided|declined|denied|rejected|expired'],
])
const events = {
  confirmed: 'import',
  requested: 'import_requested',
  held: 'import_held',
  completed: 'import_completed',
  no_show: 'import_missed',
  cancelled: 'import_cancelled',
} as const satisfies Partial<Record<RentalStatus, EventOf<typeof rentalStates>>>
type ImportedStatus = keyof typeof events

interface ImportedReservation extends Times {
  oldNumber: string
  resource: Resource
  space: Space
  status: ImportedStatus
  heldUntil: Date | null
  name: string
  email: string
  phone: string
  purpose: string
  guests: number
  pieces: number
  isResident: boolean
  priceCents: number
  depositCents: number
  createdAt: Date
}

/** Maximum number of rows. Each row checks its time against all others. */
const MAX_ROWS = 10_000
const MAX_COUNT = 100_000

/** Imports reservations with their old numbers. A known old number changes nothing. The waitlist stays as it is. */
defineImporter({
  kind: 'reservations',
  columns,
  max: MAX_ROWS,
  undo: {
    tables: [
      ...withHistory('rental_reservation', rentalStates.name),
      { table: 'rental_occupancy', column: 'reservation_id', of: 'rental_reservation' },
      importedItems(RENTAL),
    ],
    uses: [
      {
        from: 'payment_order_line',
        column: 'payable_id',
        of: 'rental_reservation',
        only: { kind: RENTAL },
        cause: 'paid',
      },
    ],
  },
  async start({ tx, call }) {
    const { id: company, timeZone } = call.company
    const now = call.context.clock.now()
    const rentableOf = await rentablesOf(tx, company)
    const rows = await tx
      .selectFrom('rental_reservation')
      .select('old_number')
      .where('company_id', '=', company)
      .where('old_number', '<>', '')
      .execute()
    const existing = new Set(rows.map((row) => row.old_number))
    return {
      take(get): ImportedReservation {
        const oldNumber = get('number', 40)
        if (oldNumber === '') throw new RowError(say`Enter the old number.`)
        const { resource, space } = rentableOf(get('resource'), get('space'))
        const times = timesIn(get, timeZone)
        const { endsAt } = times
        const { due, ...money } = moneyIn(get)
        const status = statusIn(oneOf(say`Status`, get('status'), statuses), { ...times, due, now })
        const pieces = wholeIn(say`Pieces`, get('pieces'), MAX_COUNT) || 1
        if (pieces > resource.pieces) throw new RowError(say`The maximum quantity is ${resource.pieces}.`)
        const name = get('name', 120) || `${get('first', 60)} ${get('last', 60)}`.trim()
        if (name === '') throw new RowError(say`Enter the name of the renter.`)
        const created = dayIn(say`Reserved`, get('created'))
        const createdAt = created ? noonOf(call.company, created) : now
        return {
          ...times,
          ...money,
          ...{ oldNumber, resource, space, status, pieces, name },
          heldUntil: status === 'held' ? payUntil(dayIn(say`Pay by`, get('payBy')), { ...times, timeZone, now }) : null,
          email: parseRow(emailOrNone, get('email', 254)),
          phone: nationalDigits(parseRow(mobileField, get('phone', 60))),
          purpose: `${get('purpose', 400)} (${oldNumber})`.trim(),
          guests: wholeIn(say`Guests`, get('guests'), MAX_COUNT),
          isResident: yesIn(get('resident')) || get('resident').toLowerCase() === 'resident',
          createdAt: new Date(Math.min(createdAt.getTime(), now.getTime(), endsAt.getTime())),
        }
      },
      keyOf: ({ oldNumber }) => oldNumber,
      async write(reservation) {
        if (existing.has(reservation.oldNumber)) return 'unchanged'
        await importReservation(tx, call, reservation)
        return 'created'
      },
    }
  },
})

/** Loads the resources and spaces. The result finds one by its names, such as “Lions Pavilion, Table 2”. */
async function rentablesOf(tx: Tx, company: CompanyId) {
  const resources = await tx.selectFrom('rental_resource').selectAll().where('company_id', '=', company).execute()
  const spaces = await tx.selectFrom('rental_space').selectAll().where('company_id', '=', company).execute()
  const byId = new Map(resources.map((resource) => [resource.id, resource]))
  const matches = new Map<string, { resource: Resource; space: Space }[]>()
  const add = (name: string, resource: Resource, space: Space) =>
    matches.set(name.toLowerCase(), [...(matches.get(name.toLowerCase()) ?? []), { resource, space }])
  for (const space of spaces) {
    const resource = byId.get(space.resource_id)
    if (!resource) continue
    if (space.parent_id === null) add(resource.name, resource, space)
    if (space.name !== '') add(titleOf(resource, space), resource, space)
  }
  return (name: string, part: string) => {
    if (name === '') throw new RowError(say`Enter the name of the resource.`)
    const title = part === '' || part.toLowerCase() === name.toLowerCase() ? name : `${name}, ${part}`
    const [match, other] = matches.get(title.toLowerCase()) ?? []
    if (!match) throw new RowError(say`No resource has the name “${title}”. Add or import the resource first.`)
    if (other) throw new RowError(say`Several resources have the name “${title}”. Give them different names first.`)
    return match
  }
}

/** Parses the start and the end, each with its time in the same or in a separate column. @throws RowError */
function timesIn(get: Get<Name>, timeZone: string): Times {
  const [fromText, untilText] = [get('from', 40), get('until', 40)]
  const clockOf = (text: string) => text.replace(/^\S*?(?:T|\s+|$)/, '')
  const day = dayIn(say`Start`, fromText)
  if (day === null) throw new RowError(say`Enter the day of the reservation.`)
  // Some systems write only a time as the end.
  const isTime = /^\d{1,2}:\d\d/.test(untilText)
  const lastDay = (isTime ? null : dayIn(say`End`, untilText)) ?? day
  const from = clockIn(say`Start time`, get('fromTime', 20) || clockOf(fromText))
  const end = clockIn(say`End time`, get('untilTime', 20) || (isTime ? untilText : clockOf(untilText)))
  if (from === '' || end === '') throw new RowError(say`Enter the start time and the end time.`)
  // Midnight ends the day before.
  const isMidnight = end === '00:00' && (lastDay === addDays(day, 1) || lastDay === day)
  if (lastDay !== day && !isMidnight)
    throw new RowError(say`A reservation is on one day. Use one row for each day, each with its own number.`)
  const startsAt = clockAt(timeZone, day, from)
  const endsAt = clockAt(timeZone, day, isMidnight ? '24:00' : end)
  if (!startsAt || !endsAt)
    throw new RowError(
      say`Because of daylight saving time, the selected hour does not exist on that day. Choose another hour.`,
    )
  if (endsAt <= startsAt) throw new RowError(say`Choose an end time that is after the start time.`)
  return { startsAt, endsAt }
}

/** Parses the amounts. If only a part is due, the reservation has only this part of its price. @throws RowError */
function moneyIn(get: Get<Name>) {
  const cents = (name: 'price' | 'deposit' | 'due', title: string) => {
    const amount = get(name, 40) === '' ? 0 : dollarsIn(title, get(name, 40))
    if (amount < 0) throw new RowError(say`The amount in “${title}” is less than zero.`)
    return amount
  }
  const depositCents = cents('deposit', say`Security deposit`)
  const due = cents('due', say`Amount due`)
  const priceCents = cents('price', say`Price`) || Math.max(0, due - depositCents)
  if (due > priceCents + depositCents)
    throw new RowError(say`The amount due is greater than the price with the security deposit.`)
  if (due === 0) return { due, priceCents, depositCents }
  const deposit = Math.min(depositCents, due)
  return { due, depositCents: deposit, priceCents: due - deposit }
}

/** Returns the status of the imported reservation. @throws RowError if it does not fit the time or the amount due */
function statusIn(
  status: RentalStatus,
  { startsAt, endsAt, due, now }: Times & { due: number; now: Date },
): ImportedStatus {
  if (due > 0 && (status !== 'confirmed' || startsAt <= now))
    throw new RowError(say`Only a confirmed reservation in the future can have an amount due.`)
  if (status === 'requested' && startsAt <= now)
    throw new RowError(say`The requested time has started. Use the status “Completed” or “Cancelled”.`)
  if ((status === 'completed' || status === 'no_show') && startsAt > now)
    throw new RowError(say`The reservation is in the future. Use the status “Confirmed”.`)
  if (status !== 'confirmed') return status as ImportedStatus
  return due > 0 ? 'held' : endsAt <= now ? 'completed' : 'confirmed'
}

/** Returns the end of the hold: the day in the file, else the start of the reservation. @throws RowError */
function payUntil(payBy: string | null, { startsAt, timeZone, now }: Times & { timeZone: string; now: Date }): Date {
  const until = payBy === null ? startsAt : midnightIn(timeZone, addDays(payBy, 1))
  if (until <= now) throw new RowError(say`The date in “Pay by” is in the past.`)
  return until < startsAt ? until : startsAt
}

/** Refuses a time that is taken. Locks the times of the resource. @throws RowError */
async function refuseTaken(
  tx: Tx,
  { company, context }: Call,
  { resource, space, pieces, startsAt, endsAt }: ImportedReservation,
): Promise<void> {
  await lockResourceTimes(tx, company.id, resource.id)
  const query = { resource, spaceId: space.id, pieces, from: startsAt, until: endsAt, now: context.clock.now() }
  const [busy] = await busyIn(tx, company.id, query)
  if (!busy) return
  const from = formatInstant(busy.bufferFrom, company.timeZone)
  const until = formatInstant(busy.bufferUntil, company.timeZone)
  throw new RowError(say`“${titleOf(resource, space)}” is already reserved from ${from} to ${until}.`)
}

/**
 * Creates a reservation of another system and reserves its exact time, without the setup and cleanup of the resource.
 * Sends no notice.
 * @throws RowError if the time is taken
 */
async function importReservation(tx: Tx, call: Call, reservation: ImportedReservation): Promise<void> {
  const { company, context } = call
  const now = context.clock.now()
  const { resource, space, status, startsAt, endsAt, pieces, priceCents, depositCents } = reservation
  if (status !== 'cancelled') await refuseTaken(tx, call, reservation)
  const note = say`From the previous system`
  const row = await tx
    .insertInto('rental_reservation')
    .values({
      company_id: company.id,
      old_number: reservation.oldNumber,
      ...{ resource_id: resource.id, space_id: space.id, title: titleOf(resource, space) },
      ...{ pieces, starts_at: startsAt, ends_at: endsAt, status, held_until: reservation.heldUntil },
      person_id: await residentWithOwnEmail(tx, company.id, reservation.email),
      ...{ name: reservation.name, email: reservation.email, phone: reservation.phone, purpose: reservation.purpose },
      ...{ guests: reservation.guests, is_resident: reservation.isResident, by_staff: true },
      items: JSON.stringify([
        ...(priceCents > 0 ? [{ text: say`Rental`, note, amountCents: priceCents }] : []),
        ...(depositCents > 0 ? [{ text: say`Security deposit`, note, amountCents: depositCents }] : []),
      ]),
      ...{ price_cents: priceCents, security_deposit_cents: depositCents },
      ...{ is_notified: true, created_at: reservation.createdAt, updated_at: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (status !== 'cancelled') {
    const rules = { beforeMinutes: 0, afterMinutes: 0 }
    const times = { reservationId: row.id, resource, spaceId: space.id, pieces, startsAt, endsAt, now, rules }
    // Only the payment of an expired hold, started in the same moment, can still refuse the time.
    await occupy(tx, company.id, times).catch((error: unknown) => {
      throw error instanceof Refusal ? new FileRefused(error.message) : error
    })
  }
  const { id, number = '' } = lockedRental(row)
  await recordCreation(tx, rentalStateStore, {
    ...{ scope: company.id, id, number, event: events[status], actor: actorOf(call) },
    detail: { resource: row.title, oldNumber: row.old_number },
  })
  await saveCalendarItem(tx, company.id, row)
}
