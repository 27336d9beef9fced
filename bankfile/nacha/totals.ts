import type { Batch, Entry } from './layouts.ts'
import { transactionKind } from './transaction-codes.ts'

/** Totals in the control of a batch or file. Amounts are in integer cents. */
export interface Totals {
  /** Number of entries and addenda. */
  count: number
  /** Sum of the entries' bank numbers. Only its last ten digits count. */
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
  const direction = transactionKind(transactionCode, record.layout === 'adviceEntry')?.direction
  return {
    count: 1 + addenda.length,
    hash: Number(rdfi),
    debits: direction === 'debit' ? amount : 0,
    credits: direction === 'credit' ? amount : 0,
  }
}

export const totalsOf = ({ entries }: Pick<Batch, 'entries'>): Totals =>
  entries.map(totalsOfEntry).reduce(addTotals, nothing)

export const totalsOfAll = (batches: readonly Batch[]): Totals => batches.map(totalsOf).reduce(addTotals, nothing)

/** Returns the number of blocks of ten lines. The last block may be partly filled. */
export const blocksOf = (lines: number): number => Math.ceil(lines / 10)
