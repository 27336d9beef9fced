import { shortDay } from './dates.ts'
import { linesOf } from './check-file.ts'
import type { Batch, Entry, NachaFile } from './layouts.ts'
import { checkDigitOf, isRoutingNumber } from './routing.ts'
import type { SecCode } from './sec-codes.ts'
import { serviceClasses } from './service-classes.ts'
import { blocksOf, totalsOf, totalsOfAll } from './totals.ts'
import { transactionKind } from './transaction-codes.ts'

/** Originator of a file and its bank. */
export interface Sender {
  /** Routing number of the bank. */
  destination: string
  destinationName: string
  /** Number that identifies the customer at the bank, up to ten digits. */
  origin: string
  originName: string
}

/** Entry to write. The amount is in cents. */
export interface NewEntry {
  transactionCode: string
  /** Nine digits. */
  routing: string
  account: string
  amountCents: number
  identification: string
  name: string
  /** Only for WEB and TEL: R (recurring) or S (single). */
  paymentType?: 'R' | 'S'
  /** Text for the receiver in one addenda record, up to 80 characters. */
  information?: string
  /** Sequence number of the entry, up to seven digits. It is the last part of the trace number. */
  sequence: number
}

export interface NewBatch {
  secCode: Extract<SecCode, 'PPD' | 'WEB' | 'TEL' | 'CCD'>
  companyName: string
  companyId: string
  entryDescription: string
  /** YYYY-MM-DD. */
  effectiveOn: string
  /** First eight digits of the bank's routing number. */
  odfi: string
  entries: readonly NewEntry[]
}

/**
 * Builds a file of the entries that a company sends to its bank, with all counts, hashes and totals. Names are
 * converted to the character set of the format.
 * @throws RangeError if a routing number, an amount or the number of entries does not fit its field
 */
export function buildNachaFile(
  sender: Sender,
  { createdOn, createdAt, modifier }: { createdOn: string; createdAt: string; modifier: string },
  newBatches: readonly NewBatch[],
): NachaFile {
  if (!isRoutingNumber(sender.destination)) throw new RangeError(`${sender.destination} is no routing number`)
  const batches = newBatches.map((batch, at) => buildBatch(batch, at + 1))
  const lines = 2 + batches.reduce((sum, batch) => sum + linesOf(batch), 0)
  const totals = totalsOfAll(batches)
  return {
    header: {
      layout: 'fileHeader',
      fields: {
        priorityCode: '01',
        immediateDestination: sender.destination.padStart(10),
        immediateOrigin: sender.origin.padStart(10),
        creationDate: shortDay(createdOn),
        creationTime: createdAt.replace(':', ''),
        fileIdModifier: modifier,
        recordSize: '094',
        blockingFactor: '10',
        formatCode: '1',
        destinationName: textField(sender.destinationName, 23),
        originName: textField(sender.originName, 23),
        referenceCode: ' '.repeat(8),
      },
    },
    batches,
    control: {
      layout: 'fileControl',
      fields: {
        batchCount: batches.length,
        blockCount: blocksOf(lines),
        entryAddendaCount: totals.count,
        entryHash: totals.hash,
        totalDebits: totals.debits,
        totalCredits: totals.credits,
        reserved: ' '.repeat(39),
      },
    },
    form: { lineEnd: '\r\n', lineEndsAtEnd: 1, fillerLines: blocksOf(lines) * 10 - lines, otherLengths: {} },
  }
}

function buildBatch(batch: NewBatch, batchNumber: number): Batch {
  const entries = batch.entries.map((entry) => buildEntry(entry, batch.odfi))
  const { count, hash, debits, credits } = totalsOf({ entries })
  const serviceClass = serviceClassOf(batch.entries)
  const companyId = batch.companyId.padEnd(10)
  return {
    header: {
      layout: 'batchHeader',
      fields: {
        serviceClass,
        companyName: textField(batch.companyName, 16),
        companyDiscretionaryData: ' '.repeat(20),
        companyId,
        secCode: batch.secCode,
        entryDescription: textField(batch.entryDescription, 10),
        descriptiveDate: shortDay(batch.effectiveOn),
        effectiveDate: shortDay(batch.effectiveOn),
        settlementDate: '   ',
        originatorStatus: '1',
        odfi: batch.odfi,
        batchNumber,
      },
    },
    entries,
    control: {
      layout: 'batchControl',
      fields: {
        serviceClass,
        entryAddendaCount: count,
        entryHash: hash,
        totalDebits: debits,
        totalCredits: credits,
        companyId,
        authenticationCode: ' '.repeat(19),
        reserved: ' '.repeat(6),
        odfi: batch.odfi,
        batchNumber,
      },
    },
  }
}

function serviceClassOf(entries: readonly NewEntry[]): string {
  const directions = new Set(entries.map(({ transactionCode }) => transactionKind(transactionCode)?.direction))
  if (directions.size > 1) return serviceClasses.mixed
  return directions.has('credit') ? serviceClasses.credits : serviceClasses.debits
}

/**
 * Returns the trace number: the first eight digits of the bank's routing number, then the sequence number of the entry.
 */
export const traceOf = (odfi: string, sequence: number): string => odfi + String(sequence).padStart(7, '0')

function buildEntry(entry: NewEntry, odfi: string): Entry {
  if (!isRoutingNumber(entry.routing)) throw new RangeError(`${entry.routing} is no routing number`)
  const trace = traceOf(odfi, entry.sequence)
  const { information } = entry
  return {
    record: {
      layout: 'entry',
      fields: {
        transactionCode: entry.transactionCode,
        rdfi: entry.routing.slice(0, 8),
        checkDigit: String(checkDigitOf(entry.routing.slice(0, 8))),
        account: entry.account.padEnd(17),
        amount: entry.amountCents,
        identification: textField(entry.identification, 15),
        name: textField(entry.name, 22),
        discretionaryData: (entry.paymentType ?? '').padEnd(2),
        addendaIndicator: information === undefined ? '0' : '1',
        trace,
      },
    },
    addenda:
      information === undefined
        ? []
        : [
            {
              layout: 'paymentAddenda',
              fields: {
                typeCode: '05',
                information: textField(information, 80),
                sequence: 1,
                entrySequence: trace.slice(-7),
              },
            },
          ],
  }
}

/** Converts text to the characters of a bank file and fits it to the field width: "Peña" becomes "Pena". */
function textField(text: string, width: number): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[‘’]/g, "'")
  return plain
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .slice(0, width)
    .padEnd(width)
}
