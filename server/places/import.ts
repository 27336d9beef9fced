import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { auditCompany, type Actor } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { beTheOnlyImport, importAtOnce, takeRows } from '../imports.ts'
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
  /** A path on disk, or what a program makes. */
  file: string | Readable
  mode: 'rehearse' | 'import'
  wrongRows: 'refuse' | 'leave out'
}

const kinds: Record<PlaceKind, { loader: (loading: Loading) => Loader; needs: readonly string[] }> = {
  addresses: { loader: addressLoader, needs: ['address|street', 'lat', 'lon'] },
  parcels: { loader: parcelLoader, needs: ['parcel', 'lat', 'lon'] },
  streets: { loader: streetLoader, needs: [] },
  zones: { loader: zoneLoader, needs: [] },
}

const BATCH = 2000
/** Rows that settle where a new town is. */
const OPENING = 50
const IMPORT_LOCK = 20_118

/**
 * Reads a town's addresses, parcels, streets or zones from a CSV or GeoJSON, as it comes, into one transaction: all of it
 * counts or nothing does. What is there already is changed to what the file says, and nothing is removed.
 * @throws 400 for a file that can't be read, 409 while another import runs
 */
export async function importPlaces(
  means: { inCompany: InCompany; clock: Clock },
  company: CompanyId,
  actor: Actor,
  { kind, file, mode, wrongRows }: PlacesImportInput,
): Promise<ImportReport> {
  const { loader, needs } = kinds[kind]
  return importAtOnce((work) => means.inCompany(company, work), {
    mode,
    wrongRows,
    work: async (tx, report) => {
      // The checks of foreign keys are planned once a connection; planned while the tables are small they would read them whole ever after.
      await sql`SET LOCAL enable_seqscan = off`.execute(tx)
      await beTheOnlyImport(tx, IMPORT_LOCK, company)
      const rows = fileRows(typeof file === 'string' ? createReadStream(file) : file, needs)
      await readInto(tx, company, loader, rows, report)
    },
    record: (tx, counts) =>
      auditCompany(tx, means.clock, company, actor, { action: 'places.imported', detail: { kind, ...counts } }),
  })
}

async function readInto(
  tx: Tx,
  company: CompanyId,
  loaderFor: (loading: Loading) => Loader,
  rows: AsyncGenerator<FileRow>,
  report: ImportReport,
): Promise<void> {
  const town = await tx
    .selectFrom('company')
    .select(['city', 'state', 'zipcode'])
    .where('id', '=', company)
    .executeTakeFirstOrThrow()
  const opening = await firstOf(rows, OPENING)
  const origin = (await originOf(tx, company)) ?? (await settleOrigin(tx, company, opening))
  const loader = loaderFor({ tx, company, plane: planeAt(origin), town })
  const write = async (last: boolean) => add(report, await loader.write(last))
  await takeRows(both(opening, rows), { report, take: (row) => loader.take(row), write, every: BATCH })
}

async function* both(opening: readonly FileRow[], rows: AsyncGenerator<FileRow>): AsyncGenerator<FileRow> {
  yield* opening
  yield* rows
}

async function firstOf(rows: AsyncGenerator<FileRow>, most: number): Promise<FileRow[]> {
  const first: FileRow[] = []
  while (first.length < most) {
    const { value, done } = await rows.next()
    if (done) break
    first.push(value)
  }
  return first
}

/**
 * A town's metres are measured from where its first file begins, for ever: from the middle of the first places, so that one
 * that is wrong does not count.
 */
async function settleOrigin(tx: Tx, company: CompanyId, rows: readonly FileRow[]): Promise<Origin> {
  const places = rows.map(firstPlaceOf).filter((place) => place !== null)
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  const round = (value: number) => Math.round(value * 10_000) / 10_000
  const origin = { lat: round(middle(places.map(({ lat }) => lat))), lon: round(middle(places.map(({ lon }) => lon))) }
  if (places.length > 0)
    await tx
      .insertInto('town_map')
      .values({ company_id: company, origin_lat: origin.lat, origin_lon: origin.lon })
      .execute()
  return origin
}

function firstPlaceOf({ texts, geometry }: FileRow): Origin | null {
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
