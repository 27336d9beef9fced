import { inflateSync } from 'node:zlib'

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
