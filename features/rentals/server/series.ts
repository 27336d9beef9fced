import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { daysOfRule } from '../../../server/days-of-rule.ts'
import { conflict, notFound, Refusal, rejected } from '../../../server/errors.ts'
import { move, whoOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, formatDate, midnightIn } from '../../../shared/dates.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { ruleOf } from '../../../shared/repeats.ts'
import { plural, say } from '../../../shared/words.ts'
import { bookSeries, cancelSeries, previewSeries } from '../contract.ts'
import { guardOf, MOST_DATES, mistakeIn, priceOf, refuseGuests, timesOf, type Wish } from '../rules.ts'
import { busyIn, TAKEN } from './occupy.ts'
import { heldRental, keptRentals, type Reservation } from './reservations.ts'
import { backNow, refuseWhilePaid } from './resident.ts'
import { spaceIn, withoutDeposit } from './judge.ts'
import { reserve } from './reserve.ts'
import { closedOf, findResource, rulesOf, spacesOf } from './resources.ts'
import { offerFreed } from './waiting-list.ts'

type Asked = BodyOf<typeof previewSeries>

interface SeriesDate extends Wish {
  of: string
  leftOut: boolean
}

/** The dates of a rule, each as it was chosen to be. */
function datesOf({ repeats, startsOn, from, until, choices }: Asked): { dates: SeriesDate[]; hasMore: boolean } {
  const days = daysOfRule(ruleOf(repeats, startsOn), startsOn, startsOn, MOST_DATES + 1)
  const dates = days.slice(0, MOST_DATES).map((of) => {
    const chosen = choices.find((one) => one.of === of)
    return { of, day: of, from, until, ...chosen?.instead, leftOut: chosen?.instead === null }
  })
  return { dates, hasMore: days.length > MOST_DATES }
}

/** All that may be in the way of some dates: a day more on either side, for what is cleared after midnight. */
function spanOf(timeZone: string, dates: readonly Wish[]): { from: Date; until: Date } {
  const days = dates.map(({ day }) => day).toSorted()
  return {
    from: midnightIn(timeZone, addDays(days[0] ?? '2000-01-01', -2)),
    until: midnightIn(timeZone, addDays(days.at(-1) ?? '2000-01-01', 3)),
  }
}

/** Each date with what keeps it from being booked, among them the other dates, and what it costs. */
async function judged(tx: Tx, { company, house }: Pick<Call, 'company' | 'house'>, asked: Asked) {
  const resource = await findResource(tx, company.id, asked.resourceId)
  const spaces = await spacesOf(tx, company.id, resource.id)
  const space = spaceIn(spaces, asked.spaceId)
  const rules = rulesOf(resource)
  const closed = await closedOf(tx, company, resource.id)
  const now = house.clock.now()
  const { timeZone } = company
  const { dates, hasMore } = datesOf(asked)
  const tooMany = refuseGuests(asked.guests, resource.capacity) ?? ''
  const busy = await busyIn(tx, company.id, {
    ...{ resource, spaceId: space.id, pieces: asked.pieces, now },
    ...spanOf(timeZone, dates),
  })
  const booked: Wish[] = []
  const shown = []
  for (const one of dates) {
    if (one.leftOut) {
      shown.push({ ...one, mistake: '', totalCents: 0 })
      continue
    }
    const times = timesOf(timeZone, one)
    const alike = booked.some(({ day, from, until }) => day === one.day && from < one.until && one.from < until)
    const guard = times && guardOf(rules, times)
    const taken =
      guard && busy.some(({ guardFrom, guardUntil }) => guardFrom < guard.guardUntil && guard.guardFrom < guardUntil)
    const mistake =
      mistakeIn(rules, one, closed, { timeZone, now, byStaff: true }) ??
      (alike ? say`Another date of the series has this time.` : taken ? TAKEN : tooMany)
    const { totalCents } = priceOf(booked.length === 0 ? rules : withoutDeposit(rules), one, closed, timeZone, {
      ...{ isResident: asked.isResident, pieces: asked.pieces, addons: [], spacePercent: space.price_percent },
    })
    booked.push(one)
    shown.push({ ...one, mistake, totalCents })
  }
  return { dates: shown, totalCents: shown.reduce((sum, { totalCents }) => sum + totalCents, 0), hasMore }
}

const previewCall = implement(previewSeries, (call) => call.reading((tx) => judged(tx, call, call.body)))

const bookCall = implement(bookSeries, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, house } = call
    const { dates, totalCents } = await judged(tx, call, body)
    const wanted = dates.filter(({ leftOut }) => !leftOut)
    if (wanted.length === 0) throw rejected(say`All dates are left out. Take one of them at least.`)
    if (totalCents !== body.quotedCents)
      throw conflict('changed_since', say`The dates cost ${formatCents(totalCents)} by now. Look at them once more.`)
    const { id } = await tx
      .insertInto('rental_series')
      .values({
        ...{ company_id: company.id, resource_id: body.resourceId, rule: ruleOf(body.repeats, body.startsOn) },
        ...{ starts_on: body.startsOn, created_at: house.clock.now() },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [n, one] of wanted.entries()) await bookDate(one, n === 0, id)
    await call.audit(tx, {
      action: 'rental.series_booked',
      subject: { kind: 'rental_series', id },
      detail: { rule: ruleOf(body.repeats, body.startsOn), dates: wanted.length, name: body.name },
    })
    await house.jobs.enqueue(tx, 'rentals.tell', {})
    const cost = totalCents > 0 ? say`They cost ${formatCents(totalCents)} and are held until they are paid.` : ''
    const made = say`${plural(wanted.length, 'One date is', '# dates are')} booked.`
    return { success: true as const, message: `${made} ${cost}`.trim(), seriesId: id }

    async function bookDate(one: (typeof wanted)[number], hasDeposit: boolean, series: number) {
      const asked = {
        ...body,
        ...{ day: one.day, from: one.from, until: one.until, quotedCents: one.totalCents },
        ...{ phone: nationalDigits(body.phone), addons: [], personId: null, byStaff: true, agreed: false },
        series: { id: series, hasDeposit },
      }
      await reserve(tx, house, company, asked, whoOf(call)).catch((error: unknown) => {
        // Of sixty dates one has to know which it is.
        if (error instanceof Refusal) throw conflict(error.code, `${formatDate(one.day)}: ${error.message}`)
        throw error
      })
    }
  }),
)

const cancelCall = implement(cancelSeries, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, house } = call
    const now = house.clock.now()
    const { rows } = await sql<Reservation>`
      SELECT * FROM rental_reservation WHERE company_id = ${company.id} AND series_id = ${body.seriesId}
        AND starts_at > ${now} AND status IN ('requested', 'held', 'confirmed') ORDER BY id FOR UPDATE`.execute(tx)
    if (rows.length === 0) throw notFound('No date of this series is still to come.')
    for (const row of rows) {
      await refuseWhilePaid(tx, row)
      await move(tx, keptRentals, {
        ...{ place: company.id, id: row.id, held: heldRental(row), event: 'cancel', who: whoOf(call) },
        facts: { back_cents: await backNow(tx, row, now, true) },
      })
    }
    for (const id of new Set(rows.map(({ resource_id }) => resource_id))) await offerFreed(tx, house, company, id)
    await house.jobs.enqueue(tx, 'rentals.tell', {})
    return { success: true as const, message: say`${plural(rows.length, 'One date is', '# dates are')} cancelled.` }
  }),
)

export const seriesCalls = [previewCall, bookCall, cancelCall]
