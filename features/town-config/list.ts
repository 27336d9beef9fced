import * as z from 'zod/mini'
import { choice, defineList, fact, filters, instant, text, whole } from '../../shared/list.ts'
import { sectionNames } from './report.ts'

export const change = z.object({ field: z.string(), label: z.string(), old: z.string(), new: z.string() })
const origins = {
  form: 'Form',
  logo: 'Logo uploaded',
  restored: 'Restored',
  import: 'Imported',
  go_online: 'Get Started',
} as const

/** Versions of a company's configuration, newest first. The changes of each version are described as text. */
export const configHistory = defineList('admin/return/company/config/history', 'History', {
  nouns: ['version', 'versions'],
  summary: "Lists the versions of a company's configuration",
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] },
  ofCompany: true,
  columns: {
    version: whole('Version', { sort: 'desc' }),
    at: instant('Time'),
    actorName: text('By', { primary: true, group: true }),
    section: choice('Section', sectionNames, { group: true }),
    origin: choice('Origin', origins, { group: true }),
    changes: fact(z.array(change)),
  },
  filters: { section: filters.choice('Show', sectionNames, 'All sections') },
})
