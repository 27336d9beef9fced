import { inflateSync } from 'node:zlib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What the first page of a PDF of ours draws, and its text: letters stand there by numbers, which tables of the fonts turn back. */
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
  // Each table is tried: those of other fonts give other letters, which nobody asks for.
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

/** All texts of a PDF and how many of its fields are still fillable, as pdf.js finds them, without spaces. */
export async function shownByPdfJs(content: Uint8Array) {
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
