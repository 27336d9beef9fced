import { type RawBuilder, sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { csvLabels, csvText, implementCsv } from '../../../server/csv.ts'
import { malformed } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, daysBetween } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { masterCalendar, masterCalendarCsv } from '../contract.ts'
import { masterDayItems } from '../list.ts'
import { type ItemType, MASTER_DAYS } from '../rules.ts'
import { itemStates, type ItemStatus } from '../states.ts'

/** Number of items shown for each day. */
const FIRST_ITEMS = 4

/** Largest offset of any time zone from UTC, ahead and behind, in hours. */
const AHEAD_HOURS = 14
const MAX_OFFSET_BEHIND_HOURS = 12
const HOUR = 3_600_000

interface CalendarRow {
  id: number
  company_id: number
  company: string
  zone: string
  title: string
  description: string
  starts_at: Date
  ends_at: Date
  status: ItemStatus | null
  category: ItemType
}

interface Filters {
  company?: number | undefined
  eventType?: number | undefined
  status?: ItemStatus | undefined
}

/** SQL for the start day of an item in its company's time zone. */
const DAY = sql`(i.starts_at AT TIME ZONE z.zone)::date`
const STATUS = sql`coalesce(i.status, 'not_started')`
const ITEMS = sql`scheduled_item i JOIN company c ON c.id = i.company_id JOIN timezone z ON z.id = c.timezone_id JOIN event_type e ON e.id = i.event_type_id`
const COLUMNS = sql`i.id, i.company_id, c.name AS company, z.zone, i.title, i.description, i.starts_at, i.ends_at, i.status, e.category`

/**
 * SQL for the status label of an item, as `statusLabel` returns it. The end of its last day depends on the company's
 * time zone.
 */
const statusWord = (now: Date) => sql`CASE
  WHEN i.status IS NULL AND (greatest(i.starts_at, i.ends_at - interval '1 ms') AT TIME ZONE z.zone)::date >= (${now}::timestamptz AT TIME ZONE z.zone)::date
  THEN CASE e.category WHEN 'rental' THEN 'Confirmed' ELSE 'Scheduled' END
  ELSE ${csvLabels(STATUS, itemStates.labels)} END`

/**
 * SQL condition: the item is on these days in some time zone. It can use an index on the start time. A later condition
 * checks the day in each company's time zone.
 */
function within(first: string, last: string): RawBuilder<unknown> {
  const from = new Date(Date.parse(`${first}T00:00:00Z`) - AHEAD_HOURS * HOUR)
  const until = new Date(Date.parse(`${addDays(last, 1)}T00:00:00Z`) + MAX_OFFSET_BEHIND_HOURS * HOUR)
  return sql`i.starts_at >= ${from}::timestamptz AND i.starts_at < ${until}::timestamptz`
}

/** SQL condition: the item starts between the earliest start and the latest end of a day in all time zones. */
const narrowly = (day: RawBuilder<unknown>) => sql`
  i.starts_at >= (SELECT min(${day}::timestamp AT TIME ZONE zone) FROM timezone)
  AND i.starts_at < (SELECT max((${day} + 1)::timestamp AT TIME ZONE zone) FROM timezone)`

/**
 * Selects the start and end of a day in each time zone. PostgreSQL computes them once for each zone, not for each item.
 */
const zonesOn = (day: RawBuilder<unknown>) => sql`
  SELECT id, zone, ${day}::timestamp AT TIME ZONE zone AS begins, (${day} + 1)::timestamp AT TIME ZONE zone AS ends
  FROM timezone OFFSET 0`

function conditionsOf({ company, eventType, status }: Filters): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (company !== undefined) conditions.push(sql`i.company_id = ${company}`)
  if (eventType !== undefined) conditions.push(sql`i.event_type_id = ${eventType}`)
  // A missing status counts as not_started (spec 4.1).
  if (status) conditions.push(sql`${STATUS} = ${status}`)
  return sql.join(conditions, sql` AND `)
}

/**
 * Checks the requested days.
 * @throws 400 if the days are in the wrong order or too many
 */
function checkDays(first: string, last: string): void {
  if (first > last) throw malformed("'toDate' must not be before 'fromDate'.")
  if (daysBetween(first, last) >= MASTER_DAYS) throw malformed(say`Request no more than ${MASTER_DAYS} days at a time.`)
}

/** Sends two queries together: the counts of each day and its first items. */
export const masterCalendarCall = implement(masterCalendar, async ({ context, body }) => {
  const { fromDate, toDate, filters } = body
  checkDays(fromDate, toDate)
  return context.acrossCompanies(async (tx) => {
    const [counts, firsts] = await Promise.all([
      countByDay(tx, fromDate, toDate, filters),
      firstOfEachDay(tx, fromDate, toDate, filters),
    ])
    const items = Map.groupBy(firsts, ({ day }) => day)
    return {
      days: [...Map.groupBy(counts, ({ day }) => day)].map(([day, groups]) => ({
        ...{ day, ...sums(groups) },
        items: (items.get(day) ?? []).map(itemView),
      })),
    }
  })
})

interface DayCount {
  day: string
  status: ItemStatus
  type: ItemType
  n: number
}

/**
 * Counts items by day. Computes the start of each day once for each time zone, because a conversion for each item would
 * take most of the time.
 */
