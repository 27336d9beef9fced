import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { conflict, Refusal, rejected } from '../../../server/errors.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, formatDate, midnightIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import {
  type ClosedDays,
  bufferOf,
  mistakeIn,
  priceOf,
  guestsError,
  type Rules,
  timesOf,
  type TimeSlot,
} from '../rules.ts'
import { busyIn, TIME_UNAVAILABLE } from './occupy.ts'
import { spaceIn, withoutDeposit } from './check-reservation.ts'
import { type ReservationInput, reserve } from './reserve.ts'
import { closedOf, findResource, type Resource, rulesOf, type Space, spacesOf } from './resources.ts'
import type { Reservation } from './reservation-rows.ts'

/** Resource data that all dates of a series share. */
export interface Offer {
  resource: Resource
  spaces: Space[]
  rules: Rules
  closed: ClosedDays
}

/** Loads the resource for a reservation by staff or by a resident. */
export async function offerOf(tx: Tx, company: Company, resourceId: number, byStaff = true): Promise<Offer> {
  const resource = await findResource(tx, company.id, resourceId)
  return {
    resource,
    spaces: await spacesOf(tx, company.id, resourceId),
    rules: rulesOf(resource),
    closed: await closedOf(tx, company, resourceId, byStaff),
  }
}

export interface SeriesDate extends TimeSlot {
  leftOut: boolean
}
interface DatesInput {
  spaceId: number
  pieces: number
  guests: number
  isResident: boolean
  /** Names of add-ons, included in each date. */
  addons?: readonly string[]
  byStaff?: boolean
}

/**
 * Calculates the period in which conflicts are possible. Adds one day on each side, because cleanup may extend past
 * midnight.
 */
function spanOf(timeZone: string, dates: readonly TimeSlot[]): { from: Date; until: Date } {
  const days = dates.map(({ day }) => day).toSorted()
  return {
    from: midnightIn(timeZone, addDays(days[0] ?? '2000-01-01', -2)),
    until: midnightIn(timeZone, addDays(days.at(-1) ?? '2000-01-01', 3)),
  }
}

/**
 * Checks each date against the rules, reservations and other dates, and calculates its price. The first date that is
 * not skipped carries the deposit for all dates.
 */
export async function checkDates<D extends SeriesDate>(
  tx: Tx,
  { company, context }: { company: Company; context: Pick<AppContext, 'clock'> },
  { resource, spaces, rules, closed }: Offer,
  { spaceId, pieces, guests, isResident, addons = [], byStaff = true }: DatesInput,
  dates: readonly D[],
): Promise<(D & { mistake: string; totalCents: number })[]> {
  const space = spaceIn(spaces, spaceId)
  const now = context.clock.now()
  const { timeZone } = company
  const tooMany = guestsError(guests, resource.capacity) ?? ''
  if (pieces > resource.pieces) throw rejected(say`The maximum quantity is ${resource.pieces}.`)
  const busy = await busyIn(tx, company.id, { resource, spaceId, pieces, now, ...spanOf(timeZone, dates) })
  const booked: TimeSlot[] = []
  return dates.map((one) => {
    if (one.leftOut) return { ...one, mistake: '', totalCents: 0 }
    const times = timesOf(timeZone, one)
    const alike = booked.some(({ day, from, until }) => day === one.day && from < one.until && one.from < until)
    const guard = times && bufferOf(rules, times)
    const isBooked =
      guard &&
      busy.some(({ bufferFrom, bufferUntil }) => bufferFrom < guard.bufferUntil && guard.bufferFrom < bufferUntil)
    const mistake =
      mistakeIn(rules, one, closed, { timeZone, now, byStaff }) ??
      (alike ? say`Another one of the selected dates already uses this time.` : isBooked ? TIME_UNAVAILABLE : tooMany)
    const { totalCents } = priceOf(booked.length === 0 ? rules : withoutDeposit(rules), one, closed, timeZone, {
      ...{ isResident, pieces, addons, spacePercent: space.price_percent },
    })
    booked.push(one)
    return { ...one, mistake, totalCents }
  })
}

interface Series {
  rule: string
  startsOn: string
  /** Person who made the request. Undefined if staff or a lottery made the reservation. */
  requestedBy?: number
  /** True if the series needs staff approval. */
  waits?: boolean
  input: Omit<ReservationInput, 'day' | 'from' | 'until' | 'quotedCents' | 'series'>
}

/** Reserves all dates, or none if one fails. @returns their series and the first reservation */
export async function bookDates(
  tx: Tx,
  { context, company, actor }: { context: AppContext; company: Company; actor: TransitionActor },
  dates: readonly (TimeSlot & { totalCents: number })[],
  { rule, startsOn, requestedBy, waits = false, input }: Series,
): Promise<{ id: number; first: Reservation }> {
  const { id } = await tx
    .insertInto('rental_series')
    .values({
      ...{ company_id: company.id, resource_id: input.resourceId, rule },
      ...{ starts_on: startsOn, person_id: requestedBy ?? null, created_at: context.clock.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let first: Reservation | undefined
  for (const [n, { day, from, until, totalCents }] of dates.entries()) {
    const series = { id, hasDeposit: n === 0, waits }
    const one = { ...input, ...{ day, from, until, quotedCents: totalCents, series } }
    const row = await reserve(tx, context, company, one, actor).catch((error: unknown) => {
      // Names the date in the error, because a series may have sixty dates.
      if (error instanceof Refusal) throw conflict(error.code, `${formatDate(day)}: ${error.message}`)
      throw error
    })
    first ??= row
  }
  if (!first) throw rejected(say`You skipped all dates. Keep at least one.`)
  return { id, first }
}
