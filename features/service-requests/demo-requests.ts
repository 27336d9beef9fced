import { firstNames, lastNames } from '../../database/names.ts'
import type { Random } from '../../database/random.ts'
import type { DemoAddress } from '../../server/demo.ts'
import { addDays, dateIn, instantAt, midnightIn, weekday } from '../../shared/dates.ts'
import { closingAfter, type WorkingTime } from '../../shared/working-time.ts'
import { scenarioOf } from './demo-scenario.ts'
import type { DemoCategory, DemoRequestRules } from './demo-texts.ts'
import { idOf } from './rules.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const DAYS = 365
/** Maximum age in days of the demo resident's requests. */
const OUR_DAYS = 200
const INVALID = 4
const WINTER: ReadonlySet<string> = new Set(['12', '01', '02', '03'])

interface DemoSource {
  rules: DemoRequestRules
  workingTime: WorkingTime
  /** Saved categories, in the same order as in `rules`. */
  categories: readonly ({ id: number; department: number | null } | undefined)[]
  locations: readonly DemoAddress[]
  staff: readonly { id: number; name: string }[]
  resident: { id: number; name: string; email: string } | null
  now: Date
}

interface Arrival {
  date: string
  daysAgo: number
  /** Hour of the day, possibly with a fraction. */
  hour: number
  at: Date
}

/** Generates the arrival times of a year, oldest first, so that the request numbers follow the calendar. */
function* arrivalsOf({ rules, workingTime: { timeZone }, now }: DemoSource, random: Random): Generator<Arrival> {
  const today = dateIn(timeZone, now)
  for (let back = DAYS; back >= 0; back -= 1) {
    const date = addDays(today, -back)
    const midnight = midnightIn(timeZone, date)
    const isWeekend = [0, 6].includes(weekday(date))
    const count = Math.round((rules.requests / DAYS) * (isWeekend ? 0.6 : 1.15) * (0.7 + random.next() * 0.6))
    const hours = Array.from({ length: count }, () => 6 + random.next() * 16).toSorted((a, b) => a - b)
    for (const hour of hours) {
      const at = new Date(midnight.getTime() + Math.round(hour * HOUR))
      if (at < now) yield { date, daysAgo: back, hour, at }
    }
  }
}

/**
 * Returns a function that calculates due dates. The function caches them, because many requests have the same due date.
 */
function dueDates(workingTime: WorkingTime): (date: string, days: number) => Date {
  const dues = new Map<string, Date>()
  return (date, days) => {
    const key = `${date}/${days}`
    const due = dues.get(key) ?? closingAfter(workingTime, instantAt(workingTime.timeZone, date, '09:00'), days)
    dues.set(key, due)
    return due
  }
}

/** Creates the requests of a year, with their messages, histories and feedback. */
export function makeRequests(source: DemoSource, random: Random) {
  const { rules, workingTime } = source
  const weights = Object.fromEntries(rules.categories.map(({ weight }, n) => [n, weight]))
  const dueOn = dueDates(workingTime)
  const lastNumbers = new Map<number, number>()
  /** Latest request of each category. Later duplicates refer to it. */
  const newest = new Map<number, number>()
  const made = []
  for (const arrival of arrivalsOf(source, random)) {
    const which = Number(random.weighted(weights))
    const all = rules.categories[which] as DemoCategory
    const category = { ...all, ...(WINTER.has(arrival.date.slice(5, 7)) && all.winter) }
    const year = Number(arrival.date.slice(0, 4))
    const no = (lastNumbers.get(year) ?? 0) + 1
    lastNumbers.set(year, no)
    const id = idOf(year, no)
    // If a request arrives after closing time, its target days count from the next day.
    const isLate = arrival.hour >= Number(workingTime.closes.slice(0, 2))
    const due = dueOn(isLate ? addDays(arrival.date, 1) : arrival.date, category.days)
    const input = { id, no, which, category, due, earlier: newest.get(which) ?? null }
    const request = makeRequest(source, arrival, input, random)
    if (request.row.status !== INVALID) newest.set(which, id)
    made.push(request)
  }
  return {
    rows: made.map(({ row }) => row),
    history: made.flatMap(({ history }) => history),
    entries: made.flatMap(({ entries }) => entries),
    feedback: made.flatMap(({ feedback }) => feedback),
    lastNumbers,
  }
}

interface RequestInput {
  id: number
  no: number
  which: number
  category: DemoCategory
  due: Date
  /** Earlier request of the same category. A duplicate refers to it. */
  earlier: number | null
}

function makeRequest(
  { rules, categories, locations, staff, resident, now }: DemoSource,
  { daysAgo, at }: Arrival,
  { id, no, which, category, due, earlier }: RequestInput,
  random: Random,
) {
  const ours = daysAgo < OUR_DAYS && no % 97 === 0 ? resident : null
  const first = random.pick(firstNames)
  const last = random.pick(lastNames)
  const name = ours?.name ?? `${first} ${last}`
  const scenario = scenarioOf(category, at, now, random)
  const { status, steps } = scenario
  const worker = random.pick(staff)
  const closed = steps.findLast(({ to }) => to === '2' || to === '4' || to === '5')
  const isClosed = status === 2 || status === 4 || status === 5
  const isAssigned = status === 1 || status === 3 || status === 2
  // Some invalid requests are duplicates, and others are spam. A few requests are split from another request.
  const isInvalid = status === INVALID
  const merged = isInvalid && id % 3 === 1 ? earlier : null
  const spam = isInvalid && id % 3 === 0
  const row = {
    ...random.pick(locations),
    merged,
    spam,
    split: !isInvalid && no % 211 === 0 ? id - 1 : null,
    id,
    at,
    lastAt: steps.at(-1)?.at ?? at,
    status,
    closed: isClosed ? (closed?.at ?? null) : null,
    reopen: status === 2 && closed ? new Date(closed.at.getTime() + rules.reopenDays * DAY) : null,
    category: categories[which]?.id,
    title: category.name,
    text: random.pick(category.reports),
    name,
    email: ours?.email ?? `${first}.${last}@mail.example`.toLowerCase().replaceAll(' ', ''),
    person: ours?.id ?? null,
    due,
    assigned: isAssigned ? worker.id : null,
    department: isAssigned ? null : (categories[which]?.department ?? null),
  }
  const requester = { kind: ours ? 'citizen' : 'guest', actor: ours?.id ?? null, by: name }
  const staffMember = { kind: 'municipality', actor: worker.id, by: worker.name }
  const history = [
    { id, seq: 1, from: '', to: '0', event: 'submit', at, ...requester, reason: '' },
    ...steps.map(({ staff: byStaff, reason = '', event, from, to, at: when }, n) => ({
      id,
      seq: n + 2,
      from,
      to,
      event: event !== 'invalidate' ? event : spam ? 'spam' : merged !== null ? 'merge' : event,
      at: when,
      ...(byStaff ? staffMember : requester),
      reason: merged !== null || spam ? '' : reason,
    })),
  ]
  const entries = scenario.messages.map(({ staff: byStaff, ...message }) => ({
    ...message,
    id,
    kind: byStaff ? 'reply' : 'message',
    author: byStaff ? 'municipality' : 'person',
    author_id: byStaff ? worker.id : null,
    name: byStaff ? worker.name : name,
  }))
  const feedback = scenario.feedback && closed ? [{ id, done: closed.at, ...scenario.feedback }] : []
  return { row, history, entries, feedback }
}
