import { sql } from 'kysely'
import { type Definition, sketch } from '../../shared/fields/definition.ts'
import { definition } from '../../shared/fields/mistakes.ts'
import { type Editable, fromParts, partLabel, threeParts, toParts } from '../../shared/fields/parts.ts'
import { same } from '../../shared/edits.ts'
import { plural, say } from '../../shared/messages.ts'
import { auditCompany, auditPlatform, type AuditEntry, PLATFORM } from '../audit.ts'
import { isText, pageOf, readCursor } from '../cursor.ts'
import { type Edit, mergeEdit, recordChanges } from '../edits.ts'
import { conflict, malformed, notFound, rejected } from '../errors.ts'
import { walkOf } from '../list-sql.ts'
import { canBeStored, UNSTORABLE } from '../text.ts'

/** Field sets: each has a draft that staff edit, and published versions that people fill in. */

/** Actor, company and transaction of an edit. The calling feature checks the privilege first. */
export type FieldSetContext = Omit<Edit, 'subject'>

export interface FieldSet {
  id: number
  name: string
  draft: Definition
  /** Number of the latest published version. 0 before the first publication. */
  latestVersion: number
  /** True if the draft differs from the latest version. */
  isChanged: boolean
}

const editOf = (work: FieldSetContext, id: number): Edit => ({ ...work, subject: `field_set ${id}` })

const audit = ({ tx, clock, company, actor }: FieldSetContext, auditEntry: AuditEntry) =>
  company === PLATFORM
    ? auditPlatform(tx, clock, actor, auditEntry)
    : auditCompany(tx, clock, company, actor, auditEntry)

/** Validates a draft that staff sent. */
function readEditable(sent: Editable): Editable {
  if (!canBeStored(sent)) throw malformed(UNSTORABLE)
  const parsed = sketch.safeParse({ steps: sent.steps })
  if (!parsed.success)
    throw malformed(parsed.error.issues[0]?.message ?? 'The fields could not be read. Reload the page and try again.')
  const name = sent.name.trim()
  if (name === '' || name.length > 120)
    throw rejected('Enter a name of up to 120 characters.', { name: 'Enter a name.' })
  return { name, steps: parsed.data.steps }
}

export async function createFieldSet(work: FieldSetContext, kind: string, sent: Editable): Promise<number> {
  const { name, steps } = readEditable(sent)
  const at = work.clock.now()
  const { id } = await work.tx
    .insertInto('field_set')
    .values({ company_id: work.company, kind, name, draft: JSON.stringify({ steps }), created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(work, { action: 'fields.created', subject: { kind: 'field_set', id }, detail: { name, kind } })
  return id
}

/**
 * Copies a field set with its published fields and its draft. The copy starts with version 1. If the published fields
 * no longer meet the rules, the copy has only the draft.
 */
export async function copyFieldSet(work: FieldSetContext, id: number, name: string): Promise<number> {
  const { kind } = await work.tx
    .selectFrom('field_set')
    .select('kind')
    .where('company_id', '=', work.company)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { draft, latestVersion: version } = await readFieldSet(work, id)
  const latest = version === 0 ? null : (await versionOf(work, id, version)).definition
  const published = definition.safeParse(latest).success ? latest : null
  const copy = await createFieldSet(work, kind, { name, steps: (published ?? draft).steps })
  if (!published) return copy
  await publishFieldSet(work, copy)
  if (!same(draft, published)) await saveFieldSet(work, copy, { name, steps: draft.steps })
  return copy
}

/** Lists one page of the field sets of one kind, sorted by name. */
export async function listFieldSets(
  { tx, company }: FieldSetContext,
  kind: string,
  { cursor, pageSize = 25 }: { cursor?: string; pageSize?: number } = {},
) {
  const position = readCursor(cursor, isText)
  const { sqlDirection, beyond } = walkOf('asc', position)
  const from = position ? sql`AND (name, id) ${beyond} (${position.key}, ${position.id})` : sql``
  const { rows } = await sql<{ id: number; name: string; latest_version: number; updated_at: Date }>`
    SELECT id, name, latest_version, updated_at FROM field_set WHERE company_id = ${company} AND kind = ${kind} ${from}
    ORDER BY name ${sqlDirection}, id ${sqlDirection} LIMIT ${pageSize + 1}`.execute(tx)
  return pageOf(rows, position, pageSize, ({ name }) => name)
}

export async function readFieldSet(work: Reading, id: number): Promise<FieldSet> {
  const { latest_version, name, draft } = await rowOf(work, id)
  const latest = latest_version === 0 ? null : await versionOf(work, id, latest_version)
  return { id, name, draft, latestVersion: latest_version, isChanged: !same(draft, latest?.definition ?? null) }
}

/**
 * Finds the row of a field set.
 * @param lock true for a change, so that other changes wait
 */
async function rowOf({ tx, company }: Reading, id: number, lock = false) {
  const query = tx
    .selectFrom('field_set')
    .select(['name', 'draft', 'latest_version'])
    .where('company_id', '=', company)
    .where('id', '=', id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw notFound('These fields were not found.')
  return row
}

const setRow = ({ tx, clock, company }: FieldSetContext, id: number) =>
  tx.updateTable('field_set').set({ updated_at: clock.now() }).where('company_id', '=', company).where('id', '=', id)

/**
 * Saves the draft of a staff member. Merges it with changes that others made since `basis`. The draft may be
 * incomplete.
 * @returns The saved draft, which the form builder then shows
 * @throws 409 `edit_conflict` if two people changed the same part. The details list these parts
 */
export async function saveFieldSet(
  work: FieldSetContext,
  id: number,
  sent: Editable,
  basis?: Editable,
): Promise<Editable> {
  const own = readEditable(sent)
  const { name, draft } = await rowOf(work, id, true)
  const now = { name, steps: draft.steps }
  const edit = editOf(work, id)
  const parts = basis
    ? threeParts(readEditable(basis), own, now)
    : { basis: undefined, own: toParts(own), now: toParts(now) }
  const labelsOf = (part: string) => ({ label: partLabel(part, parts.now, parts.own) })
  const merged = readEditable(fromParts(await mergeEdit(edit, { ...parts, labelsOf })))
  await setRow(work, id)
    .set({ name: merged.name, draft: JSON.stringify({ steps: merged.steps }) })
    .execute()
  await recordChanges(edit, toParts(now), toParts(merged))
  return merged
}

/**
 * Publishes the draft as the next version. Answers to earlier versions stay valid, because the database forbids changes
 * to published versions.
 * @param seen draft that the publisher saw
 * @throws 409 if the draft changed since then, 422 with a message for each mistake
 */
export async function publishFieldSet(work: FieldSetContext, id: number, seen?: Definition): Promise<number> {
  const { name, draft, latest_version } = await rowOf(work, id, true)
  if (seen && !same(seen, draft))
    throw conflict('changed_since', 'Someone else changed these fields. Review the changes, then publish.')
  const checked = definition.safeParse(draft)
  if (!checked.success) {
    const { issues } = checked.error
    throw rejected(
      say`${plural(issues.length, 'Fix one problem', 'Fix # problems')} before you publish.`,
      Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), message])),
    )
  }
  if (latest_version > 0 && same(draft, (await versionOf(work, id, latest_version)).definition))
    throw conflict(
      'unchanged',
      say`Nothing has changed since version ${latest_version}, so you do not need to publish.`,
    )
  const version = latest_version + 1
  const { session } = work.actor
  await work.tx
    .insertInto('field_set_version')
    .values({
      company_id: work.company,
      field_set_id: id,
      version,
      definition: JSON.stringify(draft),
      published_at: work.clock.now(),
      published_by: session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet',
    })
    .execute()
  await setRow(work, id).set({ latest_version: version }).execute()
  await audit(work, { action: 'fields.published', subject: { kind: 'field_set', id }, detail: { name, version } })
  return version
}

