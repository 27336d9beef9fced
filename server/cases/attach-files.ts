import { sql } from 'kysely'
import type { CaseFile } from '../../shared/cases.ts'
import { rejected } from '../errors.ts'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Rules for a file that no message refers to yet. Its subject is a placeholder number, and it expires after a day. */
export const UNSENT = { subject: 'case_unsent', maxFiles: 1, keepDays: 1 }
const GONE =
  'A file that you attached is no longer available. It expired after a day, or the virus scanner rejected it. Remove it from the message and attach it again.'

/** Owner of a file: a timeline entry, or the opening message of the case. */
interface Owner {
  kind: string
  id: number
}
export const ofEntry = (id: number): Owner => ({ kind: 'case_entry', id })
export const ofOpening = (of: CaseKind, id: number): Owner => ({ kind: of.calls.kind, id })

/**
 * Attaches uploaded files to a message, in the message's transaction. Another person can't attach a signed-in person's
 * file, even if they know its id.
 * @param sender id of the uploader, null for a guest
 * @throws 422 if a file no longer exists
 */
export async function attachFiles(
  tx: Tx,
  of: CaseKind,
  company: number,
  owner: Owner,
  ids: readonly string[],
  sender: number | null,
): Promise<void> {
  for (const [before, id] of [...new Set(ids)].entries()) {
    const { numUpdatedRows } = await tx
      .updateTable('attachment')
      .set({ subject_kind: owner.kind, subject_id: owner.id, nth: before + 1, expires_at: null })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('kind', '=', of.calls.files.kind)
      .where('subject_kind', '=', UNSENT.subject)
      .where('state', '<>', 'refused')
      .where((e) => e.or([e('created_by', 'is', null), e('created_by', '=', sender ?? 0)]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw rejected(GONE, { files: GONE })
  }
}

/** Lists the files of these entries and of the opening message, by the key of their timeline entry. */
export async function filesOf(
  tx: Tx,
  of: CaseKind,
  row: CaseRow,
  entries: readonly number[],
): Promise<Map<string, CaseFile[]>> {
  const { rows } = await sql<CaseFile & { key: string; lat: number | null; lon: number | null }>`
    SELECT CASE subject_kind WHEN 'case_entry' THEN 'm' || subject_id ELSE 'm0' END AS key, id, name,
      content_type AS "contentType", bytes, state, taken_lat AS lat, taken_lon AS lon
    FROM attachment WHERE company_id = ${row.company_id} AND kind = ${of.calls.files.kind}
      AND (subject_kind = 'case_entry' AND subject_id = ANY (${entries}::bigint[])
        OR subject_kind = ${of.calls.kind} AND subject_id = ${row.id})
    ORDER BY subject_id, nth`.execute(tx)
  const byKey = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...byKey].map(([key, files]) => [
      key,
      files.map(({ id, name, contentType, bytes, state, lat, lon }) => ({
        ...{ id, name, contentType, bytes, state },
        position: lat === null || lon === null ? null : { lat, lon },
      })),
    ]),
  )
}
