/** What a standard entry class code allows. Where nothing is said, credits and debits both. */
interface EntryClass {
  only?: 'credit' | 'debit'
  /** Type codes of addenda, beside 98 (a change) and 99 (a return), which may come back for every class. */
  addenda: readonly string[]
  most: number
  /** Addenda that an entry cannot be without. */
  needs?: readonly string[]
  /** The most that an entry may move, in cents. */
  upTo?: number
  /** Do entries say in their discretionary data whether they are single (S) or recurring (R)? */
  paymentType?: 'required' | 'optional'
  /** Entries that carry no money. */
  isZero?: true
}

const parties = ['10', '11', '12', '13', '14', '15', '16']
const check = { only: 'debit', addenda: [], most: 0 } as const
const atTerminal = { addenda: ['02'], most: 1, needs: ['02'] } as const

export const entryClasses = {
  PPD: { addenda: ['05'], most: 1 },
  WEB: { addenda: ['05'], most: 1, paymentType: 'required' },
  TEL: { only: 'debit', addenda: [], most: 0, paymentType: 'optional' },
  CCD: { addenda: ['05'], most: 1 },
  CTX: { addenda: ['05'], most: 9999 },
  CIE: { only: 'credit', addenda: ['05'], most: 1 },
  ARC: { ...check, upTo: 2_500_000 },
  BOC: { ...check, upTo: 2_500_000 },
  POP: { ...check, upTo: 2_500_000 },
  RCK: { ...check, upTo: 250_000 },
  XCK: { ...check, upTo: 250_000 },
  TRC: check,
  TRX: { only: 'debit', addenda: ['05'], most: 9999 },
  POS: { ...atTerminal },
  SHR: { ...atTerminal },
  MTE: { ...atTerminal },
  ACK: { addenda: ['05'], most: 1, isZero: true },
  ATX: { addenda: ['05'], most: 9999, isZero: true },
  DNE: { addenda: ['05'], most: 1, isZero: true },
  ENR: { addenda: ['05'], most: 9999, isZero: true },
  COR: { addenda: [...parties, '17', '18'], most: 17, isZero: true },
  ADV: { addenda: [], most: 0 },
  // Seven that are always there, two of remittance information, five of banks between.
  IAT: { addenda: [...parties, '17', '18'], most: 14, needs: parties },
} as const satisfies Record<string, EntryClass>

export type SecCode = keyof typeof entryClasses

export const entryClassOf = (code: string): EntryClass | undefined =>
  Object.hasOwn(entryClasses, code) ? entryClasses[code as SecCode] : undefined
