import type { Clock } from '../provider-kit/clock.ts'
import type { Client } from '../provider-kit/database.ts'
import type { WrittenSecCode } from './accounts.ts'

export interface EntryRow {
  id: number
  account: string
  kind: 'debit' | 'refund' | 'prenote'
  intent: string | null
  refund: string | null
  stored_method: string | null
  detail: string
  amount_cents: number
  sec_code: WrittenSecCode
  payment_type: 'R' | 'S' | null
  status: 'waiting' | 'in_file' | 'settled' | 'returned' | 'canceled'
  created_at: Date
  file: string | null
  trace: string | null
  settles_on: string | null
  effective_on: string | null
  return_code: string | null
}

type NewEntry = Pick<EntryRow, 'account' | 'kind' | 'detail' | 'amount_cents' | 'sec_code'> &
  Partial<Pick<EntryRow, 'intent' | 'refund' | 'stored_method' | 'payment_type'>>

/** Queues an entry for the company's next file. */
export async function addEntry(client: Client, clock: Clock, entry: NewEntry): Promise<void> {
  await client.query(
    `INSERT INTO entry (account, kind, intent, refund, stored_method, detail, amount_cents, sec_code, payment_type, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'waiting', $10)`,
    [
      ...[entry.account, entry.kind, entry.intent ?? null, entry.refund ?? null, entry.stored_method ?? null],
      ...[entry.detail, entry.amount_cents, entry.sec_code, entry.payment_type ?? null, clock.now()],
    ],
  )
}

/**
 * Withdraws a debit that is not in a file yet. Returns false if it is already in a file or does not exist. The row lock
 * prevents a race with the creation of a file.
 */
export async function withdraw(client: Client, intent: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE entry SET status = 'canceled' WHERE intent = $1 AND kind = 'debit' AND status = 'waiting'`,
    [intent],
  )
  return (rowCount ?? 0) > 0
}
