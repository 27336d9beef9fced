import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import type { Handler } from '../../../server/call.ts'
import { csvLabels, csvText } from '../../../server/csv.ts'
import type { ListQuery } from '../../../server/list-source.ts'
import { implementList } from '../../../server/list.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { auditActions, type SubjectKind, subjectKinds } from '../../../shared/audit-actions.ts'
import { say } from '../../../shared/messages.ts'
import { auditLog, platformAuditLog } from '../list.ts'
import { CHANGES, factName, type Kind } from '../rules.ts'
import { amongAll, type EventRow, isOfKind, namesOf } from './events.ts'
import { chainOf } from './seal.ts'

/** Id that belongs to no person. Used if a search matches no one. */
const NOBODY = -1

/** Finds the person with the email address of the search, in the company or on the platform. */
async function personOf(tx: Tx, { question, company, call }: ListQuery): Promise<number | null> {
  if (!question.search) return null
  const email = question.search.toLowerCase()
  const ours =
    company &&
    (await tx
      .selectFrom('person')
      .select('id')
      .where('company_id', '=', company.id)
      .where(tx.fn<string>('lower', ['email']), '=', email)
      .executeTakeFirst())
  if (ours) return ours.id
  const match = await amongAll(call.context, company, tx, (across) =>
    across
      .selectFrom('platform_person')
      .select('id')
      .where(across.fn<string>('lower', ['email']), '=', email)
      .executeTakeFirst(),
  )
  return match?.id ?? NOBODY
}

const isSealed = ({ company }: ListQuery) => {
  const { byCompany, seals } = chainOf(company?.id ?? PLATFORM)
  return sql`CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM ${seals} e WHERE ${byCompany} AND e.event_id = r.id) AS sealed) chained`
}

/**
 * Selects all entries about one subject. Entries about a person have the person's id as the subject or in a separate
 * column.
 */
function isAbout(key: string) {
  const [, kind = '', subject = ''] = /^([a-z_]+)\/(.+)$/u.exec(key) ?? []
  // Repeats the condition of the partial index, so that PostgreSQL uses it.
  const named = sql`(r.subject_kind = ${kind} AND r.subject = ${subject} AND r.subject <> '')`
  return kind === 'person' && /^\d{1,15}$/.test(subject) ? sql`(r.person_id = ${Number(subject)} OR ${named})` : named
}

/** SQL for the label of an action. It returns the same label as `actionLabelOf`. */
const labelSql = sql`coalesce(${csvLabels('r.action', auditActions)},
  upper(left(r.action, 1)) || translate(substr(r.action, 2), '._', '  '))`

/** Additional event columns that `row` reads. */
const contextColumns = [
  'actor_id',
  'actor_kind',
  'impersonator_id',
  'subject_kind',
  'subject',
  'person_id',
  'detail',
] as const
type AuditRowContext = Pick<EventRow, (typeof contextColumns)[number]> & { lookup: ReadonlyMap<number, string> }

/** Conditions for the actions of one person and the actions on them. */
const ofPerson = (person: unknown) => [sql`r.actor_id = ${person}`, sql`r.person_id = ${person}`]

const ofKind = (kind: Kind | typeof CHANGES) =>
  kind === CHANGES ? sql`NOT ${isOfKind(sql`r.action`, 'view')}` : isOfKind(sql`r.action`, kind)

const source = {
  joins: isSealed,
  columns: {
    number: 'id',
    at: 'at',
    actorKind: 'actor_kind',
    actor: 'actor_id',
    inNameOf: 'impersonator_id',
    action: 'action',
    what: labelSql,
    actorName: sql`''`,
    impersonator: sql`NULL`,
    about: sql`''`,
    aboutKey: sql`''`,
    subject: sql`trim(replace(r.subject_kind, '_', ' ') || ' ' || r.subject)`,
    person: 'person_id',
    details: sql`r.detail::text`,
    request: 'request_id',
    detail: sql`NULL`,
    sealed: sql`chained.sealed`,
  },
  csv: { action: csvText(sql`r.action`) },
  filters: { kind: ofKind, about: isAbout },
  unindexed: { kind: 'Each log query is limited to a date range, because it reads every row in that range.' },
  expect: personOf,
  search: (_email: string, { expected }: ListQuery) => sql`(${sql.join(ofPerson(expected), sql` OR `)})`,
  searchParts: ({ expected }: ListQuery) => ofPerson(expected),
  countAlong: sql`r.at DESC, r.id DESC`,
  hidden: Object.fromEntries(contextColumns.map((name) => [name, sql`r.${sql.ref(name)}`])),
  lookup: (rows: readonly Record<string, unknown>[], { company, call }: ListQuery, tx: Tx) =>
    namesOf(
      call.context,
      tx,
      company,
      (rows as unknown as readonly AuditRowContext[]).flatMap((row) => [
        row.actor_id,
        row.impersonator_id,
        row.person_id,
      ]),
    ),
  row: (_row: unknown, _call: unknown, hidden: Record<string, unknown>) =>
    describeRow(hidden as unknown as AuditRowContext),
  exported: 'export.audit',
} as const

export const auditLists: readonly Handler[] = [
  ...implementList(auditLog, { table: sql`audit_event`, ...source }),
  ...implementList(platformAuditLog, {
    table: sql`(SELECT e.*, 'platform' AS actor_kind, NULL::bigint AS impersonator_id FROM platform_audit_event e)`,
    ...source,
  }),
]

const kindNames: Record<string, string> = { guest: 'A guest', system: 'The portal' }

function describeRow(event: AuditRowContext) {
  const { actor_id, actor_kind, impersonator_id, detail, lookup } = event
  const nameOf = (id: number) => lookup.get(id) ?? say`Person ${id}`
  return {
    actorName: actor_id === null ? (kindNames[actor_kind] ?? say`Not signed in`) : nameOf(actor_id),
    impersonator: impersonator_id === null ? null : nameOf(impersonator_id),
    about: aboutOf(event, nameOf),
    aboutKey: keyOf(event),
    detail: Object.entries(detail).map(([name, value]) => ({
      name: factName(name),
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    can: { view: true },
  }
}

/** Returns the subject's key for the filter. */
function keyOf({ person_id, subject_kind, subject }: AuditRowContext): string {
  if (person_id !== null) return `person/${person_id}`
  return subject_kind && subject ? `${subject_kind}/${subject}` : ''
}

/** Returns the subject of an entry. Empty if the subject is the actor. */
function aboutOf(
  { person_id, subject_kind, subject, actor_id, detail }: AuditRowContext,
  nameOf: (id: number) => string,
): string {
  if (person_id !== null) return nameOf(person_id)
  if (subject_kind === 'person') return subject === String(actor_id) ? '' : nameOf(Number(subject))
  if (subject_kind === 'call' && typeof detail['what'] === 'string') return detail['what']
  return `${subjectKinds[subject_kind as SubjectKind] ?? ''} ${subject}`.trim()
}
