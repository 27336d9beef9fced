import { sql } from 'kysely'
import { hasPart } from '../../../server/list-sql.ts'
import { defineLookup } from '../../../server/lookups.ts'
import { translated } from '../../../shared/messages.ts'
import { faqStates } from '../states.ts'

interface QuestionMatch {
  id: number
  question: string
  status: keyof typeof faqStates.labels
  category: string
}

export const faqLookup = defineLookup<QuestionMatch>({
  kind: 'FAQs',
  area: 'faqs',
  table: sql`faq`,
  number: () => null,
  find: {
    word: (word) => hasPart(sql`r.question || ' ' || r.other_wordings || ' ' || r.answer_text`, word),
    name: sql`r.question`,
    isSmall: true,
  },
  columns: {
    id: sql`r.id`,
    question: sql`r.question`,
    status: sql`r.status`,
    category: sql`(SELECT c.name FROM faq_category c WHERE c.company_id = r.company_id AND c.id = r.category_id)`,
  },
  show: ({ id, question, status, category }) => ({
    title: question,
    detail: [translated(faqStates.labels[status]), category],
    path: `/municipality/manage/faqs?question=${id}`,
  }),
})
