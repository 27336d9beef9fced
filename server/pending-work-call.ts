import { sql } from 'kysely'
import { COUNT_CAP } from '../shared/table.ts'
import { may } from '../shared/privileges.ts'
import { pendingWork } from '../shared/pending-work.ts'
import { implement, signedIn } from './call.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import type { AwaitingStaff } from './pending-work.ts'

/** Counts the cases that await staff. Stops at the same maximum as the count of a list. */
async function countOf(tx: Tx, company: CompanyId, { table, status, together }: AwaitingStaff): Promise<number> {
  const query = sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT ${together === undefined ? sql`` : sql`DISTINCT coalesce(${sql.ref(together)}, -id)`} FROM ${sql.table(table)} WHERE company_id = ${company} AND status = ${sql.lit(status)}
      LIMIT ${COUNT_CAP}) counted`
  const { rows } = await query.execute(tx)
  return rows[0]?.count ?? 0
}

export const pendingWorkCall = implement(pendingWork, (call) =>
  call.reading(async (tx) => {
    const { privileges } = signedIn(call)
    const awaitingStaff = []
    // Runs the queries in sequence, because a transaction runs one query at a time.
    for (const one of call.context.awaitingStaff)
      if (may(privileges, one.policy, 'view'))
        awaitingStaff.push({ label: one.label, to: one.to, count: await countOf(tx, call.company.id, one) })
    return { awaitingStaff }
  }),
)
