import {
  addDays,
  clockText,
  dateIn,
  daysBetween,
  instantAt,
  midnightIn,
  minutesOf,
  timeAt,
  timeIn,
  weekday,
} from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { plural, say } from '../../shared/messages.ts'

export const kindLabels = { pavilion: 'Pavilion', hall: 'Hall', field: 'Field', equipment: 'Equipment' } as const
export type ResourceKind = keyof typeof kindLabels

/** Number of minutes in which a resident must start to pay for a chosen time. */
export const HOLD_MINUTES = 15
/** Number of hours to pay after approval. The deadline is never later than the start of the reservation. */
export const APPROVED_HOURS = 72
/** Number of hours to pay for an offer from the waitlist. The time is shorter if the reservation starts soon. */
export const OFFER_HOURS = 24
/** Maximum waitlist entries of one person. */
export const MAX_WAITLISTED = 10
/** Maximum dates in one series. */
export const MAX_DATES = 60
/**
 * Maximum dates that a resident can request together. One cart can contain this many dates, so one payment covers all
 * of them.
 */
export const MAX_PER_RESIDENT = 20
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Signing statuses of a reservation. */
export const signingStatuses = ['none', 'unsigned', 'signed'] as const
export type SigningStatus = (typeof signingStatuses)[number]
export const agreementLabels: Readonly<Record<SigningStatus, string>> = {
  none: 'Nothing to sign',
  unsigned: 'Not signed yet',
  signed: 'Signed',
}

const FIRST_NUMBER = 100_000
export const numberOf = (id: number): string => `R-${FIRST_NUMBER + id}`
export const idIn = (number: string): number | null => {
  const digits = /^r-?(\d{6,15})$/i.exec(number.trim())?.[1]
  return digits === undefined || Number(digits) <= FIRST_NUMBER ? null : Number(digits) - FIRST_NUMBER
}

export const STAFF_PATH = '/municipality/manage/manage-resource-rentals'
/** List of the dates of a series in their order. */
export const seriesPath = (id: number): string => `${STAFF_PATH}?series=${id}&sort=startsAt&direction=asc`
/** Planner of the day, in which staff book by phone. */
export const PLANNER_PATH = `${STAFF_PATH}?of=planner`
export const staffPath = (id: number): string => `${STAFF_PATH}?reservation=${id}`

/**
 * Season with opening hours. Dates are MM-DD. If the start is later in the year than the end, the season spans New
 * Year.
 */
export interface Season {
  from: string
  until: string
  /** Weekdays, from 1 (Monday) to 7 (Sunday). */
  days: readonly number[]
  opens: string
  /** Closing time, no later than 24:00. */
  closes: string
  /** Price in this season, as a percentage of the regular price. 100 leaves it unchanged. */
  percent: number
}

export interface Rules {
  seasons: readonly Season[]
  closedOnHolidays: boolean
  stepMinutes: number
  minMinutes: number
  maxMinutes: number
  noticeHours: number
  aheadDays: number
  beforeMinutes: number
  afterMinutes: number
  chargedBy: 'hour' | 'day'
  residentCents: number
  otherCents: number
  depositCents: number
  addons: readonly { name: string; cents: number }[]
  refundDays: number
  latePercent: number
}

/** Closure of a resource. `from` and `until` are its first and last day, both included. */
export interface Blackout {
  from: string
  until: string
  reason: string
}
export interface ClosedDays {
  holidays: readonly { on: string; name: string }[]
  blackouts: readonly Blackout[]
}

const isIn = ({ from, until, days }: Season, day: string): boolean => {
  const date = day.slice(5)
  const inDates = from <= until ? from <= date && date <= until : date >= from || date <= until
  return inDates && days.includes(weekday(day) || 7)
}

export type DayOpening = { opens: string; closes: string; percent: number } | { closedFor: string }

/**
 * Finds the opening hours of a resource on a day, or the reason that it is closed. The first matching season applies.
 */
export function openingOn(
  { seasons, closedOnHolidays }: Rules,
  day: string,
  { holidays, blackouts }: ClosedDays,
): DayOpening {
  const blackout = blackouts.find(({ from, until }) => from <= day && day <= until)
  if (blackout) return { closedFor: blackout.reason }
  const holiday = closedOnHolidays ? holidays.find(({ on }) => on === day) : undefined
  if (holiday) return { closedFor: holiday.name }
  const season = seasons.find((one) => isIn(one, day))
  return season ?? { closedFor: say`No opening hours` }
}