async function countByDay(tx: Tx, first: string, last: string, filters: Filters): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    WITH zone AS MATERIALIZED (
      SELECT z.id, array_agg(d AT TIME ZONE z.zone ORDER BY d) AS beginnings
      FROM timezone z, generate_series(${first}::timestamp, ${last}::timestamp + interval '1 day', interval '1 day') AS d GROUP BY z.id)
    SELECT ${first}::date + x.nth - 1 AS day, x.status, e.category AS type, sum(x.n)::int AS n FROM (
      SELECT width_bucket(i.starts_at, z.beginnings) AS nth, ${STATUS} AS status, i.event_type_id, count(*) AS n
      FROM scheduled_item i JOIN company c ON c.id = i.company_id JOIN zone z ON z.id = c.timezone_id
      WHERE ${within(first, last)} AND ${conditionsOf(filters)} GROUP BY 1, 2, 3) AS x
    JOIN event_type e ON e.id = x.event_type_id
    WHERE x.nth BETWEEN 1 AND ${daysBetween(first, last) + 1} GROUP BY 1, 2, 3 ORDER BY 1`.execute(tx)
  return rows
}

/** Reads the first items of each day and stops when there are enough. */
async function firstOfEachDay(tx: Tx, first: string, last: string, filters: Filters) {
  const day = sql`d.day`
  const { rows } = await sql<CalendarRow & { day: string }>`
    SELECT d.day, x.* FROM (SELECT generate_series(${first}::date, ${last}::date, interval '1 day')::date AS day) d
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM ${ITEMS}
      WHERE ${within(first, last)} AND ${narrowly(day)} AND ${DAY} = ${day} AND ${conditionsOf(filters)}
      ORDER BY i.starts_at, i.company_id, i.id LIMIT ${FIRST_ITEMS}) x
    ORDER BY d.day, x.starts_at, x.company_id, x.id`.execute(tx)
  return rows
}

function sums(groups: readonly DayCount[]) {
  const statuses = { not_started: 0, in_progress: 0, completed: 0 }
  const types = { billing: 0, rental: 0, workorder: 0, inspection: 0 }
  let count = 0
  for (const { status, type, n } of groups) {
    statuses[status] += n
    types[type] += n
    count += n
  }
  return { count, statuses, types }
}

const itemView = (row: CalendarRow) => ({
  ...{ id: row.id, companyId: row.company_id, company: row.company, timeZone: row.zone, title: row.title },
  ...{ calendar_date: row.starts_at.toISOString(), end_datetime: row.ends_at.toISOString() },
  ...{ status: row.status, description: row.description, type: row.category },
})

/** Selects the items of a day with their companies. Computes the day's start and end once for each time zone. */
function itemsOn(day: string): RawBuilder<unknown> {
  const theDay = sql`${day}::date`
  return sql`(
    SELECT i.*, ${STATUS} AS state, c.name AS company, c.name_key, z.zone, e.category
    FROM scheduled_item i JOIN company c ON c.id = i.company_id JOIN event_type e ON e.id = i.event_type_id
    JOIN (${zonesOn(theDay)}) z ON z.id = c.timezone_id
    WHERE ${within(day, day)} AND ${narrowly(theDay)} AND i.starts_at >= z.begins AND i.starts_at < z.ends)`
}

/** Items of one day in all companies. Item ids of all companies come from one sequence, so they are unique. */
export const masterDayLists = implementList(masterDayItems, {
  table: ({ call, question }) => itemsOn(question.filters.day ?? dateIn('UTC', call.context.clock.now())),
  columns: {
    calendar_date: 'starts_at',
    end_datetime: 'ends_at',
    title: 'title',
    companyId: 'company_id',
    company: 'company',
    timeZone: 'zone',
    type: 'category',
    status: 'status',
    description: 'description',
  },
  // Sorts by company, then by time.
  sorts: { company: sql`r.name_key || to_char(r.starts_at AT TIME ZONE 'UTC', ' YYYYMMDDHH24MISSMS')` },
  filters: {
    day: () => sql`true`,
    company: (id) => sql`r.company_id = ${id}`,
    eventType: (id) => sql`r.event_type_id = ${id}`,
    status: (status) => sql`r.state = ${status}`,
  },
  search: sql`lower(r.title)`,
  row: () => ({ can: { view: true } }),
})

export const masterCalendarCsvCall = implementCsv(masterCalendarCsv, async (call) => {
  const { context, body } = call
  const { fromDate, toDate, filters } = body
  checkDays(fromDate, toDate)
  await context.acrossCompanies((tx) =>
    auditPlatform(tx, context.clock, call, { action: 'export.calendar', detail: { fromDate, toDate, filters } }),
  )
  const local = (column: string) => sql`to_char(${sql.ref(column)} AT TIME ZONE z.zone, 'YYYY-MM-DD HH24:MI')`
  const question = sql`
    SELECT ${csvText(sql`c.name`)} AS "Company", ${csvText(sql`i.title`)} AS "Title", e.name AS "Type",
      ${local('i.starts_at')} AS "Start Date", ${local('i.ends_at')} AS "End Date", z.label AS "Time zone",
      ${statusWord(context.clock.now())} AS "Status",
      ${csvText(sql`i.description`)} AS "Description"
    FROM ${ITEMS} WHERE ${within(fromDate, toDate)} AND ${DAY} BETWEEN ${fromDate}::date AND ${toDate}::date
      AND ${conditionsOf(filters)} ORDER BY i.starts_at, i.company_id, i.id`
  return { company: null, subject: 'master-calendar', question }
})
