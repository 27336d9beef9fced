import { type RawBuilder, sql } from 'kysely'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import type { ListQuery } from '../../../server/list-source.ts'
import { implementList } from '../../../server/list.ts'
import { workCrews, workOrders, workPlans, workTemplates } from '../list.ts'
import { namesOfCrew } from './crews.ts'
import { repeatsOf, repeatText } from '../../../shared/repeats.ts'
import { boardSince, statusOfFilter, workOrderStatus } from '../rules.ts'
import { orderStates, type OrderStatus } from '../states.ts'
import { NEVER } from './plans.ts'

const todayOf = ({ call, company }: ListQuery) => dateIn(company?.timeZone ?? 'UTC', call.context.clock.now())
const never = sql`${NEVER}::date`
const isOpen = (status: number): boolean => status !== workOrderStatus.completed && status !== workOrderStatus.invalid
const isLate = (query: ListQuery) => sql`(r.is_open AND r.due_or_never < ${todayOf(query)}::date)`
const assignedTo = sql`
  LEFT JOIN department d ON d.company_id = r.company_id AND d.id = r.department_id
  LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.assigned_to
  LEFT JOIN crew c ON c.company_id = r.company_id AND c.id = r.crew_id`

/** SQL condition for orders assigned to a person or their crews. */
const isOf = (person: number) => sql`(r.assigned_to = ${person} OR r.crew_id = ANY (ARRAY(
  SELECT m.crew_id FROM crew_member m WHERE m.company_id = r.company_id AND m.person_id = ${person})))`

/** SQL for the start of a day in the company's time zone. */
const midnight = ({ company }: ListQuery, day: string): RawBuilder<unknown> =>
  sql`${midnightIn(company?.timeZone ?? 'UTC', day)}::timestamptz`

export const orderLists = implementList(workOrders, {
  table: sql`found_work_order`,
  joins: assignedTo,
  columns: {
    number: 'number',
    title: 'title',
    kind: 'kind',
    severity: 'severity',
    status: 'status',
    location: 'location',
    department: sql`coalesce(d.name, '')`,
    assignee: sql`coalesce(trim(p.first_name || ' ' || p.last_name), '')`,
    crew: sql`coalesce(c.name, '')`,
    due: 'due_or_never',
    scheduled: 'starts_at',
    created: 'created_at',
    cost: 'cost_cents',
    late: sql`false`,
    endsAt: 'ends_at',
    itemId: 'item_id',
    lat: 'lat',
    lon: 'lon',
  },
  csv: { due: sql`nullif(r.due_or_never, ${never})` },
  filters: {
    status: (status) => (status === 'open' ? sql`r.is_open` : sql`r.status = ${statusOfFilter[status]}`),
    department: (id) => sql`r.department_id = ${id}`,
    person: (id) => isOf(id),
    crew: (id) => sql`r.crew_id = ${id}`,
    late: (_, query) => isLate(query),
    board: (_, query) => sql`(r.is_open OR r.completed_at >= ${boardSince(query.call.context.clock.now())})`,
    visibleFrom: (day, query) =>
      sql`(r.starts_at >= ${midnight(query, day)} OR r.starts_at IS NULL AND r.due_or_never >= ${day}::date)`,
    visibleUntil: (day, query) =>
      sql`(r.starts_at < ${midnight(query, addDays(day, 1))} OR r.starts_at IS NULL AND r.due_or_never <= ${day}::date AND r.due_or_never < ${never})`,
  },
  search: sql`r.search_text`,
  row: ({ status, due }, call) => ({
    due: due === NEVER ? '' : due,
    late: isOpen(status) && due < dateIn(call.company.timeZone, call.context.clock.now()),
    can: {
      view: true,
      edit: may(call.session?.privileges ?? {}, 'work_orders', 'update'),
      ...buttonsFrom(orderStates, status as OrderStatus, { as: 'staff', privileges: call.session?.privileges ?? {} }),
    },
  }),
  exported: 'export.work_orders',
})

export const planLists = implementList(workPlans, {
  table: sql`found_work_plan`,
  joins: sql`LEFT JOIN department d ON d.company_id = r.company_id AND d.id = r.department_id
    LEFT JOIN crew c ON c.company_id = r.company_id AND c.id = r.crew_id`,
  columns: {
    title: 'title',
    kind: 'kind',
    repeats: 'rule',
    location: 'location',
    department: sql`coalesce(d.name, '')`,
    crew: sql`coalesce(c.name, '')`,
    next: sql`nullif(r.next_on, ${never})`,
    lead: 'lead_days',
    active: 'is_active',
  },
  sorts: { title: sql`lower(r.title) COLLATE "C"`, next: 'next_on' },
  filters: { active: (active) => sql`r.is_active = ${active}` },
  search: sql`r.search_text`,
  row: ({ repeats }, { session }) => {
    const edit = may(session?.privileges ?? {}, 'work_orders', 'update')
    const can = { view: true, edit, copy: edit, exportJson: edit, importJson: edit }
    return { repeats: repeatText(repeatsOf(repeats)), can }
  },
})

const openOrders = sql`(
  SELECT count(*)::int FROM work_order w WHERE w.company_id = r.company_id AND w.crew_id = r.id AND w.is_open)`

export const crewLists = implementList(workCrews, {
  table: sql`crew`,
  columns: { name: 'name', people: namesOfCrew, open: openOrders, active: 'is_active' },
  sorts: { name: sql`lower(r.name) COLLATE "C"` },
  unindexed: { all: 'A municipality has about a dozen crews.' },
  filters: { active: (active) => sql`r.is_active = ${active}` },
  search: sql`lower(r.name)`,
  row: (_row, { session }) => ({
    can: { view: true, edit: may(session?.privileges ?? {}, 'work_orders', 'update') },
  }),
})

export const templateLists = implementList(workTemplates, {
  table: sql`work_order_template`,
  joins: sql`LEFT JOIN department d ON d.company_id = r.company_id AND d.id = r.department_id
    LEFT JOIN crew c ON c.company_id = r.company_id AND c.id = r.crew_id`,
  columns: {
    title: 'title',
    kind: 'kind',
    crew: sql`coalesce(c.name, '')`,
    department: sql`coalesce(d.name, '')`,
    minutes: 'minutes',
    tasks: sql`cardinality(r.checklist)`,
    parts: sql`jsonb_array_length(r.parts)`,
    active: 'is_active',
  },
  sorts: { title: sql`lower(r.title) COLLATE "C"` },
  unindexed: { all: 'A municipality has some dozens of templates.' },
  filters: { active: (active) => sql`r.is_active = ${active}` },
  search: sql`lower(r.title)`,
  row: (_row, { session }) => {
    const edit = may(session?.privileges ?? {}, 'work_orders', 'update')
    return { can: { view: true, edit, copy: edit } }
  },
})
