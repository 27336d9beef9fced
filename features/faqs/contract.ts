import * as z from 'zod/mini'
import { rowId, searchLine } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { foundKinds } from '../../shared/found-kinds.ts'
import type { RichText } from './rules.ts'

const everybody = { audience: 'public' } as const
/** What the server has checked by its own schema, which is no part of what a resident's browser loads. */
const answer = z.unknown() as unknown as z.ZodMiniType<RichText>

const faq = z.object({ id: z.number(), question: z.string(), answer })
export type Faq = z.output<typeof faq>

export const listFaqs = endpoint({
  path: 'return/faqs',
  summary: 'The questions that the town answers today, by category',
  access: everybody,
  body: z.object({}),
  answer: z.object({ categories: z.array(z.object({ id: z.number(), name: z.string(), faqs: z.array(faq) })) }),
})

export const searchFaqs = endpoint({
  path: 'search/faqs',
  summary: 'The questions, services, payments and forms that fit best to what somebody typed, the best first',
  access: everybody,
  /** `isTyping`: asked while somebody types. Nothing of it is kept. */
  body: z.object({ text: searchLine(200), isTyping: z.optional(z.boolean()) }),
  answer: z.object({
    /** `lexemes`: the words that were found, as they are written there, to be marked. */
    found: z.array(z.object({ ...faq.shape, lexemes: z.array(z.string()) })),
    /** What else the portal has of it. */
    others: z.array(z.object({ kind: z.enum(foundKinds), title: z.string(), path: z.string() })),
    /** What was typed with its mistakes put right, which is what was looked for; null where it had none. */
    didYouMean: z.nullable(z.string()),
  }),
})

export const tellHelped = formCall({
  path: 'tell/faq/helped',
  summary: 'Says whether an answer helped; nobody can tell who said it',
  access: everybody,
  body: z.object({ faqId: rowId, helped: z.boolean() }),
})

export const tellMissing = formCall({
  path: 'tell/faq/missing',
  summary: 'Says that no answer fits to what somebody looked for; who it was is kept nowhere',
  access: everybody,
  body: z.object({ text: searchLine(200).check(z.minLength(2)) }),
})
