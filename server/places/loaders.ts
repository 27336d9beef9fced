import { sql } from 'kysely'
import type { Position } from '../../shared/places.ts'
import { say } from '../../shared/messages.ts'
import type { ImportReport } from '../../shared/imports.ts'
import type { ImportedRows } from '../imported-rows.ts'
import { RowError } from '../imports.ts'
import { countRow } from '../listed-rows.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import type { TableRow } from '../table-rows.ts'
import type { Plane } from '../../shared/plane.ts'
import { middleOf, type Polygon, polygonsOf, positionOf, shapeText } from './rings.ts'
import { readAddress, streetKey } from './words.ts'

/** Data that the importers of all kinds of rows need. */
export interface Loading {
  tx: Tx
  company: CompanyId
  plane: Plane
  report: ImportReport
  /** Rows that the import changes, for its undo. */
  changes: ImportedRows
  /** Default city, state and ZIP code for addresses that lack them. */
  defaults: { city: string; state: string; zipcode: string }
}

/** Importer for rows of one kind. */
export interface Loader {
  /**
   * Checks a row and collects it.
   * @throws RowError if the row is invalid
   */
  take: (row: TableRow) => void
  /** Writes and counts the rows collected since the last call. `last` is true after the end of the file. */
  write: (last: boolean) => Promise<void>
}

const MAX_LENGTH = 200

function textOf({ texts }: TableRow, name: string, max = MAX_LENGTH): string {
  const text = texts.get(name) ?? ''
  if (/[\uFFFD\0]/.test(text) || !text.isWellFormed())
    throw new RowError(say`The value of “${name}” has a character that is not UTF-8 text.`)
  if (text.length > max) throw new RowError(say`The value of “${name}” is longer than ${max} characters.`)
  return text
}

/** Reads a latitude or longitude from its column. `called` is the name that error messages use for the value. */
function degrees(row: TableRow, name: 'lat' | 'lon', called: string): number {
  const text = textOf(row, name)
  if (text === '') throw new RowError(say`The ${called} is missing.`)
  if (!/^[+-]?\d{1,8}(?:\.\d+)?$/.test(text))
    throw new RowError(say`The ${called} "${text}" must be a number of degrees, such as 40.2.`)
  return Number(text)
}

/**
 * Returns the position of a row, and the outline if the row is an area. The position is the shape's point or center.
 * Without a shape, it comes from the latitude and longitude columns.
 */
function geometryOf(row: TableRow, plane: Plane): { position: Position; outline: Polygon[] } {
  const { geometry } = row
  if (!geometry) {
    const position: Position = [degrees(row, 'lon', 'longitude'), degrees(row, 'lat', 'latitude')]
    return { position: positionOf(position, plane), outline: [] }
  }
  if (geometry.point) return { position: positionOf(geometry.point, plane), outline: [] }
  const outline = polygonsOf(geometry, plane)
  return { position: middleOf(outline), outline }
}

/**
 * Returns a function that remembers the data of each key. It returns true if a key repeats with equal data, and throws
 * if the data differs.
 */
function rememberOnce() {
  const seen = new Map<string, { where: string; content: string }>()
  return (key: string, what: string, where: string, data: unknown): boolean => {
    const text = JSON.stringify(data)
    const before = seen.get(key)
    if (before && before.content !== text)
      throw new RowError(say`${what} is already in ${before.where.toLowerCase()} with different data.`)
    if (!before) seen.set(key, { where, content: text })
    return Boolean(before)
  }
}

/** Written row with its key. Rows without changes are not written. */
interface WrittenRow {
  key: string
  created: boolean
}

/** Counts the rows of a batch. `written` are the rows that the import created or changed. */
function countRows<Row extends { where: string }>(
  report: ImportReport,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  written: readonly WrittenRow[],
): void {
  const results = new Map(written.map(({ key, created }) => [key, created ? 'created' : 'changed'] as const))
  for (const row of rows) countRow(report, results.get(keyOf(row)) ?? 'unchanged', row.where)
}

/**
 * Creates a collector of rows for the next batch. For exact repeats, it only counts the rows, because they change no
 * data.
 */
function newPile<Row extends { where: string }>(report: ImportReport) {
  let rows: Row[] = []
  return {
    add(row: Row, isAgain: boolean) {
      if (isAgain) countRow(report, 'unchanged', row.where)
      else rows.push(row)
    },
    async write(keyOf: (row: Row) => string, insert: (rows: readonly Row[]) => Promise<readonly WrittenRow[]>) {
      const unique = rows
      rows = []
      if (unique.length > 0) countRows(report, unique, keyOf, await insert(unique))
    },
  }
}

