import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { instantAt, readDay } from '../shared/dates.ts'
import { readAmount } from '../shared/money.ts'
import { say, translated } from '../shared/messages.ts'
import { roles } from '../shared/privileges.ts'
import type { LocationValue } from '../shared/places.ts'
import { type RecordKind, recordKinds, type ImportReport } from '../shared/imports.ts'
import type { Call } from './call.ts'
import { type Column, type ImportColumns, LAST_FIRST_NAMES } from './columns.ts'
import { Refusal } from './errors.ts'
import { FileRefused } from './file-refused.ts'
import type { Company } from './hosts.ts'
import type { ImportedRows, UndoRules } from './imported-rows.ts'
import { collectRows, reportInvalidRow, RowError, textIn } from './imports.ts'
import { countRow, listRow, type RowResult } from './listed-rows.ts'
import { resolveTyped } from './places/at-point.ts'
import type { TableRow } from './table-rows.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Values of one row, by the names of the declared columns. */
export type Get<Name extends string> = (name: Name, max?: number) => string

/** Work of one import. */
export interface ImportWork {
  tx: Tx
  /** Call of the staff member. Feature functions make the records in that person's name. */
  call: Call
  changes: ImportedRows
}

export interface Importer<Name extends string = string, Row = unknown> {
  kind: RecordKind
  columns: ImportColumns<Name>
  /** Tables with new rows, and the columns that refer to them. */
  undo: UndoRules
  /** Maximum number of rows. The default is 20,000. */
  max?: number
  /** Starts an import, and loads the data that all rows need. */
  start: (work: ImportWork) => Promise<{
    /** Parses a row. @throws RowError if a value is wrong */
    take: (get: Get<Name>, row: TableRow) => Row
    /** Key that rows may not repeat, or '' for none. */
    keyOf?: (row: Row) => string
    /** Writes a row. @throws RowError or Refusal before the first change, if the row is wrong */
    write: (row: Row) => Promise<RowResult>
    /** Writes the records of a batch together, after `write` checked its rows. */
    flush?: () => Promise<void>
    /** Ends the import after the last row. */
    end?: () => Promise<void>
  }>
}

/** Parses values with the schema of the screen's form. @throws RowError with the first sentence */
export function parseRow<T>(schema: z.ZodMiniType<T>, values: unknown): T {
  const parsed = schema.safeParse(values)
  if (!parsed.success) throw new RowError(translated(parsed.error.issues[0]?.message ?? ''))
  return parsed.data
}

/** Columns of the name, email and phone of a person. */
export const personColumns = {
  name: {
    title: 'Name',
    aliases: 'customer customer_name contact contact_name full_name resident_name',
    sample: 'Ann Lee',
  },
  name_last_first: { title: 'Name, last name first', aliases: LAST_FIRST_NAMES, lastFirst: 'name' },
  first: { title: 'First name', aliases: 'first firstname first_nm given_name' },
  last: { title: 'Last name', aliases: 'last lastname last_nm surname family_name' },
  email: {
    title: 'Email',
    aliases: 'e_mail email_address customer_email contact_email email_addr',
    content: 'email',
    sample: 'ann@example.com',
  },
  phone: {
    title: 'Phone',
    aliases:
      'phone_number telephone mobile mobile_phone cell cell_phone home_phone contact_phone customer_phone primary_phone',
    content: 'phone',
    sample: '717-555-0100',
  },
} as const satisfies Record<string, Column>

/** True for 'yes', 'Y', '1', 'true' and 'x'. */
export const yesIn = (text: string): boolean => /^(?:1|y|yes|true|x)$/i.test(text)

/** Reads a date such as 2026-11-21 or 11/21/2026. Null if the text is empty. @throws RowError */
export function dayIn(title: string, text: string): string | null {
  if (text === '') return null
  const day = readDay(text.split(/[ T]/)[0] ?? '', /^(?:19|20|21)/)
  if (day === null) throw new RowError(say`“${text}” in “${title}” is not a date. Use a format such as 2026-11-21.`)
  return day
}

