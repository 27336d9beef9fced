import { sql } from 'kysely'
import { dateIn } from '../../../shared/dates.ts'
import { implement } from '../../../server/call.ts'
import { orderFigures } from '../contract.ts'
import { boardSince, workOrderStatus } from '../rules.ts'

type Figures = { new: number; inProgress: number; overdue: number; completed: number; open: number }

/**
 * Loads the figures. Counts four of them in one pass over the open orders. For the fifth, reads only orders that were
 * completed recently.
 */
export const orderFiguresCall = implement(orderFigures, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const now = context.clock.now()
    const { rows } = await sql<Figures>`
      SELECT count(*) FILTER (WHERE status = ${sql.lit(workOrderStatus.created)})::int AS new, count(*) FILTER (WHERE status = ${sql.lit(workOrderStatus.inProgress)})::int AS "inProgress",
        count(*) FILTER (WHERE due_or_never < ${dateIn(company.timeZone, now)}::date)::int AS overdue,
        count(*)::int AS open,
        (SELECT count(*)::int FROM work_order c
          WHERE c.company_id = ${company.id} AND c.status = ${sql.lit(workOrderStatus.completed)} AND c.completed_at >= ${boardSince(now)}) AS completed
      FROM work_order WHERE company_id = ${company.id} AND is_open`.execute(tx)
    return rows[0] ?? { new: 0, inProgress: 0, overdue: 0, completed: 0, open: 0 }
  }),
)
