import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { auditCompany, type Actor } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { refuseParallelImport, importAtOnce, importRows } from '../imports.ts'
import type { ImportReport } from '../../shared/imports.ts'
import type { CompanyId, InCompany, Tx } from '../tenancy.ts'
import { originOf } from './at-point.ts'
import { type FileRow, fileRows } from './file-rows.ts'
import {
  addressLoader,
  type Counts,
  type Loader,
  type Loading,
  parcelLoader,
  streetLoader,
  zoneLoader,
} from './loaders.ts'
import { type Origin, planeAt } from '../../shared/plane.ts'
import { positionOf } from './rings.ts'

export type PlaceKind = 'addresses' | 'parcels' | 'streets' | 'zones'

interface PlacesImportInput {
  kind: PlaceKind
  /** Path on disk, or a stream such as the output of a program. */
  file: string | Readable
  mode: 'preview' | 'import'
  rowErrors: 'refuse' | 'leave out'
}

const kinds: Record<PlaceKind, { loader: (loading: Loading) => Loader; needs: readonly string[] }> = {
  addresses: { loader: addressLoader, needs: ['address|street', 'lat', 'lon'] },
  parcels: { loader: parcelLoader, needs: ['parcel', 'lat', 'lon'] },
  streets: { loader: streetLoader, needs: [] },
  zones: { loader: zoneLoader, needs: [] },
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
  { kind, file, mode, rowErrors }: PlacesImportInput,
): Promise<ImportReport> {
  const { loader, needs } = kinds[kind]
  return importAtOnce((work) => deps.inCompany(company, work), {
    mode,
    rowErrors,
    work: async (tx, report) => {
      // PostgreSQL plans foreign key checks only once for each connection. Plans made while the tables are small would
      // scan whole tables after they have grown.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx)
      await refuseParallelImport(tx, IMPORT_LOCK, company)
      const rows = fileRows(typeof file === 'string' ? createReadStream(file) : file, needs)
      await readInto(tx, company, loader, rows, report)
    },
    record: (tx, counts) =>
      auditCompany(tx, deps.clock, company, actor, { action: 'places.imported', detail: { kind, ...counts } }),
  })
}

async function readInto(
  tx: Tx,
  company: CompanyId,
  loaderFor: (loading: Loading) => Loader,
  rows: AsyncGenerator<FileRow>,
  report: ImportReport,
): Promise<void> {
  const companyDetails = await tx
    .selectFrom('company')
    .select(['city', 'state', 'zipcode'])
    .where('id', '=', company)
    .executeTakeFirstOrThrow()
  const opening = await firstOf(rows, OPENING)
  const origin = (await originOf(tx, company)) ?? (await createOrigin(tx, company, opening))
  const loader = loaderFor({ tx, company, plane: planeAt(origin), defaults: companyDetails })
  const write = async (last: boolean) => add(report, await loader.write(last))
  await importRows(both(opening, rows), { report, take: (row) => loader.take(row), write, every: BATCH })
}

async function* both(opening: readonly FileRow[], rows: AsyncGenerator<FileRow>): AsyncGenerator<FileRow> {
  yield* opening
  yield* rows
}

async function firstOf(rows: AsyncGenerator<FileRow>, max: number): Promise<FileRow[]> {
  const first: FileRow[] = []
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
async function createOrigin(tx: Tx, company: CompanyId, rows: readonly FileRow[]): Promise<Origin> {
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

function firstPointOf({ texts, geometry }: FileRow): Origin | null {
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

function add(report: ImportReport, { created, changed, unchanged }: Counts): void {
  report.created += created
  report.changed += changed
  report.unchanged += unchanged
}
