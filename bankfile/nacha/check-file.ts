import { checkBatch } from './check-batch.ts'
import { checkFileHeader } from './check-file-header.ts'
import type { Batch, FileControl, NachaFile } from './layouts.ts'
import { type Problem, type ProblemCode, problem } from './problems.ts'
import { fieldPositionOf } from './read-records.ts'
import { blocksOf, totalsOfAll } from './totals.ts'

/** Lists the problems of a file with no missing records. */
export function checkFile({ header, batches, control }: NachaFile): Problem[] {
  const problems = checkFileHeader(header)
  let line = 2
  let last = 0
  for (const batch of batches) {
    problems.push(...checkBatch(batch, line, last))
    last = batch.header.fields.batchNumber
    line += linesOf(batch)
  }
  return [...problems, ...checkFileControl(control, batches, line)]
}

export const linesOf = ({ entries }: Batch): number =>
  2 + entries.reduce((sum, { addenda }) => sum + 1 + addenda.length, 0)

function checkFileControl(control: FileControl, batches: readonly Batch[], line: number): Problem[] {
  const totals = totalsOfAll(batches)
  const { fields } = control
  const expected: [ProblemCode, keyof typeof fields, number, string][] = [
    ['file-batches', 'batchCount', batches.length, 'batches'],
    ['file-blocks', 'blockCount', blocksOf(line), 'blocks of ten lines'],
    ['file-count-entries', 'entryAddendaCount', totals.count, 'entries and addenda'],
    ['file-hash', 'entryHash', totals.hash, 'as the sum of its entries’ bank numbers'],
    ['file-debits', 'totalDebits', totals.debits, 'cents of debits'],
    ['file-credits', 'totalCredits', totals.credits, 'cents of credits'],
  ]
  return expected.flatMap(([code, field, is, what]) =>
    fields[field] === is
      ? []
      : [
          problem(
            code,
            fieldPositionOf(control, line, field),
            `it says ${fields[field]}, and the file has ${is} ${what}.`,
          ),
        ],
  )
}
