import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { auditCompany, type Actor } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { refuseParallelImport, importAtOnce, importRows } from '../imports.ts'
import { type ImportedRows, type ImportSource, type UndoRules } from '../imported-rows.ts'
import type { ImportReport } from '../../shared/imports.ts'
import type { CompanyId, InCompany, Tx } from '../tenancy.ts'
import { say } from '../../shared/messages.ts'
import { originOf } from './at-point.ts'
import { type Column, defineColumns, type ImportColumns } from '../columns.ts'
import { FileRefused } from '../file-refused.ts'
import { type ColumnsInput, openTableOfStaff, rowsOfStaff } from '../import-columns.ts'
import { exactMappingOf, openTable, type TableRow } from '../table-rows.ts'
import { addressLoader, type Loader, type Loading, parcelLoader, streetLoader, zoneLoader } from './loaders.ts'
import { type Origin, planeAt } from '../../shared/plane.ts'
import { positionOf } from './rings.ts'

export type PlaceKind = 'addresses' | 'parcels' | 'streets' | 'zones'

interface PlacesImportInput {
  kind: PlaceKind
  /** Path on disk, or a stream such as the output of a program. */
  file: string | Readable
  mode: 'preview' | 'import'
  rowErrors: 'refuse' | 'leave out'
  /** Digest of the preview that staff confirmed. */
  digest?: string | undefined
  /** Choices of staff. Without them, the file needs the exact column names. */
  columns?: ColumnsInput
  /** Source of the import. Without it, the import can't be undone. */
  source?: ImportSource
}

/** Columns of all kinds of files. */
const columns = {
  parcel: {
    title: 'Parcel',
    aliases: 'parcel_number parcel_id parcelid apn pin',
    content: 'code',
    sample: '12-034-0056',
  },
  number: {
    title: 'Number',
    aliases: 'house_number housenumber addr_housenumber street_number st_num',
    content: 'code',
    sample: '12',
  },
  street: { title: 'Street', aliases: 'street_name full_street addr_street road', sample: 'Oak Street' },
  address: {
    title: 'Address',
    aliases: 'full_address site_address situs_address location_address',
    sample: '12 Oak Street',
  },
  unit: { title: 'Unit', aliases: 'apt suite unit_number addr_unit', sample: '' },
  city: { title: 'City', aliases: 'town municipality addr_city', sample: 'Maple Grove' },
  state: { title: 'State', aliases: 'addr_state', content: 'state', sample: 'PA' },
  zip: { title: 'ZIP code', aliases: 'zipcode postcode postal_code addr_postcode', content: 'zip', sample: '17011' },
  lat: { title: 'Latitude', aliases: 'lat y', content: 'latitude', sample: '40.23651' },
  lon: { title: 'Longitude', aliases: 'lon lng long x', content: 'longitude', sample: '-76.93422' },
  owner: { title: 'Owner', aliases: 'owner_name', sample: 'Ann Lee' },
  use: { title: 'Land use', aliases: 'use landuse', sample: 'Residential' },
  name: { title: 'Name', aliases: 'zone zone_name full_name' },
  kind: { title: 'Kind', aliases: 'type zone_type category' },
} satisfies Record<string, Column>

const { number, street, address, lat, lon } = columns

const kinds: Record<PlaceKind, { loader: (loading: Loading) => Loader; columns: ImportColumns; hasShapes?: true }> = {
  addresses: {
    loader: addressLoader,
    columns: defineColumns('addresses', {
      needs: ['address|street', 'lat', 'lon'],
      stored: {
        table: 'address',
        columns: {
          address: sql`concat_ws(' ', t.house_number,
            (SELECT s.name FROM street s WHERE s.company_id = t.company_id AND s.id = t.street_id), nullif(t.unit, ''))`,
          ...{ city: 'city', state: 'state', zip: 'zipcode', lat: 'lat', lon: 'lon' },
        },
      },
      columns: {
        number,
        street,
        address,
        unit: columns.unit,
        city: columns.city,
        state: columns.state,
        zip: columns.zip,
        lat,
        lon,
      },
    }),
  },
  parcels: {
    loader: parcelLoader,
    columns: defineColumns('parcels', {
      needs: ['parcel', 'lat', 'lon'],
      stored: {
        table: 'parcel',
        columns: {
          parcel: 'parcel_number',
          address: 'address',
          owner: 'owner_name',
          use: 'land_use',
          lat: 'lat',
          lon: 'lon',
        },
        shape: sql`md5(t.outline::text)`,
      },
      columns: { parcel: columns.parcel, address, number, street, owner: columns.owner, use: columns.use, lat, lon },
    }),
  },
  streets: {
    loader: streetLoader,
    columns: defineColumns('streets', {
      needs: [],
      stored: { table: 'street', columns: { name: 'name' }, shape: sql`md5(t.lines::text)` },
      columns: { street, name: columns.name },
    }),
    hasShapes: true,
  },
  zones: {
    loader: zoneLoader,
    columns: defineColumns('zones', {
      needs: [],
      stored: { table: 'zone', columns: { name: 'name', kind: 'kind' }, shape: sql`md5(t.outline::text)` },
      columns: { name: columns.name, kind: columns.kind },
    }),
    hasShapes: true,
  },
}

