import { sql } from 'kysely'
import type { BillLine } from '../../../server/db/schema.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** The newest bill of an account. What its lines and the balance before it come to is what is owed. */
export interface LatestBill {
  number: string
  date: string
  dueDate: string
  periodStart: string
  periodEnd: string
  lines: BillLine[]
  amountCents: number
  /** What is owed besides this bill; negative where payments or credits came to more than the bills before. */
  previousBalanceCents: number
}

export interface Owed {
  /** All bills, less what was received for them elsewhere and here. Negative where the account has a credit. */
  owedCents: number
  /** What payments that are under way will take off. */
  pendingCents: number
  bill: LatestBill | null
}

/** What an account owes, in integer cents, and its newest bill. One query, so that it is one moment's truth. */
export async function owedOn(tx: Tx, company: CompanyId, accountId: number): Promise<Owed> {
  const { rows } = await sql<{
    billed: number
    remitted: number
    pending: number
    bill: Omit<LatestBill, 'previousBalanceCents'> | null
  }>`
    SELECT
      (SELECT coalesce(sum(amount_cents - paid_elsewhere_cents), 0)::bigint
         FROM utility_bill WHERE company_id = ${company} AND account_id = ${accountId}) AS billed,
      (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint
         FROM remittance WHERE company_id = ${company} AND account_id = ${accountId}) AS remitted,
      (SELECT coalesce(sum(bill_cents), 0)::bigint
         FROM payment_order WHERE company_id = ${company} AND account_id = ${accountId} AND status = 0) AS pending,
      (SELECT jsonb_build_object('number', bill_number, 'date', bill_date, 'dueDate', due_date, 'periodStart', period_start,
                                 'periodEnd', period_end, 'lines', lines, 'amountCents', amount_cents)
         FROM utility_bill WHERE company_id = ${company} AND account_id = ${accountId}
         ORDER BY bill_date DESC, bill_number DESC LIMIT 1) AS bill`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error('a query without FROM answers one row')
  const owedCents = row.billed - row.remitted
  const bill = row.bill && { ...row.bill, previousBalanceCents: owedCents - row.bill.amountCents }
  return { owedCents, pendingCents: row.pending, bill }
}