/** Returns noon of an imported day without a time, in the municipality's time zone. */
export const noonOf = ({ timeZone }: Pick<Company, 'timeZone'>, day: string): Date => instantAt(timeZone, day, '12:00')

/** Reads an amount in cents. @throws RowError */
export function dollarsIn(title: string, text: string): number {
  const { cents } = readAmount(text)
  if (cents === undefined)
    throw new RowError(say`“${text}” in “${title}” is not an amount. Use a format such as 25.00.`)
  return cents
}

/** Reads a whole number from 0 to `max`. 0 if the text is empty. @throws RowError */
export function wholeIn(title: string, text: string, max: number): number {
  const number = /^\d{1,3}(?:,\d{3})+$|^\d{1,9}(?:\.0+)?$|^$/.test(text) ? Number(text.replaceAll(',', '')) : -1
  if (number < 0 || number > max)
    throw new RowError(say`“${text}” in “${title}” is not a whole number from 0 to ${max.toLocaleString('en-US')}.`)
  return number
}

/** Reads a time of day such as 14:30, 2:30 PM or 2 pm, and returns it as 14:30. Empty if the text is. @throws RowError */
export function clockIn(title: string, text: string): string {
  if (text === '') return ''
  const [, hours = '', minutes = '00', half = ''] =
    /^(\d{1,2})(?::(\d\d)(?::\d\d(?:\.0+)?)?)?\s*(?:([ap])\.?m?\.?)?$/i.exec(text) ?? []
  const isPlain = half !== '' || text.includes(':')
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const isHour = half === '' ? hour < 24 || (hour === 24 && minutes === '00') : /^(?:0?[1-9]|1[0-2])$/.test(hours)
  if (hours === '' || !isPlain || !isHour || Number(minutes) > 59)
    throw new RowError(say`“${text}” in “${title}” is not a time. Use a format such as 14:30 or 2:30 PM.`)
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

/** Values by the names that other systems use for them, in lower case and separated by "|". Empty text is a name, too. */
export const byNames = <T>(names: readonly (readonly [value: T, names: string])[]): ReadonlyMap<string, T> =>
  new Map(names.flatMap(([value, list]) => list.split('|').map((name) => [name, value] as const)))

/** Finds the value of a text in a list of names, regardless of upper and lower case. @throws RowError */
export function oneOf<T>(title: string, text: string, values: ReadonlyMap<string, T>): T {
  const value = values.get(text.trim().toLowerCase())
  if (value === undefined)
    throw new RowError(
      say`“${text}” in “${title}” was not found. Known: ${[...values.keys()].slice(0, 12).join(', ')}.`,
    )
  return value
}

/** Number of locations that an import remembers, because many records have the same location. */
const MAX_LOCATIONS = 50_000
const locations = new WeakMap<Tx, Map<string, LocationValue>>()

/** Finds the address of a location, only once in a transaction. */
async function addressOfLocation(tx: Tx, company: CompanyId, sent: LocationValue): Promise<LocationValue> {
  const loaded = locations.get(tx) ?? new Map<string, LocationValue>()
  locations.set(tx, loaded)
  const key = JSON.stringify(sent)
  const location = loaded.get(key) ?? (await resolveTyped(tx, company, sent))
  if (loaded.size < MAX_LOCATIONS) loaded.set(key, location)
  return location
}

/** Parses a location. The result finds its address. @throws RowError */
export function locationIn(text: string, lat: string, lon: string) {
  const [latitude, longitude] = [lat, lon].map((degrees) => (degrees === '' ? null : Number(degrees))) as [
    number | null,
    number | null,
  ]
  if (Number.isNaN(latitude) || Number.isNaN(longitude) || (latitude === null) !== (longitude === null))
    throw new RowError(say`Enter the latitude and the longitude in degrees, such as 40.23651.`)
  return (tx: Tx, company: CompanyId) =>
    addressOfLocation(tx, company, { text, addressId: null, lat: latitude, lon: longitude, metres: null })
}

/** Loads the active departments by name in lower case, with '' for none. */
export async function departmentIds(tx: Tx, company: CompanyId): Promise<Map<string, number | null>> {
  const rows = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company)
    .where('is_active', '=', 1)
    .execute()
  return new Map<string, number | null>([['', null], ...rows.map(({ id, name }) => [name.toLowerCase(), id] as const)])
}

