import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { cents, choice, code, day, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { kindLabels, severityLabels, statusFilterLabels } from './rules.ts'
import { orderStates } from './states.ts'

/** Work orders for the list, board, calendar and map, which share one query. */
export const workOrders = defineList('muni/return/work/orders', 'Work Orders', {
  nouns: ['work order', 'work orders'],
  summary: 'Lists the work orders of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    number: text('Number', { primary: true, sort: 'desc', chars: 17 }),
    title: text('Title', { chars: 26, priority: 1 }),
    kind: choice('Kind', kindLabels, { group: true, hidden: true }),
    severity: code('Priority', severityLabels, { group: true, priority: 4 }),
    status: code('Status', orderStates.labels, { group: true, priority: 1 }),
    location: text('Location', { chars: 22, priority: 3 }),
    department: text('Department', { hidden: true }),
    assignee: text('Assigned to', { chars: 16 }),
    crew: text('Crew', { hidden: true }),
    due: day('Due', { sort: 'asc', priority: 1, empty: '–', chars: 19 }),
    scheduled: instant('Scheduled', { hidden: true }),
    created: instant('Opened', { sort: 'desc', group: true, hidden: true }),
    cost: cents('Cost', { total: 'Total Cost:', hidden: true }),
    late: fact(z.boolean()),
    endsAt: fact(z.string()),
    itemId: fact(z.nullable(z.number())),
    lat: fact(z.nullable(z.number())),
    lon: fact(z.nullable(z.number())),
  },
  usualSort: 'due',
  days: { column: 'due', label: 'Due' },
  filters: {
    status: filters.choice('Status', statusFilterLabels, 'All statuses', 'open'),
    severity: filters.code('Priority', severityLabels, 'All priorities'),
    kind: filters.choice('Kind', kindLabels, 'All kinds'),
    department: filters.id('Department'),
    /** Filter for a person's orders, including those of their crews. */
    person: filters.id('Assigned to'),
    crew: filters.id('Crew'),
    late: filters.flag('Overdue'),
    /** Filter of the board: open orders and recently completed orders. */
    board: filters.hidden(z.optional(z.literal(1))),
    /**
     * Date range of the calendar. Scheduled orders are filtered by their scheduled time, and unscheduled orders by
     * their due date.
     */
    visibleFrom: filters.hidden(z.optional(isoDate)),
    visibleUntil: filters.hidden(z.optional(isoDate)),
  },
  search: 'Number, title or location',
  csv: { path: 'muni/export/work/orders', file: 'work-orders' },
})

const inUse = { 1: 'In use', 0: 'Paused' }

export const workPlans = defineList('muni/return/work/plans', 'Maintenance Plans', {
  nouns: ['maintenance plan', 'maintenance plans'],
  summary: 'Lists the maintenance plans',
  access: viewAccess,
  ofCompany: true,
  columns: {
    title: text('Title', { primary: true, sort: 'asc', chars: 26 }),
    kind: choice('Kind', kindLabels),
    repeats: text('Repeats', { chars: 26 }),
    location: text('Location', { priority: 3 }),
    department: text('Department', { priority: 3 }),
    crew: text('Crew', { priority: 3 }),
    next: day('Next date', { sort: 'asc', empty: '–' }),
    lead: whole('Lead time in days', { hidden: true }),
    active: code('Status', inUse),
  },
  usualSort: 'next',
  filters: { active: filters.code('Status', inUse, 'All plans', '1') },
  search: 'Title or location',
})

const used = { 1: 'In use', 0: 'Not in use' }

export const workCrews = defineList('muni/return/work/crews', 'Crews', {
  nouns: ['crew', 'crews'],
  summary: 'Lists the crews',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, sort: 'asc', chars: 20 }),
    people: text('People', { chars: 40, priority: 1 }),
    open: whole('Open work orders'),
    active: code('Status', used),
  },
  usualSort: 'name',
  filters: { active: filters.code('Status', used, 'All crews', '1') },
  search: 'Name',
})

export const workTemplates = defineList('muni/return/work/templates', 'Templates', {
  nouns: ['template', 'templates'],
  summary: 'Lists the templates of work orders',
  access: viewAccess,
  ofCompany: true,
  columns: {
    title: text('Task', { primary: true, sort: 'asc', chars: 26 }),
    kind: choice('Kind', kindLabels),
    crew: text('Crew', { chars: 20 }),
    department: text('Department', { priority: 3 }),
    minutes: whole('Duration in minutes', { priority: 3 }),
    tasks: whole('Checklist items', { priority: 4 }),
    parts: whole('Parts', { priority: 4 }),
    active: code('Status', used),
  },
  usualSort: 'title',
  filters: { active: filters.code('Status', used, 'All templates', '1') },
  search: 'Task',
})
