import { type RawBuilder, sql } from 'kysely'
import type { CompanyId } from '../../../server/tenancy.ts'

/**
 * SQL for the ledger entry of one provider movement: the change of the provider balance, and the payment. The query
 * uses the unique index that prevents double bookings.
 */
export const ledgerOfLine = (
  company: CompanyId,
  provider: string | RawBuilder<unknown>,
  ref: RawBuilder<unknown>,
  movementType: RawBuilder<unknown>,
) => sql`(
  SELECT sum(CASE 'gateway_clearing' WHEN t.debit_account THEN t.amount_cents WHEN t.credit_account THEN -t.amount_cents ELSE 0 END)::bigint AS cents,
    min(t.order_id) AS order_id
  FROM ledger_transfer t WHERE t.company_id = ${company} AND t.source = ${provider} AND t.source_ref = ${ref} AND starts_with(t.kind, ${movementType} || '.'))`
