import { checkAddenda } from './check-addenda.ts'
import { serviceClasses } from './service-classes.ts'
import type { BatchHeader, Entry } from './layouts.ts'
import { type Problem, type ProblemCode, problem } from './problems.ts'
import { fieldPositionOf } from './read-records.ts'
import { checkDigitOf } from './routing.ts'
import { entryClassOf } from './sec-codes.ts'
import { type TransactionKind, transactionKind } from './transaction-codes.ts'

export function checkEntry(entry: Entry, header: BatchHeader, line: number): Problem[] {
  const { record } = entry
  const problems: Problem[] = []
  const rule: Rule = (code, field, holds, message) => {
    if (!holds) problems.push(problem(code, fieldPositionOf(record, line, field), message))
  }
  const { transactionCode, rdfi, checkDigit } = record.fields
  const kind = transactionKind(transactionCode, record.layout === 'adviceEntry')
  rule(
    'transaction-code',
    'transactionCode',
    kind !== undefined,
    `there is no transaction code ${transactionCode}${header.fields.secCode === 'ADV' ? ' among advices' : ''}.`,
  )
  rule(
    'check-digit',
    'checkDigit',
    checkDigitOf(rdfi) === Number(checkDigit),
    `the check digit of ${rdfi} is ${checkDigitOf(rdfi)}, and not ${checkDigit}.`,
  )
  rule('mandatory', 'account', record.fields.account.trim() !== '', 'an entry has an account number.')
  if (record.layout !== 'iatEntry')
    rule('mandatory', 'name', record.fields.name.trim() !== '', 'an entry has the name of its receiver.')
  if (kind) {
    checkDirection(kind, entry, header, rule)
    checkAmount(kind, entry, header, rule)
  }
  if (record.layout === 'entry' && !isReturnOrChange(entry)) {
    checkPaymentType(record.fields.discretionaryData, header, rule)
    if (header.fields.secCode === 'SHR') checkCard(record.fields.identification, rule)
  }
  if (record.layout !== 'adviceEntry')
    rule(
      'trace-odfi',
      'trace',
      record.fields.trace.startsWith(header.fields.odfi),
      `a trace number begins with its bank’s digits, ${header.fields.odfi}.`,
    )
  return [...problems, ...checkAddenda(entry, header.fields.secCode, line)]
}

type Rule = (code: ProblemCode, field: string, holds: boolean, message: string) => void

/**
 * True if the batch is a reversal. A reversal undoes an earlier file in the same class, so its direction is the
 * opposite of the usual one.
 */
const isReversal = (header: BatchHeader): boolean => header.fields.entryDescription.trim() === 'REVERSAL'

const isReturnOrChange = ({ addenda }: Entry): boolean => addenda.some(({ fields }) => Number(fields.typeCode) >= 98)

function checkDirection({ direction }: TransactionKind, entry: Entry, header: BatchHeader, rule: Rule): void {
  const { serviceClass, secCode } = header.fields
  const one =
    serviceClass === serviceClasses.credits ? 'credit' : serviceClass === serviceClasses.debits ? 'debit' : null
  // Public samples of international batches mix credits and debits under any class, so those batches are not checked.
  if (header.layout === 'batchHeader' && !isReturnOrChange(entry))
    rule(
      'service-class-entry',
      'transactionCode',
      one === null || one === direction,
      `a ${direction} does not belong in a batch of the service class ${serviceClass}.`,
    )
  const only = entryClassOf(secCode)?.only
  rule(
    'class-direction',
    'transactionCode',
    only === undefined || only === direction || isReversal(header) || isReturnOrChange(entry),
    `${secCode} has ${only}s alone.`,
  )
}

function checkAmount({ purpose }: TransactionKind, entry: Entry, header: BatchHeader, rule: Rule): void {
  const { amount } = entry.record.fields
  const { isZero, upTo } = entryClassOf(header.fields.secCode) ?? {}
  if (purpose === 'prenote' || purpose === 'zero')
    rule(
      'amount-not-zero',
      'amount',
      amount === 0,
      `a prenote or an entry without money has no amount, and this one has ${amount} cents.`,
    )
  else if (!isReturnOrChange(entry) && !isZero)
    rule('amount-missing', 'amount', amount > 0, 'an entry that moves money has an amount.')
  if (upTo !== undefined)
    rule('amount-limit', 'amount', amount <= upTo, `${header.fields.secCode} moves ${upTo} cents at most.`)
}

/** Checks an entry from a shared card network. Its identification starts with the card's expiration, MMYY. */
function checkCard(identification: string, rule: Rule): void {
  const ends = identification.slice(0, 4)
  rule(
    'card-expiration',
    'identification',
    /^(0[1-9]|1[0-2])\d{2}$/.test(ends),
    `SHR says there when the card expires (MMYY), and not "${ends}".`,
  )
}

function checkPaymentType(discretionaryData: string, header: BatchHeader, rule: Rule): void {
  const expected = entryClassOf(header.fields.secCode)?.paymentType
  const actual = discretionaryData.trim()
  if (expected)
    rule(
      'payment-type',
      'discretionaryData',
      actual === 'R' || actual === 'S' || (actual === '' && expected === 'optional'),
      `${header.fields.secCode} says R (recurring) or S (single) there, and not "${actual}".`,
    )
}
