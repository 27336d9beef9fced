import * as z from 'zod/mini'
import { fileTypes, type FileType } from '../../shared/file-types.ts'
import { choice, defineList, fact, filters, flag, instant, text, whole } from '../../shared/list.ts'
import { formCategories, type FormCategory } from './rules.ts'
import { formStates } from './states.ts'

const rowId = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
const categories = Object.fromEntries(formCategories.map((name) => [name, name])) as Record<FormCategory, string>
const types = Object.fromEntries(Object.entries(fileTypes).map(([type, { label }]) => [type, label]))
const assignmentLabels = { yes: 'Assigned', no: 'Not assigned' } as const

/** Library of form templates (spec 2.4). With `company`, each row shows whether that company has the form. */
export const forms = defineList('admin/return/forms', 'Forms and Documents', {
  nouns: ['form', 'forms'],
  summary: 'Lists the form templates of the platform',
  access: { audience: 'platform', privilege: ['manage_others_forms', 'view'] },
  columns: {
    templateId: { ...fact(z.number()), csv: 'ID' },
    title: text('Title', { primary: true, sort: 'asc' }),
    category: choice('Category', categories, { sort: 'asc', group: true }),
    description: { ...fact(z.string()), csv: 'Description' },
    version: whole('Version', { sort: 'desc', priority: 3 }),
    contentType: choice<FileType>('Type', types as Record<FileType, string>, { hidden: true, group: true, csv: false }),
    fileName: { ...fact(z.string()), csv: 'File' },
    bytes: whole('Size', { csv: 'Bytes', priority: 3 }),
    // Number of companies that have the form.
    assignedCount: whole('Companies'),
    // True if the company in the filter has the form.
    assigned: flag('Assigned', { priority: 1 }),
    changedAt: instant('Changed', { sort: 'desc', csv: 'Changed (UTC)' }),
    changedBy: text('Changed by', { hidden: true }),
    status: choice('Status', formStates.labels, { sort: 'asc', group: true, priority: 1 }),
  },
  filters: {
    category: filters.choice('Category', categories, 'All categories'),
    status: filters.choice('Status', formStates.labels, 'All statuses'),
    company: { ...filters.id('Company'), value: z.optional(rowId) },
    has: filters.choice('Assigned to this company', assignmentLabels, 'All forms'),
  },
  search: 'Search',
  csv: { path: 'admin/export/forms', file: 'forms' },
})

/** Companies by name. Each row shows whether the company has the given form. */
export const formCompanies = defineList('admin/return/form/companies', 'Companies', {
  nouns: ['company', 'companies'],
  summary: 'Lists the companies with the assignment status of a form template',
  access: { audience: 'platform', privilege: ['manage_others_forms', 'view'] },
  columns: {
    name: text('Company', { primary: true, sort: 'asc' }),
    location: text('Location'),
    assigned: flag('Assigned'),
  },
  filters: {
    templateId: filters.hidden(z.optional(rowId)),
    has: filters.choice('Show', assignmentLabels, 'All companies'),
  },
  search: 'Find companies',
})
