import { changeCodes } from './change-codes.ts'
import type { Addenda, Entry } from './layouts.ts'
import { type Problem, type ProblemCode, problem } from './problems.ts'
import { fieldPositionOf } from './read-records.ts'
import { returnCodes } from './return-codes.ts'
import { entryClassOf } from './sec-codes.ts'

/** Allowed purposes of an international entry, given in its first addenda record. */
const IAT_TRANSACTION_TYPES = /^(ANN|BUS|DEP|LOA|MIS|MOR|PEN|REM|RLS|SAL|TAX|TEL|WEB|ARC|BOC|MTE|POP|POS|RCK|SHR)$/

export function checkAddenda(entry: Entry, secCode: string, line: number): Problem[] {
  const { record, addenda } = entry
  const { addendaIndicator } = record.fields
  const where = fieldPositionOf(record, line, 'addendaIndicator')
  const problems: Problem[] = []
  if (!/^[01]$/.test(addendaIndicator))
    problems.push(problem('addenda-indicator', where, `it is 0 or 1, and not "${addendaIndicator}".`))
  else if (addendaIndicator === '1' && addenda.length === 0)
    problems.push(problem('addenda-missing', where, 'it says that addenda follow, and none do.'))
  else if (addendaIndicator === '0' && addenda.length > 0)
    problems.push(problem('addenda-unexpected', where, 'it says that no addenda follow, and some do.'))
  problems.push(...checkClass(entry, secCode, line))
  const rest = new Sequences()
  for (const [at, addendum] of addenda.entries()) problems.push(...checkOne(addendum, entry, line + 1 + at, rest))
  return problems
}

function checkClass({ record, addenda }: Entry, secCode: string, line: number): Problem[] {
  const entryClass = entryClassOf(secCode)
  if (!entryClass) return []
  const types = addenda.map(({ fields }) => fields.typeCode)
  const own = types.filter((type) => Number(type) < 98)
  const isReturned = own.length < types.length
  const where = { line }
  const strange = own.find((type) => !entryClass.addenda.includes(type))
  const missing = isReturned ? undefined : entryClass.needs?.find((type) => !own.includes(type))
  const problems: Problem[] = []
  if (strange !== undefined)
    problems.push(
      problem(
        'addenda-type',
        { ...where, line: line + 1 + types.indexOf(strange) },
        `${secCode} has no addenda of the type ${strange}.`,
      ),
    )
  if (own.length > entryClass.maxAddenda)
    problems.push(
      problem(
        'addenda-most',
        where,
        `an entry of ${secCode} has ${entryClass.maxAddenda} addenda at most, and this one has ${own.length}.`,
      ),
    )
  if (missing !== undefined)
    problems.push(problem('addenda-missing', where, `an entry of ${secCode} has addenda of the type ${missing}.`))
  if (secCode === 'COR' && !types.includes('98'))
    problems.push(problem('addenda-missing', where, 'a notification of change has addenda of the type 98.'))
  if (record.layout === 'countedEntry' && !isReturned && record.fields.addendaCount !== addenda.length)
    problems.push(
      problem(
        'addenda-count',
        fieldPositionOf(record, line, 'addendaCount'),
        `it says ${record.fields.addendaCount}, and ${addenda.length} follow.`,
      ),
    )
  return problems
}

/** Tracks the sequence numbers of type 05 addenda. */
class Sequences {
  last = 0
}

function checkOne(addendum: Addenda, { record }: Entry, line: number, sequences: Sequences): Problem[] {
  const problems: Problem[] = []
  const rule = (code: ProblemCode, field: string, holds: boolean, message: string) => {
    if (!holds) problems.push(problem(code, fieldPositionOf(addendum, line, field), message))
  }
  const entrySequence = record.layout === 'adviceEntry' ? '' : record.fields.trace.slice(-7)
  switch (addendum.layout) {
    case 'paymentAddenda':
      rule(
        'addenda-entry',
        'entrySequence',
        addendum.fields.entrySequence === entrySequence,
        `it belongs to the entry ${entrySequence}, and says ${addendum.fields.entrySequence}.`,
      )
      if (addendum.fields.typeCode === '05')
        rule(
          'addenda-sequence',
          'sequence',
          addendum.fields.sequence === ++sequences.last,
          `addenda are counted from 1: this is number ${sequences.last}.`,
        )
      return problems
    case 'partyAddenda':
      rule(
        'addenda-entry',
        'entrySequence',
        addendum.fields.entrySequence === entrySequence,
        `it belongs to the entry ${entrySequence}, and says ${addendum.fields.entrySequence}.`,
      )
      if (addendum.fields.typeCode === '10')
        rule(
          'iat-transaction-type',
          'information',
          IAT_TRANSACTION_TYPES.test(addendum.fields.information.slice(0, 3)),
          `"${addendum.fields.information.slice(0, 3)}" is no type of an international transaction.`,
        )
      return problems
    case 'changeAddenda': {
      const { changeCode, correctedData } = addendum.fields
      rule(
        'change-code',
        'changeCode',
        Object.hasOwn(changeCodes, changeCode),
        `there is no change code ${changeCode}.`,
      )
      rule('corrected-data', 'correctedData', correctedData.trim() !== '', `what ${changeCode} corrects is not there.`)
      return problems
    }
    case 'terminalAddenda':
      return problems
    default:
      rule(
        'return-code',
        'returnCode',
        Object.hasOwn(returnCodes, addendum.fields.returnCode),
        `there is no return code ${addendum.fields.returnCode}.`,
      )
      return problems
  }
}
