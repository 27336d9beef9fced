import { reload } from '../../../../web/query.ts'
import { faqCategories, showFaq } from '../../contract-staff.ts'
import { faqQuestions, faqSearches } from '../../list.ts'

export const refreshFaqs = () =>
  Promise.all([faqQuestions.call, faqSearches.call, showFaq, faqCategories].map((endpoint) => reload(endpoint)))
