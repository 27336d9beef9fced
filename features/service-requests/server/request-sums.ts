import { sql } from 'kysely'
import type { ListQuery, Matching } from '../../../server/list-source.ts'
import { allOf } from '../../../server/list-sql.ts'
import { keepDaySums, spansWithin } from '../../../server/span-sums.ts'
import { beforeCommit, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { verifyBy } from '../../../server/verify.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { COUNT_CAP } from '../../../shared/table.ts'
import type { report } from '../list.ts'
import type { requestStates, RequestStatus } from '../states.ts'
import { OPEN, type Request } from './row.ts'
import { requestStatus } from '../rules.ts'

interface Step {
  event: EventOf<typeof requestStates>
  from: RequestStatus
  to: RequestStatus
  at: Date
}

/**
 * Events that the report counts as closing. Spam marks and merges also close requests, but do not appear in the report.
 */
const CLOSING: readonly Step['event'][] = ['complete', 'invalidate', 'cancel']

/**
 * Updates the stored sums when a transition closes or reopens a request. `row` is the request before the transition.
 */
export function countStep(tx: Tx, row: Request, { event, from, to, at }: Step): void {
  const closes = CLOSING.includes(event)
  if (!closes && event !== 'reopen') return
  const closedAt = closes ? at : row.closed_at
  const requests = closes ? 1 : -1
  beforeCommit(tx, addSteps, {
    company: row.company_id,
    created: row.created_at,
    category: row.category_id,
    status: closes ? to : from,
    requests,
    late: closedAt && row.due_at < closedAt ? requests : 0,
  })
}

const addSteps = (tx: Tx, steps: object[]) =>
  sql`
    INSERT INTO request_sum AS s
    SELECT x.company, n.span, n.since, x.category, x.status, sum(x.requests), sum(x.late)
    FROM jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      AS x (company int, created timestamptz, category bigint, status int, requests int, late int)
    JOIN company c ON c.id = x.company JOIN timezone z ON z.id = c.timezone_id
    CROSS JOIN LATERAL (SELECT (x.created AT TIME ZONE z.zone)::date AS day) d
    CROSS JOIN LATERAL (VALUES ('day', d.day), ('month', date_trunc('month', d.day)::date)) n (span, since)
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (company_id, span, since, category_id, status)
    DO UPDATE SET requests = s.requests + excluded.requests, late = s.late + excluded.late`.execute(tx)

/** Recalculates the stored sums of all closed requests, for example after a bulk insert. */
export const recountRequests = (tx: Tx, company: CompanyId) => sql`SELECT recount_requests(${company})`.execute(tx)
keepDaySums(recountRequests)

interface Sums {
  requests: number
  completed: number
  late: number
}

/**
 * Loads the count and totals of the Communication Report. Closed requests come from the stored sums, and open requests
 * from an index. Returns null for text searches, spam, merged requests and calls to return, because no sums are stored for them.
 */
export function sumsOf(
  tx: Tx,
  query: ListQuery<(typeof report)['filters']>,
  matching: Matching<(typeof report)['filters']>,
): Promise<{ count: number; totals: Sums }> | null {
  const { call, company, question } = query
  const { status, category, fromDate, toDate } = question.filters
  if (question.search || status === 'spam' || status === 'merged' || status === 'call_back') return null
  const closed = [sql`s.company_id = ${company?.id}`, spansWithin(fromDate, toDate)]
  if (status === 'open') closed.push(sql`false`)
  else if (status !== undefined) closed.push(sql`s.status = ${status}`)
  if (category !== undefined) closed.push(sql`s.category_id = ${category}`)
  const read = async () => {
    const { rows } = await sql<Sums>`
      SELECT sum(requests)::int AS requests, sum(completed)::int AS completed, sum(late)::int AS late FROM (
        SELECT coalesce(sum(s.requests), 0) AS requests, coalesce(sum(s.requests) FILTER (WHERE s.status = ${sql.lit(requestStatus.completed)}), 0) AS completed,
          coalesce(sum(s.late), 0) AS late
        FROM request_sum s WHERE ${allOf(closed)}
        UNION ALL
        SELECT count(*), 0, count(*) FILTER (WHERE r.due_at < ${call.context.clock.now()}::timestamptz)
        FROM found_service_request r WHERE ${allOf([...matching.conditions(query), OPEN])}) all_sums`.execute(tx)
    const [totals] = rows
    if (!totals) throw new Error('sums answer one row')
    return { count: Math.min(totals.requests, COUNT_CAP), totals }
  }
  return read()
}

export const verifyRequests = verifyBy([
  {
    holds: 'the totals of closed requests by day and month match the requests',
    of: `service_request WHERE status IN (${requestStatus.completed}, ${requestStatus.invalid}, ${requestStatus.cancelled})`,
    violations: `SELECT company_id, span || ' ' || since || ', category ' || category_id || ', status ' || status || ': the sums say ' ||
        coalesce(s.requests, 0) || ' requests and ' || coalesce(s.late, 0) || ' late, the requests ' || coalesce(r.requests, 0) || ' and ' || coalesce(r.late, 0) AS what
      FROM request_sum s FULL JOIN closed_request_sum r USING (company_id, span, since, category_id, status)
      WHERE (coalesce(s.requests, 0), coalesce(s.late, 0)) <> (coalesce(r.requests, 0), coalesce(r.late, 0))`,
  },
])
