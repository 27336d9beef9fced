import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { auditIn, type Doer } from '../audit.ts'
import type { Clock } from '../clock.ts'
import { conflict } from '../errors.ts'
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
import { type Origin, planeAt } from './plane.ts'
import { positionOf, WrongRow } from './rings.ts'

export type PlaceKind = 'addresses' | 'parcels' | 'streets' | 'zones'

export interface ImportReport extends Counts {
  /** False where rows were wrong and none should be left out: then nothing changed. */
  imported: boolean
  read: number
  wrongCount: number
  /** The first of them. */
  wrong: { where: string; reason: string }[]
}

interface Asked {
  kind: PlaceKind
  /** A path on disk, or what a program makes. */
  file: string | Readable
  /** Imports the good rows where others are wrong. By itself a file counts as a whole. */
  leaveOutWrong: boolean
}

const kinds: Record<PlaceKind, { loader: (loading: Loading) => Loader; needs: readonly string[] }> = {
  addresses: { loader: addressLoader, needs: ['address|street', 'lat', 'lon'] },
  parcels: { loader: parcelLoader, needs: ['parcel', 'lat', 'lon'] },
  streets: { loader: streetLoader, needs: [] },
  zones: { loader: zoneLoader, needs: [] },
}

const BATCH = 2000
const BREATH = 100
const MOST_KEPT = 1000
/** Rows that settle where a new town is. */
const OPENING = 50
const IMPORT_LOCK = 20_118

/** Ends the transaction without anything of it. */
class TakenBack extends Error {}

/**
 * Reads a town's addresses, parcels, streets or zones from a CSV or GeoJSON, as it comes, into one transaction: all of it
 * counts or nothing does. What is there already is changed to what the file says, and nothing is removed.
 * @throws FileRefused for a file that can't be read, 409 while another import runs
 */
export async function importPlaces(
  means: { inCompany: InCompany; clock: Clock },
  company: CompanyId,
  doer: Doer,
  { kind, file, leaveOutWrong }: Asked,
): Promise<ImportReport> {
  const report: ImportReport = {
    imported: true,
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    wrongCount: 0,
    wrong: [],
  }
  const { loader, needs } = kinds[kind]
  const work = async (tx: Tx) => {
    await beAlone(tx, company)
    await readInto(
      tx,
      company,
      loader,
      fileRows(typeof file === 'string' ? createReadStream(file) : file, needs),
      report,
    )
    if (report.wrongCount > 0 && !leaveOutWrong) throw new TakenBack()
    const { wrong: _, imported: __, ...counts } = report
    await auditIn(tx, means.clock, company, doer, { action: 'places.imported', detail: { kind, ...counts } })
  }
  try {
    await means.inCompany(company, work)
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
    return { ...report, imported: false, created: 0, changed: 0, unchanged: 0 }
  }
  return report
}

async function beAlone(tx: Tx, company: CompanyId): Promise<void> {
  // The checks of foreign keys are planned once a connection; planned while the tables are small they would read them whole ever after.
  await sql`SET LOCAL enable_seqscan = off`.execute(tx)
  const { rows } = await sql<{ got: boolean }>`
    SELECT pg_try_advisory_xact_lock(${IMPORT_LOCK}, ${company}) AS got`.execute(tx)
  if (!rows[0]?.got)
    throw conflict('import_running', 'Another import of this town is running. Try again when it is done.')
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
  const take = (row: FileRow) => {
    try {
      if (row.reason) throw new WrongRow(row.reason)
      loader.take(row)
    } catch (error) {
      if (!(error instanceof WrongRow)) throw error
      report.wrongCount += 1
      if (report.wrong.length < MOST_KEPT) report.wrong.push({ where: row.where, reason: error.message })
    }
  }
  report.read = opening.length
  opening.forEach(take)
  for await (const row of rows) {
    report.read += 1
    take(row)
    // Reading is quick enough to keep everybody else waiting.
    if (report.read % BREATH === 0) await setImmediate()
    if (report.read % BATCH === 0) add(report, await loader.write(false))
  }
  add(report, await loader.write(true))
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
  let first: unknown = geometry ? geometry.coordinates : [degreesIn('lon'), degreesIn('lat')]
  while (Array.isArray(first) && Array.isArray(first[0])) first = first[0]
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
