import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { dateIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { dismissFaqSearch } from '../contract-staff.ts'
import { faqQuestions, faqSearches } from '../list.ts'
import { statusOn } from './status-on.ts'

/**
 * Position in the residents' view: number of the category, then number in the category, for example `2.11`. The sort
 * key puts 2.2 before 2.11.
 */
const placed = sql`
  c.position + 1 || '.' || row_number() OVER (PARTITION BY f.company_id, f.category_id ORDER BY f.position, f.id) AS position,
  lpad(c.position::text, 5, '0') || lpad(f.position::text, 6, '0') AS position_key`

export const questionLists = implementList(faqQuestions, {
  table: ({ call, company }) => sql`(
    SELECT f.company_id, f.id, f.question, f.answer_text, f.category_id, c.name AS category, f.visible_from, f.visible_until,
      f.edited_at, ${placed}, ${statusOn(dateIn(company?.timeZone ?? 'UTC', call.context.clock.now()))} AS standing, said.yes, said.no
    FROM faq f JOIN faq_category c ON c.company_id = f.company_id AND c.id = f.category_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(h.yes), 0)::int AS yes, coalesce(sum(h.no), 0)::int AS no FROM faq_helped h
        WHERE h.company_id = f.company_id AND h.faq_id = f.id) said)`,
  columns: {
    position: 'position',
    question: 'question',
    category: 'category',
    status: 'standing',
    from: sql`coalesce(r.visible_from::text, '')`,
    until: sql`coalesce(r.visible_until::text, '')`,
    helped: 'yes',
    notHelped: 'no',
    editedAt: 'edited_at',
  },
  sorts: { position: 'position_key', question: sql`lower(r.question)` },
  filters: { categoryId: (id) => sql`r.category_id = ${id}` },
  search: sql`lower(r.question || ' ' || r.answer_text)`,
  unindexed: { all: 'A municipality has a few hundred questions.' },
  row: (_row, { session }) => ({
    can: { view: true, edit: may(session?.privileges ?? {}, 'faqs', 'update') },
  }),
  exported: 'export.faqs',
})

export const searchLists = implementList(faqSearches, {
  table: sql`faq_missing`,
  columns: { query: 'query', times: 'times', firstAt: 'first_at', lastAt: 'last_at' },
  sorts: { query: 'query_key' },
  search: sql`r.query_key`,
  unindexed: { all: 'Searches older than a year are deleted, and the number of searches per address is limited.' },
  row: (_row, { session }) => {
    const { privileges = {} } = session ?? {}
    return {
      can: {
        answer: may(privileges, 'faqs', 'create'),
        remove: may(privileges, 'faqs', 'update'),
      },
    }
  },
  exported: 'export.faq_searches',
})

export const dismissSearchCall = implement(dismissFaqSearch, (call) => {
  const { searchId } = call.body
  return call.inCompany(async (tx) => {
    const row = await tx
      .deleteFrom('faq_missing')
      .where('company_id', '=', call.company.id)
      .where('id', '=', searchId)
      .returning('query')
      .executeTakeFirstOrThrow(() => notFound('This search was already removed from the list.'))
    await call.audit(tx, {
      action: 'faq.search_dismissed',
      subject: { kind: 'faq_search', id: searchId },
      detail: { query: row.query },
    })
    return { success: true as const, message: 'Search removed from the list.' }
  })
})