export interface Times {
  startsAt: Date
  endsAt: Date
}
/** A day and two local times. `until` may be 24:00. */
export interface TimeSlot {
  day: string
  from: string
  until: string
}

/**
 * Converts a local time to an instant. Returns null for a time that the clocks skip in spring. For the repeated hour in
 * fall, returns the first occurrence.
 */
export function clockAt(timeZone: string, day: string, time: string): Date | null {
  if (time === '24:00') return midnightIn(timeZone, addDays(day, 1))
  const at = instantAt(timeZone, day, time)
  if (timeIn(timeZone, at) !== time || dateIn(timeZone, at) !== day) return null
  const before = new Date(at.getTime() - HOUR)
  return timeIn(timeZone, before) === time ? before : at
}

/** Converts two instants to local times of the company. An end at midnight becomes 24:00 of the previous day. */
export function slotOf(timeZone: string, { starts_at, ends_at }: { starts_at: Date; ends_at: Date }): TimeSlot {
  const until = timeIn(timeZone, ends_at)
  return {
    day: dateIn(timeZone, starts_at),
    from: timeIn(timeZone, starts_at),
    until: until === '00:00' ? '24:00' : until,
  }
}

export function timesOf(timeZone: string, { day, from, until }: TimeSlot): Times | null {
  const [startsAt, endsAt] = [clockAt(timeZone, day, from), clockAt(timeZone, day, until)]
  return startsAt && endsAt && startsAt < endsAt ? { startsAt, endsAt } : null
}

/** Returns the time span that a reservation blocks, including the buffers for setup and cleanup. */
export const bufferOf = (
  { beforeMinutes, afterMinutes }: Pick<Rules, 'beforeMinutes' | 'afterMinutes'>,
  { startsAt, endsAt }: Times,
) => ({
  bufferFrom: new Date(startsAt.getTime() - beforeMinutes * MINUTE),
  bufferUntil: new Date(endsAt.getTime() + afterMinutes * MINUTE),
})

interface SlotContext {
  timeZone: string
  now: Date
  /** True if staff reserve by phone. The minimum and maximum notice then do not apply. */
  byStaff: boolean
}

/**
 * Returns the reason that the rules forbid the time, regardless of other reservations. Null if the rules allow the
 * time.
 */
