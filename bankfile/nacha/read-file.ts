import { checkFile } from './check-file.ts'
import type {
  Addenda,
  Batch,
  BatchControl,
  BatchHeader,
  Entry,
  EntryRecord,
  FileControl,
  FileHeader,
  NachaFile,
} from './layouts.ts'
import { ORIGINATOR_RULES, type Problem, type ProblemCode, problem } from './problems.ts'
import { readLines, type ReadOptions } from './read-lines.ts'
import { readRecord } from './read-records.ts'

export type ReadResult = { file: NachaFile; problems: [] } | { file: null; problems: Problem[] }

/** Maximum number of problems reported for one file. */
const MAX_PROBLEMS = 100

/**
 * Reads an ACH file and checks it against the rules of the format. Returns the complete file, or its problems in line
 * order. `writeNachaFile` reproduces the file byte for byte.
 */
export function readNachaFile(file: Uint8Array | string, options: ReadOptions = {}): ReadResult {
  const { records, form, problems: lineProblems } = readLines(file, options)
  const problems = lineProblems.filter((one) => counts(one, options))
  if (records.length === 0)
    return refusal(problems.length > 0 ? problems : [problem('no-file-header', { line: 1 }, 'it has no records.')])
  const read = new Reading(problems)
  for (const [at, line] of records.entries()) read.take(line, at + 1)
  const content = read.end(records.length)
  // If records are missing, wrong counts and totals would only repeat that problem.
  if (!content) return refusal(problems.filter((one) => counts(one, options)))
  const whole = { ...content, form }
  const counted = [...problems, ...checkFile(whole)].filter((one) => counts(one, options))
  return counted.length > 0 ? refusal(counted) : { file: whole, problems: [] }
}

/** Digit fields that totals and hashes depend on. In files from a bank, other digit fields may be blank. */
const PROVED = new Set([
  'amount',
  'totalDebits',
  'totalCredits',
  'entryAddendaCount',
  'entryHash',
  'batchCount',
  'rdfi',
])

const counts = ({ code, field }: Problem, { rules = 'originator' }: ReadOptions): boolean =>
  rules === 'originator' || (!ORIGINATOR_RULES.has(code) && (code !== 'not-digits' || PROVED.has(field ?? '')))

const refusal = (problems: Problem[]): ReadResult => ({
  file: null,
  problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, MAX_PROBLEMS),
})

/** Assembles records in file order. Refuses records that are out of order. */
class Reading {
  #header: FileHeader | null = null
  #batches: Batch[] = []
  #open: { header: BatchHeader; entries: Entry[] } | null = null
  #control: FileControl | null = null
  #secCode = ''
  #isWhole = true
  readonly #problems: Problem[]

  constructor(problems: Problem[]) {
    this.#problems = problems
  }

  take(line: string, at: number): void {
    if (this.#control) {
      if (/^9+$/.test(line)) return
      const isFiller = line.startsWith('9')
      return this.#refuse(
        isFiller ? 'filler' : 'after-file-control',
        at,
        isFiller ? 'the last block is filled with lines of nines alone.' : 'nothing follows the file’s control.',
      )
    }
    if (!this.#header && line[0] !== '1') {
      this.#refuse('no-file-header', at, 'a file begins with its header (1).')
      // Sets a placeholder header, so that the missing header is reported only once.
      this.#header = { layout: 'fileHeader', fields: {} } as FileHeader
    }
    // A change (COR) of an international entry has the layout of an international entry.
    if (line[0] === '5') this.#secCode = line.startsWith('IATCOR', 4) ? 'IAT' : line.slice(50, 53)
    const record = readRecord(line, { line: at, secCode: this.#secCode }, this.#problems)
    if (!record) return void (this.#isWhole = false)
    switch (record.layout) {
      case 'fileHeader':
        if (this.#header) return this.#refuse('record-order', at, 'a file has one header.')
        return void (this.#header = record)
      case 'batchHeader':
      case 'iatBatchHeader':
        return this.#openBatch(record, at)
      case 'entry':
      case 'countedEntry':
      case 'iatEntry':
      case 'adviceEntry':
        return this.#takeEntry(record, at)
      case 'batchControl':
      case 'adviceBatchControl':
        return this.#closeBatch(record, at)
      case 'fileControl':
      case 'adviceFileControl':
        if (this.#open) this.#refuse('no-batch-control', at, 'the batch before has no control (8).')
        return void (this.#control = record)
      default:
        return this.#takeAddenda(record, at)
    }
  }

  end(lines: number): Omit<NachaFile, 'form'> | null {
    if (!this.#control)
      this.#refuse(
        this.#open ? 'no-batch-control' : 'no-file-control',
        lines,
        this.#open ? 'the file ends within a batch.' : 'the file ends without its control (9).',
      )
    if (!this.#isWhole || !this.#header || !this.#control) return null
    return { header: this.#header, batches: this.#batches, control: this.#control }
  }

  #openBatch(header: BatchHeader, at: number): void {
    if (this.#open) this.#refuse('no-batch-control', at, 'the batch before has no control (8).')
    this.#open = { header, entries: [] }
  }

  #takeEntry(record: EntryRecord, at: number): void {
    if (!this.#open) return this.#refuse('record-order', at, 'an entry (6) stands in a batch, after its header (5).')
    this.#open.entries.push({ record, addenda: [] })
  }

  #takeAddenda(record: Addenda, at: number): void {
    const entry = this.#open?.entries.at(-1)
    if (!entry) return this.#refuse('record-order', at, 'addenda (7) follow an entry (6).')
    entry.addenda.push(record)
  }

  #closeBatch(control: BatchControl, at: number): void {
    if (!this.#open)
      return this.#refuse('record-order', at, 'a batch’s control (8) follows its header (5) and entries.')
    this.#batches.push({ ...this.#open, control })
    this.#open = null
  }

  #refuse(code: ProblemCode, line: number, rule: string): void {
    this.#isWhole = false
    this.#problems.push(problem(code, { line }, rule))
  }
}
