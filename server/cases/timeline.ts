import type { Privileges } from '../../shared/privileges.ts'
import { may } from '../../shared/privileges.ts'
import type { CaseEntry, CaseView } from '../../shared/cases.ts'
import type { Tx } from '../tenancy.ts'
import { assigneeOf } from './staff-calls.ts'
import { filesOf } from './attach-files.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { type Reader, readerOf } from './seen.ts'

/**
 * Lists the entries of a case, oldest first. Staff get all entries, the requester only the public ones. No other code
 * decides visibility.
 */
export async function timelineOf<Row extends CaseRow>(
  tx: Tx,
  of: CaseKind<Row>,
  row: Row,
  reader: Reader,
): Promise<CaseEntry[]> {
  const isStaff = reader.kind !== 'person'
  let query = tx
    .selectFrom('case_entry')
    .select(['id', 'at', 'kind', 'visibility', 'author_kind', 'author_id', 'author_name', 'text'])
    .where('company_id', '=', row.company_id)
    .where('subject_kind', '=', of.calls.kind)
    .where('subject_id', '=', row.id)
  if (!isStaff) query = query.where('visibility', '=', 'everyone')
  const entries = await query.orderBy('id').execute()
  const files = await filesOf(
    tx,
    of,
    row,
    entries.map(({ id }) => id),
  )
  const nameOf = (kind: string, name: string) => (isStaff || kind === 'person' ? name : of.publicName(name))
  const messages = entries.map(({ id, at, kind, visibility, author_kind, author_id, author_name, text }) => ({
    key: `m${id}`,
    id,
    at,
    kind,
    visibility,
    by: nameOf(author_kind, author_name),
    isOwn: author_kind === reader.kind && (author_kind === 'person' || author_id === reader.id),
    text: kind === 'assignment' ? '' : text,
    label: kind === 'assignment' ? text : '',
  }))
  const steps = (await of.steps(tx, row)).filter(({ visibility }) => isStaff || visibility === 'everyone')
  const done = steps.map(({ id, at, by, label, reason, visibility }) => ({
    key: `s${id}`,
    id: 0,
    at,
    kind: 'step' as const,
    visibility,
    by: isStaff ? by : '',
    isOwn: false,
    // Only staff see the reason.
    text: isStaff ? reason : '',
    label,
  }))
  const paid = ((await of.payments?.(tx, row)) ?? []).map(({ at, by, ...payment }) => ({
    key: `p${payment.number}`,
    id: 0,
    at,
    kind: 'payment' as const,
    visibility: 'everyone' as const,
    by: isStaff ? by : '',
    isOwn: false,
    text: '',
    label: '',
    payment,
  }))
  const opening = of.opening(row)
  const first = opening && {
    key: 'm0',
    id: 0,
    at: opening.at,
    kind: 'message' as const,
    visibility: 'everyone' as const,
    by: of.person(row).name,
    isOwn: !isStaff,
    text: opening.text,
    label: '',
  }
  // Puts messages first before the sort, so that a message comes before a transition with the same timestamp.
  const later = [...messages, ...done, ...paid].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return [...(first ? [first] : []), ...later].map((entry) => ({
    payment: null,
    ...entry,
    files: files.get(entry.key) ?? [],
    at: entry.at.toISOString(),
  }))
}

/** Builds the staff view of a case, for the feature's detail call. */
export async function viewOf<Row extends CaseRow>(
  tx: Tx,
  of: CaseKind<Row>,
  row: Row,
  { personId, privileges }: { personId: number; privileges: Privileges },
): Promise<CaseView> {
  const reader = { kind: of.calls.audience, id: personId }
  const entries = await timelineOf(tx, of, row, reader)
  const { seenId, watches } = await readerOf(tx, of, row, reader)
  const { rights } = of.calls
  const writes = may(privileges, ...rights.write)
  return {
    entries,
    lastMessageId: row.last_message_id,
    seenId,
    watching: watches,
    watchers: await watchersOf(tx, of, row),
    holder: await assigneeOf(tx, of, row),
    hasEmail: of.person(row).email !== '',
    can: { reply: writes && of.noReply(row) === null, note: writes, assign: may(privileges, ...rights.assign) },
  }
}

/** Builds a query for the staff who watch a case, with alias `w`. */
export const watching = (tx: Tx, of: CaseKind, row: CaseRow) =>
  tx
    .selectFrom('case_reader as w')
    .where('w.company_id', '=', row.company_id)
    .where('w.subject_kind', '=', of.calls.kind)
    .where('w.subject_id', '=', row.id)
    .where('w.reader_kind', '=', of.calls.audience)
    .where('w.watches', '=', true)

async function watchersOf(tx: Tx, of: CaseKind, row: CaseRow): Promise<string[]> {
  const watchers = watching(tx, of, row)
  const names =
    of.calls.audience === 'platform'
      ? await watchers
          .innerJoin('platform_person as p', 'p.id', 'w.reader_id')
          .select(['p.first_name', 'p.last_name'])
          .orderBy('p.last_name')
          .execute()
      : await watchers
          .innerJoin('person as p', (join) =>
            join.onRef('p.company_id', '=', 'w.company_id').onRef('p.id', '=', 'w.reader_id'),
          )
          .select(['p.first_name', 'p.last_name'])
          .orderBy('p.last_name')
          .execute()
  return names.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim())
}
