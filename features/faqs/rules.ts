import * as z from 'zod/mini'

/**
 * An answer as it is kept: paragraphs, headings and lists of words that may be bold, italic or a link, and nothing else.
 * What cannot be written down here cannot reach a resident's page.
 */
const href = z
  .string()
  .check(
    z.maxLength(500),
    z.regex(/^(?:https:\/\/|mailto:|tel:|\/(?!\/))[^\s<>"]*$/, 'Links begin with https://, mailto:, tel: or /.'),
  )
const mark = z.union([
  z.strictObject({ type: z.enum(['bold', 'italic']) }),
  z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href }) }),
])
const words = z.strictObject({
  type: z.literal('text'),
  text: z.string().check(z.minLength(1), z.maxLength(4000)),
  marks: z.optional(z.array(mark).check(z.maxLength(3))),
})
const paragraph = z.strictObject({
  type: z.literal('paragraph'),
  content: z.optional(z.array(words).check(z.maxLength(200))),
})
const heading = z.strictObject({
  type: z.literal('heading'),
  attrs: z.strictObject({ level: z.literal(3) }),
  content: z.optional(z.array(words).check(z.maxLength(20))),
})
const item = z.strictObject({
  type: z.literal('listItem'),
  content: z.array(paragraph).check(z.minLength(1), z.maxLength(10)),
})
const list = z.strictObject({
  type: z.enum(['bulletList', 'orderedList']),
  content: z.array(item).check(z.minLength(1), z.maxLength(100)),
})

export const richText = z.strictObject({
  type: z.literal('doc'),
  content: z.array(z.union([paragraph, heading, list])).check(z.minLength(1), z.maxLength(100)),
})
export type RichText = z.output<typeof richText>
export type Words = z.output<typeof words>

export const paragraphsOf = (...texts: string[]): RichText => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})