/**
 * Rules of the undo. It keeps the origin of the map, because other records have positions on it.
 */
const undoRules: UndoRules = {
  tables: [
    { table: 'street' },
    { table: 'address' },
    { table: 'parcel' },
    { table: 'zone' },
    { table: 'zone_ring', column: 'zone_id', of: 'zone' },
  ],
  uses: (['work_order', 'service_request', 'hydrant', 'inspection', 'parking_ticket', 'registration'] as const).map(
    (from) => ({ from, column: 'address_id', of: 'address', cause: 'linked' }),
  ),
}

const BATCH = 2000
/** Number of rows at the start of a file that determine a new company's origin. */
const OPENING = 50
const IMPORT_LOCK = 20_118

/**
 * Imports a company's addresses, parcels, streets or zones from a CSV or GeoJSON file, in one transaction. Updates
 * existing entries, and removes none.
 * @throws 400 for an unreadable file, 409 while another import runs
 */
export async function importPlaces(
  deps: { inCompany: InCompany; clock: Clock },
  company: CompanyId,
  actor: Actor,
  { kind, file, mode, rowErrors, digest, columns: choices, source }: PlacesImportInput,
): Promise<ImportReport> {
  const { loader, columns, hasShapes } = kinds[kind]
  return importAtOnce((work) => deps.inCompany(company, work), {
    mode,
    rowErrors,
    columns: choices?.chosen,
    digest,
    ...(source && { undo: { source, rules: undoRules } }),
    work: async (tx, report, changes) => {
      // PostgreSQL plans foreign key checks only once for each connection. Plans made while the tables are small would
      // scan whole tables after they have grown.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx)
      await refuseParallelImport(tx, IMPORT_LOCK, company)
      const open = () => (typeof file === 'string' ? createReadStream(file) : file)
      const table = await (choices ? openTableOfStaff(tx, open, choices, columns) : openTable(open(), columns))
      if (hasShapes && !table.hasShapes) {
        await table.close()
        throw new FileRefused(
          say`Streets and zones have shapes, which a CSV file cannot contain. Upload them as GeoJSON.`,
        )
      }
      const rows = choices ? rowsOfStaff(tx, table, choices, report) : table.rows(exactMappingOf(table))
      await readInto({ tx, company, report, changes }, loader, rows)
    },
    record: (tx, counts) =>
      auditCompany(tx, deps.clock, company, actor, { action: 'places.imported', detail: { kind, ...counts } }),
  })
}

async function readInto(
  { tx, company, report, changes }: { tx: Tx; company: CompanyId; report: ImportReport; changes: ImportedRows },
  loaderFor: (loading: Loading) => Loader,
  rows: AsyncGenerator<TableRow>,
): Promise<void> {
  const companyDetails = await tx
    .selectFrom('company')
    .select(['city', 'state', 'zipcode'])
    .where('id', '=', company)
    .executeTakeFirstOrThrow()
  const opening = await firstOf(rows, OPENING)
  const origin = (await originOf(tx, company)) ?? (await createOrigin(tx, company, opening))
  const loader = loaderFor({ tx, company, report, changes, plane: planeAt(origin), defaults: companyDetails })
  await importRows(both(opening, rows), { report, ...loader, every: BATCH })
}

async function* both(opening: readonly TableRow[], rows: AsyncGenerator<TableRow>): AsyncGenerator<TableRow> {
  yield* opening
  yield* rows
}

async function firstOf(rows: AsyncGenerator<TableRow>, max: number): Promise<TableRow[]> {
  const first: TableRow[] = []
  while (first.length < max) {
    const { value, done } = await rows.next()
    if (done) break
    first.push(value)
  }
  return first
}

/**
 * Sets the permanent origin of a company's coordinates: the median of the first rows, so that one wrong row has no
 * effect.
 */
async function createOrigin(tx: Tx, company: CompanyId, rows: readonly TableRow[]): Promise<Origin> {
  const points = rows.map(firstPointOf).filter((point) => point !== null)
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const round = (value: number) => Math.round(value * 10_000) / 10_000
  const origin = { lat: round(middle(points.map(({ lat }) => lat))), lon: round(middle(points.map(({ lon }) => lon))) }
  if (points.length > 0)
    await tx
      .insertInto('company_map')
      .values({ company_id: company, origin_lat: origin.lat, origin_lon: origin.lon })
      .execute()
  return origin
}

function firstPointOf({ texts, geometry }: TableRow): Origin | null {
  const degreesIn = (name: string) => Number(texts.get(name) || Number.NaN)
  const first = geometry
    ? (geometry.point ?? geometry.lines?.[0]?.[0] ?? geometry.polygons?.[0]?.[0]?.[0])
    : [degreesIn('lon'), degreesIn('lat')]
  try {
    const [lon, lat] = positionOf(first, null)
    return { lat, lon }
  } catch {
    return null
  }
}
