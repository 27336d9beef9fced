import type { Readable } from 'node:stream'
import { describeFile, importFile, type ImportResult, type Layout, type ImportDeps } from './import-file.ts'
import { type LoadedReadings, loadReads } from './load-reads.ts'
import { readColumns } from './bill-columns.ts'
import { type MeterRead, readMeterRead } from './read-layout.ts'

const reads: Layout<MeterRead, LoadedReadings> = {
  columns: [readColumns],
  lineReader: () => readMeterRead,
  load: loadReads,
  none: { readsCreated: 0, readsCorrected: 0, readsUnchanged: 0 },
  audit: 'bills.reads_imported',
}

/** Loads meter readings of a company from a CSV file or workbook (docs/import-bills.md). */
export const importReads = (
  deps: ImportDeps,
  subdomain: string,
  input: Readable,
): Promise<ImportResult<LoadedReadings>> => importFile(reads, deps, subdomain, input)

export const describeReads = (result: ImportResult<LoadedReadings>): string[] =>
  describeFile(result, (count) => [
    `${count(result.readsCreated, 'new reading')}, ${result.readsCorrected} corrected, ${result.readsUnchanged} unchanged.`,
  ])
