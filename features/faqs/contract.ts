import * as z from 'zod/mini'
import { rowId, searchLine } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { resultKinds } from '../../shared/result-kinds.ts'
import type { RichText } from './rules.ts'

const everybody = { audience: 'public' } as const
/** The server has already validated the answer with its schema. Residents' browsers do not load that schema. */
const answer = z.unknown() as unknown as z.ZodMiniType<RichText>

const faq = z.object({ id: z.number(), question: z.string(), answer })
export type Faq = z.output<typeof faq>

export const listFaqs = endpoint({
  path: 'return/faqs',
  summary: 'The questions that the town answers today, by category',
  access: everybody,
  body: z.object({}),
  response: z.object({ categories: z.array(z.object({ id: z.number(), name: z.string(), faqs: z.array(faq) })) }),
})

export const searchFaqs = endpoint({
  path: 'search/faqs',
  summary: 'The questions, services, payments and forms that fit best to what somebody typed, the best first',
  access: everybody,
  /** `isTyping` is true while the user types. Texts that are sent while typing are not stored. */
  body: z.object({ text: searchLine(200), isTyping: z.optional(z.boolean()) }),
  response: z.object({
    /** `lexemes` are the matched words as written in the FAQ, for highlighting. */
    matches: z.array(z.object({ ...faq.shape, lexemes: z.array(z.string()) })),
    /** Other pages of the portal that match. */
    others: z.array(z.object({ kind: z.enum(resultKinds), title: z.string(), path: z.string() })),
    /** Corrected text that the search used. Null if the typed text had no mistakes. */
    didYouMean: z.nullable(z.string()),
  }),
})

export const reportHelped = formCall({
  path: 'report/faq/helped',
  summary: 'Says whether an answer helped; nobody can tell who said it',
  access: everybody,
  body: z.object({ faqId: rowId, helped: z.boolean() }),
})

export const reportMissing = formCall({
  path: 'report/faq/missing',
  summary: 'Says that no answer fits to what somebody looked for; who it was is kept nowhere',
  access: everybody,
  body: z.object({ text: searchLine(200).check(z.minLength(2)) }),
})
