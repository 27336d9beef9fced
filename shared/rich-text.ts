import * as z from 'zod/mini'

/**
 * Creates a schema that accepts exactly these keys. Zod's own strict objects would make residents' pages load another
 * part of Zod.
 */
const exactly = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z
    .looseObject(shape)
    .check(
      z.refine(
        (value) => Object.keys(value).every((key) => key in shape),
        'Use only paragraphs, headings, lists, bold, italic, underline and links.',
      ),
    ) as unknown as z.ZodMiniObject<S, z.core.$strict>

const HREF = 'Start the link with https://, mailto:, tel: or /.'
export const linkAddress = z
  .string()
  .check(z.maxLength(500), z.regex(/^(?:https:\/\/|mailto:|tel:|\/(?!\/))[^\s<>"]*$/, HREF))
const mark = z.union([
  exactly({ type: z.enum(['bold', 'italic', 'underline']) }),
  exactly({ type: z.literal('link'), attrs: exactly({ href: linkAddress }) }),
])
const textNode = exactly({
  type: z.literal('text'),
  text: z.string().check(z.minLength(1), z.maxLength(4000)),
  marks: z.optional(z.array(mark).check(z.maxLength(4))),
})
const paragraph = exactly({
  type: z.literal('paragraph'),
  content: z.optional(z.array(textNode).check(z.maxLength(200))),
})
const heading = exactly({
  type: z.literal('heading'),
  attrs: exactly({ level: z.literal([3, 4]) }),
  content: z.optional(z.array(textNode).check(z.maxLength(20))),
})
const item = exactly({
  type: z.literal('listItem'),
  content: z.array(paragraph).check(z.minLength(1), z.maxLength(10)),
})
const list = exactly({
  type: z.enum(['bulletList', 'orderedList']),
  content: z.array(item).check(z.minLength(1), z.maxLength(100)),
})

/**
 * Formatted text: paragraphs, headings and lists of words that may be bold, italic, underlined or a link. Other content
 * can't reach a resident's page.
 */
export const richText = exactly({
  type: z.literal('doc'),
  content: z.array(z.union([paragraph, heading, list])).check(z.minLength(1), z.maxLength(100)),
})
export type RichText = z.output<typeof richText>
export type TextNode = z.output<typeof textNode>

export const paragraphsOf = (...texts: string[]): RichText => ({
  type: 'doc',
  content: texts.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })),
})

/** Returns the plain text, with one line for each paragraph. The search reads this text. */
export const textOf = (doc: RichText): string =>
  doc.content
    .flatMap((block) => (block.type === 'paragraph' || block.type === 'heading' ? [block] : itemsOf(block)))
    .map(({ content = [] }) => content.map(({ text }) => text).join(''))
    .join('\n')

const itemsOf = ({ content }: Extract<RichText['content'][number], { type: 'bulletList' | 'orderedList' }>) =>
  content.flatMap((item) => item.content)
