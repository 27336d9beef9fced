/** Consecutive words with the same style. */
export interface Run {
  text: string
  bold: boolean
}

export type Block =
  | { kind: 'title' | 'heading' | 'subheading'; text: string }
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'list'; numbered: boolean; items: Run[][] }

/** Heading types, indexed by the number of hash signs. */
const headings = ['title', 'title', 'heading', 'subheading'] as const

/**
 * Parses the subset of Markdown in the portal's documents: `#` to `###`, paragraphs, lists with `-` or `1.`, and
 * `**bold**`. A block ends at an empty line.
 */
export function parseText(text: string): Block[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block): Block => {
      const heading = /^(#{1,3}) (.+)$/.exec(block.trim())
      if (heading) return { kind: headings[heading[1]?.length ?? 0] ?? 'title', text: heading[2] ?? '' }
      const lines = block.trim().split('\n')
      const [first = ''] = lines
      const item = /^(?:-|\d+\.) /
      if (item.test(first))
        return {
          kind: 'list',
          numbered: !first.startsWith('-'),
          items: lines.map((line) => runsOf(line.replace(item, ''))),
        }
      return { kind: 'paragraph', runs: runsOf(lines.join(' ')) }
    })
}

/** Splits `a **b** c` into three runs. */
const runsOf = (text: string): Run[] =>
  text
    .split(/\*\*(.+?)\*\*/)
    .map((part, i) => ({ text: part, bold: i % 2 === 1 }))
    .filter((run) => run.text !== '')
