import type { Access } from '../../shared/endpoint.ts'
import { choice, defineList, filters, instant, text } from '../../shared/list.ts'
import { reportAccesses } from '../../shared/processor-reports.ts'

const access: Access = { audience: 'municipality', privilege: ['audit', 'view'] }

/** Access log of the payment provider's reports, for the company's administrators (spec 7.4). */
export const accesses = defineList('muni/return/processor/report/accesses', 'Processor Report Access Log', {
  nouns: ['access record', 'access records'],
  summary: 'Lists the access records of payment provider reports',
  access,
  ofCompany: true,
  columns: {
    at: instant('Date', { sort: 'desc', seconds: true, priority: 1 }),
    name: text('Person', { primary: true }),
    how: choice('Type', reportAccesses, { group: true, priority: 1 }),
    report: text('Report', { group: true, empty: '–' }),
    processor: text('Processor', { group: true, empty: '–', priority: 3 }),
  },
  days: { column: 'at', usual: 30 },
  filters: { how: filters.choice('Type', reportAccesses, 'All') },
  csv: { path: 'muni/export/processor/report/accesses', file: 'processor-report-accesses' },
})