type Reading = Pick<FieldSetContext, 'tx' | 'company'>

/** Reads one version of a field set, for example to show answers to it. */
export async function versionOf({ tx, company }: Reading, id: number, version: number) {
  const row = await tx
    .selectFrom('field_set_version')
    .select(['version', 'definition', 'published_at', 'published_by'])
    .where('company_id', '=', company)
    .where('field_set_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!row) throw notFound('This version was not found.')
  return row
}

interface Version {
  field_set_id: number
  version: number
}

/** Reads the definitions of these versions, in the same order. */
export async function definitionsOf({ tx, company }: Reading, versions: readonly Version[]): Promise<Definition[]> {
  const { rows } = await sql<Version & { definition: Definition }>`
    SELECT field_set_id, version, definition FROM field_set_version
    WHERE company_id = ${company} AND (field_set_id, version) IN (
      SELECT * FROM unnest(${versions.map((of) => of.field_set_id)}::bigint[], ${versions.map((of) => of.version)}::int[]))`.execute(
    tx,
  )
  const keyOf = (of: Version) => `${of.field_set_id} ${of.version}`
  const definitions = new Map(rows.map((row) => [keyOf(row), row.definition]))
  return versions.map((version) => {
    const definition = definitions.get(keyOf(version))
    if (!definition) throw notFound('This version was not found.')
    return definition
  })
}

/** Reads the latest version of a field set. People fill in this version. */
export async function latestVersion({ tx, company }: Reading, id: number) {
  const row = await tx
    .selectFrom('field_set_version')
    .select(['version', 'definition'])
    .where('company_id', '=', company)
    .where('field_set_id', '=', id)
    .orderBy(sql.ref('version'), 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('These fields are not published yet.')
  return row
}

/** Reads the latest published definitions of field sets, by set id. Omits unpublished sets. */
export async function latestDefinitions(
  { tx, company }: Reading,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Definition>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('field_set_version')
    .distinctOn('field_set_id')
    .select(['field_set_id', 'definition'])
    .where('company_id', '=', company)
    .where('field_set_id', 'in', ids)
    .orderBy('field_set_id')
    .orderBy(sql.ref('version'), 'desc')
    .execute()
  return new Map(rows.map(({ field_set_id: id, definition }) => [id, definition]))
}
