import { sql } from 'kysely'
import { PLATFORM } from '../audit.ts'
import { type Call, callerName, signedIn } from '../call.ts'
import { notFound } from '../errors.ts'
import type { AppContext } from '../app-context.ts'
import { announce } from '../live.ts'
import type { Scope } from '../states.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { attachFiles, ofEntry } from './attach-files.ts'
import type { Author, CaseKind, CaseRow } from './kinds.ts'
import { markSeen, markWritten } from './seen.ts'

/** Job that emails staff about new entries (`notify.ts`). */
export const NOTIFY = 'cases.notify'

/**
 * Finds and locks a case. Other changes to the case wait until the transaction ends.
 * @throws 404 if unknown
 */
export const lockCase = <Row extends CaseRow>(tx: Tx, of: CaseKind<Row>, company: Scope, id: number): Promise<Row> =>
  findCase(tx, of, company, id, sql`FOR UPDATE`)

/** Finds a case without a lock. @throws 404 if unknown */
export async function findCase<Row extends CaseRow>(
  tx: Tx,
  of: CaseKind<Row>,
  company: Scope,
  id: number,
  lock = sql``,
): Promise<Row> {
  const { rows } = await sql<Row>`
    SELECT * FROM ${sql.table(of.table)} WHERE company_id = ${company} AND id = ${id} ${lock}`.execute(tx)
  if (!rows[0]) throw notFound(of.texts.notFound)
  return rows[0]
}

/**
 * Runs a transaction with the permissions of the staff of a case kind. Platform staff do not belong to a company, so
 * their transaction sees all companies.
 */
export const inStaffScope = <T>(call: Call, of: CaseKind, work: (tx: Tx) => Promise<T>): Promise<T> =>
  of.calls.audience === 'platform' ? call.context.acrossCompanies(work) : call.inCompany(work)

/** Returns the staff member who makes the call, as the author of an entry. */
export function authorOf(call: Call, of: CaseKind): Author & { id: number } {
  const { personId } = signedIn(call)
  return { kind: of.calls.audience, id: personId, name: callerName(call) }
}

/** Notifies the open staff screens that the case changed. The event contains no content. */
export const announceCase = (
  tx: Tx,
  { calls: { audience, topic } }: Pick<CaseKind, 'calls'>,
  { company_id, id }: Pick<CaseRow, 'company_id' | 'id'>,
) => announce(tx, audience === 'platform' ? PLATFORM : companyIdFrom('platform', company_id), { topic, id })

/**
 * Returns the topic of the live events for a person's own screens. The topic covers only cases that this person started
 * while signed in.
 */
export const personTopic = ({ calls: { topic } }: Pick<CaseKind, 'calls'>, person: number): string =>
  `${topic}/${person}`

/** Sends an event to the requester's screens if the requester was signed in. */
export async function announceToPerson<Row extends CaseRow>(tx: Tx, of: CaseKind<Row>, row: Row): Promise<void> {
  const { id } = of.person(row)
  if (typeof id !== 'number') return
  await announce(tx, companyIdFrom('platform', row.company_id), { topic: personTopic(of, id), id: row.id })
}

interface Entry {
  by: Author
  at: Date
  text: string
}

/** Message with its uploaded files. */
interface Message extends Entry {
  files: readonly string[]
  /**
   * Id of the signed-in person who uploaded the files, if not the author. An author who wrote through an emailed link
   * has no id.
   */
  sender?: number | null
}

/** Adds a message to a locked case and notifies open screens and watchers. @returns the entry's number */
export async function addMessage<Row extends CaseRow>(
  tx: Tx,
  context: AppContext,
  of: CaseKind<Row>,
  row: Row,
  kind: 'message' | 'reply' | 'note',
  { files, sender, ...entry }: Message,
): Promise<number> {
  const id = await addEntry(tx, context, of, row, { ...entry, kind })
  await attachFiles(tx, of, row.company_id, ofEntry(id), files, sender ?? entry.by.id)
  const change = {
    message: sql`, last_from = 'person'`,
    reply: sql`, last_from = 'staff', first_reply_at = coalesce(first_reply_at, ${entry.at}::timestamptz)`,
    note: sql``,
  }[kind]
  await sql`UPDATE ${sql.table(of.table)} SET last_message_id = ${id}, updated_at = ${entry.at} ${change}
    WHERE company_id = ${row.company_id} AND id = ${row.id}`.execute(tx)
  const reader = { kind: entry.by.kind, id: entry.by.kind === 'person' ? 0 : (entry.by.id ?? 0) }
  // A reply is only accepted if its author has seen the last message. So the author has read all messages.
  await (kind === 'reply' ? markSeen : markWritten)(tx, of, row, reader, id)
  return id
}

/** Adds an entry for an assignment to a person or a department. If both are null, the case becomes unassigned. */
export async function addAssignment<Row extends CaseRow>(
  tx: Tx,
  context: AppContext,
  of: CaseKind<Row>,
  row: Row,
  entry: Entry & { assigned_to: number | null; department_id: number | null },
): Promise<void> {
  await sql`UPDATE ${sql.table(of.table)} SET assigned_to = ${entry.assigned_to}, department_id = ${entry.department_id},
    updated_at = ${entry.at} WHERE company_id = ${row.company_id} AND id = ${row.id}`.execute(tx)
  await addEntry(tx, context, of, row, { ...entry, kind: 'assignment' })
}

async function addEntry<Row extends CaseRow>(
  tx: Tx,
  context: AppContext,
  of: CaseKind<Row>,
  row: Row,
  {
    by,
    kind,
    ...entry
  }: Entry & {
    kind: 'message' | 'reply' | 'note' | 'assignment'
    assigned_to?: number | null
    department_id?: number | null
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('case_entry')
    .values({
      company_id: row.company_id,
      subject_kind: of.calls.kind,
      subject_id: row.id,
      kind,
      visibility: kind === 'message' || kind === 'reply' ? 'everyone' : 'staff',
      author_kind: by.kind,
      author_id: by.id,
      author_name: by.name,
      assigned_to: null,
      department_id: null,
      ...entry,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await announceCase(tx, of, row)
  if (kind === 'message' || kind === 'reply') await announceToPerson(tx, of, row)
  await context.jobs.enqueue(tx, NOTIFY, { company: row.company_id, entry: id })
  return id
}
