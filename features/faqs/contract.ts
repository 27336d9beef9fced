import * as z from 'zod/mini'
import { rowId, searchLine } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { resultKinds } from '../../shared/result-kinds.ts'
import type { RichText } from '../../shared/rich-text.ts'

const everybody = { audience: 'public' } as const
/** The server has already validated the answer with its schema. Residents' browsers do not load that schema. */
const answer = z.unknown() as unknown as z.ZodMiniType<RichText>

const faq = z.object({ id: z.number(), question: z.string(), answer })
export type Faq = z.output<typeof faq>

export const listFaqs = endpoint({
  path: 'return/faqs',
  summary: 'Returns the published FAQs by category',
  access: everybody,
  body: z.object({}),
  response: z.object({ categories: z.array(z.object({ id: z.number(), name: z.string(), faqs: z.array(faq) })) }),
})

export const searchFaqs = endpoint({
  path: 'search/faqs',
  whenOff: 'finish',
  summary: 'Returns the best matching FAQs and portal pages for a search',
  access: everybody,
  /** `isTyping` is true while the user types. Search texts sent during typing are not stored. */
  body: z.object({ text: searchLine(200), isTyping: z.optional(z.boolean()) }),
  response: z.object({
    /** `lexemes` are the matched words as written in the FAQ, for highlighting. */
    matches: z.array(z.object({ ...faq.shape, lexemes: z.array(z.string()) })),
    /** Matching pages of the portal, other than FAQs. */
    others: z.array(z.object({ kind: z.enum(resultKinds), title: z.string(), path: z.string() })),
    /** Corrected text that the search used. Null if the typed text had no mistakes. */
    didYouMean: z.nullable(z.string()),
  }),
})

export const reportHelped = formCall({
  path: 'report/faq/helped',
  summary: 'Records anonymous feedback on an FAQ answer',
  access: everybody,
  body: z.object({ faqId: rowId, helped: z.boolean() }),
})

export const reportMissing = formCall({
  path: 'report/faq/missing',
  summary: 'Records an anonymous search without a suitable answer',
  access: everybody,
  body: z.object({ text: searchLine(200).check(z.minLength(2)) }),
})
