import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { type RichText, richText, textOf } from '../../shared/rich-text.ts'
import { faqStates } from './states.ts'

const staff = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience: staff, privilege: ['faqs', 'view'] }
const write: Access = { audience: staff, privilege: ['faqs', 'create'] }
const change: Access = { audience: staff, privilege: ['faqs', 'update'] }

const dayOrNone = z.union([isoDate, z.literal('')], { error: 'Enter a date.' })
const QUESTION = 'Enter a question of 5 to 200 characters.'
const MAX_WORDINGS = 2000
const MAX_ANSWER_LENGTH = 20_000

const isRichText = (value: unknown): value is RichText => richText.safeParse(value).success
const textCheck = (holds: (text: string) => boolean, error: string) =>
  z.refine<unknown>((value) => !isRichText(value) || holds(textOf(value)), { error })
/** Validated as a whole, so that errors appear below the answer field. */
const answer = z.unknown().check(
  z.refine(isRichText, 'Use only paragraphs, headings, lists, bold, italic and links.'),
  textCheck((text) => text.trim() !== '', 'Enter an answer.'),
  textCheck(
    (text) => text.length <= MAX_ANSWER_LENGTH,
    'This answer is too long. Use no more than 20,000 characters, and link to a page with more details.',
  ),
) as unknown as z.ZodMiniType<RichText, RichText>

export const faqForm = z
  .object({
    categoryId: z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'Choose a category.')),
    question: line(200).check(z.minLength(5, QUESTION)),
    answer,
    /** Other wordings of the question, one per line. */
    alternatives: z
      .string()
      .check(z.trim(), z.maxLength(MAX_WORDINGS, 'Use no more than 2,000 characters for the other wordings.')),
    visibleFrom: dayOrNone,
    visibleUntil: dayOrNone,
  })
  .check(
    z.refine(
      ({ visibleFrom, visibleUntil }) => visibleFrom === '' || visibleUntil === '' || visibleFrom <= visibleUntil,
      {
        path: ['visibleUntil'],
        error: 'Choose an end date on or after the start date.',
      },
    ),
  )
export type FaqForm = z.output<typeof faqForm>

const ofFaq = z.object({ companyId, faqId: rowId })

export const showFaq = endpoint({
  path: 'muni/return/faq/question',
  summary: 'Returns an FAQ with its status and resident feedback',
  access: viewAccess,
  body: ofFaq,
  response: z.object({
    form: z.unknown() as unknown as z.ZodMiniType<FaqForm>,
    category: z.string(),
    status: faqStates.state,
    /** Feedback from residents in the last year. */
    helped: z.int(),
    notHelped: z.int(),
    can: z.object({ edit: z.boolean(), remove: z.boolean(), publish: z.boolean(), withdraw: z.boolean() }),
  }),
})

export const writeFaq = formCall({
  path: 'muni/write/faq/question',
  summary: 'Creates a draft FAQ, optionally for a search without an answer',
  access: write,
  body: z.object({ companyId, form: faqForm, searchId: z.nullable(rowId) }),
  response: z.extend(done, { faqId: z.number() }),
})

export const saveFaq = formCall({
  path: 'muni/save/faq/question',
  summary: 'Saves an FAQ',
  access: change,
  body: z.extend(ofFaq, { form: faqForm, basis }),
})

export const transitionFaq = formCall({
  path: 'muni/change/faq/question/status',
  summary: 'Publishes or unpublishes an FAQ',
  access: change,
  body: z.extend(ofFaq, { event: faqStates.button }),
})

export const removeFaq = formCall({
  path: 'muni/remove/faq/question',
  summary: 'Removes a draft FAQ and its feedback',
  access: change,
  body: ofFaq,
})

/** Lists the pages that an answer can link to: those that the residents' search finds, other than FAQs. */
export const faqLinkTargets = endpoint({
  path: 'muni/return/faq/link/targets',
  summary: 'Returns the portal pages that FAQ answers can link to',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ targets: z.array(z.object({ title: z.string(), path: z.string() })) }),
})

export const faqCategories = endpoint({
  path: 'muni/return/faq/categories',
  summary: 'Returns the FAQ categories and their FAQs in order',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    categories: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        faqs: z.array(z.object({ id: z.number(), question: z.string(), status: faqStates.state })),
      }),
    ),
    can: z.object({ edit: z.boolean() }),
  }),
})

const CATEGORY_NAME = 'Enter a category name of 2 to 60 characters.'
export const categoryForm = z.object({
  name: line(60).check(z.minLength(2, CATEGORY_NAME)),
})

export const saveFaqCategory = formCall({
  path: 'muni/save/faq/category',
  summary: 'Creates or renames an FAQ category',
  access: change,
  body: z.extend(categoryForm, { companyId, categoryId: z.nullable(rowId), basis }),
  response: z.extend(done, { categoryId: z.number() }),
})

export const removeFaqCategory = formCall({
  path: 'muni/remove/faq/category',
  summary: 'Removes an empty FAQ category',
  access: change,
  body: z.object({ companyId, categoryId: rowId }),
})

/** Maximum number of entries in a sorted list, more than any company has. */
const MAX_ORDERED = 2000

export const orderFaqs = formCall({
  path: 'muni/order/faq/questions',
  summary: "Sets the order of the categories or of one category's FAQs",
  access: change,
  body: z.object({
    companyId,
    categoryId: z.nullable(rowId),
    order: z.array(rowId).check(z.maxLength(MAX_ORDERED)),
    basis,
  }),
})

export const MAX_SYNONYMS = 500
const SYNONYMS = 'Enter at least two words, with spaces between them. A row can have up to 400 characters.'
export const synonymsForm = z.object({
  /** Groups of words with the same meaning. Spaces separate the words of a group. */
  groups: z
    .array(line(400).check(z.refine((text) => /\S\s+\S/.test(text), SYNONYMS)))
    .check(z.maxLength(MAX_SYNONYMS, 'Enter up to 500 rows.')),
})

export const faqSynonyms = endpoint({
  path: 'muni/return/faq/synonyms',
  summary: 'Returns the synonyms of the FAQ search',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.extend(synonymsForm, { can: z.object({ edit: z.boolean() }) }),
})

export const saveFaqSynonyms = formCall({
  path: 'muni/save/faq/synonyms',
  summary: 'Saves the synonyms of the FAQ search',
  access: change,
  body: z.extend(synonymsForm, { companyId, basis }),
})

export const dismissFaqSearch = formCall({
  path: 'muni/dismiss/faq/search',
  summary: 'Removes a search from the list of searches without an answer',
  access: change,
  body: z.object({ companyId, searchId: rowId }),
})
