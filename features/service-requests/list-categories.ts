import * as z from 'zod/mini'
import { code, defineList, fact, filters, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract-settings.ts'

const inUse = { 1: 'In use', 0: 'Not in use' }

export const requestCategories = defineList('muni/return/request/categories', 'Request categories', {
  nouns: ['category', 'categories'],
  summary: 'Lists the request categories',
  access: viewAccess,
  ofCompany: true,
  columns: {
    sortNo: whole('Sort order', { sort: 'asc' }),
    name: text('Category', { primary: true }),
    department: text('Department', { empty: 'None' }),
    targetDays: whole('Target business days'),
    escalatesTo: text('Overdue notifications', { empty: 'No one else', hidden: true }),
    open: whole('Open', { csv: 'Open' }),
    active: code('Status', inUse),
    hint: fact(z.string()),
    departmentId: fact(z.nullable(z.number())),
    escalateTo: fact(z.nullable(z.number())),
    crewId: fact(z.nullable(z.number())),
    forGuests: fact(z.boolean()),
    needsLocation: fact(z.boolean()),
    onMap: fact(z.boolean()),
  },
  filters: { active: filters.code('Status', inUse, 'All categories') },
  search: 'Category',
  csv: { path: 'muni/export/request/categories', file: 'request-categories' },
})