/**
 * Condition for a person with a confirmed email, and for one that an import made and who has never signed in. Anyone can
 * sign up with the email of another person.
 */
export const OWNS_EMAIL = sql`(email_confirmed_at IS NOT NULL OR password_hash IS NULL AND signed_in_at IS NULL)`

/**
 * Finds the resident with this email. Null if the person may sign in without having confirmed the email, because an
 * import must not give them the records of another person.
 */
export async function residentWithOwnEmail(tx: Tx, company: CompanyId, email: string): Promise<number | null> {
  if (email === '') return null
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM person WHERE company_id = ${company} AND lower(email) = ${email.toLowerCase()} AND role_id < 3 AND is_active = 1
      AND ${OWNS_EMAIL}`.execute(tx)
  return rows[0]?.id ?? null
}

/** Refuses an email of staff and of an inactive account. @throws RowError */
export function refuseOtherAccount(person: { role_id: number; is_active: number }, email: string): void {
  if (person.role_id !== roles.citizen)
    throw new RowError(say`A staff member has an account with the email “${email}”. Use another email address.`)
  if (person.is_active === 0)
    throw new RowError(say`The account with the email “${email}” is inactive. Leave out the row.`)
}

const MAX_ROWS = 20_000

/** All importers by kind. */
export const importers = new Map<RecordKind, Importer>()

/**
 * Declares an importer. It gets a preview, the columns step, samples, a corrections file, an undo, and an entry on the
 * screen Imports.
 */
export function defineImporter<Name extends string, Row>(importer: Importer<Name, Row>): void {
  if (!recordKinds.includes(importer.kind)) throw new Error(`${importer.kind} is not in recordKinds`)
  importers.set(importer.kind, importer as unknown as Importer)
}

/** Starts an importer. Returns the functions for `importRows`. */
export async function startImporter({ start, max = MAX_ROWS }: Importer, work: ImportWork, report: ImportReport) {
  // The rows of an import may need more time than a call.
  await sql`SET LOCAL statement_timeout = 120000`.execute(work.tx)
  // PostgreSQL plans foreign key checks only once for each connection. Plans made while the tables are small would scan
  // whole tables after they have grown.
  await sql`SET LOCAL enable_seqscan = off`.execute(work.tx)
  const { changed } = work.changes
  const { take, keyOf = () => '', write, flush, end } = await start(work)
  let no = 0
  const rows = collectRows<{ key: string; where: string; row: unknown }>(
    ({ key }) => key || `#${(no += 1)}`,
    (_key, before) => say`This row repeats an earlier row of the file: ${before}.`,
  )
  return {
    take: (read: TableRow): void => {
      if (report.read > max)
        throw new FileRefused(say`A file can have up to ${max.toLocaleString('en-US')} rows. Split the file.`)
      const row = take((name, length = 200) => textIn(read.texts, name, length), read)
      rows.add({ key: keyOf(row), where: read.where, row }, read.where)
    },
    write: async (isLast: boolean): Promise<void> => {
      for (const { where, row } of rows.drain()) {
        try {
          if (changed) changed.row = where
          const result = await write(row)
          countRow(report, result, where)
          // Such a row changed only other tables, for example links.
          if (result === 'changed' && !changed?.readsRow) listRow(report, result, where)
        } catch (error) {
          reportInvalidRow(report, where, reasonOf(error))
        }
      }
      await flush?.()
      if (isLast) await end?.()
    },
  }
}

/** Returns the sentence of a wrong row. @throws other errors */
function reasonOf(error: unknown): string {
  if (error instanceof RowError) return error.message
  if (!(error instanceof Refusal) || error.status >= 500) throw error
  const [field] = Object.values((error.details?.['fields'] as Record<string, string> | undefined) ?? {})
  return field ?? error.message
}
