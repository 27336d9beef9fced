import type { Batch, Entry } from './layouts.ts'
import { transactionKind } from './transaction-codes.ts'

/** What the control of a batch or of a file says of it. Amounts in integer cents. */
export interface Totals {
  /** Entries and addenda. */
  count: number
  /** The sum of the entries' bank numbers, of which the last ten digits count. */
  hash: number
  debits: number
  credits: number
}

const HASH_MODULUS = 10_000_000_000

const nothing: Totals = { count: 0, hash: 0, debits: 0, credits: 0 }

export const addTotals = (a: Totals, b: Totals): Totals => ({
  count: a.count + b.count,
  hash: (a.hash + b.hash) % HASH_MODULUS,
  debits: a.debits + b.debits,
  credits: a.credits + b.credits,
})

function totalsOfEntry({ record, addenda }: Entry): Totals {
  const { transactionCode, amount, rdfi } = record.fields
  const way = transactionKind(transactionCode, record.layout === 'adviceEntry')?.way
  return {
    count: 1 + addenda.length,
    hash: Number(rdfi),
    debits: way === 'debit' ? amount : 0,
    credits: way === 'credit' ? amount : 0,
  }
}

export const totalsOf = ({ entries }: Pick<Batch, 'entries'>): Totals =>
  entries.map(totalsOfEntry).reduce(addTotals, nothing)

export const totalsOfAll = (batches: readonly Batch[]): Totals => batches.map(totalsOf).reduce(addTotals, nothing)

/** Blocks of ten lines, the last of which may not be full. */
export const blocksOf = (lines: number): number => Math.ceil(lines / 10)
