import { createReadStream } from 'node:fs'
import { type Selectable, sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import { isoDate } from '../../../shared/iso-date.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement } from '../../../server/call.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { defineColumns } from '../../../server/columns.ts'
import {
  refuseParallelImport,
  collectRows,
  importAtOnce,
  importRows,
  textIn,
  RowError,
} from '../../../server/imports.ts'
import { originOf } from '../../../server/places/at-point.ts'
import { columnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { countRow } from '../../../server/listed-rows.ts'
import type { TableRow } from '../../../server/table-rows.ts'
import { isNear, type Plane, planeAt } from '../../../shared/plane.ts'
import { fileUse, type ImportedRows, importSource, type UndoRules, withHistory } from '../../../server/imported-rows.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { hydrantNumber, importHydrants, NUMBER_INVALID } from '../contract.ts'
import { hydrantStates } from '../states.ts'

const BATCH = 1000
const MAX_ROWS = 50_000
const IMPORT_LOCK = 20_131

/** Columns of the file. */
const columns = defineColumns('hydrants', {
  needs: ['number'],
  stored: {
    table: 'hydrant',
    columns: {
      ...{
        number: 'number',
        make: 'make',
        model: 'model',
        year: 'made_year',
        size: 'size_inches',
        main: 'main_inches',
      },
      ...{ location: 'location', last: 'last_inspected_on', next: 'next_inspection_on', notes: 'notes' },
      ...{ lat: 'lat', lon: 'lon' },
    },
  },
  columns: {
    number: {
      title: 'Hydrant number',
      aliases: 'number hydrant hydrant_id id asset_id facilityid facility_id',
      content: 'code',
      sample: 'H-101',
    },
    make: { title: 'Make', aliases: 'manufacturer brand', sample: 'Mueller' },
    model: { title: 'Model', aliases: 'model_number', sample: 'Centurion' },
    year: {
      title: 'Year',
      aliases: 'made_year year_made installed year_installed install_year',
      content: 'number',
      sample: '1998',
    },
    size: { title: 'Valve size', aliases: 'size size_inches valve_inches', content: 'number', sample: '5.25' },
    main: { title: 'Main size', aliases: 'main main_inches pipe_size main_diameter', content: 'number', sample: '8' },
    location: { title: 'Location', aliases: 'place address street', sample: '12 Oak Street' },
    last: {
      title: 'Last inspection',
      aliases: 'last last_inspected inspected date_inspected',
      content: 'date',
      sample: '2026-05-14',
    },
    next: { title: 'Next inspection', aliases: 'next next_inspection_due due', content: 'date', sample: '2027-05-14' },
    notes: { title: 'Notes', aliases: 'comment comments remarks' },
    lat: { title: 'Latitude', aliases: 'lat y', content: 'latitude', sample: '40.23651' },
    lon: { title: 'Longitude', aliases: 'lon lng long x', content: 'longitude', sample: '-76.93422' },
  },
})

/** Hydrant columns from an import file. `x` and `y` are meters on the company's grid. */
interface Row extends Pick<
  Selectable<Schema['hydrant']>,
  | 'number'
  | 'make'
  | 'model'
  | 'made_year'
  | 'size_inches'
  | 'main_inches'
  | 'location'
  | 'lat'
  | 'lon'
  | 'last_inspected_on'
  | 'next_inspection_on'
  | 'notes'
> {
  x: number | null
  y: number | null
}

const undoRules: UndoRules = {
  tables: withHistory('hydrant', hydrantStates.name),
  uses: [
    { from: 'work_order', column: 'asset_id', of: 'hydrant', only: { asset_kind: 'hydrant' }, cause: 'linked' },
    { from: 'inspection', column: 'subject_id', of: 'hydrant', only: { subject_kind: 'hydrant' }, cause: 'linked' },
    fileUse('hydrant', 'hydrant'),
  ],
}

/** Imports hydrants from a CSV or GeoJSON file. Updates hydrants with a known number and removes none. */
export const importHydrantsCall = implement(importHydrants, (call) =>
  importAtOnce((work) => call.inCompany(work), {
    ...call.body,
    undo: { source: importSource(call, 'hydrants', call.largeFile), rules: undoRules },
    work: async (tx, report, changes) => {
      await refuseParallelImport(tx, IMPORT_LOCK, call.company.id)
      const origin = await originOf(tx, call.company.id)
      const taker = takerFor({ tx, call, report, changes }, origin && planeAt(origin))
      const input = columnsInput(call)
      const table = await openTableOfStaff(tx, () => createReadStream(call.largeFile.path), input, columns)
      await importRows(rowsOfStaff(tx, table, input, report), { report, ...taker, every: BATCH })
    },
    record: (tx, counts) =>
      call.audit(tx, { action: 'hydrant.imported', detail: { file: call.largeFile.name, ...counts } }),
  }),
)

interface Work {
  tx: Tx
  call: Call
  report: ImportReport
  changes: ImportedRows
}

/** Returns functions that collect valid rows and write them in batches. */
function takerFor(work: Work, plane: Plane | null) {
  const { call, report } = work
  const today = dateIn(call.company.timeZone, call.context.clock.now())
  const rows = collectRows<Row>(
    (row) => row.number,
    (number, before) => say`Hydrant ${number} is already in the file (${before}).`,
  )
  return {
    take: (read: TableRow): void => {
      if (report.read > MAX_ROWS)
        throw new FileRefused(say`A file can have up to ${'50,000'} hydrants. Split the file.`)
      rows.add(rowFrom(read, plane, today), read.where)
    },
    write: () => writeRows(work, rows.drain()),
  }
}

/** @throws RowError if a value is wrong. Its message explains the fix */
function rowFrom({ texts, geometry }: TableRow, plane: Plane | null, today: string): Row {
  const text = (name: string, max: number): string => textIn(texts, name, max)
  const number = (name: string, min: number, max: number): number | null => {
    const typed = text(name, 20).replace(/\s*(?:"|in\.?|inch(?:es)?)$/i, '')
    if (typed === '') return null
    const value = Number(typed)
    if (!/^-?\d+(?:\.\d+)?$/.test(typed) || value < min || value > max)
      throw new RowError(say`“${typed}” is not valid for the column “${name}”. Enter a number from ${min} to ${max}.`)
    return value
  }
  const day = (name: string): string | null => {
    const value = text(name, 10)
    if (value !== '' && !isoDate.safeParse(value).success)
      throw new RowError(say`Enter the ${name} inspection date as YYYY-MM-DD.`)
    return value || null
  }
  const last = day('last')
  if (last !== null && last > today) throw new RowError(say`The last inspection date, ${last}, is in the future.`)
  const named = hydrantNumber.safeParse(texts.get('number') ?? '')
  if (!named.success) throw new RowError(say`${NUMBER_INVALID}`)
  const year = number('year', 1850, 2100)
  return {
    number: named.data,
    make: text('make', 60),
    model: text('model', 60),
    made_year: year === null ? null : Math.trunc(year),
    size_inches: number('size', 1, 12),
    main_inches: number('main', 1, 96),
    location: text('location', 200),
    last_inspected_on: last,
    next_inspection_on: day('next'),
    notes: text('notes', 1000),
    ...whereIs(geometry, [number('lon', -180, 180), number('lat', -90, 90)], plane),
  }
}

function whereIs(geometry: TableRow['geometry'], typed: readonly (number | null)[], plane: Plane | null) {
  if (geometry && !geometry.point) throw new RowError(say`A hydrant must be a point, not a line or an area.`)
  const [lon = null, lat = null] = geometry?.point ?? typed
  if (lon === null && lat === null) return { lat: null, lon: null, x: null, y: null }
  if (typeof lon !== 'number' || typeof lat !== 'number' || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    throw new RowError(say`Enter the longitude and latitude of the location in degrees.`)
  const metres = plane?.metresOf({ lat, lon }) ?? null
  if (metres && !isNear(metres)) throw new RowError(say`The hydrant is too far from the municipality.`)
  return { lat, lon, x: metres?.x ?? null, y: metres?.y ?? null }
}

const COLUMNS = sql`number, make, model, made_year, size_inches, main_inches, location, lat, lon,
  CASE WHEN x IS NOT NULL THEN point(x, y) END AS at, last_inspected_on, next_inspection_on, notes`
const HAS_CHANGES = sql.join(
  'make model made_year size_inches main_inches location lat lon last_inspected_on next_inspection_on notes'
    .split(' ')
    .map((name) => sql`${sql.ref(`h.${name}`)} IS DISTINCT FROM ${sql.ref(`x.${name}`)}`),
  sql` OR `,
)

/** Writes a batch in one statement: updates rows that differ, inserts new ones and records their creation. */
async function writeRows(
  { tx, call, report, changes }: Work,
  rows: readonly (Row & { where: string })[],
): Promise<void> {
  if (rows.length === 0) return
  await changes.keep(
    'hydrant',
    'number',
    rows.map((row) => row.number),
  )
  const company = call.company.id
  const now = call.context.clock.now()
  const { session } = call
  const by = session ? `${session.firstName} ${session.lastName}`.trim() : ''
  const { rows: written } = await sql<{ created: string[]; changed: string[] }>`
    WITH x AS (
      SELECT ${COLUMNS} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(number text, make text, model text, made_year int,
        size_inches float8, main_inches float8, location text, lat float8, lon float8, x float8, y float8, last_inspected_on date,
        next_inspection_on date, notes text)),
    changed AS (
      UPDATE hydrant h SET make = x.make, model = x.model, made_year = x.made_year, size_inches = x.size_inches,
        main_inches = x.main_inches, location = x.location, lat = x.lat, lon = x.lon, at = x.at,
        address_id = CASE WHEN h.location = x.location THEN h.address_id END, last_inspected_on = x.last_inspected_on,
        next_inspection_on = x.next_inspection_on, notes = x.notes
      FROM x WHERE h.company_id = ${company} AND h.number = x.number AND (${HAS_CHANGES}) RETURNING h.number),
    made AS (
      INSERT INTO hydrant (company_id, number, make, model, made_year, size_inches, main_inches, location, lat, lon, at,
        last_inspected_on, next_inspection_on, notes, service, service_since)
      SELECT ${company}::int, x.*, 'in_service', ${now}::timestamptz FROM x
      WHERE NOT EXISTS (SELECT FROM hydrant h WHERE h.company_id = ${company} AND h.number = x.number)
      RETURNING company_id, id, number),
    history AS (
      INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
      SELECT company_id, ${hydrantStates.name}, id, 1, '', 'in_service', 'add', ${now}::timestamptz, ${session?.kind ?? 'system'},
        ${session?.personId ?? null}::bigint, ${by} FROM made)
    SELECT ARRAY(SELECT number FROM made) AS created, ARRAY(SELECT number FROM changed) AS changed`.execute(tx)
  const [created, changed] = [new Set(written[0]?.created), new Set(written[0]?.changed)]
  for (const { number, where } of rows)
    countRow(report, created.has(number) ? 'created' : changed.has(number) ? 'changed' : 'unchanged', where)
}
