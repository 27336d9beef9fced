import { sql } from 'kysely'
import { keepDaySums } from '../../../server/span-sums.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { type LedgerAccount, ledgerAccounts } from '../report.ts'

/** Opens a new town's ledger: its accounts, all empty. */
export async function openLedger(tx: Tx, company: CompanyId): Promise<void> {
  const rows = Object.entries(ledgerAccounts).map(([code, account]) => ({ company_id: company, code, ...account }))
  await tx
    .insertInto('ledger_account')
    .values(rows)
    .onConflict((c) => c.columns(['company_id', 'code']).doNothing())
    .execute()
}

/** One movement of money: `kind` and the provider's object make it unique, so that posting it twice is impossible. */
export interface Transfer {
  kind: string
  /** The line of the order that it is about; null where it is of the payment as a whole. */
  lineNo?: number | null
  /** The line that a refund names, whichever line it is taken from in the end. */
  namedLineNo?: number | null
  /** Of the charge of a fee that is charged by itself. */
  ofFee?: boolean
  debit: LedgerAccount
  credit: LedgerAccount
  amountCents: number
}

/** A transfer of so many cents from `credit` to `debit`; of a negative amount it goes the other way. */
export const transferOf = (
  about: Omit<Transfer, 'debit' | 'credit' | 'amountCents'>,
  debit: LedgerAccount,
  credit: LedgerAccount,
  cents: number,
): Transfer =>
  cents < 0
    ? { ...about, debit: credit, credit: debit, amountCents: -cents }
    : { ...about, debit, credit, amountCents: cents }

/** Both sides of each transfer `t`, as `leg` with its `account` and `cents`: what a debit adds, a credit takes away. */
export const BOTH_LEGS = sql`
  CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount_cents), (t.credit_account, -t.amount_cents)) AS leg(account, cents)`

/** What the movements are about: `source` and `sourceRef` name the provider and its object (never an event). */
export interface Entry {
  /** Null where it is about no payment, such as what a drawer's count found over or short. */
  orderId: number | null
  source: string
  sourceRef: string
  at: Date
}

/**
 * Posts one entry: its transfers, all or none, in the caller's transaction, and counts it among the town's days and on its
 * payment. Amounts of 0 are left out.
 */
export async function post(tx: Tx, company: CompanyId, entry: Entry, transfers: readonly Transfer[]): Promise<void> {
  const moved = transfers.filter((transfer) => transfer.amountCents > 0)
  if (moved.length === 0) return
  await sql`
    SELECT post_ledger_entry(${company}, ${entry.orderId}, ${entry.source}, ${entry.sourceRef}, ${entry.at},
      ${JSON.stringify(moved)}::jsonb)`.execute(tx)
}

/** Counts the town's days and payments anew: for whoever changed its time zone and holds its row, or wrote in one go. */
export async function recountLedger(tx: Tx, company: CompanyId): Promise<void> {
  await sql`SELECT recount_ledger(${company})`.execute(tx)
}
keepDaySums(recountLedger)
