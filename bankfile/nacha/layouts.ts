import { digits, type Layout, number, text, type ValuesOf } from './fields.ts'

/**
 * All records of the file format (Nacha Operating Rules, Appendix Three). Widths are in characters, amounts in cents.
 */
export const layouts = {
  fileHeader: {
    priorityCode: digits(2),
    immediateDestination: text(10),
    immediateOrigin: text(10),
    creationDate: text(6),
    creationTime: text(4),
    fileIdModifier: text(1),
    recordSize: text(3),
    blockingFactor: text(2),
    formatCode: text(1),
    destinationName: text(23),
    originName: text(23),
    referenceCode: text(8),
  },
  batchHeader: {
    serviceClass: digits(3),
    companyName: text(16),
    companyDiscretionaryData: text(20),
    companyId: text(10),
    secCode: text(3),
    entryDescription: text(10),
    descriptiveDate: text(6),
    effectiveDate: text(6),
    settlementDate: text(3),
    originatorStatus: text(1),
    odfi: digits(8),
    batchNumber: number(7),
  },
  iatBatchHeader: {
    serviceClass: digits(3),
    iatIndicator: text(16),
    exchangeIndicator: text(2),
    exchangeReferenceIndicator: text(1),
    exchangeReference: text(15),
    destinationCountry: text(2),
    companyId: text(10),
    secCode: text(3),
    entryDescription: text(10),
    originatingCurrency: text(3),
    destinationCurrency: text(3),
    effectiveDate: text(6),
    settlementDate: text(3),
    originatorStatus: text(1),
    odfi: digits(8),
    batchNumber: number(7),
  },
  entry: {
    transactionCode: digits(2),
    rdfi: digits(8),
    checkDigit: digits(1),
    account: text(17),
    amount: number(10),
    identification: text(15),
    name: text(22),
    discretionaryData: text(2),
    addendaIndicator: text(1),
    trace: digits(15),
  },
  /** Entry of the classes CTX, ATX and TRX, which contains the number of its addenda. */
  countedEntry: {
    transactionCode: digits(2),
    rdfi: digits(8),
    checkDigit: digits(1),
    account: text(17),
    amount: number(10),
    identification: text(15),
    addendaCount: number(4),
    name: text(16),
    reserved: text(2),
    discretionaryData: text(2),
    addendaIndicator: text(1),
    trace: digits(15),
  },
  iatEntry: {
    transactionCode: digits(2),
    rdfi: digits(8),
    checkDigit: digits(1),
    addendaCount: number(4),
    reserved: text(13),
    amount: number(10),
    account: text(35),
    reservedToo: text(2),
    gatewayScreening: text(1),
    secondScreening: text(1),
    addendaIndicator: text(1),
    trace: digits(15),
  },
  /** Entry of accounting advices, which has the bank's own number instead of a trace number. */
  adviceEntry: {
    transactionCode: digits(2),
    rdfi: digits(8),
    checkDigit: digits(1),
    account: text(15),
    amount: number(12),
    adviceRouting: digits(9),
    fileIdentification: text(5),
    operatorData: text(1),
    name: text(22),
    discretionaryData: text(2),
    addendaIndicator: text(1),
    operatorRouting: digits(8),
    julianDate: digits(3),
    sequence: number(4),
  },
  terminalAddenda: {
    typeCode: digits(2),
    referenceOne: text(7),
    referenceTwo: text(3),
    terminal: text(6),
    serial: text(6),
    transactionDate: text(4),
    authorization: text(6),
    location: text(27),
    city: text(15),
    state: text(2),
    trace: digits(15),
  },
  /** Addenda of type 05, and of types 17 and 18 in an international entry. All use the same numbering. */
  paymentAddenda: { typeCode: digits(2), information: text(80), sequence: number(4), entrySequence: digits(7) },
  /** Addenda of types 10 to 16 in an international entry: payer, receiver and the banks between them. */
  partyAddenda: { typeCode: digits(2), information: text(84), entrySequence: digits(7) },
  changeAddenda: {
    typeCode: digits(2),
    changeCode: text(3),
    originalTrace: digits(15),
    reserved: text(6),
    originalRdfi: digits(8),
    correctedData: text(29),
    reservedToo: text(15),
    trace: digits(15),
  },
  returnAddenda: {
    typeCode: digits(2),
    returnCode: text(3),
    originalTrace: digits(15),
    dateOfDeath: text(6),
    originalRdfi: digits(8),
    information: text(44),
    trace: digits(15),
  },
  /** R61 to R70: the originator's bank dishonors a return. */
  dishonoredAddenda: {
    typeCode: digits(2),
    returnCode: text(3),
    originalTrace: digits(15),
    reserved: text(6),
    originalRdfi: digits(8),
    reservedToo: text(3),
    returnTrace: digits(15),
    returnSettlementDate: text(3),
    returnReason: text(2),
    information: text(21),
    trace: digits(15),
  },
  /** R71 to R77: the receiver's bank contests the dishonored return. */
  contestedAddenda: {
    typeCode: digits(2),
    returnCode: text(3),
    originalTrace: digits(15),
    dateReturned: text(6),
    originalRdfi: digits(8),
    originalSettlementDate: text(3),
    returnTrace: digits(15),
    returnSettlementDate: text(3),
    returnReason: text(2),
    dishonoredTrace: digits(15),
    dishonoredSettlementDate: text(3),
    dishonoredReason: text(2),
    reserved: text(1),
    trace: digits(15),
  },
  batchControl: {
    serviceClass: digits(3),
    entryAddendaCount: number(6),
    entryHash: number(10),
    totalDebits: number(12),
    totalCredits: number(12),
    companyId: text(10),
    authenticationCode: text(19),
    reserved: text(6),
    odfi: digits(8),
    batchNumber: number(7),
  },
  adviceBatchControl: {
    serviceClass: digits(3),
    entryAddendaCount: number(6),
    entryHash: number(10),
    totalDebits: number(20),
    totalCredits: number(20),
    operatorData: text(19),
    odfi: digits(8),
    batchNumber: number(7),
  },
  fileControl: {
    batchCount: number(6),
    blockCount: number(6),
    entryAddendaCount: number(8),
    entryHash: number(10),
    totalDebits: number(12),
    totalCredits: number(12),
    reserved: text(39),
  },
  adviceFileControl: {
    batchCount: number(6),
    blockCount: number(6),
    entryAddendaCount: number(8),
    entryHash: number(10),
    totalDebits: number(20),
    totalCredits: number(20),
    reserved: text(23),
  },
} as const satisfies Record<string, Layout>

