import { type RawBuilder, sql } from 'kysely'
import { COMPANY_IDS } from '../../../server/cursor.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { formCompanies } from '../list.ts'
import { unknownForm } from './list-forms.ts'

/** A trigram has three letters. Shorter texts can't use the trigram index, so they match only the start of a name. */
const TRIGRAM = 3

function named(search: string): RawBuilder<unknown> {
  if (search.length >= TRIGRAM) return matchesSearch(sql`r.name_key`, search)
  // The highest code point sorts after any name that starts with the search text.
  const key = sql`folded(r.name_key) COLLATE "C"`
  return sql`(${key} >= folded(${search}) AND ${key} < folded(${search}) || ${'\u{10FFFF}'})`
}

const hasForm = (templateId: number | undefined) =>
  sql`EXISTS (SELECT FROM form_template_assignment a WHERE a.company_id = r.id AND a.template_id = ${templateId ?? 0})`

/** Lists companies by name for the assignment of a form. */
export const formCompaniesCalls = implementList(formCompanies, {
  table: sql`company`,
  joins: ({ question: { filters } }) =>
    sql`CROSS JOIN LATERAL (SELECT ${hasForm(filters.templateId)} AS assigned) held`,
  columns: { name: 'name', location: sql`r.city || ', ' || r.state`, assigned: sql`held.assigned` },
  sorts: { name: 'name_key' },
  filters: {
    templateId: () => sql`true`,
    has: (has, { question: { filters } }) => sql`${has === 'yes' ? sql`` : sql`NOT`} ${hasForm(filters.templateId)}`,
  },
  search: named,
  highestId: COMPANY_IDS,
  countAlong: sql`r.name_key, r.id`,
  expect: async (tx, { question: { filters } }) => {
    const { templateId } = filters
    if (templateId === undefined) return
    const form = await tx.selectFrom('form_template').select('id').where('id', '=', templateId).executeTakeFirst()
    if (!form) throw unknownForm()
  },
})
