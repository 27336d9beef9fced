import { sql } from 'kysely'
import { type Call, type Handler, implement, signedIn } from '../call.ts'
import type { Tx } from '../tenancy.ts'
import { inStaffScope, authorOf, findCase } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { markSeen, type Reader } from './seen.ts'
import { say } from '../../shared/messages.ts'

/** Maximum number of cases in one list of unread messages. */
const MAX_UNREAD = 500

/**
 * Counts the unread messages that other people wrote in the caller's cases: watched cases, and open cases assigned to
 * the caller or their department.
 */
export async function unreadOf(
  tx: Tx,
  of: CaseKind,
  call: Call,
): Promise<{ company_id: number; id: number; count: number }[]> {
  const me = signedIn(call).personId
  const table = sql.table(of.table)
  const people = sql.table(of.calls.audience === 'platform' ? 'platform_person' : 'person')
  const companyCondition = of.calls.audience === 'platform' ? sql`` : sql`AND r.company_id = ${call.company.id}`
  const personCondition = of.calls.audience === 'platform' ? sql`` : sql`AND p.company_id = ${call.company.id}`
  const { rows } = await sql<{ company_id: number; id: number; count: number }>`
    WITH mine AS (
      SELECT r.company_id, r.id, r.last_message_id FROM ${table} r WHERE r.assigned_to = ${me} AND ${of.open} ${companyCondition}
      UNION
      SELECT r.company_id, r.id, r.last_message_id FROM ${table} r
      WHERE r.department_id = (SELECT p.department_id FROM ${people} p WHERE p.id = ${me} ${personCondition}) AND ${of.open} ${companyCondition}
      UNION
      SELECT r.company_id, r.id, r.last_message_id FROM case_reader w JOIN ${table} r ON r.company_id = w.company_id AND r.id = w.subject_id
      WHERE w.reader_kind = ${of.calls.audience} AND w.reader_id = ${me} AND w.subject_kind = ${of.calls.kind} AND w.watches ${companyCondition})
    SELECT m.company_id, m.id, greatest(1, (SELECT count(*) FROM case_entry e WHERE e.company_id = m.company_id
      AND e.subject_kind = ${of.calls.kind} AND e.subject_id = m.id AND e.id > coalesce(s.seen_id, 0) AND e.kind <> 'assignment'
      AND (e.author_kind, e.author_id) IS DISTINCT FROM (${of.calls.audience}, ${me})))::int AS count
    FROM mine m LEFT JOIN case_reader s ON s.company_id = m.company_id AND s.subject_kind = ${of.calls.kind}
      AND s.subject_id = m.id AND s.reader_kind = ${of.calls.audience} AND s.reader_id = ${me}
    WHERE s.seen_id IS NULL OR m.last_message_id > s.seen_id
    ORDER BY m.company_id, m.id LIMIT ${MAX_UNREAD}`.execute(tx)
  return rows
}

/** Returns the calls to watch a case, to mark messages as read, and to list the unread messages. */
export function readerCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const me = (call: Call): Reader => ({ kind: of.calls.audience, id: authorOf(call, of).id })
  return [
    implement(of.calls.follow, (call) =>
      inStaffScope(call, of, async (tx) => {
        const { subjectId, watches } = call.body
        const row = await findCase(tx, of, call.company.id, subjectId)
        const { kind, id } = me(call)
        await sql`
          INSERT INTO case_reader (company_id, subject_kind, subject_id, reader_kind, reader_id, watches)
          VALUES (${row.company_id}, ${of.calls.kind}, ${row.id}, ${kind}, ${id}, ${watches})
          ON CONFLICT (company_id, subject_kind, subject_id, reader_kind, reader_id)
          DO UPDATE SET watches = excluded.watches`.execute(tx)
        const number = of.numberOf(row.id)
        const message = watches
          ? say`You are now watching ${number} and will get its updates.`
          : say`You are no longer watching ${number}.`
        return { success: true as const, message }
      }),
    ),
    implement(of.calls.seen, (call) =>
      inStaffScope(call, of, async (tx) => {
        const row = await findCase(tx, of, call.company.id, call.body.subjectId)
        // The caller can't mark messages as read that do not exist yet.
        await markSeen(tx, of, row, me(call), Math.min(call.body.upTo, row.last_message_id))
        return { success: true as const }
      }),
    ),
    implement(of.calls.unread, (call) =>
      inStaffScope(call, of, async (tx) => {
        const rows = await unreadOf(tx, of, call)
        return { cases: rows.map(({ company_id, id, count }) => ({ companyId: company_id, id, count })) }
      }),
    ),
  ]
}
