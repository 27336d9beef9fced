import { definePack } from '../../../server/packs.ts'
import { paragraphsOf } from '../../../shared/rich-text.ts'
import { say } from '../../../shared/messages.ts'
import { saveFaqCategory, transitionFaq, writeFaq } from '../contract-staff.ts'
import { saveCategoryCall } from './categories.ts'
import { moveFaqCall, writeFaqCall } from './staff-calls.ts'

interface FaqEntry {
  category: string
  question: string
  answer: string
  /** Other wordings of the question, one on each line. */
  wordings: string
}

export const faqPack = definePack<FaqEntry>({
  pack: 'faqs',
  label: 'Frequently asked questions',
  area: 'faqs',
  calls: [saveCategoryCall, writeFaqCall, moveFaqCall],
  existing: (tx, company) =>
    tx.selectFrom('faq').select(['id', 'question as title']).where('company_id', '=', company).execute(),
  preview: ({ category, question, answer, wordings }) => ({
    title: question,
    text: answer,
    details: [category, ...(wordings === '' ? [] : [say`Other wordings: ${wordings.replaceAll('\n', ', ')}`])],
  }),
  add: async ({ tx, company, run }, { category, question, answer, wordings }, isComplete) => {
    const existing = await tx
      .selectFrom('faq_category')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .execute()
    const own = existing.find(({ name }) => name.toLowerCase() === category.toLowerCase())?.id
    const id = own ?? (await run(saveFaqCategory, { categoryId: null, name: category })).categoryId
    const form = {
      ...{ categoryId: String(id), question, answer: paragraphsOf(...answer.split('\n\n')), alternatives: wordings },
      ...{ visibleFrom: '', visibleUntil: '' },
    }
    const { faqId } = await run(writeFaq, { form, searchId: null })
    if (isComplete) await run(transitionFaq, { faqId, event: 'publish' })
    return faqId
  },
})
