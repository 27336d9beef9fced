import * as z from 'zod/mini'
import { choice, code, day, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract.ts'
import { dueLabels } from './rules.ts'
import { inspectionStates } from './states.ts'
import { rowId } from '../../shared/body-parts.ts'

/** The company's inspections. */
export const inspections = defineList('muni/return/inspections', 'Inspections', {
  nouns: ['inspection', 'inspections'],
  summary: 'Lists the inspections of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    number: text('Number', { primary: true, chars: 15 }),
    title: text('Inspection', { group: true, chars: 24 }),
    subject: text('Subject', { chars: 20, priority: 1 }),
    location: text('Location', { priority: 3 }),
    dueOn: day('Due', { sort: 'asc', priority: 1 }),
    status: choice('Status', inspectionStates.labels, { group: true, priority: 1 }),
    assigned: text('Inspector', { group: true, priority: 3 }),
    openItems: whole('Items left', { priority: 4 }),
    finishedAt: instant('Finished', { hidden: true }),
    isOverdue: fact(z.boolean()),
    doneItems: fact(z.int()),
  },
  usualSort: 'dueOn',
  days: { column: 'dueOn', label: 'Due' },
  filters: {
    status: filters.choice('Status', inspectionStates.labels, 'All statuses', 'scheduled'),
    due: filters.choice('Due', dueLabels, 'Any due date'),
    template: filters.id('Inspection'),
    assigned: filters.id('Inspector'),
    subjectKind: filters.hidden(z.optional(z.string().check(z.maxLength(30)))),
    subject: filters.hidden(z.optional(rowId)),
  },
  search: 'Number, subject or location',
  csv: { path: 'muni/export/inspections', file: 'inspections' },
})

const inUse = { 1: 'In use', 0: 'Not in use' }

/** Inspection templates and their intervals. */
export const templates = defineList('muni/return/inspection/templates', 'Templates', {
  nouns: ['template', 'templates'],
  summary: 'Lists the inspection templates',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Inspection', { primary: true, sort: 'asc' }),
    subject: text('Subject type'),
    every: text('Interval'),
    version: whole('Version'),
    used: whole('Inspections'),
    active: code('Status', inUse),
  },
  filters: { active: filters.code('Status', inUse, 'All templates', '1') },
  search: 'Name',
})
