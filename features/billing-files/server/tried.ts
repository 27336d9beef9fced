import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { utilityBills } from '../../utility-accounts/api.ts'

/** Account for which the billing system must not charge late fees or shut off service for now. */
interface GraceAccount {
  accountNumber: string
  triedAt: string
  amountCents: number
  /** Last day of the grace period. Null while the outage lasts. */
  graceUntil: string | null
}

/** Lists accounts with payment attempts during an outage, until their grace period ends. */
export async function accountsInGrace(tx: Tx, company: CompanyId, today: string): Promise<GraceAccount[]> {
  const { rows } = await sql<Omit<GraceAccount, 'triedAt'> & { triedAt: Date }>`
    SELECT DISTINCT ON (a.account_number) a.account_number AS "accountNumber", t.at AS "triedAt", t.amount_cents AS "amountCents",
      t.grace_until AS "graceUntil"
    FROM outage_attempt t JOIN utility_account a ON a.company_id = t.company_id AND a.id = t.payable_id
    WHERE t.company_id = ${company} AND t.kind = ${utilityBills.kind} AND coalesce(t.grace_until, 'infinity') >= ${today}::date
    ORDER BY a.account_number, t.at DESC LIMIT 10000`.execute(tx)
  return rows.map(({ triedAt, ...row }) => ({ ...row, triedAt: triedAt.toISOString() }))
}
