import type { Readable } from 'node:stream'
import { translateMessageText, say } from '../../shared/messages.ts'
import { type CsvRow, namedRows, namesOfColumns, type NameOf } from '../csv-rows.ts'
import { FileRefused } from '../file-refused.ts'
import { rowParserOf } from '../parse.ts'
import type { Feature, PlaceRow } from './file-parser.ts'
import type { Geometry } from './rings.ts'

/** Row of a CSV file, or feature of a GeoJSON file with its shape. */
export interface FileRow extends CsvRow {
  geometry: Geometry | null
}

/**
 * The portal's column names, each with the names that files may use for that column. Column names in files are first
 * converted to lowercase with underscores.
 */
const defaultNameOf = namesOfColumns({
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

const read = rowParserOf<[], PlaceRow>(new URL('file-parser.ts', import.meta.url), 'placeBatches')

/**
 * Reads the rows of a file in a thread.
 * @param nameOf column names. Given for files without geographic data
 * @throws FileRefused if the file is neither CSV nor GeoJSON
 */
export async function* fileRows(
  input: Readable,
  needs: readonly string[],
  nameOf: NameOf = defaultNameOf,
): AsyncGenerator<FileRow> {
  const rows = read(input)
  try {
    const first = (await rows.next()).value as PlaceRow | undefined
    if (first && 'feature' in first) for await (const row of both(first, rows)) yield rowOf(row, nameOf)
    else if (needs.length === 0)
      throw new FileRefused(
        say`Streets and zones have shapes, which a CSV file cannot contain. Upload them as GeoJSON.`,
      )
    else for await (const row of namedRows(recordsOf(first, rows), nameOf, needs)) yield { ...row, geometry: null }
  } finally {
    await rows.return(undefined)
  }
}

async function* both(first: PlaceRow | undefined, others: AsyncGenerator<PlaceRow>): AsyncGenerator<PlaceRow> {
  if (first) yield first
  yield* others
}

async function* recordsOf(first: PlaceRow | undefined, others: AsyncGenerator<PlaceRow>) {
  for await (const row of both(first, others)) if ('record' in row) yield row.record
}

function rowOf(row: PlaceRow, nameOf: NameOf): FileRow {
  const { nth, properties, geometry, problem } = 'feature' in row ? row.feature : ({} as Feature)
  const texts = new Map<string, string>()
  for (const [property, value] of properties) {
    const name = nameOf(property)
    if (name && !texts.has(name)) texts.set(name, value)
  }
  return { where: say`Feature ${nth}`, texts, geometry, ...(problem && { reason: translateMessageText(problem) }) }
}
