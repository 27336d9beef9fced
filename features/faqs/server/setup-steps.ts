import { sql } from 'kysely'
import { defineCountedStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 10

export const faqSteps = [
  defineCountedStep({
    ...{ key: 'faqs', title: 'Frequently asked questions', isRequired: false, area: 'faqs' },
    ...{ modules: ['faqs'], path: '/municipality/manage/faqs' },
    pack: 'faqs',
    table: 'faq',
    ready: sql`status = 'published'`,
    needed: NEEDED,
    detail: (count) => say`${count} of ${NEEDED} questions are published.`,
  }),
]
