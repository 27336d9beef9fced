import { type OperationNodeSource, sql } from 'kysely'
import type { AuditAction, SubjectKind } from '../shared/audit-actions.ts'
import type { Clock } from './clock.ts'
import type { Session } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** What was done to what: its kind, and its number or name among those. */
export interface Subject {
  kind: SubjectKind
  id: number | string
}

/** One thing that was done: an action's name, what it was done to, and facts (never secrets, never card data). */
export interface AuditEntry {
  action: AuditAction
  subject?: Subject
  detail?: Record<string, unknown>
  /** Whom it concerns, where that is somebody else than the doer: they see it in their own activity. */
  person?: number
}

export interface Actor {
  session: Session | null
  requestId: string
  /** Set where nobody asked for it: a job, an import. */
  kind?: 'system'
  /** Id of a resident who identified without a session, such as by the PIN of a phone call. */
  resident?: number
}

/** The kind of actor that the audit log and the histories record. */
export const partyOf = ({ session, kind, resident }: Actor) =>
  session?.kind ?? kind ?? (resident === undefined ? ('guest' as const) : ('citizen' as const))

const subjectOf = ({ subject }: AuditEntry) => ({
  subject_kind: subject?.kind ?? '',
  subject: String(subject?.id ?? ''),
})

/** What a town's log and the platform's tell alike. */
const inBothLogs = (clock: Clock, actor: Actor, auditEntry: AuditEntry) => ({
  at: clock.now(),
  actor_id: actor.session?.personId ?? actor.resident ?? null,
  action: auditEntry.action,
  ...subjectOf(auditEntry),
  person_id: auditEntry.person ?? null,
  detail: JSON.stringify(auditEntry.detail ?? {}),
  request_id: actor.requestId,
})

/** Callers that left something in an audit log. */
const audited = new WeakSet<Actor>()
export const wasAudited = (actor: Actor): boolean => audited.has(actor)

/** Stands for the platform where towns are counted: no town has this id. */
export const PLATFORM = 0

/** What else is written in the statement of a deed: INSERTs by names of their own, in SQL or as Kysely builds them. */
export type ExtraInserts = Readonly<Record<string, OperationNodeSource>>

/** Puts what else is written before a deed, so that all of it is one statement. */
const withInserts = (tx: Tx, more: ExtraInserts): Tx =>
  Object.entries(more).reduce(
    (before, [name, insert]) => before.with(name, () => sql<object>`(${insert})`) as unknown as Tx,
    tx,
  )

/**
 * Writes a deed into a town's audit log, in the transaction that does it. A job seals it within a minute.
 * `more`: what is written with it, in the same statement.
 */
export async function auditCompany(
  tx: Tx,
  clock: Clock,
  company: CompanyId,
  actor: Actor,
  auditEntry: AuditEntry,
  more: ExtraInserts = {},
): Promise<void> {
  audited.add(actor)
  await withInserts(tx, more)
    .with('event', (db) =>
      db
        .insertInto('audit_event')
        .values({
          company_id: company,
          actor_kind: partyOf(actor),
          impersonator_id: actor.session?.impersonatorId ?? null,
          ...inBothLogs(clock, actor, auditEntry),
        })
        .returning(['company_id', 'id']),
    )
    .insertInto('audit_unsealed')
    .columns(['town', 'event_id'])
    .expression((db) => db.selectFrom('event').select(['company_id', 'id']))
    .execute()
}

/**
 * Writes the same deed into the logs of many towns, in one statement, in a transaction over all towns. `companies` come
 * from rows that it touched.
 */
export async function auditCompanies(
  tx: Tx,
  clock: Clock,
  companies: readonly number[],
  actor: Actor,
  auditEntry: AuditEntry,
): Promise<void> {
  if (companies.length === 0) return
  const { subject_kind, subject } = subjectOf(auditEntry)
  await sql`
    WITH event AS (
      INSERT INTO audit_event (company_id, at, actor_kind, actor_id, impersonator_id, action, subject_kind, subject, person_id,
        detail, request_id)
      SELECT id, ${clock.now()}::timestamptz, ${partyOf(actor)}, ${actor.session?.personId ?? null}::bigint,
        ${actor.session?.impersonatorId ?? null}::bigint, ${auditEntry.action}, ${subject_kind}, ${subject}, ${auditEntry.person ?? null}::bigint,
        ${JSON.stringify(auditEntry.detail ?? {})}::jsonb, ${actor.requestId}
      FROM unnest(${companies}::int[]) AS id RETURNING company_id, id)
    INSERT INTO audit_unsealed (town, event_id) SELECT company_id, id FROM event`.execute(tx)
}

/** Writes it where it belongs: into a town's log, or where there is no one town, into the platform's. */
export const auditCompanyOrPlatform = (
  tx: Tx,
  clock: Clock,
  company: CompanyId | null,
  actor: Actor,
  auditEntry: AuditEntry,
): Promise<void> =>
  company === null ? auditPlatform(tx, clock, actor, auditEntry) : auditCompany(tx, clock, company, actor, auditEntry)

/** Writes a deed of the platform's staff that belongs to no one town. */
export async function auditPlatform(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  auditEntry: AuditEntry,
  more: ExtraInserts = {},
): Promise<void> {
  audited.add(actor)
  await withInserts(tx, more)
    .with('event', (db) =>
      db
        .insertInto('platform_audit_event')
        .values(inBothLogs(clock, actor, auditEntry))
        .returning('id'),
    )
    .insertInto('audit_unsealed')
    .columns(['town', 'event_id'])
    .expression((db) => db.selectFrom('event').select((e) => [e.val(PLATFORM).as('town'), 'id']))
    .execute()
}
