/**
 * Codes of all problems that a file can have. Each rule has its own code, so that a reader of the error message can
 * look it up.
 */
export const problemCodes = [
  // Problems of the file's form.
  'empty',
  'too-large',
  'line-length',
  'line-end',
  'character',
  'record-type',
  'record-order',
  'no-file-header',
  'no-batch-control',
  'no-file-control',
  'after-file-control',
  'filler',
  'blocking',
  'not-digits',
  'mandatory',
  // Problems of the file header.
  'priority-code',
  'immediate-destination',
  'immediate-origin',
  'creation-date',
  'creation-time',
  'file-id-modifier',
  'record-size',
  'blocking-factor',
  'format-code',
  // Problems of a batch header.
  'service-class',
  'sec-code',
  'effective-date',
  'settlement-date',
  'originator-status',
  'odfi',
  'batch-order',
  'no-entries',
  // Problems of an entry.
  'transaction-code',
  'service-class-entry',
  'class-direction',
  'check-digit',
  'amount-missing',
  'amount-not-zero',
  'amount-limit',
  'payment-type',
  'card-expiration',
  'trace-odfi',
  'trace-order',
  'trace-twice',
  'addenda-indicator',
  'addenda-missing',
  'addenda-unexpected',
  'addenda-type',
  'addenda-most',
  'addenda-count',
  'addenda-sequence',
  'addenda-entry',
  'return-code',
  'change-code',
  'corrected-data',
  'iat-transaction-type',
  // Problems of a batch control record.
  'batch-service-class',
  'batch-count-entries',
  'batch-hash',
  'batch-debits',
  'batch-credits',
  'batch-company',
  'batch-odfi',
  'batch-number',
  // Problems of the file control record.
  'file-batches',
  'file-blocks',
  'file-count-entries',
  'file-hash',
  'file-debits',
  'file-credits',
] as const

export type ProblemCode = (typeof problemCodes)[number]

/** Problem in a file, with its position. Lines and columns are counted from 1. */
export interface Problem {
  code: ProblemCode
  line: number
  column: number
  field: string | null
  /** Sentence that names the line, the field and the rule. */
  message: string
}

export const problem = (
  code: ProblemCode,
  { line, column = 1, field = null }: { line: number; column?: number; field?: string | null },
  rule: string,
): Problem => ({ code, line, column, field, message: `Line ${line}${field ? `, ${named(field)}` : ''}: ${rule}` })

/** `companyId` → "company id". */
const named = (field: string): string => field.replaceAll(/[A-Z]/g, (char) => ` ${char.toLowerCase()}`)

/**
 * Rules that apply only to originators of entries. A bank that returns or corrects entries copies the data that it has,
 * so its files can break these rules. Examples: an empty payment type, a company number as the destination, a file
 * without a modifier.
 */
export const ORIGINATOR_RULES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...(['character', 'blocking', 'file-blocks', 'mandatory', 'priority-code'] as const),
  ...(['immediate-destination', 'immediate-origin', 'creation-date', 'creation-time', 'file-id-modifier'] as const),
  ...(['service-class', 'sec-code', 'effective-date', 'settlement-date', 'originator-status', 'odfi'] as const),
  ...(['batch-order', 'no-entries', 'service-class-entry', 'class-direction', 'check-digit'] as const),
  ...(['amount-missing', 'amount-not-zero', 'amount-limit', 'payment-type', 'card-expiration'] as const),
  ...(['trace-odfi', 'trace-order', 'trace-twice', 'addenda-indicator', 'addenda-most', 'addenda-count'] as const),
  ...(['addenda-type', 'addenda-missing', 'addenda-sequence', 'addenda-entry', 'iat-transaction-type'] as const),
  ...(['batch-service-class', 'batch-company', 'batch-odfi', 'batch-number'] as const),
])
