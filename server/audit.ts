import { type OperationNodeSource, sql } from 'kysely'
import type { AuditAction, SubjectKind } from '../shared/audit-actions.ts'
import type { Clock } from './clock.ts'
import type { Session } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Subject of an audit entry, identified by its kind and its number or name. */
export interface Subject {
  kind: SubjectKind
  id: number | string
}

/** One audited action with its subject and details. The details never contain secrets or card data. */
export interface AuditEntry {
  action: AuditAction
  subject?: Subject
  detail?: Record<string, unknown>
  /** The person affected, if different from the actor. The entry appears in their activity log. */
  person?: number
}

export interface Actor {
  session: Session | null
  requestId: string
  /** Set if a job or an import acts instead of a person. */
  kind?: 'system'
  /** Id of a resident who is identified without a session, for example by PIN on the phone. */
  resident?: number
}

/** Returns the kind of actor that the audit log and the histories record. */
export const partyOf = ({ session, kind, resident }: Actor) =>
  session?.kind ?? kind ?? (resident === undefined ? ('guest' as const) : ('citizen' as const))

const subjectOf = ({ subject }: AuditEntry) => ({
  subject_kind: subject?.kind ?? '',
  subject: String(subject?.id ?? ''),
})

/** Returns the values of the columns that the company's and the platform's log share. */
const inBothLogs = (clock: Clock, actor: Actor, auditEntry: AuditEntry) => ({
  at: clock.now(),
  actor_id: actor.session?.personId ?? actor.resident ?? null,
  action: auditEntry.action,
  ...subjectOf(auditEntry),
  person_id: auditEntry.person ?? null,
  detail: JSON.stringify(auditEntry.detail ?? {}),
  request_id: actor.requestId,
})

/** Actors that already have an entry in an audit log. */
const audited = new WeakSet<Actor>()
export const wasAudited = (actor: Actor): boolean => audited.has(actor)

/** Company id that represents the platform. No company has this id. */
export const PLATFORM = 0

/** Named INSERTs that run in the same statement as the audit entry, as SQL or Kysely builders. */
export type ExtraInserts = Readonly<Record<string, OperationNodeSource>>

/** Adds the extra inserts before the audit entry, so that all form one statement. */
const withInserts = (tx: Tx, more: ExtraInserts): Tx =>
  Object.entries(more).reduce(
    (before, [name, insert]) => before.with(name, () => sql<object>`(${insert})`) as unknown as Tx,
    tx,
  )

/**
 * Adds an entry to a company's audit log, in the transaction of the action. A job seals the entry within a minute. The
 * `more` inserts run in the same statement.
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
    .columns(['company', 'event_id'])
    .expression((db) => db.selectFrom('event').select(['company_id', 'id']))
    .execute()
}

/** Adds many entries to a company's audit log, as `auditCompany` adds one. */
export async function auditEach(
  tx: Tx,
  clock: Clock,
  company: CompanyId,
  actor: Actor,
  entries: readonly AuditEntry[],
  more: ExtraInserts,
): Promise<void> {
  audited.add(actor)
  const rows = entries.map((auditEntry) => ({
    ...inBothLogs(clock, actor, auditEntry),
    detail: auditEntry.detail ?? {},
  }))
  const event = sql<object>`
    INSERT INTO audit_event (company_id, actor_kind, impersonator_id, at, actor_id, action, subject_kind, subject, person_id, detail, request_id)
    SELECT ${company}::int, ${partyOf(actor)}, ${actor.session?.impersonatorId ?? null}::bigint, x.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS x(at timestamptz, actor_id bigint, action text, subject_kind text, subject text, person_id bigint, detail jsonb, request_id text)
    RETURNING company_id, id`
  await withInserts(tx, { ...more, event })
    .insertInto('audit_unsealed')
    .columns(['company', 'event_id'])
    .expression(sql`SELECT company_id, id FROM event`)
    .execute()
}

/**
 * Adds the same entry to the logs of many companies, in one statement of a transaction over all companies. The caller
 * takes `companies` from the rows that it changed.
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
    INSERT INTO audit_unsealed (company, event_id) SELECT company_id, id FROM event`.execute(tx)
}

/** Adds an entry to a company's log, or to the platform's if `company` is null. */
export const auditCompanyOrPlatform = (
  tx: Tx,
  clock: Clock,
  company: CompanyId | null,
  actor: Actor,
  auditEntry: AuditEntry,
): Promise<void> =>
  company === null ? auditPlatform(tx, clock, actor, auditEntry) : auditCompany(tx, clock, company, actor, auditEntry)

/** Adds an entry for a platform action that belongs to no single company. */
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
    .columns(['company', 'event_id'])
    .expression((db) => db.selectFrom('event').select((e) => [e.val(PLATFORM).as('company'), 'id']))
    .execute()
}
