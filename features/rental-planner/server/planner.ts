import { implement } from '../../../server/call.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import {
  closuresByResource,
  leavesOf,
  occupiedIn,
  type Resource,
  rulesOf,
  type Space,
  titleOf,
  unavailableIn,
} from '../../rentals/api.ts'
import {
  type ClosedDays,
  openingOn,
  priceOf,
  type ResourceKind,
  type Rules,
  type SlotStep,
  type Times,
  slotOf,
  stepsOf,
  timesOf,
  type TimeSlot,
} from '../../rentals/rules.ts'
import type { RentalStatus } from '../../rentals/states.ts'
import { MAX_SPACES, type PlannerCell, type PlannerRow, rentalPlanner } from '../contract.ts'

const CELL_MINUTES = 30
const DAYS_OF_WEEK = 7

type Occupied = Awaited<ReturnType<typeof occupiedIn>>[number]

interface Reserved extends TimeSlot {
  id: number
  number: string
  name: string
  status: RentalStatus
}

/** A space with all data that its rows need. */
interface PlannedSpace {
  company: Company
  now: Date
  resource: Resource
  space: Space
  rules: Rules
  closed: ClosedDays
  occupied: readonly Occupied[]
  reservations: ReadonlyMap<number, Reserved>
  timesOf: (slot: TimeSlot) => Times | null
}

interface Filters {
  kind?: ResourceKind | undefined
  spaceId?: number | undefined
}

/** Finds the open resources in order of their names, with their spaces. */
async function findSpaces(tx: Tx, company: Company, { kind, spaceId }: Filters) {
  const resources = await tx
    .selectFrom('rental_resource')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('status', '=', 'open')
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind as ResourceKind))
    .$if(spaceId !== undefined, (query) =>
      query.where('id', 'in', (of) =>
        of
          .selectFrom('rental_space')
          .select('resource_id')
          .where('company_id', '=', company.id)
          .where('id', '=', spaceId as number),
      ),
    )
    .orderBy('name')
    .orderBy('id')
    .limit(MAX_SPACES + 1)
    .execute()
  if (resources.length === 0) return { spaces: [], rows: [] }
  const spaces = await tx
    .selectFrom('rental_space')
    .selectAll()
    .where('company_id', '=', company.id)
    .where(
      'resource_id',
      'in',
      resources.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const rows = resources.flatMap((resource) =>
    spaces
      .filter(({ id, resource_id }) => resource_id === resource.id && (spaceId === undefined || id === spaceId))
      .map((space) => ({ resource, space })),
  )
  return { spaces, rows }
}

async function findReservations(tx: Tx, company: Company, occupied: readonly Occupied[]) {
  const ids = [...new Set(occupied.map(({ reservationId }) => reservationId))]
  if (ids.length === 0) return new Map<number, Reserved>()
  const rows = await tx
    .selectFrom('rental_reservation')
    .select(['id', 'number', 'name', 'status', 'starts_at', 'ends_at'])
    .where('company_id', '=', company.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ starts_at, ends_at, ...row }) => [
      row.id,
      { ...row, ...slotOf(company.timeZone, { starts_at, ends_at }) } as Reserved,
    ]),
  )
}

/** Groups the time steps of a day into cells. Half an hour has two steps of 15 minutes. */
function groupsOf(rules: Rules, steps: readonly SlotStep[]): SlotStep[][] {
  const size = Math.max(1, CELL_MINUTES / rules.stepMinutes)
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, at) => steps.slice(at * size, (at + 1) * size))
}

/** Returns the row of a space on a day. */
function rowOf(of: PlannedSpace, day: string): PlannerRow {
  const { company, now, resource, space, rules, closed, occupied } = of
  const { timeZone } = company
  const opening = openingOn(rules, day, closed)
  const busy = unavailableIn(occupied, resource, 1)
  const priceOfCell = pricesOf(of)
  const steps = stepsOf(rules, day, closed, busy, { timeZone, now, byStaff: true })
  return {
    ...{ resourceId: resource.id, spaceId: space.id, title: titleOf(resource, space), kind: resource.kind, day },
    pieces: resource.pieces,
    closedFor: 'closedFor' in opening ? opening.closedFor : '',
    ...{ beforeMinutes: rules.beforeMinutes, afterMinutes: rules.afterMinutes },
    ...{ minMinutes: rules.minMinutes, maxMinutes: rules.maxMinutes },
    cells: merged(groupsOf(rules, steps).map((group) => cellOf(of, day, group, priceOfCell))),
  }
}

