import { choice, day, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract-staff.ts'
import { standings } from './rules.ts'

/** The company's FAQs (spec 2.3), in the order in which residents see them. */
export const faqQuestions = defineList('muni/return/faq/questions', 'FAQs', {
  nouns: ['FAQ', 'FAQs'],
  summary: "Lists the company's FAQs with their feedback from residents",
  access: viewAccess,
  ofCompany: true,
  columns: {
    position: text('Position', { sort: 'asc', chars: 5, priority: 3 }),
    question: text('Question', { primary: true, sort: 'asc', chars: 40 }),
    category: text('Category', { group: true, chars: 18 }),
    status: choice('Status', standings, { group: true, priority: 1 }),
    from: day('Shown from', { hidden: true }),
    until: day('Shown until', { hidden: true }),
    helped: whole('Helped', { sort: 'desc', total: 'Helped:', chars: 6 }),
    notHelped: whole('Did not help', { sort: 'desc', total: 'Did not help:', chars: 6 }),
    editedAt: instant('Changed', { sort: 'desc', hidden: true }),
  },
  filters: {
    categoryId: filters.id('Category'),
    status: filters.choice('Status', standings, 'All'),
  },
  search: 'Question or answer',
  csv: { path: 'muni/export/faq/questions', file: 'questions' },
})

export const faqSearches = defineList('muni/return/faq/searches', 'Searches Without an Answer', {
  nouns: ['search', 'searches'],
  summary: 'Lists the anonymous searches without an answer',
  access: viewAccess,
  ofCompany: true,
  columns: {
    query: text('Search text', { primary: true, sort: 'asc' }),
    times: whole('Times searched', { sort: 'desc', total: 'Searches:', priority: 1, chars: 6 }),
    firstAt: instant('First searched', { priority: 3 }),
    lastAt: instant('Last searched', { sort: 'desc' }),
  },
  usualSort: 'times',
  days: { column: 'lastAt', label: 'Last searched' },
  search: 'Search text',
  csv: { path: 'muni/export/faq/searches', file: 'searches' },
})