export type LayoutName = keyof typeof layouts

export type RecordOf<N extends LayoutName> = { [K in N]: { layout: K; fields: ValuesOf<(typeof layouts)[K]> } }[N]

export type FileHeader = RecordOf<'fileHeader'>
export type BatchHeader = RecordOf<'batchHeader' | 'iatBatchHeader'>
export type EntryRecord = RecordOf<'entry' | 'countedEntry' | 'iatEntry' | 'adviceEntry'>
export type Addenda = RecordOf<
  | 'terminalAddenda'
  | 'paymentAddenda'
  | 'partyAddenda'
  | 'changeAddenda'
  | 'returnAddenda'
  | 'dishonoredAddenda'
  | 'contestedAddenda'
>
export type BatchControl = RecordOf<'batchControl' | 'adviceBatchControl'>
export type FileControl = RecordOf<'fileControl' | 'adviceFileControl'>
export type AnyRecord = RecordOf<LayoutName>

export interface Entry {
  record: EntryRecord
  addenda: Addenda[]
}

export interface Batch {
  header: BatchHeader
  entries: Entry[]
  control: BatchControl
}

/**
 * Properties of a file that its records do not contain, such as line ends. They let the writer reproduce the bytes
 * read.
 */
export interface FileForm {
  /** Empty if no characters separate the lines. */
  lineEnd: '\n' | '\r\n' | ''
  /** True if only the last record has a line end. */
  isOneLine?: true
  /** Number of line ends after the last line: none, one, or more if a program left empty lines. */
  lineEndsAtEnd: number
  /** Number of lines of nines after the file control, which fill the last block of ten. */
  fillerLines: number
  /** Lengths of the lines with missing or extra trailing blanks, by line index. */
  otherLengths: Record<number, number>
}

export interface NachaFile {
  header: FileHeader
  batches: Batch[]
  control: FileControl
  form: FileForm
}

/** First character of a line, by the layout of its record. */
export const recordTypes = {
  fileHeader: '1',
  batchHeader: '5',
  iatBatchHeader: '5',
  entry: '6',
  countedEntry: '6',
  iatEntry: '6',
  adviceEntry: '6',
  terminalAddenda: '7',
  paymentAddenda: '7',
  partyAddenda: '7',
  changeAddenda: '7',
  returnAddenda: '7',
  dishonoredAddenda: '7',
  contestedAddenda: '7',
  batchControl: '8',
  adviceBatchControl: '8',
  fileControl: '9',
  adviceFileControl: '9',
} as const satisfies Record<LayoutName, string>
