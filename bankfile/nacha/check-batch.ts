import { checkEntry } from './check-entry.ts'
import { isDay } from './dates.ts'
import type { Batch, BatchHeader } from './layouts.ts'
import { type Problem, type ProblemCode, problem } from './problems.ts'
import { fieldPositionOf } from './read-records.ts'
import { entryClassOf } from './sec-codes.ts'
import { serviceClasses } from './service-classes.ts'
import { totalsOf } from './totals.ts'

/** Lists the problems of a batch. `line` is its first line, and `last` is the number of the previous batch. */
export function checkBatch(batch: Batch, line: number, last: number): Problem[] {
  const { header, entries } = batch
  const problems = checkHeader(header, line, last, isUndated(batch))
  if (entries.length === 0) problems.push(problem('no-entries', { line }, 'a batch has entries.'))
  const traces = new Set<string>()
  let at = line + 1
  let before = ''
  for (const entry of entries) {
    problems.push(...checkEntry(entry, header, at))
    if (entry.record.layout !== 'adviceEntry') {
      const { trace } = entry.record.fields
      const where = fieldPositionOf(entry.record, at, 'trace')
      if (traces.has(trace))
        problems.push(problem('trace-twice', where, `the trace number ${trace} was used in this batch before.`))
      else if (trace < before)
        problems.push(
          problem('trace-order', where, `trace numbers rise within a batch, and ${trace} follows ${before}.`),
        )
      traces.add(trace)
      before = trace
    }
    at += 1 + entry.addenda.length
  }
  return [...problems, ...checkControl(batch, at)]
}

/** True if the batch has returns, changes or enrollments. Such batches have no effective date. */
const isUndated = ({ header, entries }: Batch): boolean =>
  ['COR', 'ENR'].includes(header.fields.secCode) ||
  entries.some(({ addenda }) => addenda.some(({ fields }) => Number(fields.typeCode) >= 98))

function checkHeader(header: BatchHeader, line: number, last: number, isUndated: boolean): Problem[] {
  const { fields } = header
  const { effectiveDate, settlementDate } = fields
  const problems: Problem[] = []
  const rule = (code: ProblemCode, field: string, holds: boolean, message: string) => {
    const value = (fields as Record<string, string | number>)[field]
    if (!holds) problems.push(problem(code, fieldPositionOf(header, line, field), `"${value}" is wrong: ${message}`))
  }
  rule(
    'service-class',
    'serviceClass',
    Object.values<string>(serviceClasses).includes(fields.serviceClass),
    'it is 200, 220, 225 or 280.',
  )
  rule(
    'sec-code',
    'secCode',
    entryClassOf(fields.secCode) !== undefined,
    'it is no standard entry class that there is.',
  )
  if (header.layout === 'batchHeader')
    rule('mandatory', 'companyName', header.fields.companyName.trim() !== '', 'it is not blank.')
  rule('mandatory', 'companyId', fields.companyId.trim() !== '', 'it is not blank.')
  rule('mandatory', 'entryDescription', fields.entryDescription.trim() !== '', 'it is not blank.')
  rule(
    'effective-date',
    'effectiveDate',
    isDay(effectiveDate) || (isUndated && /^(000000| {6})$/.test(effectiveDate)),
    'it is a day, YYMMDD.',
  )
  rule(
    'settlement-date',
    'settlementDate',
    settlementDate.trim() === '' || (/^\d{3}$/.test(settlementDate) && Number(settlementDate) <= 366),
    'a bank writes the day of the year there, or it is blank.',
  )
  rule('originator-status', 'originatorStatus', /^[012]$/.test(fields.originatorStatus), 'it is 0, 1 or 2.')
  rule('odfi', 'odfi', Number(fields.odfi) > 0, 'it is the first eight digits of a bank’s routing number.')
  rule('batch-order', 'batchNumber', fields.batchNumber > last, `batch numbers rise, and the one before is ${last}.`)
  return problems
}

function checkControl({ header, entries, control }: Batch, line: number): Problem[] {
  const totals = totalsOf({ entries })
  const { fields } = control
  const problems: Problem[] = []
  const same = (code: ProblemCode, field: keyof typeof fields, is: number | string, what: string) => {
    if (fields[field] !== is)
      problems.push(
        problem(code, fieldPositionOf(control, line, field), `it says ${fields[field]}, and ${what} ${is}.`),
      )
  }
  same('batch-service-class', 'serviceClass', header.fields.serviceClass, 'the batch’s header says')
  same('batch-count-entries', 'entryAddendaCount', totals.count, 'the entries and addenda are')
  same('batch-hash', 'entryHash', totals.hash, 'the sum of the entries’ bank numbers is')
  same('batch-debits', 'totalDebits', totals.debits, 'the debits in cents are')
  same('batch-credits', 'totalCredits', totals.credits, 'the credits in cents are')
  same('batch-odfi', 'odfi', header.fields.odfi, 'the batch’s header says')
  same('batch-number', 'batchNumber', header.fields.batchNumber, 'the batch’s header says')
  // Skips batches in which this field has another meaning. In international batches the field is for the bank, and in
  // advices for the ACH operator.
  if (control.layout === 'batchControl' && header.layout === 'batchHeader') {
    const [ours, controlId] = [header.fields.companyId.trim(), control.fields.companyId.trim()]
    if (ours !== controlId)
      problems.push(
        problem(
          'batch-company',
          fieldPositionOf(control, line, 'companyId'),
          `it says "${controlId}", and the batch’s header says "${ours}".`,
        ),
      )
  }
  return problems
}
