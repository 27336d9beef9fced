import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { conflict, Refusal } from '../../../server/errors.ts'
import type { Who } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, formatDate, midnightIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import { type Closed, guardOf, mistakeIn, priceOf, refuseGuests, type Rules, timesOf, type Wish } from '../rules.ts'
import { busyIn, TAKEN } from './occupy.ts'
import { spaceIn, withoutDeposit } from './judge.ts'
import { type Asked, reserve } from './reserve.ts'
import { closedOf, findResource, type Resource, rulesOf, type Space, spacesOf } from './resources.ts'

/** What is the same for all dates of a resource. */
export interface Offer {
  resource: Resource
  spaces: Space[]
  rules: Rules
  closed: Closed
}

/** A resource as staff may book it. */
export async function offerOf(tx: Tx, company: Company, resourceId: number): Promise<Offer> {
  const resource = await findResource(tx, company.id, resourceId)
  return {
    resource,
    spaces: await spacesOf(tx, company.id, resourceId),
    rules: rulesOf(resource),
    closed: await closedOf(tx, company, resourceId, true),
  }
}

export interface SeriesDate extends Wish {
  leftOut: boolean
}
interface Judging {
  spaceId: number
  pieces: number
  guests: number
  isResident: boolean
}

/** All that may be in the way of some dates: a day more on either side, for what is cleared after midnight. */
function spanOf(timeZone: string, dates: readonly Wish[]): { from: Date; until: Date } {
  const days = dates.map(({ day }) => day).toSorted()
  return {
    from: midnightIn(timeZone, addDays(days[0] ?? '2000-01-01', -2)),
    until: midnightIn(timeZone, addDays(days.at(-1) ?? '2000-01-01', 3)),
  }
}

/**
 * Each date with what keeps it from being booked, among them the other dates, and what it costs. The first
 * that is not left out carries the deposit for all.
 */
export async function judgeDates<D extends SeriesDate>(
  tx: Tx,
  { company, house }: { company: Company; house: Pick<House, 'clock'> },
  { resource, spaces, rules, closed }: Offer,
  { spaceId, pieces, guests, isResident }: Judging,
  dates: readonly D[],
): Promise<(D & { mistake: string; totalCents: number })[]> {
  const space = spaceIn(spaces, spaceId)
  const now = house.clock.now()
  const { timeZone } = company
  const tooMany = refuseGuests(guests, resource.capacity) ?? ''
  const busy = await busyIn(tx, company.id, { resource, spaceId, pieces, now, ...spanOf(timeZone, dates) })
  const booked: Wish[] = []
  return dates.map((one) => {
    if (one.leftOut) return { ...one, mistake: '', totalCents: 0 }
    const times = timesOf(timeZone, one)
    const alike = booked.some(({ day, from, until }) => day === one.day && from < one.until && one.from < until)
    const guard = times && guardOf(rules, times)
    const taken =
      guard && busy.some(({ guardFrom, guardUntil }) => guardFrom < guard.guardUntil && guard.guardFrom < guardUntil)
    const mistake =
      mistakeIn(rules, one, closed, { timeZone, now, byStaff: true }) ??
      (alike ? say`Another date of the series has this time.` : taken ? TAKEN : tooMany)
    const { totalCents } = priceOf(booked.length === 0 ? rules : withoutDeposit(rules), one, closed, timeZone, {
      ...{ isResident, pieces, addons: [], spacePercent: space.price_percent },
    })
    booked.push(one)
    return { ...one, mistake, totalCents }
  })
}

interface Series {
  rule: string
  startsOn: string
  asked: Omit<Asked, 'day' | 'from' | 'until' | 'quotedCents' | 'series'>
}

/** Books dates together: all of them or none. @returns the number of their series */
export async function bookDates(
  tx: Tx,
  { house, company, who }: { house: House; company: Company; who: Who },
  dates: readonly (Wish & { totalCents: number })[],
  { rule, startsOn, asked }: Series,
): Promise<number> {
  const { id } = await tx
    .insertInto('rental_series')
    .values({
      ...{ company_id: company.id, resource_id: asked.resourceId, rule },
      ...{ starts_on: startsOn, created_at: house.clock.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [n, { day, from, until, totalCents }] of dates.entries()) {
    const series = { id, hasDeposit: n === 0 }
    const one = { ...asked, ...{ day, from, until, quotedCents: totalCents, series } }
    await reserve(tx, house, company, one, who).catch((error: unknown) => {
      // Of sixty dates one has to know which it is.
      if (error instanceof Refusal) throw conflict(error.code, `${formatDate(day)}: ${error.message}`)
      throw error
    })
  }
  return id
}
