import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import { FIGURE_DAYS, figures } from '../contract-staff.ts'
import { requestStatus, openRequests } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'

type Figures = { new: number; reviewComplete: number; overdue: number; completed: number; received: number }

/**
 * Loads the figures of the dashboard card. Each figure equals the count of the list that it links to. Excludes spam. A
 * merged request counts only once, as the request that it was merged into.
 */
export const figuresCall = implement(figures, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const now = context.clock.now()
    const since = midnightIn(company.timeZone, addDays(dateIn(company.timeZone, now), -FIGURE_DAYS))
    const came = sql`r.created_at >= ${since} AND NOT r.is_spam AND r.merged_into IS NULL`
    const count = (condition: ReturnType<typeof sql>) =>
      sql`(SELECT count(*)::int FROM service_request r WHERE r.company_id = ${company.id} AND ${condition})`
    const { rows } = await sql<Figures>`
      SELECT ${count(sql`r.status = ${sql.lit(requestStatus.new)}`)} AS new, ${count(sql`r.status = ${sql.lit(requestStatus.inProgress)}`)} AS "reviewComplete",
        ${count(sql`r.status IN (${litList(openRequests)}) AND r.due_at < ${now}`)} AS overdue,
        ${count(sql`r.status = ${sql.lit(requestStatus.completed)} AND ${came}`)} AS completed,
        ${count(came)} AS received`.execute(tx)
    return rows[0] ?? { new: 0, reviewComplete: 0, overdue: 0, completed: 0, received: 0 }
  }),
)