interface ReadAddressRow {
  where: string
  key: string
  street: string
  houseNumber: string
  number: number
  unit: string
  city: string
  state: string
  zip: string
  position: Position
}

/** Unit at the end of a line: 'Apt 4', '#4'. */
const UNIT = /,?\s+(?:apt|apartment|unit|suite|ste|#)\.?\s*#?\s*(\w+)\s*$/i

export function addressLoader({ tx, company, plane, report, changes, defaults }: Loading): Loader {
  const streetIds = new Map<string, number>()
  const isAgain = rememberOnce()
  const pile = newPile<ReadAddressRow>(report)
  const take = (row: TableRow) => {
    const line = textOf(row, 'address')
    // The address may contain the city, as in '12 Oak Street, Apt 4, Maple Grove, PA 17011'. The city has its own
    // column, so only the street line and the unit are used.
    const [context = '', more = ''] = line.split(',')
    const written =
      `${textOf(row, 'number', 20)} ${textOf(row, 'street', 100)}`.trim() ||
      (UNIT.test(` ${more}`) ? context + more : context)
    const unit = textOf(row, 'unit', 20) || (UNIT.exec(written)?.[1] ?? '')
    const plain = written.replace(UNIT, '')
    const [, houseNumber = '', street = ''] = /^(\d{1,6}[A-Za-z]?(?:\s+\d\/\d)?)\s+(.*\S)$/.exec(plain) ?? []
    if (street === '')
      throw new RowError(
        written === ''
          ? say`The address is missing.`
          : say`"${written}" is not a house number and a street, such as 214 Sycamore Lane.`,
      )
    const key = streetKey(street)
    if (key === '') throw new RowError(say`The street "${street}" has no letters.`)
    const zip = textOf(row, 'zip').replace(/-\d{4}$/, '') || readAddress(line).zip || defaults.zipcode
    if (!/^\d{5}$/.test(zip)) throw new RowError(say`The ZIP code "${zip}" is not five digits.`)
    const state = (textOf(row, 'state') || defaults.state).toUpperCase()
    if (!/^[A-Z]{2}$/.test(state)) throw new RowError(say`The state "${state}" is not two letters, such as PA.`)
    const address = {
      where: row.where,
      key,
      street,
      houseNumber: houseNumber.toUpperCase(),
      number: Number.parseInt(houseNumber, 10),
      unit: unit.toUpperCase(),
      city: textOf(row, 'city', 60) || defaults.city,
      state,
      zip,
      position: geometryOf(row, plane).position,
    }
    const name = [houseNumber, street, unit && `unit ${unit}`].filter(Boolean).join(' ')
    const addressKey = `${key}|${address.houseNumber}|${address.unit}|${zip}`
    pile.add(address, isAgain(addressKey, `${name}, ${zip}`, row.where, address.position))
  }
  const keyOf = ({ key, houseNumber, unit, zip }: ReadAddressRow) =>
    [streetIds.get(key), houseNumber, unit, zip].join('|')
  const write = () =>
    pile.write(keyOf, async (rows) => {
      await ensureStreets({ tx, company }, rows, streetIds)
      const streets = [...new Set(rows.flatMap(({ key }) => streetIds.get(key) ?? []))]
      await changes.keep('address', 'street_id', streets)
      const at = rows.map(({ position: [lon, lat] }) => plane.metresOf({ lat, lon }))
      const { rows: written } = await sql<WrittenRow>`
      INSERT INTO address (company_id, street_id, house_number, number, unit, city, state, zipcode, lat, lon, at)
      SELECT ${company}::int, street_id, house_number, number, unit, city, state, zipcode, lat, lon, point(x, y)
      FROM unnest(${rows.map(({ key }) => streetIds.get(key))}::bigint[], ${rows.map((row) => row.houseNumber)}::text[],
        ${rows.map((row) => row.number)}::int[], ${rows.map((row) => row.unit)}::text[], ${rows.map((row) => row.city)}::text[],
        ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.zip)}::text[],
        ${rows.map((row) => row.position[1])}::float8[], ${rows.map((row) => row.position[0])}::float8[],
        ${at.map(({ x }) => x)}::float8[], ${at.map(({ y }) => y)}::float8[])
        AS r(street_id, house_number, number, unit, city, state, zipcode, lat, lon, x, y)
      ON CONFLICT (company_id, street_id, number, house_number, unit, zipcode) DO UPDATE
      SET city = excluded.city, state = excluded.state, lat = excluded.lat, lon = excluded.lon, at = excluded.at
      WHERE (address.city, address.state, address.lat, address.lon) IS DISTINCT FROM (excluded.city, excluded.state, excluded.lat, excluded.lon)
      RETURNING concat_ws('|', street_id, house_number, unit, zipcode) AS key, xmax = 0 AS created`.execute(tx)
      return written
    })
  return { take, write }
}

/**
 * Finds the streets of these rows, and adds the missing ones. The spelling of a street's name comes from the file that
 * first contained it.
 */
async function ensureStreets(
  { tx, company }: Pick<Loading, 'tx' | 'company'>,
  rows: readonly { key: string; street: string }[],
  ids: Map<string, number>,
): Promise<void> {
  const names = new Map(rows.filter(({ key }) => !ids.has(key)).map(({ key, street }) => [key, street]))
  if (names.size === 0) return
  const keys = [...names.keys()]
  await sql`
    INSERT INTO street (company_id, name, name_key)
    SELECT ${company}::int, name, name_key FROM unnest(${[...names.values()]}::text[], ${keys}::text[]) AS r(name, name_key)
    ON CONFLICT DO NOTHING`.execute(tx)
  const { rows: streets } = await sql<{ id: number; name_key: string }>`
    SELECT id, name_key FROM street WHERE company_id = ${company} AND name_key = ANY (${keys}::text[])`.execute(tx)
  for (const { id, name_key } of streets) ids.set(name_key, id)
}

export function streetLoader({ tx, company, plane, report, changes }: Loading): Loader {
  // A file may contain the pieces of a road in any order. Pieces with the same name become one street at the end of the
  // file.
  const streets = new Map<string, { where: string; street: string; lines: Position[][] }>()
  const take = (row: TableRow) => {
    const street = textOf(row, 'street', 100) || textOf(row, 'name', 100)
    const key = streetKey(street)
    if (key === '') throw new RowError(say`The name of the street is missing.`)
    const { type, lines } = row.geometry ?? { type: 'nothing' }
    if (!lines) throw new RowError(say`The shape is a ${type}. A street must be a LineString or a MultiLineString.`)
    const read = lines.map((line) => line.map((position) => positionOf(position, plane)))
    const existing = streets.get(key) ?? { where: row.where, street, lines: [] }
    existing.lines.push(...read)
    streets.set(key, existing)
  }
  const write = async (last: boolean): Promise<void> => {
    if (!last || streets.size === 0) return
    const rows = [...streets]
    await changes.keep('street', 'name_key', [...streets.keys()])
    const { rows: written } = await sql<WrittenRow>`
      INSERT INTO street (company_id, name, name_key, lines)
      SELECT ${company}::int, name, name_key, lines
      FROM unnest(${rows.map(([, { street }]) => street)}::text[], ${rows.map(([key]) => key)}::text[],
        ${rows.map(([, { lines }]) => JSON.stringify(lines))}::jsonb[]) AS r(name, name_key, lines)
      ON CONFLICT (company_id, name_key) DO UPDATE SET name = excluded.name, lines = excluded.lines
      WHERE (street.name, street.lines) IS DISTINCT FROM (excluded.name, excluded.lines)
      RETURNING name_key AS key, xmax = 0 AS created`.execute(tx)
    const read = rows.map(([key, { where }]) => ({ key, where }))
    countRows(report, read, ({ key }) => key, written)
  }
  return { take, write }
}

export function parcelLoader({ tx, company, plane, report, changes }: Loading): Loader {
  const isAgain = rememberOnce()
  const pile = newPile<{
    where: string
    number: string
    key: string
    address: string
    owner: string
    use: string
    position: Position
    outline: Polygon[]
  }>(report)
  const take = (row: TableRow) => {
    const number = textOf(row, 'parcel', 60)
    const key = number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
    if (key === '') throw new RowError(say`The parcel number is missing.`)
    const written = textOf(row, 'address') || `${textOf(row, 'number', 20)} ${textOf(row, 'street', 100)}`.trim()
    const data = { number, key, address: written, owner: textOf(row, 'owner', 120), use: textOf(row, 'use', 60) }
    const location = geometryOf(row, plane)
    pile.add(
      { where: row.where, ...data, ...location },
      isAgain(key, say`Parcel ${number}`, row.where, [data, location.position]),
    )
  }
  const write = () =>
    pile.write(
      ({ key }) => key,
      async (rows) => {
        await changes.keep(
          'parcel',
          'number_key',
          rows.map(({ key }) => key),
        )
        const at = rows.map(({ position: [lon, lat] }) => plane.metresOf({ lat, lon }))
        const { rows: written } = await sql<WrittenRow>`
      INSERT INTO parcel (company_id, parcel_number, number_key, address, owner_name, land_use, lat, lon, at, outline)
      SELECT ${company}::int, parcel_number, number_key, address, owner_name, land_use, lat, lon, point(x, y), outline
      FROM unnest(${rows.map((row) => row.number)}::text[], ${rows.map((row) => row.key)}::text[],
        ${rows.map((row) => row.address)}::text[], ${rows.map((row) => row.owner)}::text[], ${rows.map((row) => row.use)}::text[],
        ${rows.map((row) => row.position[1])}::float8[], ${rows.map((row) => row.position[0])}::float8[],
        ${at.map(({ x }) => x)}::float8[], ${at.map(({ y }) => y)}::float8[],
        ${rows.map((row) => JSON.stringify(row.outline))}::jsonb[])
        AS r(parcel_number, number_key, address, owner_name, land_use, lat, lon, x, y, outline)
      ON CONFLICT (company_id, number_key) DO UPDATE
      SET parcel_number = excluded.parcel_number, address = excluded.address, owner_name = excluded.owner_name,
        land_use = excluded.land_use, lat = excluded.lat, lon = excluded.lon, at = excluded.at, outline = excluded.outline
      WHERE (parcel.parcel_number, parcel.address, parcel.owner_name, parcel.land_use, parcel.lat, parcel.lon, parcel.outline)
        IS DISTINCT FROM (excluded.parcel_number, excluded.address, excluded.owner_name, excluded.land_use, excluded.lat, excluded.lon, excluded.outline)
      RETURNING number_key AS key, xmax = 0 AS created`.execute(tx)
        return written
      },
    )
  return { take, write }
}

export function zoneLoader({ tx, company, plane, report, changes }: Loading): Loader {
  const isAgain = rememberOnce()
  let pending: { where: string; name: string; kind: string; key: string; polygons: Polygon[] }[] = []
  const take = (row: TableRow) => {
    const name = textOf(row, 'name', 100)
    if (name === '') throw new RowError(say`The name of the zone is missing.`)
    if (!row.geometry) throw new RowError(say`The shape is missing.`)
    const kind = textOf(row, 'kind', 60) || 'Zone'
    const polygons = polygonsOf(row.geometry, plane)
    const key = `${kind} ${name}`.toLowerCase()
    if (isAgain(key, `${kind} "${name}"`, row.where, polygons)) countRow(report, 'unchanged', row.where)
    else pending.push({ where: row.where, name, kind, key, polygons })
  }
  const write = async (): Promise<void> => {
    await changes.keep(
      'zone',
      'name_key',
      pending.map(({ key }) => key),
    )
    for (const zone of pending) {
      const { rows } = await sql<{ id: number; created: boolean }>`
        INSERT INTO zone (company_id, kind, name, name_key, outline)
        VALUES (${company}, ${zone.kind}, ${zone.name}, ${zone.key}, ${JSON.stringify(zone.polygons)}::jsonb)
        ON CONFLICT (company_id, name_key) DO UPDATE SET kind = excluded.kind, name = excluded.name, outline = excluded.outline
        WHERE (zone.kind, zone.name, zone.outline) IS DISTINCT FROM (excluded.kind, excluded.name, excluded.outline)
        RETURNING id, xmax = 0 AS created`.execute(tx)
      const [row] = rows
      countRow(report, row ? (row.created ? 'created' : 'changed') : 'unchanged', zone.where)
      if (row) await writeRings(row.id, zone.polygons)
    }
    pending = []
  }
  const writeRings = async (zone: number, polygons: readonly Polygon[]) => {
    await changes.keep('zone_ring', 'zone_id', [zone])
    await tx.deleteFrom('zone_ring').where('company_id', '=', company).where('zone_id', '=', zone).execute()
    const rings = polygons.flatMap((polygon, part) =>
      polygon.map((corners, ring) => ({ part, ring, shape: shapeText(corners, plane) })),
    )
    await sql`
      INSERT INTO zone_ring (company_id, zone_id, part, ring, shape)
      SELECT ${company}::int, ${zone}::bigint, part, ring, shape::polygon
      FROM unnest(${rings.map(({ part }) => part)}::int[], ${rings.map(({ ring }) => ring)}::int[],
        ${rings.map(({ shape }) => shape)}::text[]) AS r(part, ring, shape)`.execute(tx)
    await changes.note('zone_ring', 'zone_id', [zone])
  }
  return { take, write }
}
