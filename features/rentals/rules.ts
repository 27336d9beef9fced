import { addDays, dateIn, daysBetween, instantAt, midnightIn, timeIn, weekday } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { plural, say } from '../../shared/words.ts'

export const kindLabels = { pavilion: 'Pavilion', hall: 'Hall', field: 'Field', equipment: 'Equipment' } as const
export type ResourceKind = keyof typeof kindLabels

/** Whoever begins to pay within this time has what they chose. */
export const HOLD_MINUTES = 15
/** So long somebody whose request was approved may take to pay; never longer than until it begins. */
export const APPROVED_HOURS = 72
/** So long somebody who waited may take to pay what became free, where it does not begin soon. */
export const OFFER_HOURS = 24
/** For so many times one person waits at once. */
export const MAX_WAITLISTED = 10
/** So many dates one series has at most. */
export const MAX_DATES = 60
/** So many a resident asks for at once at most: what one cart holds, so that all of them are paid together. */
export const MAX_PER_RESIDENT = 20
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** How the questions and the agreement of a reservation stand. */
export const agreementStands = ['none', 'unsigned', 'signed'] as const
export type AgreementStands = (typeof agreementStands)[number]
export const agreementLabels: Readonly<Record<AgreementStands, string>> = {
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

export const DESK = '/municipality/manage/manage-resource-rentals'
export const deskPath = (id: number): string => `${DESK}?reservation=${id}`

/** Days of the year, as MM-DD, on which something is open; one that begins later than it ends goes over the new year. */
export interface Season {
  from: string
  until: string
  /** 1 for Monday to 7. */
  days: readonly number[]
  opens: string
  /** Up to 24:00. */
  closes: string
  /** Of the price. */
  percent: number
}

export interface Rules {
  seasons: readonly Season[]
  closedOnHolidays: boolean
  stepMinutes: number
  leastMinutes: number
  mostMinutes: number
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

/** Days on which nobody can have it, both included. */
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

/** When a resource is open on a day, or why it isn't. Of several seasons that hold, the first counts. */
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
  return season ?? { closedFor: say`Closed` }
}

export interface Times {
  startsAt: Date
  endsAt: Date
}
/** A day and two times of its clocks. `until` may be 24:00. */
export interface TimeSlot {
  day: string
  from: string
  until: string
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/**
 * A time of a day's clocks as an instant; null for one that the clocks skip in spring, which nobody can choose. The hour
 * that comes twice in autumn is its first one.
 */
export function clockAt(timeZone: string, day: string, time: string): Date | null {
  if (time === '24:00') return midnightIn(timeZone, addDays(day, 1))
  const at = instantAt(timeZone, day, time)
  if (timeIn(timeZone, at) !== time || dateIn(timeZone, at) !== day) return null
  const before = new Date(at.getTime() - HOUR)
  return timeIn(timeZone, before) === time ? before : at
}

/** From when until when something is, by the town's clocks. Midnight ends the day before. */
export function wishOf(timeZone: string, { starts_at, ends_at }: { starts_at: Date; ends_at: Date }): TimeSlot {
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

/** From when until when nobody else can have it: with the time to get it ready and to clear it. */
export const guardOf = (
  { beforeMinutes, afterMinutes }: Pick<Rules, 'beforeMinutes' | 'afterMinutes'>,
  { startsAt, endsAt }: Times,
) => ({
  guardFrom: new Date(startsAt.getTime() - beforeMinutes * MINUTE),
  guardUntil: new Date(endsAt.getTime() + afterMinutes * MINUTE),
})

interface SlotContext {
  timeZone: string
  now: Date
  /** Staff who book for somebody on the phone mind neither notice. */
  byStaff: boolean
}

/** Why nobody can have it then, whoever has it already; null where they can. */
export function mistakeIn(
  rules: Rules,
  wish: TimeSlot,
  closed: ClosedDays,
  { timeZone, now, byStaff }: SlotContext,
): string | null {
  const opening = openingOn(rules, wish.day, closed)
  if ('closedFor' in opening) return say`It is closed on this day: ${opening.closedFor}.`
  const { stepMinutes, leastMinutes, mostMinutes } = rules
  const [from, until] = [minutesOf(wish.from), minutesOf(wish.until)]
  if (from < minutesOf(opening.opens) || until > minutesOf(opening.closes))
    return say`On this day it is open from ${opening.opens} to ${opening.closes}.`
  if ((from - minutesOf(opening.opens)) % stepMinutes !== 0 || (until - from) % stepMinutes !== 0)
    return say`Choose times in steps of ${stepMinutes} minutes.`
  const times = timesOf(timeZone, wish)
  if (!times)
    return until <= from
      ? say`Choose an end after the beginning.`
      : say`The clocks skip this hour on that day. Choose another one.`
  const minutes = (times.endsAt.getTime() - times.startsAt.getTime()) / MINUTE
  if (minutes < leastMinutes) return say`It can be had for ${lengthOf(leastMinutes)} at least.`
  if (minutes > mostMinutes) return say`It can be had for ${lengthOf(mostMinutes)} at most.`
  if (times.startsAt <= now) return say`This has begun already. Choose a time to come.`
  if (byStaff) return null
  if (times.startsAt.getTime() - now.getTime() < rules.noticeHours * HOUR)
    return say`It has to be reserved ${plural(rules.noticeHours, 'one hour', '# hours')} before it begins. Call the office for anything sooner.`
  if (daysBetween(dateIn(timeZone, now), wish.day) > rules.aheadDays)
    return say`It can be reserved ${plural(rules.aheadDays, 'one day', '# days')} ahead at most.`
  return null
}

/** `90` reads `1.5 hours`. */
export const lengthOf = (minutes: number): string =>
  minutes % 60 === 0
    ? say`${plural(minutes / 60, 'one hour', '# hours')}`
    : minutes > 60 && minutes % 30 === 0
      ? say`${minutes / 60} hours`
      : say`${plural(minutes, 'one minute', '# minutes')}`

/** A quarter of an hour for whoever pays now, three days for whoever is told by mail, and never past its beginning. */
export function holdUntil(now: Date, startsAt: Date, byMail: boolean): Date {
  const until = new Date(now.getTime() + (byMail ? APPROVED_HOURS * HOUR : HOLD_MINUTES * MINUTE))
  return until < startsAt ? until : startsAt
}

/**
 * Until when a time that became free is held for whoever waited: a day, or half of the time that is left before it begins, so
 * that the next one has a chance as well.
 */
export const offerUntil = (now: Date, startsAt: Date): Date =>
  new Date(now.getTime() + Math.min(OFFER_HOURS * HOUR, Math.floor((startsAt.getTime() - now.getTime()) / 2)))

/** Whoever comes early is let in, and nobody is checked in days ahead by mistake. */
const CHECK_IN_HOURS = 2
export const checkInFrom = (startsAt: Date): Date => new Date(startsAt.getTime() - CHECK_IN_HOURS * HOUR)

/** From then on a time that became free could not be reserved any more: whoever waits for it waits in vain. */
export const waitsUntil = ({ noticeHours }: Pick<Rules, 'noticeHours'>, startsAt: Date): Date =>
  new Date(startsAt.getTime() - noticeHours * HOUR)

export const placeWords = (place: number): string =>
  place === 1 ? say`You are the first on the waiting list.` : say`You are number ${place} on the waiting list.`

interface Priced {
  isResident: boolean
  pieces: number
  /** Of the space, of the whole resource's price. */
  spacePercent: number
  /** Names of add-ons. */
  addons: readonly string[]
}
export interface Price {
  items: { text: string; note: string; amountCents: number }[]
  priceCents: number
  depositCents: number
  totalCents: number
}

/** What a time costs, by what it is made of. Hours are as long as they were: one that comes twice counts twice. */
export function priceOf(rules: Rules, wish: TimeSlot, closed: ClosedDays, timeZone: string, priced: Priced): Price {
  const { chargedBy, residentCents, otherCents, depositCents } = rules
  const opening = openingOn(rules, wish.day, closed)
  const times = timesOf(timeZone, wish)
  const percent = ('percent' in opening ? opening.percent : 100) * priced.spacePercent
  const hours = times ? (times.endsAt.getTime() - times.startsAt.getTime()) / HOUR : 0
  const rate = priced.isResident ? residentCents : otherCents
  const units = chargedBy === 'hour' ? hours : 1
  const rent = Math.round((rate * units * priced.pieces * percent) / 10_000)
  const length = chargedBy === 'hour' ? lengthOf(Math.round(hours * 60)) : say`One day`
  const rateNote = priced.isResident ? say`Rate for residents` : say`Rate for everybody else`
  const shown = percent / 100
  const note = shown === 100 ? rateNote : say`${rateNote}, ${shown}% of it on this day`
  const items = [{ text: say`Rental, ${length}`, note, amountCents: rent }]
  for (const { name, cents } of rules.addons)
    if (priced.addons.includes(name)) items.push({ text: name, note: '', amountCents: cents })
  const priceCents = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (depositCents > 0)
    items.push({ text: say`Deposit`, note: say`Comes back after the inspection`, amountCents: depositCents })
  return { items, priceCents, depositCents, totalCents: priceCents + depositCents }
}

/** What of a paid reservation goes back to whoever cancels it now; the deposit always does. */
export function backOf(
  { refundDays, latePercent }: Pick<Rules, 'refundDays' | 'latePercent'>,
  paid: { priceCents: number; paidCents: number; startsAt: Date },
  now: Date,
): number {
  const inTime = paid.startsAt.getTime() - now.getTime() >= refundDays * DAY
  const kept = inTime ? 0 : paid.priceCents - Math.floor((paid.priceCents * latePercent) / 100)
  return Math.max(0, paid.paidCents - kept)
}

/**
 * The instant from which the cancellation terms count after a reservation moved. A payer whose cancellation is late already
 * keeps the late terms: a change must not evade them. The office takes no better terms away.
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

export const refundWords = ({ refundDays, latePercent }: Pick<Rules, 'refundDays' | 'latePercent'>): string =>
  latePercent === 100
    ? say`Whoever cancels gets everything back.`
    : latePercent === 0
      ? say`Whoever cancels at least ${plural(refundDays, 'one day', '# days')} before gets everything back, later only the deposit.`
      : say`Whoever cancels at least ${plural(refundDays, 'one day', '# days')} before gets everything back, later the deposit and ${latePercent}% of the price.`

export const rateWords = (cents: number, chargedBy: 'hour' | 'day'): string =>
  cents === 0 ? say`Free` : chargedBy === 'hour' ? say`${formatCents(cents)} an hour` : say`${formatCents(cents)} a day`

/** A stretch of a day, by its clocks. */
export interface Stretch {
  from: string
  until: string
}

/** What keeps somebody from having a step of a day, if anything. */
export const stepStands = ['free', 'taken', 'past', 'soon', 'far', 'skipped'] as const
export type StepIs = (typeof stepStands)[number]
export interface SlotStep {
  time: string
  until: string
  is: StepIs
}
export const isFree = ({ is }: Pick<SlotStep, 'is'>): boolean => is === 'free'

/** The steps of a day in which somebody could begin or go on, and what keeps them from it. */
export function stepsOf(
  rules: Rules,
  day: string,
  closed: ClosedDays,
  busy: readonly { guardFrom: Date; guardUntil: Date }[],
  { timeZone, now, byStaff }: SlotContext,
): SlotStep[] {
  const opening = openingOn(rules, day, closed)
  if ('closedFor' in opening) return []
  const soonest = byStaff ? now.getTime() : now.getTime() + rules.noticeHours * HOUR
  const tooFar = !byStaff && daysBetween(dateIn(timeZone, now), day) > rules.aheadDays
  const steps: SlotStep[] = []
  const last = minutesOf(opening.closes) - rules.stepMinutes
  for (let at = minutesOf(opening.opens); at <= last; at += rules.stepMinutes) {
    const step = { time: timeOf(at), until: timeOf(at + rules.stepMinutes) }
    steps.push({ ...step, is: standsAt(timesOf(timeZone, { day, from: step.time, until: step.until })) })
  }
  return steps

  function standsAt(times: Times | null): StepIs {
    if (!times) return 'skipped'
    if (times.startsAt <= now) return 'past'
    const { guardFrom, guardUntil } = guardOf(rules, times)
    if (busy.some((one) => one.guardFrom < guardUntil && guardFrom < one.guardUntil)) return 'taken'
    if (times.startsAt.getTime() < soonest) return 'soon'
    return tooFar ? 'far' : 'free'
  }
}

/** How long before one has to reserve it, and how long before one can. */
export const noticeWords = ({ noticeHours, aheadDays }: Pick<Rules, 'noticeHours' | 'aheadDays'>): string =>
  noticeHours === 0
    ? say`At most ${plural(aheadDays, 'one day', '# days')} ahead`
    : say`At least ${plural(noticeHours, 'one hour', '# hours')} before it begins, at most ${plural(aheadDays, 'one day', '# days')} ahead`

/** Why so many people can't come; null where they can. A capacity of 0 is none. */
export const refuseGuests = (guests: number, capacity: number): string | null =>
  capacity > 0 && guests > capacity ? say`It has room for ${plural(capacity, 'one person', '# people')}.` : null
