import { sql } from 'kysely'
import { keepDaySums } from '../../../../server/span-sums.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { type LedgerAccount, ledgerAccounts } from '../../rules-ledger.ts'

/** Creates the ledger accounts of a new company, all with a balance of 0. */
export async function openLedger(tx: Tx, company: CompanyId): Promise<void> {
  const rows = Object.entries(ledgerAccounts).map(([code, account]) => ({ company_id: company, code, ...account }))
  await tx
    .insertInto('ledger_account')
    .values(rows)
    .onConflict((c) => c.columns(['company_id', 'code']).doNothing())
    .execute()
}

/** One movement of money. Its `kind` and the provider's object make it unique, so it cannot be posted twice. */
export interface Transfer {
  kind: string
  /** Order line of the transfer. Null if the transfer is for the entire payment. */
  lineNo?: number | null
  /** Line that a refund names, even if the money comes from another line. */
  namedLineNo?: number | null
  /** True if the transfer belongs to the charge of a separate fee. */
  ofFee?: boolean
  debit: LedgerAccount
  credit: LedgerAccount
  amountCents: number
}

/** Builds a transfer that debits `debit` and credits `credit`. A negative amount swaps the two accounts. */
export const transferOf = (
  about: Omit<Transfer, 'debit' | 'credit' | 'amountCents'>,
  debit: LedgerAccount,
  credit: LedgerAccount,
  cents: number,
): Transfer =>
  cents < 0
    ? { ...about, debit: credit, credit: debit, amountCents: -cents }
    : { ...about, debit, credit, amountCents: cents }

/**
 * SQL join with both sides of each transfer `t`, as `leg` with its `account` and `cents`. A debit adds the amount and a
 * credit subtracts it.
 */
export const BOTH_LEGS = sql`
  CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount_cents), (t.credit_account, -t.amount_cents)) AS leg(account, cents)`

/** Context of a ledger entry. `source` and `sourceRef` name the provider and its object, never an event. */
export interface Entry {
  /** Null if the entry belongs to no payment, for example the over/short amount of a drawer. */
  orderId: number | null
  source: string
  sourceRef: string
  at: Date
}

/**
 * Posts the transfers of one entry in the caller's transaction, all or none. Updates the company's daily totals and the
 * payment. Skips amounts of 0.
 */
export async function post(tx: Tx, company: CompanyId, entry: Entry, transfers: readonly Transfer[]): Promise<void> {
  const moved = transfers.filter((transfer) => transfer.amountCents > 0)
  if (moved.length === 0) return
  await sql`
    SELECT post_ledger_entry(${company}, ${entry.orderId}, ${entry.source}, ${entry.sourceRef}, ${entry.at},
      ${JSON.stringify(moved)}::jsonb)`.execute(tx)
}

/** Deletes a payout's movements from `held_movement`, which lists movements that are not yet paid out. */
export const releaseHeld = (
  tx: Tx,
  company: CompanyId,
  source: string,
  lines: readonly { objectId: string; movementType: string }[],
): Promise<unknown> =>
  sql`
    DELETE FROM held_movement h USING unnest(${lines.map(({ objectId }) => objectId)}::text[], ${lines.map(({ movementType }) => movementType)}::text[]) AS l(ref, movement_type)
    WHERE h.company_id = ${company} AND h.source_ref = l.ref AND h.movement_type = l.movement_type AND h.source = ${source}`.execute(
    tx,
  )

/**
 * Recalculates the company's daily totals and payments, after a change of its time zone or a bulk insert. The caller
 * must have locked the company's row.
 */
export async function recountLedger(tx: Tx, company: CompanyId): Promise<void> {
  await sql`SELECT recount_ledger(${company})`.execute(tx)
}
keepDaySums(recountLedger)