export function mistakeIn(
  rules: Rules,
  slot: TimeSlot,
  closed: ClosedDays,
  { timeZone, now, byStaff }: SlotContext,
): string | null {
  const opening = openingOn(rules, slot.day, closed)
  if ('closedFor' in opening) return say`This day is not available. Reason: ${opening.closedFor}.`
  const { stepMinutes, minMinutes, maxMinutes } = rules
  const [from, until] = [minutesOf(slot.from), minutesOf(slot.until)]
  if (from < minutesOf(opening.opens) || until > minutesOf(opening.closes))
    return say`Choose a time during the opening hours on this day: ${clockText(opening.opens)} to ${clockText(opening.closes)}.`
  if ((from - minutesOf(opening.opens)) % stepMinutes !== 0 || (until - from) % stepMinutes !== 0)
    return say`Choose times in ${stepMinutes}-minute intervals.`
  const times = timesOf(timeZone, slot)
  if (!times)
    return until <= from
      ? say`Choose an end time that is after the start time.`
      : say`Because of daylight saving time, the selected hour does not exist on that day. Choose another hour.`
  const minutes = (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE
  if (minutes < minMinutes) return say`The minimum reservation length is ${lengthOf(minMinutes)}.`
  if (minutes > maxMinutes) return say`The maximum reservation length is ${lengthOf(maxMinutes)}.`
  if (times.startsAt <= now) return say`This time has already started. Choose a later time.`
  if (byStaff) return null
  if (times.startsAt.getTime() - now.getTime() < rules.noticeHours * HOUR)
    return say`Choose a start time that is at least ${plural(rules.noticeHours, 'one hour', '# hours')} from now. For an earlier time, call the office.`
  if (daysBetween(dateIn(timeZone, now), slot.day) > rules.aheadDays)
    return say`You can reserve up to ${plural(rules.aheadDays, 'one day', '# days')} in advance.`
  return null
}

/** Formats a length of time in minutes, for example `90` as `1.5 hours`. */
export const lengthOf = (minutes: number): string =>
  minutes % 60 === 0
    ? say`${plural(minutes / 60, 'one hour', '# hours')}`
    : minutes > 60 && minutes % 30 === 0
      ? say`${minutes / 60} hours`
      : say`${plural(minutes, 'one minute', '# minutes')}`

/**
 * Calculates the end of a hold: 15 minutes for immediate payment, three days for payment by an emailed link. The hold
 * never ends after the reservation starts.
 */
export function holdUntil(now: Date, startsAt: Date, byEmail: boolean): Date {
  const until = new Date(now.getTime() + (byEmail ? APPROVED_HOURS * HOUR : HOLD_MINUTES * MINUTE))
  return until < startsAt ? until : startsAt
}

/**
 * Calculates the end of a waitlist offer: one day, or half of the remaining time if that is shorter. If the offer
 * expires, the next person still has time to accept one.
 */
export const offerUntil = (now: Date, startsAt: Date): Date =>
  new Date(now.getTime() + Math.min(OFFER_HOURS * HOUR, Math.floor((startsAt.getTime() - now.getTime()) / 2)))

/** Number of hours before the start at which check-in opens. An earlier check-in would probably be a mistake. */
const CHECK_IN_HOURS = 2
export const checkInFrom = (startsAt: Date): Date => new Date(startsAt.getTime() - CHECK_IN_HOURS * HOUR)

/**
 * Calculates the end of the waitlist. After it, no offer is possible, because the minimum notice rules out a
 * reservation.
 */
export const waitsUntil = ({ noticeHours }: Pick<Rules, 'noticeHours'>, startsAt: Date): Date =>
  new Date(startsAt.getTime() - noticeHours * HOUR)

export const positionText = (position: number): string =>
  position === 1 ? say`You are first on the waitlist.` : say`You are number ${position} on the waitlist.`

interface Priced {
  isResident: boolean
  pieces: number
  /** Price of this space as a percentage of the resource's price. */
  spacePercent: number
  /** Names of the chosen add-ons. */
  addons: readonly string[]
}
export interface Price {
  items: { text: string; note: string; amountCents: number }[]
  priceCents: number
  depositCents: number
  totalCents: number
}

/**
 * Calculates the price of a reservation, with its items. Uses the actual length, so the repeated hour in fall counts
 * twice.
 */
export function priceOf(rules: Rules, slot: TimeSlot, closed: ClosedDays, timeZone: string, priced: Priced): Price {
  const { chargedBy, residentCents, otherCents, depositCents } = rules
  const opening = openingOn(rules, slot.day, closed)
  const times = timesOf(timeZone, slot)
  const percent = ('percent' in opening ? opening.percent : 100) * priced.spacePercent
  const hours = times ? (times.endsAt.getTime() - times.startsAt.getTime()) / HOUR : 0
  const rate = priced.isResident ? residentCents : otherCents
  const units = chargedBy === 'hour' ? hours : 1
  const rent = Math.round((rate * units * priced.pieces * percent) / 10_000)
  const length = chargedBy === 'hour' ? lengthOf(Math.round(hours * 60)) : say`one day`
  const rateNote = priced.isResident ? say`Resident rate` : say`Nonresident rate`
  const fraction = percent / 100
  const note = fraction === 100 ? rateNote : say`${rateNote}, ${fraction}% of the regular price`
  const items = [{ text: say`Rental, ${length}`, note, amountCents: rent }]
  for (const { name, cents } of rules.addons)
    if (priced.addons.includes(name)) items.push({ text: name, note: '', amountCents: cents })
  const priceCents = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (depositCents > 0)
    items.push({ text: say`Security deposit`, note: say`Refundable after the inspection`, amountCents: depositCents })
  return { items, priceCents, depositCents, totalCents: priceCents + depositCents }
}

/**
 * Calculates the refund that is due if the reservation is cancelled at `now`. The refund always includes the deposit.
 */
export function refundableCents(
  { refundDays, latePercent }: Pick<Rules, 'refundDays' | 'latePercent'>,
  paid: { priceCents: number; paidCents: number; startsAt: Date },
  now: Date,
): number {
  const inTime = paid.startsAt.getTime() - now.getTime() >= refundDays * DAY
  const retainedCents = inTime ? 0 : paid.priceCents - Math.floor((paid.priceCents * latePercent) / 100)
  return Math.max(0, paid.paidCents - retainedCents)
}

/**
 * Calculates the reference time for the cancellation terms after a move. If a payer moves a reservation when the late
 * terms already apply, they still apply afterwards. A payer therefore cannot avoid them with a move. A move by staff
 * never worsens the terms.
 */
export function termsAfter(
  { refundDays }: Pick<Rules, 'refundDays'>,
  { termsFrom, startsAt }: { termsFrom: Date; startsAt: Date },
  { now, byStaff }: { now: Date; byStaff: boolean },
): Date {
  if (byStaff) return termsFrom > startsAt ? termsFrom : startsAt
  const isLate = termsFrom.getTime() - now.getTime() < refundDays * DAY
  return isLate && termsFrom < startsAt ? termsFrom : startsAt
}

export const refundText = ({ refundDays, latePercent }: Pick<Rules, 'refundDays' | 'latePercent'>): string =>
  latePercent === 100 || refundDays === 0
    ? say`Full refund if you cancel before the start.`
    : latePercent === 0
      ? say`Full refund if you cancel at least ${plural(refundDays, 'one day', '# days')} before the start. After that, we refund only the security deposit.`
      : say`Full refund if you cancel at least ${plural(refundDays, 'one day', '# days')} before the start. After that, we refund the security deposit and ${latePercent}% of the price.`

export const rateText = (cents: number, chargedBy: 'hour' | 'day'): string =>
  cents === 0 ? say`Free` : chargedBy === 'hour' ? say`${formatCents(cents)} an hour` : say`${formatCents(cents)} a day`

/** Part of a day, from one local time to another. */
export interface Stretch {
  from: string
  until: string
}

/** Availability of a time step. Each value except `free` is a reason. */
export const stepAvailabilities = ['free', 'taken', 'past', 'soon', 'far', 'skipped'] as const
export type StepAvailability = (typeof stepAvailabilities)[number]
export interface SlotStep {
  time: string
  until: string
  is: StepAvailability
}
export const isFree = ({ is }: Pick<SlotStep, 'is'>): boolean => is === 'free'

/** Lists the time steps of a day in which a reservation could start or continue, with their availability. */
export function stepsOf(
  rules: Rules,
  day: string,
  closed: ClosedDays,
  busy: readonly { bufferFrom: Date; bufferUntil: Date }[],
  { timeZone, now, byStaff }: SlotContext,
): SlotStep[] {
  const opening = openingOn(rules, day, closed)
  if ('closedFor' in opening) return []
  const soonest = byStaff ? now.getTime() : now.getTime() + rules.noticeHours * HOUR
  const tooFar = !byStaff && daysBetween(dateIn(timeZone, now), day) > rules.aheadDays
  const steps: SlotStep[] = []
  const last = minutesOf(opening.closes) - rules.stepMinutes
  for (let at = minutesOf(opening.opens); at <= last; at += rules.stepMinutes) {
    const step = { time: timeAt(at), until: timeAt(at + rules.stepMinutes) }
    steps.push({ ...step, is: availabilityAt(timesOf(timeZone, { day, from: step.time, until: step.until })) })
  }
  return steps

  function availabilityAt(times: Times | null): StepAvailability {
    if (!times) return 'skipped'
    if (times.startsAt <= now) return 'past'
    const { bufferFrom, bufferUntil } = bufferOf(rules, times)
    if (busy.some((one) => one.bufferFrom < bufferUntil && bufferFrom < one.bufferUntil)) return 'taken'
    if (times.startsAt.getTime() < soonest) return 'soon'
    return tooFar ? 'far' : 'free'
  }
}

/** Describes the minimum and maximum notice for a reservation. */
export const noticeText = ({ noticeHours, aheadDays }: Pick<Rules, 'noticeHours' | 'aheadDays'>): string =>
  noticeHours === 0
    ? say`Up to ${plural(aheadDays, 'one day', '# days')} in advance`
    : say`At least ${plural(noticeHours, 'one hour', '# hours')} before the start, up to ${plural(aheadDays, 'one day', '# days')} in advance`

/**
 * Returns an error message if the number of guests exceeds the capacity, otherwise null. A capacity of 0 means no
 * limit.
 */
export const guestsError = (guests: number, capacity: number): string | null =>
  capacity > 0 && guests > capacity ? say`The capacity is ${plural(capacity, 'one person', '# people')}.` : null
