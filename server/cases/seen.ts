import { sql } from 'kysely'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Reader of a case: a staff member, or the requester through an emailed link (`person` with id 0). */
export interface Reader {
  kind: 'person' | 'municipality' | 'platform'
  id: number
}

/** Requester as a reader of a case. Anyone who opens an emailed link to the case counts as the requester. */
export const PERSON = { kind: 'person', id: 0 } as const

/** Marks entries up to this one as read. The mark never moves back. */
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

/** Marks an author's own message as read. Earlier unread messages from other people stay unread. */
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

/**
 * Returns the last entry that the reader has read. The entry is null if the reader never opened the case. `watches` is
 * true if the reader watches the case.
 */
export async function readerOf(
  tx: Tx,
  of: CaseKind,
  row: Pick<CaseRow, 'company_id' | 'id'>,
  reader: Reader,
): Promise<{ seenId: number | null; watches: boolean }> {
  const readerRow = await tx
    .selectFrom('case_reader')
    .select(['seen_id', 'watches'])
    .where('company_id', '=', row.company_id)
    .where('subject_kind', '=', of.calls.kind)
    .where('subject_id', '=', row.id)
    .where('reader_kind', '=', reader.kind)
    .where('reader_id', '=', reader.id)
    .executeTakeFirst()
  return { seenId: readerRow?.seen_id ?? null, watches: readerRow?.watches ?? false }
}
