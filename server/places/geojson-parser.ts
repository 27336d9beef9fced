/** Parses GeoJSON files, in a thread. */
import { JSONParser, TokenType } from '@streamparser/json'
import { type MessageText, say } from '../../shared/messages.ts'
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

const UNREADABLE = 'The file is incomplete or is not GeoJSON. Export it again, then upload the new file.'
/** Maximum nesting of brackets. A MultiPolygon needs eight. */
const MAX_DEPTH = 32
const MAX_FEATURE_BYTES = 16 * 1024 * 1024
const MAX_PROPERTIES = 500
/** Maximum length of a value, in characters. The parser cuts longer values, and the importer then refuses them. */
const MAX_CHARS = 2000
const BATCH_FEATURES = 200
const BATCH_CORNERS = 20_000

/** Yields batches of features. @throws FileRefused if the file is not GeoJSON */
export async function* featureBatches(all: AsyncIterable<Buffer>): AsyncGenerator<Feature[]> {
  const parser = new JSONParser({ paths: ['$.features.*'], keepStack: false })
  let batch: Feature[] = []
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
    batch.push(feature)
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
