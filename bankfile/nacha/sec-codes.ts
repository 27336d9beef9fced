/** Rules of a standard entry class code. Credits and debits are both allowed unless `only` is set. */
interface EntryClass {
  only?: 'credit' | 'debit'
  /** Allowed type codes of addenda, in addition to 98 (change) and 99 (return), which every class allows. */
  addenda: readonly string[]
  maxAddenda: number
  /** Type codes of the required addenda of an entry. */
  needs?: readonly string[]
  /** Maximum amount of an entry, in cents. */
  upTo?: number
  /** Rule for the discretionary data, which states single (S) or recurring (R). Absent if entries do not state it. */
  paymentType?: 'required' | 'optional'
  /** True if entries transfer no money. */
  isZero?: true
}

const parties = ['10', '11', '12', '13', '14', '15', '16']
const check = { only: 'debit', addenda: [], maxAddenda: 0 } as const
const atTerminal = { addenda: ['02'], maxAddenda: 1, needs: ['02'] } as const

export const entryClasses = {
  PPD: { addenda: ['05'], maxAddenda: 1 },
  WEB: { addenda: ['05'], maxAddenda: 1, paymentType: 'required' },
  TEL: { only: 'debit', addenda: [], maxAddenda: 0, paymentType: 'optional' },
  CCD: { addenda: ['05'], maxAddenda: 1 },
  CTX: { addenda: ['05'], maxAddenda: 9999 },
  CIE: { only: 'credit', addenda: ['05'], maxAddenda: 1 },
  ARC: { ...check, upTo: 2_500_000 },
  BOC: { ...check, upTo: 2_500_000 },
  POP: { ...check, upTo: 2_500_000 },
  RCK: { ...check, upTo: 250_000 },
  XCK: { ...check, upTo: 250_000 },
  TRC: check,
  TRX: { only: 'debit', addenda: ['05'], maxAddenda: 9999 },
  POS: { ...atTerminal },
  SHR: { ...atTerminal },
  MTE: { ...atTerminal },
  ACK: { addenda: ['05'], maxAddenda: 1, isZero: true },
  ATX: { addenda: ['05'], maxAddenda: 9999, isZero: true },
  DNE: { addenda: ['05'], maxAddenda: 1, isZero: true },
  ENR: { addenda: ['05'], maxAddenda: 9999, isZero: true },
  COR: { addenda: [...parties, '17', '18'], maxAddenda: 17, isZero: true },
  ADV: { addenda: [], maxAddenda: 0 },
  // Seven addenda are required. Two more may contain remittance information, and five more may name the banks between
  // payer and receiver.
  IAT: { addenda: [...parties, '17', '18'], maxAddenda: 14, needs: parties },
} as const satisfies Record<string, EntryClass>

export type SecCode = keyof typeof entryClasses

export const entryClassOf = (code: string): EntryClass | undefined =>
  Object.hasOwn(entryClasses, code) ? entryClasses[code as SecCode] : undefined
