/** Parses geographic files, in a thread. */
import { Readable } from 'node:stream'
import { JSONParser, TokenType } from '@streamparser/json'
import { type MessageText, say } from '../../shared/messages.ts'
import { type CsvRecord, csvBatches } from '../csv-parser.ts'
import { FileRefused } from '../file-refused.ts'
import { messageTextOf } from '../message-texts.ts'
import { RowError } from '../row-error.ts'
import { type Geometry, readGeometry } from './rings.ts'

export interface Feature {
  /** Number of the row or feature in the file, starting at 1. */
  nth: number
  /** Properties with text or number values, all as text. */
  properties: [name: string, value: string][]
  geometry: Geometry | null
  problem?: MessageText
}
export type PlaceRow = { record: CsvRecord } | { feature: Feature }

const UNREADABLE = 'The file is incomplete or is not GeoJSON. Export it again, then upload the new file.'
const EMPTY = 'The file is empty.'
/** Maximum number of whitespace bytes before the first character. */
const MAX_BLANK_BYTES = 1024 * 1024
/** Maximum nesting of brackets. A MultiPolygon needs eight. */
const MAX_DEPTH = 32
const MAX_FEATURE_BYTES = 16 * 1024 * 1024
const MAX_PROPERTIES = 500
/** Maximum length of a value, in characters. The parser cuts longer values, and the importer then refuses them. */
const MAX_CHARS = 2000
const BATCH_FEATURES = 200
const BATCH_CORNERS = 20_000

/** Yields batches of CSV records or GeoJSON features. @throws FileRefused if the file is neither */
export async function* placeBatches(input: Readable): AsyncGenerator<PlaceRow[]> {
  const { first, all } = await peek(input)
  if (first === '{') yield* featureBatches(all)
  else for await (const batch of csvBatches(Readable.from(all))) yield batch.map((record): PlaceRow => ({ record }))
}

/** Returns the first character, which shows the format, and a stream of the whole file. */
async function peek(input: Readable): Promise<{ first: string; all: AsyncGenerator<Buffer> }> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const leading: Buffer[] = []
  let blanks = 0
  let first = ''
  while (first === '') {
    const { value, done } = await chunks.next()
    if (done) throw new FileRefused(EMPTY)
    const text = (blanks === 0 ? value.toString('latin1').replace(/^ï»¿/, '') : value.toString('latin1')).trimStart()
    first = text.slice(0, 1)
    blanks += value.length - text.length
    if (blanks <= MAX_BLANK_BYTES) leading.push(value)
  }
  if (blanks > MAX_BLANK_BYTES) throw new FileRefused(say`The file starts with more than 1 MB of spaces. Remove them.`)
  const all = async function* () {
    yield* leading
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { first, all: all() }
}

async function* featureBatches(all: AsyncGenerator<Buffer>): AsyncGenerator<PlaceRow[]> {
  const parser = new JSONParser({ paths: ['$.features.*'], keepStack: false })
  let batch: PlaceRow[] = []
  let [index, depth, bytes, corners] = [0, 0, 0, 0]
  let ended = false
  parser.onToken = ({ token }) => {
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > MAX_DEPTH)
      throw new FileRefused(say`The file has more than ${MAX_DEPTH} levels of nested brackets. Export it again.`)
  }
  parser.onValue = ({ value }) => {
    index += 1
    bytes = 0
    const feature = featureOf(value, index)
    corners += cornersOf(feature.geometry)
    batch.push({ feature })
  }
  parser.onEnd = () => (ended = true)
  parser.onError = (error) => {
    throw error
  }
  for await (const chunk of all) {
    // Splits chunks into small pieces, so that each piece completes only a few features.
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.subarray(from, from + PIECE_BYTES)
      bytes += piece.length
      try {
        parser.write(piece)
      } catch (error) {
        throw error instanceof FileRefused ? error : new FileRefused(UNREADABLE)
      }
      if (bytes > MAX_FEATURE_BYTES)
        throw new FileRefused(
          say`Feature ${index + 1} is larger than ${MAX_FEATURE_BYTES / 1024 / 1024} MB. Simplify it.`,
        )
      if (batch.length < BATCH_FEATURES && corners < BATCH_CORNERS) continue
      yield batch
      batch = []
      corners = 0
    }
  }
  if (!ended) throw new FileRefused(UNREADABLE)
  if (index === 0)
    throw new FileRefused(say`The file has no features. Upload a GeoJSON file of type FeatureCollection.`)
  yield batch
}
const PIECE_BYTES = 16 * 1024

const cornersOf = (geometry: Geometry | null): number =>
  [...(geometry?.lines ?? []), ...(geometry?.polygons?.flat() ?? [])].reduce((sum, { length }) => sum + length, 0)

function featureOf(value: unknown, index: number): Feature {
  const { properties, geometry } = Object(value) as { properties?: unknown; geometry?: unknown }
  const texts: Feature['properties'] = []
  if (typeof properties === 'object' && properties !== null)
    for (const [name, text] of Object.entries(properties).slice(0, MAX_PROPERTIES))
      if (typeof text === 'string' || typeof text === 'number')
        texts.push([name.slice(0, MAX_CHARS), String(text).trim().slice(0, MAX_CHARS)])
  const isShape = typeof geometry === 'object' && geometry !== null && 'type' in geometry && 'coordinates' in geometry
  const feature = { nth: index, properties: texts, geometry: null }
  if (!isShape) return { ...feature, problem: messageTextOf(say`The shape is missing.`) }
  try {
    return { ...feature, geometry: readGeometry(geometry) }
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    return { ...feature, problem: messageTextOf(error.message) }
  }
}
