import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ImportReport } from '../shared/imports.ts'
import { oddLetters } from '../shared/letters.ts'
import { say } from '../shared/words.ts'
import { FileRefused } from './csv-records.ts'
import { conflict, rejected } from './errors.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import { unprintableIn } from './emails.ts'
import { WrongRow } from './wrong-row.ts'

export { WrongRow }

/** Ends the transaction without anything of it. */
class TakenBack extends Error {}

/** What a row of a file says in a column; '' where it says nothing. @throws WrongRow where that is no readable text, or too long */
export function textIn(texts: ReadonlyMap<string, string>, name: string, most: number): string {
  const value = texts.get(name) ?? ''
  if (value.length > most) throw new WrongRow(say`${name} has more than ${most} characters.`)
  if (/[\uFFFD\0]/.test(value))
    throw new WrongRow(say`${name} has characters that cannot be read. Save the file as UTF-8.`)
  return value
}

/** Rows that are good and not written yet. Each is named by its `key`, which stands in a file once. */
export function gatherRows<Row>(keyOf: (row: Row) => string, twice: (key: string, before: string) => string) {
  const seen = new Map<string, string>()
  const gathered: Row[] = []
  return {
    /** @throws WrongRow for a key that stands in the file already */
    add: (row: Row, where: string): void => {
      const key = keyOf(row)
      const before = seen.get(key)
      if (before) throw new WrongRow(twice(key, before))
      seen.set(key, where)
      gathered.push(row)
    },
    /** All that was added since the last time. */
    taken: (): Row[] => gathered.splice(0),
  }
}

const MAX_REPORTED = 1000
const BREATH = 100

interface Import<Report extends ImportReport> {
  mode: 'rehearse' | 'import'
  wrongRows: 'refuse' | 'leave out'
  /** What the report has besides, such as sums of money, begun at zero. */
  besides?: Omit<Report, keyof ImportReport>
  /** Reads the file and writes its good rows. */
  work: (tx: Tx, report: Report) => Promise<unknown>
  /** The record of an import that counts. */
  record: (tx: Tx, counts: Omit<Report, 'wrong' | 'imported' | 'unprintable'>) => Promise<unknown>
}

/**
 * Imports a file in one transaction: all of it counts or nothing does. A rehearsal does the same and takes it back in the
 * end, so that it can't say anything else than the import does.
 */
export async function importAtOnce<Report extends ImportReport = ImportReport>(
  inTown: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  { mode, wrongRows, besides, work, record }: Import<Report>,
): Promise<Report> {
  const none = {
    imported: false,
    read: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    wrongCount: 0,
    wrong: [],
    unprintable: [],
  }
  const report = { ...none, ...besides } as unknown as Report
  try {
    await inTown(async (tx) => {
      await work(tx, report)
      report.unprintable = await unprintableIn('import', report.unprintable.join(''))
      if (mode === 'rehearse' || (report.wrongCount > 0 && wrongRows === 'refuse')) throw new TakenBack()
      const { wrong: _wrong, imported: _imported, unprintable: _letters, ...counts } = report
      await record(tx, counts)
    })
  } catch (error) {
    if (error instanceof FileRefused) throw rejected(error.message, { file: error.message })
    if (!(error instanceof TakenBack)) throw error
    return report
  }
  return { ...report, imported: true }
}

export function tellWrong(report: ImportReport, where: string, reason: string): void {
  report.wrongCount += 1
  if (report.wrong.length < MAX_REPORTED) report.wrong.push({ where, reason })
}

interface RowImport<Row> {
  report: ImportReport
  /** Judges and gathers one row. @throws WrongRow */
  take: (row: Row) => void
  /** Writes what was gathered, after every so many rows and at the end. */
  write: (last: boolean) => Promise<void>
  every: number
}

/** Adds letters of a row that documents may not be able to print. Once the file is read, their fonts are looked for. */
function noteLetters(report: ImportReport, row: object): void {
  const texts = Object.values(row).flatMap((value: unknown) => (value instanceof Map ? [...value.values()] : [value]))
  const odd = oddLetters(texts.filter((text) => typeof text === 'string').join(''))
  if (odd !== '') report.unprintable = [...oddLetters(report.unprintable.join('') + odd)]
}

/** Takes the rows of a file as they are read. */
export async function takeRows<Row extends { where: string; reason?: string | undefined }>(
  rows: AsyncIterable<Row>,
  { report, take, write, every }: RowImport<Row>,
): Promise<void> {
  for await (const row of rows) {
    report.read += 1
    try {
      if (row.reason) throw new WrongRow(row.reason)
      take(row)
      noteLetters(report, row)
    } catch (error) {
      if (!(error instanceof WrongRow)) throw error
      tellWrong(report, row.where, error.message)
    }
    // Reading is quick enough to keep everybody else waiting.
    if (report.read % BREATH === 0) await setImmediate()
    if (report.read % every === 0) await write(false)
  }
  await write(true)
}

/** Refuses an import while another of the same kind is running in the town; the lock ends with the transaction. */
export async function beTheOnlyImport(tx: Tx, lock: number, company: CompanyId): Promise<void> {
  const { rows } = await sql<{ got: boolean }>`SELECT pg_try_advisory_xact_lock(${lock}, ${company}) AS got`.execute(tx)
  if (!rows[0]?.got)
    throw conflict('import_running', 'Another import of this town is running. Try again when it is done.')
}