/** Returns a function that gives the times of a slot. Spaces share most slots, so it computes each slot once. */
function sharedTimes(timeZone: string): PlannedSpace['timesOf'] {
  const loaded = new Map<string, Times | null>()
  return (slot) => {
    const key = `${slot.day} ${slot.from} ${slot.until}`
    const times = loaded.get(key) ?? timesOf(timeZone, slot)
    loaded.set(key, times)
    return times
  }
}

/** Returns a function that gives the price of a cell. Cells of one length have the same price on a day. */
function pricesOf({ company, space, rules, closed, timesOf: of }: PlannedSpace): (slot: TimeSlot) => number {
  const loaded = new Map<number, number>()
  return (slot) => {
    const times = of(slot)
    const length = times ? times.endsAt.getTime() - times.startsAt.getTime() : 0
    const cents =
      loaded.get(length) ??
      priceOf(rules, slot, closed, company.timeZone, {
        ...{ isResident: true, pieces: 1, addons: [], spacePercent: space.price_percent },
      }).priceCents
    loaded.set(length, cents)
    return cents
  }
}

function cellOf(
  { resource, occupied, reservations, ...of }: PlannedSpace,
  day: string,
  steps: readonly SlotStep[],
  priceOfCell: (slot: TimeSlot) => number,
): PlannerCell {
  const slot = { day, from: steps[0]?.time ?? '', until: steps.at(-1)?.until ?? '' }
  const is = steps.find((step) => step.is !== 'free')?.is ?? 'free'
  const times = of.timesOf(slot)
  const taken = occupied.filter(
    ({ bufferFrom, bufferUntil }) => times && bufferFrom < times.endsAt && times.startsAt < bufferUntil,
  )
  const isSpace = resource.pieces === 1
  const taker = isSpace ? takerOf(slot, taken, reservations) : undefined
  return {
    ...{ from: slot.from, until: slot.until },
    is: taker ? 'taken' : is === 'taken' && isSpace ? 'buffer' : is,
    residentCents: is === 'free' ? priceOfCell(slot) : 0,
    left: resource.pieces - new Set(taken.map(({ piece }) => piece)).size,
    reservation: taker ? { id: taker.id, number: taker.number, name: taker.name, status: taker.status } : null,
  }
}

/** Finds the reservation that takes a part of a time, without its setup and cleanup. */
const takerOf = (
  { day, from, until }: TimeSlot,
  occupied: readonly Occupied[],
  reservations: ReadonlyMap<number, Reserved>,
): Reserved | undefined =>
  occupied
    .map(({ reservationId }) => reservations.get(reservationId))
    .find((one) => one?.day === day && one.from < until && from < one.until)

/** Merges neighboring cells of one reservation, and neighboring cells that no one can reserve. */
function merged(cells: readonly PlannerCell[]): PlannerCell[] {
  const rows: PlannerCell[] = []
  for (const cell of cells) {
    const last = rows.at(-1)
    const isSame = last && cell.is !== 'free' && last.is === cell.is && last.reservation?.id === cell.reservation?.id
    if (isSame) rows[rows.length - 1] = { ...last, until: cell.until, left: Math.min(last.left, cell.left) }
    else rows.push(cell)
  }
  return rows
}

export const plannerCall = implement(rentalPlanner, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const now = context.clock.now()
    const { timeZone } = company
    const today = dateIn(timeZone, now)
    const { spaces, rows } = await findSpaces(tx, company, body)
    const planned = rows.slice(0, MAX_SPACES)
    if (planned.length === 0) return { today, rows: [], hasMore: false }
    const days = body.spaceId === undefined ? 1 : DAYS_OF_WEEK
    const occupied = await occupiedIn(tx, company.id, {
      spaceIds: spaces.map(({ id }) => id),
      // Includes neighboring days, because buffers of their reservations may extend into this day.
      from: midnightIn(timeZone, addDays(body.day, -1)),
      until: midnightIn(timeZone, addDays(body.day, days + 1)),
      now,
    })
    const reservations = await findReservations(tx, company, occupied)
    const resourceIds = [...new Set(planned.map(({ resource }) => resource.id))]
    const closuresOf = await closuresByResource(tx, company, resourceIds)
    const slotTimes = sharedTimes(timeZone)
    const all = planned.flatMap(({ resource, space }) => {
      const leaves = new Set(leavesOf(spaces, space.id))
      const of = {
        ...{ company, now, resource, space, reservations, timesOf: slotTimes },
        rules: rulesOf(resource),
        closed: closuresOf(resource.id),
        occupied: occupied.filter(({ spaceId }) => leaves.has(spaceId)),
      }
      return Array.from({ length: days }, (_, n) => rowOf(of, addDays(body.day, n)))
    })
    return { today, rows: all, hasMore: rows.length > MAX_SPACES }
  }),
)
