import { defineColumns } from '../../../server/columns.ts'
import { withHistory } from '../../../server/imported-rows.ts'
import { defineImporter, parseRow, yesIn } from '../../../server/importers.ts'
import { paragraphsOf } from '../../../shared/rich-text.ts'
import { faqForm } from '../contract-staff.ts'
import { faqStates } from '../states.ts'
import { createCategory } from './categories.ts'
import { createFaq, publishFaq } from './staff-calls.ts'

const columns = defineColumns('faqs', {
  needs: ['question', 'answer', 'category'],
  columns: {
    question: { title: 'Question', aliases: 'faq title', sample: 'When is trash collected?' },
    answer: { title: 'Answer', aliases: 'text body response', sample: 'Each Tuesday, from 6 AM.' },
    category: {
      title: 'Category',
      aliases: 'topic section group department',
      sample: 'Trash and recycling',
      preset: 'General',
    },
    wordings: { title: 'Other wordings', aliases: 'keywords tags synonyms', sample: 'garbage pickup' },
    from: { title: 'Visible from', aliases: 'from start start_date', content: 'date', sample: '2027-01-01' },
    until: { title: 'Visible until', aliases: 'until end end_date expires', content: 'date' },
    published: { title: 'Published', aliases: 'status is_published active', sample: 'yes' },
  },
})

/** Imports questions. The question identifies an FAQ, so a repeated import changes nothing. */
defineImporter({
  kind: 'faqs',
  columns,
  undo: { tables: [{ table: 'faq_category' }, ...withHistory('faq', faqStates.name)] },
  async start({ tx, call }) {
    const company = call.company.id
    const categories = await tx
      .selectFrom('faq_category')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .execute()
    const ids = new Map(categories.map(({ id, name }) => [name.toLowerCase(), id]))
    const faqs = await tx.selectFrom('faq').select('question').where('company_id', '=', company).execute()
    const existing = new Set(faqs.map(({ question }) => question.toLowerCase()))
    return {
      take: (get) => ({
        category: get('category', 60),
        isPublished: yesIn(get('published')) || get('published').toLowerCase() === 'published',
        form: parseRow(faqForm, {
          categoryId: '1',
          question: get('question'),
          answer: paragraphsOf(
            ...get('answer', 20_000)
              .split(/\n+/)
              .map((text) => text.trim())
              .filter(Boolean),
          ),
          alternatives: get('wordings', 2000),
          visibleFrom: get('from'),
          visibleUntil: get('until'),
        }),
      }),
      keyOf: ({ form }) => form.question.toLowerCase(),
      async write({ category, form, isPublished }) {
        if (existing.has(form.question.toLowerCase())) return 'unchanged'
        const key = category.toLowerCase()
        const categoryId = ids.get(key) ?? (await createCategory(tx, call, category))
        ids.set(key, categoryId)
        const id = await createFaq(tx, call, { ...form, categoryId: String(categoryId) })
        if (isPublished) await publishFaq(tx, call, id)
        return 'created'
      },
    }
  },
})
