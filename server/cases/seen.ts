import { sql } from 'kysely'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Who reads: somebody of the desk, or (person, 0) whoever asked, as they come by the mailed link. */
export interface Reader {
  kind: 'person' | 'municipality' | 'platform'
  id: number
}

/** Whoever comes by a mailed link is the person who asked. */
export const PERSON = { kind: 'person', id: 0 } as const

/** Somebody has read up to this entry; it never goes back. */
export async function markSeen(
  tx: Tx,
  of: CaseKind,
  row: Pick<CaseRow, 'company_id' | 'id'>,
  reader: Reader,
  upTo: number,
): Promise<void> {
  await sql`
    INSERT INTO case_reader AS r (company_id, subject_kind, subject_id, reader_kind, reader_id, seen_id)
    VALUES (${row.company_id}, ${of.calls.kind}, ${row.id}, ${reader.kind}, ${reader.id}, ${upTo})
    ON CONFLICT (company_id, subject_kind, subject_id, reader_kind, reader_id)
    DO UPDATE SET seen_id = greatest(r.seen_id, excluded.seen_id)`.execute(tx)
}

/** What somebody wrote is not new to them. Where others wrote before it, what they have not read stays unread. */
export async function markWritten(
  tx: Tx,
  of: CaseKind,
  row: Pick<CaseRow, 'company_id' | 'id' | 'last_message_id'>,
  reader: Reader,
  written: number,
): Promise<void> {
  await sql`
    INSERT INTO case_reader AS r (company_id, subject_kind, subject_id, reader_kind, reader_id, seen_id)
    VALUES (${row.company_id}, ${of.calls.kind}, ${row.id}, ${reader.kind}, ${reader.id}, ${written})
    ON CONFLICT (company_id, subject_kind, subject_id, reader_kind, reader_id)
    DO UPDATE SET seen_id = excluded.seen_id WHERE r.seen_id >= ${row.last_message_id}`.execute(tx)
}

/** Up to where somebody has read (null where they never looked), and whether they watch. */
export async function readerOf(
  tx: Tx,
  of: CaseKind,
  row: Pick<CaseRow, 'company_id' | 'id'>,
  reader: Reader,
): Promise<{ seenId: number | null; watches: boolean }> {
  const found = await tx
    .selectFrom('case_reader')
    .select(['seen_id', 'watches'])
    .where('company_id', '=', row.company_id)
    .where('subject_kind', '=', of.calls.kind)
    .where('subject_id', '=', row.id)
    .where('reader_kind', '=', reader.kind)
    .where('reader_id', '=', reader.id)
    .executeTakeFirst()
  return { seenId: found?.seen_id ?? null, watches: found?.watches ?? false }
}
