import { generateHTML, generateJSON } from '@tiptap/core'
import type { RichText } from '../../../../shared/rich-text.ts'
import { extensions } from './editor.ts'

/** Converts HTML to the editor's format. Drops formatting that the editor lacks. */
export const fromHtml = (html: string): RichText => generateJSON(html, extensions) as RichText

/** Converts formatted text to HTML. Returns '' for an empty text. */
export function toHtml(text: RichText): string {
  const html = generateHTML(text, extensions)
  return html.replaceAll(/<[^>]*>/g, '').trim() === '' ? '' : html
}

/** True if the editor shows all formatting of the HTML, so that no edit loses it. */
export const fits = (html: string): boolean => {
  const [stored, edited] = [html, toHtml(fromHtml(html))].map((each) => JSON.stringify(outlineOf(each)))
  return stored === edited
}

const MARKS: Readonly<Record<string, string>> = { B: 'bold', STRONG: 'bold', I: 'italic', EM: 'italic', U: 'underline' }
const SPACE = /[\t\n\r ]+/g

/** Block of text with the elements around it, and its pieces of equal formatting. */
interface Block {
  position: string
  pieces: { text: string; marks: string }[]
}

/**
 * Lists the blocks of HTML with their text and formatting. Different notations of the same formatting, such as `<b>` and
 * `<strong>`, have equal outlines.
 */
function outlineOf(html: string): Block[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const blocks: Block[] = []
  const startBlock = (path: readonly string[]) => blocks.push({ position: positionOf(path), pieces: [] })
  const add = (text: string, marks: ReadonlySet<string>) => {
    const pieces = blocks.at(-1)?.pieces ?? []
    const last = pieces.at(-1)
    const key = [...marks].toSorted().join(' ')
    if (last?.marks === key) last.text += text
    else pieces.push({ text, marks: key })
  }
  const read = (node: Node, path: readonly string[], marks: ReadonlySet<string>): void => {
    if (node.nodeType === Node.TEXT_NODE) return add(node.textContent ?? '', marks)
    if (!(node instanceof Element)) return
    const mark = node.tagName === 'A' ? node.getAttribute('href') : MARKS[node.tagName]
    const isInline = node.tagName === 'A' || mark !== undefined
    const inner = isInline ? path : [...path, node.tagName]
    if (!isInline) startBlock(inner)
    for (const child of node.childNodes) read(child, inner, mark ? new Set([...marks, mark]) : marks)
    if (!isInline) startBlock(path)
  }
  startBlock([])
  for (const child of body.childNodes) read(child, [], new Set())
  return blocks.map(trimmed).filter(({ position, pieces }) => pieces.length > 0 || position.endsWith('BR'))
}

/** Returns the position of a block. Text outside paragraphs counts as a paragraph, also in a list. */
const positionOf = (path: readonly string[]): string => path.filter((tag) => tag !== 'P').join(' ')

/** Collapses white space, as a browser shows it. */
function trimmed({ position, pieces }: Block): Block {
  const text = pieces.map((piece) => ({ ...piece, text: piece.text.replaceAll(SPACE, ' ') }))
  const [first] = text
  const last = text.at(-1)
  if (first) first.text = first.text.trimStart()
  if (last) last.text = last.text.trimEnd()
  return { position, pieces: text.filter((piece) => piece.text !== '') }
}
