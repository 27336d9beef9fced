import { implement, signedIn } from '../../../server/call.ts'
import { malformed } from '../../../server/errors.ts'
import { addDays, dateIn, daysBetween, midnightIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { eventTypes, scheduledItems } from '../contract.ts'
import { statusOf, WINDOW_DAYS } from '../rules.ts'
import { itemSourceOf } from './item-source.ts'
import { movesOf } from './move-item.ts'

/** Maximum number of items in a response. A caller who needs more must request fewer days. */
const MAX_ITEMS = 2000
const MAX_DAYS = 400

interface RangeRequest {
  selectedOption: 'all' | 'upcoming' | 'calendar'
  fromDate?: string | undefined
  toDate?: string | undefined
}

/** Returns the first day and the day after the last, in the company's time zone (product rules, section 8). */
function daysOf({ selectedOption, fromDate, toDate }: RangeRequest, today: string): { from: string; until: string } {
  if (selectedOption === 'calendar' && (!fromDate || !toDate))
    throw malformed("Enter the first and the last day in 'fromDate' and 'toDate'.")
  const usual =
    selectedOption === 'all'
      ? { from: addDays(today, -WINDOW_DAYS), until: addDays(today, 2 * WINDOW_DAYS) }
      : { from: today, until: addDays(today, WINDOW_DAYS) }
  const from = fromDate ?? usual.from
  const until = toDate ? addDays(toDate, 1) : usual.until
  if (daysBetween(from, until) < 1) throw malformed("'toDate' must not be before 'fromDate'.")
  if (daysBetween(from, until) > MAX_DAYS) throw malformed(say`Request no more than ${MAX_DAYS} days at a time.`)
  return { from, until }
}

/** Lists items of the requested days, including those that started earlier and continue (spec 2.11 and 7.4). */
export const listScheduledItems = implement(scheduledItems, async (call) => {
  const { body, company, context } = call
  const { privileges } = signedIn(call)
  const days = daysOf(body, dateIn(company.timeZone, context.clock.now()))
  const from = midnightIn(company.timeZone, days.from)
  const until = midnightIn(company.timeZone, days.until)
  const rows = await call.inCompany((tx) => {
    let query = tx
      .selectFrom('scheduled_item as i')
      .innerJoin('event_type as t', 't.id', 'i.event_type_id')
      .leftJoin('person as p', (on) =>
        on.onRef('p.company_id', '=', 'i.company_id').onRef('p.id', '=', 'i.assigned_to'),
      )
      .leftJoin('department as d', (on) =>
        on.onRef('d.company_id', '=', 'i.company_id').onRef('d.id', '=', 'i.department_id'),
      )
      .leftJoin('crew as c', (on) => on.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.crew_id'))
      .select(['i.id', 'i.title', 'i.description', 'i.starts_at', 'i.ends_at', 'i.status', 't.category'])
      .select(['i.source_kind', 'i.source_id', 'p.first_name', 'p.last_name', 'd.name as department', 'c.name as crew'])
      .where('i.company_id', '=', company.id)
      .where('i.starts_at', '<', until)
      .where((eb) => eb.or([eb('i.starts_at', '>=', from), eb('i.ends_at', '>', from)]))
    if (body.eventType) query = query.where('i.event_type_id', '=', body.eventType)
    // A missing status counts as not_started (spec 4.1).
    if (body.status === 'not_started')
      query = query.where((eb) => eb.or([eb('i.status', '=', 'not_started'), eb('i.status', 'is', null)]))
    else if (body.status) query = query.where('i.status', '=', body.status)
    return query.orderBy('i.starts_at').orderBy('i.id').limit(MAX_ITEMS).execute()
  })
  return {
    data: rows.map((row) => ({
      id: row.id,
      title: row.title,
      calendar_date: row.starts_at.toISOString(),
      end_datetime: row.ends_at.toISOString(),
      status: row.status,
      description: row.description,
      type: row.category,
      assignee: [row.first_name && `${row.first_name} ${row.last_name}`, row.crew, row.department]
        .filter(Boolean)
        .join(', '),
      path: row.source_id === null ? '' : pathOf(row.source_kind, row.source_id, privileges),
      moves: movesOf(statusOf(row.status), privileges, row.source_kind),
    })),
  }
})

/** Returns the path of an item's record. Empty without a record, or if the caller may not see the record's screen. */
function pathOf(kind: string | null, id: number, privileges: Privileges): string {
  const source = itemSourceOf(kind)
  return source && may(privileges, source.permission[0], 'view') ? source.path(id) : ''
}

export const listEventTypes = implement(eventTypes, async ({ context }) => ({
  eventTypes: await context.outside((tx) => tx.selectFrom('event_type').selectAll().orderBy('id').execute()),
}))
