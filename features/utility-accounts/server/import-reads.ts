import type { Readable } from 'node:stream'
import { describeFile, importFile, type ImportResult, type Layout, type Means } from './import-file.ts'
import { type Loaded, loadReads } from './load-reads.ts'
import { type MeterRead, readHeader, readMeterRead } from './read-layout.ts'

const reads: Layout<MeterRead, Loaded> = {
  readHeader,
  readLine: readMeterRead,
  load: loadReads,
  none: { readsCreated: 0, readsCorrected: 0, readsUnchanged: 0 },
  audit: 'bills.reads_imported',
}

/** Loads readings of a town's meters from a CSV (docs/import-bills.md). */
export const importReads = (means: Means, subdomain: string, input: Readable): Promise<ImportResult<Loaded>> =>
  importFile(reads, means, subdomain, input)

export const describeReads = (result: ImportResult<Loaded>): string[] =>
  describeFile(result, (count) => [
    `${count(result.readsCreated, 'reading')} new, ${result.readsCorrected} corrected, ${result.readsUnchanged} unchanged.`,
  ])
