import { sql } from 'kysely'
import { COUNT_CAP } from '../shared/table.ts'
import { modules, withoutModules } from '../shared/modules.ts'
import { may } from '../shared/privileges.ts'
import { openRecords, pendingWork } from '../shared/pending-work.ts'
import { implement, signedIn } from './call.ts'
import { countUpTo } from './db/rows.ts'
import { litList } from './list-sql.ts'
import type { CompanyId, Tx } from './tenancy.ts'
import type { AwaitingStaff } from './pending-work.ts'

/** Counts the cases that await staff. Stops at the same maximum as the count of a list. */
const countOf = (tx: Tx, company: CompanyId, { table, status, together }: AwaitingStaff): Promise<number> =>
  countUpTo(
    tx,
    sql`SELECT ${together === undefined ? sql`` : sql`DISTINCT coalesce(${sql.ref(together)}, -id)`}
      FROM ${sql.table(table)} WHERE company_id = ${company} AND status = ${sql.lit(status)}`,
    COUNT_CAP,
  )

export const openRecordsCall = implement(openRecords, (call) =>
  call.reading(async (tx) => {
    const offModules = []
    for (const name of call.company.off) {
      let open = 0
      for (const { module, table, column, states } of call.context.openRecords) {
        if (module !== name) continue
        const records = sql`SELECT FROM ${sql.table(table)}
          WHERE company_id = ${call.company.id} AND ${sql.ref(column)} IN (${litList(states)})`
        open += await countUpTo(tx, records, COUNT_CAP)
      }
      offModules.push({ name: modules[name].label, open })
    }
    return { modules: offModules }
  }),
)

export const pendingWorkCall = implement(pendingWork, (call) =>
  call.reading(async (tx) => {
    const privileges = withoutModules(signedIn(call).privileges, call.company.off)
    const awaitingStaff = []
    // Runs the queries in sequence, because a transaction runs one query at a time.
    for (const one of call.context.awaitingStaff)
      if (may(privileges, one.policy, 'view'))
        awaitingStaff.push({ label: one.label, to: one.to, count: await countOf(tx, call.company.id, one) })
    return { awaitingStaff }
  }),
)
