import { Readable } from 'node:stream'
import { parseSource } from '../features/alerts/cap/source-parser.ts'
import { parserOf } from '../server/parse.ts'
import { defineColumns, type ImportColumns } from '../server/columns.ts'
import { tableRows } from '../server/table-rows.ts'
import { inTurns, type Row, timeRow } from './measure.ts'

const ITERATIONS = 5
/**
 * Maximum growth of the time if the input becomes four times as large. Linear work takes a little over four times as
 * long, quadratic work 16 times.
 */
const MAX_GROWTH = 8

const readSource = parserOf<Parameters<typeof parseSource>, ReturnType<typeof parseSource>>(
  new URL('../features/alerts/cap/source-parser.ts', import.meta.url),
  'parseSource',
)

/** Reads an input until it ends or is refused. */
const toEnd = async (reading: Promise<unknown>): Promise<void> => void (await reading.catch(() => {}))
const CHUNK_BYTES = 64 * 1024
const lat = { title: 'Latitude', aliases: 'lat' }
const withShapes = defineColumns('bench', { needs: [], columns: { lat } })
const withoutShapes = defineColumns('bench', { needs: ['lat'], columns: { lat } })

/** Reads a file in chunks, as from a disk. */
async function rowsOf(file: Buffer, columns: ImportColumns): Promise<void> {
  const count = Math.ceil(file.length / CHUNK_BYTES)
  const chunks = Array.from({ length: count }, (_, at) => file.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES))
  for await (const _ of tableRows(Readable.from(chunks), columns));
}

/** Builds a zigzag zone border, with sides that all overlap in longitude but never cross. */
function border(corners: number): Buffer {
  const sides = Array.from({ length: corners }, (_, at) => [-77 + (at % 2), 40 + at * 1e-6])
  const ring = [...sides, [-75, 41], [-75, 39], [-77, 39], sides[0]]
  const geometry = { type: 'Polygon', coordinates: [ring] }
  return Buffer.from(JSON.stringify({ features: [{ properties: { name: 'Zone' }, geometry }] }))
}
const unclosedXml = (messages: number) =>
  `<x xmlns="urn:oasis:names:tc:emergency:cap:1.2">${'<alert '.repeat(messages)}`

/**
 * Times the reading of inputs that once stopped the portal. Compares the time for the full size with the time for a
 * quarter of it.
 */
export async function oddFiles(): Promise<Row[]> {
  const row = async (what: string, work: (size: number) => Promise<unknown>, size: number) =>
    timeRow(
      what,
      await inTurns(
        ITERATIONS,
        () => toEnd(work(size)),
        () => toEnd(work(size / 4)),
      ),
      MAX_GROWTH,
    )
  return [
    await row('a border of 80,000 corners, against 20,000', (size) => rowsOf(border(size), withShapes), 80_000),
    await row('30 MB of blanks, against 7.5 MB', (size) => rowsOf(Buffer.alloc(size, ' '), withoutShapes), 30_000_000),
    await row(
      '214,000 alerts without end, against 53,500',
      (size) => readSource('', unclosedXml(size), 'https://a.example'),
      214_000,
    ),
  ]
}
