import { Readable } from 'node:stream'
import { JSONParser } from '@streamparser/json'
import { FileRefused } from '../csv-records.ts'
import { type CsvRow, csvRows, namesOfColumns, type NameOf } from '../csv-rows.ts'
import type { Geometry } from './rings.ts'
import { say } from '../../shared/words.ts'

/** A line of a CSV, or a feature of a GeoJSON with its shape. */
export interface FileRow extends CsvRow {
  geometry: Geometry | null
}

/** What files call things, in lower case and with underscores. */
const known = namesOfColumns({
  number: 'number house_number housenumber addr_housenumber street_number st_num',
  street: 'street street_name full_street addr_street road',
  address: 'address full_address site_address situs_address location_address',
  unit: 'unit apt suite unit_number addr_unit',
  city: 'city town municipality addr_city',
  state: 'state addr_state',
  zip: 'zip zipcode zip_code postcode postal_code addr_postcode',
  lat: 'lat latitude y',
  lon: 'lon lng long longitude x',
  parcel: 'parcel parcel_number parcel_id parcelid apn pin',
  owner: 'owner owner_name',
  use: 'use land_use landuse',
  name: 'name zone zone_name full_name',
  kind: 'kind type zone_type category',
})
/**
 * The rows of a file, read as they come.
 * @param nameOf what the file may call its columns, where it is of other things than places
 * @throws FileRefused where it is neither CSV nor GeoJSON
 */
export async function* fileRows(
  input: Readable,
  needs: readonly string[],
  nameOf: NameOf = known,
): AsyncGenerator<FileRow> {
  const { first, all } = await peek(input)
  if (first === '') throw new FileRefused(say`The file is empty.`)
  if (first === '{') yield* features(all, nameOf)
  else if (needs.length === 0)
    throw new FileRefused(say`Streets and zones have shapes, which a CSV cannot hold. Send them as GeoJSON.`)
  else for await (const row of csvRows(Readable.from(all), nameOf, needs)) yield { ...row, geometry: null }
}

/** The first character that says what a file is, and the whole file all the same. */
async function peek(input: Readable): Promise<{ first: string; all: AsyncGenerator<Buffer> }> {
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const begun: Buffer[] = []
  let text = ''
  while (text === '') {
    const { value, done } = await chunks.next()
    if (done) break
    begun.push(Buffer.from(value))
    text = Buffer.concat(begun).toString('latin1').replace(/^ï»¿/, '').trimStart()
  }
  const all = async function* () {
    yield* begun
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { first: text.slice(0, 1), all: all() }
}

const BROKEN = 'The file breaks off or is not GeoJSON. Export it again and send it once more.'

async function* features(all: AsyncGenerator<Buffer>, nameOf: NameOf): AsyncGenerator<FileRow> {
  const parser = new JSONParser({ paths: ['$.features.*'], keepStack: false })
  let ready: unknown[] = []
  let ended = false
  let nth = 0
  parser.onValue = ({ value }) => void ready.push(value)
  parser.onEnd = () => (ended = true)
  parser.onError = () => {
    throw new FileRefused(BROKEN)
  }
  for await (const chunk of all) {
    try {
      parser.write(chunk)
    } catch {
      throw new FileRefused(BROKEN)
    }
    const taken = ready
    ready = []
    for (const feature of taken) yield featureRow(feature, (nth += 1), nameOf)
  }
  if (!ended) throw new FileRefused(BROKEN)
  if (nth === 0) throw new FileRefused(say`The file has no features. Send a GeoJSON of the type FeatureCollection.`)
}

function featureRow(feature: unknown, nth: number, nameOf: NameOf): FileRow {
  const { properties, geometry } = Object(feature) as { properties?: unknown; geometry?: unknown }
  const texts = new Map<string, string>()
  for (const [property, value] of Object.entries(Object(properties))) {
    const name = nameOf(property)
    if (name && !texts.has(name) && (typeof value === 'string' || typeof value === 'number'))
      texts.set(name, String(value).trim())
  }
  const isShape = typeof geometry === 'object' && geometry !== null && 'type' in geometry && 'coordinates' in geometry
  const where = say`Feature ${nth}`
  return isShape
    ? { where, texts, geometry: geometry as Geometry }
    : { where, texts, geometry: null, reason: say`It has no shape.` }
}
