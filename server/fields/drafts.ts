import { mergeFields, same, type Values } from '../../shared/edits.ts'
import { carryOver } from '../../shared/fields/carry.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import type { Edit } from '../edits.ts'
import { malformed } from '../errors.ts'
import { canBeKept, UNKEEPABLE } from '../text.ts'
import { latestVersion, versionOf } from './sets.ts'

/** What somebody typed and has not sent: it outlives a reload, an expired session, and a new version of the fields. */

/** Whose draft it is, and of what. */
export interface DraftOf {
  set: number
  /** `person 17`, or a guest by the hash of a secret that is in their browser. */
  owner: string
  /** What it is about, where somebody fills in the same more than once; else ''. */
  subject: string
}

export interface Draft {
  version: number
  definition: Definition
  raw: Record<string, unknown>
  /** What newer versions changed, in sentences; until their reader says that they have seen it. */
  changes: string[]
}

type DraftContext = Pick<Edit, 'tx' | 'clock' | 'company'>

const MAX_CHARACTERS = 400_000
/** Rows of a table hold cells, a signature lines of points: nothing honest is deeper. */
const MAX_LEVELS = 6

const TOO_MUCH = 'This is more than can be kept. Shorten the longest texts, or draw the signature again.'

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

/** What fields of this definition hold; whatever else was sent is left out. */
function readRaw(definition: Definition, sent: unknown): Record<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw malformed('What was typed came in a shape that we do not know.')
  if (isDeeperThan(sent, MAX_LEVELS)) throw malformed(TOO_MUCH)
  if (!canBeKept(sent)) throw malformed(UNKEEPABLE)
  const names = allFields(definition).map(({ name }) => name)
  const raw = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(sent, name) ? [[name, (sent as Record<string, unknown>)[name]]] : [])),
  )
  if (JSON.stringify(raw).length > MAX_CHARACTERS) throw malformed(TOO_MUCH)
  return raw
}

const keyOf = ({ company }: DraftContext, { set, owner, subject }: DraftOf) => ({
  company_id: company,
  field_set_id: set,
  owner,
  subject,
})

/**
 * Keeps what stands in the inputs by now, right or wrong, as it was typed into this version.
 * @param basis what this device had sent or been given before: what another one of the same person changed since stays
 * @returns labels of the fields that another device changed since, which this one does not show yet
 */
export async function keepDraft(
  place: DraftContext,
  of: DraftOf,
  version: number,
  sent: unknown,
  basis?: Values,
): Promise<string[]> {
  const { definition } = await versionOf(place, of.set, version)
  const mine = readRaw(definition, sent)
  const now = basis ? await rawOf(place, of, version) : null
  const merged = now && basis ? withOthers(basis, mine, now) : mine
  const others = allFields(definition).filter(({ name }) => !same(merged[name], mine[name]))
  const kept = { version, raw: JSON.stringify(readRaw(definition, merged)), saved_at: place.clock.now() }
  await place.tx
    .insertInto('field_draft')
    .values({ ...keyOf(place, of), ...kept })
    .onConflict((on) => on.columns(['company_id', 'field_set_id', 'owner', 'subject']).doUpdateSet(kept))
    .execute()
  return others.map(({ label }) => label)
}

/** What is kept by now of this version; null where it is of another one, which is carried over when it is read. */
async function rawOf(place: DraftContext, of: DraftOf, version: number): Promise<Values | null> {
  const row = await place.tx
    .selectFrom('field_draft')
    .select('raw')
    .where((e) => e.and({ ...keyOf(place, of), version }))
    .forUpdate()
    .executeTakeFirst()
  return row?.raw ?? null
}

const isParts = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What another device changed since, beside what this one did: of an address by each of its lines. Where both changed the same,
 * what was typed last counts: it is one person.
 */
function withOthers(basis: Values, mine: Values, now: Values): Values {
  const merged: Record<string, unknown> = { ...mergeFields(basis, mine, now).merged }
  for (const [name, value] of Object.entries(mine)) {
    const [was, is] = [basis[name], now[name]]
    if (isParts(was) && isParts(value) && isParts(is)) merged[name] = withOthers(was, value, is)
  }
  const added = Object.entries(now).filter(([name]) => !(name in mine) && !(name in basis))
  return { ...Object.fromEntries(added), ...merged }
}

/**
 * The draft as the latest version takes it. One that was begun in an older version is carried over now, and what changed
 * is kept with it until its owner has seen it, since what could not be carried stands in those sentences alone.
 */
export async function readDraft(place: DraftContext, of: DraftOf, today: string): Promise<Draft | null> {
  const key = keyOf(place, of)
  const row = await place.tx
    .selectFrom('field_draft')
    .select(['version', 'raw', 'changes'])
    .where((e) => e.and(key))
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const { version, definition } = await latestVersion(place, of.set)
  if (version === row.version) return { ...row, definition }
  const { definition: from } = await versionOf(place, of.set, row.version)
  const carried = carryOver(from, definition, row.raw, today)
  const changes = [...row.changes, ...carried.changes]
  await place.tx
    .updateTable('field_draft')
    .set({ version, raw: JSON.stringify(carried.raw), changes: JSON.stringify(changes) })
    .where((e) => e.and(key))
    .execute()
  return { version, definition, raw: carried.raw, changes }
}

/** Its owner has read what changed. */
export const seeChanges = async (place: DraftContext, of: DraftOf): Promise<void> =>
  void (await place.tx
    .updateTable('field_draft')
    .set({ changes: '[]' })
    .where((e) => e.and(keyOf(place, of)))
    .execute())

/** It was sent, or its owner gave it up. */
export const dropDraft = async (place: DraftContext, of: DraftOf): Promise<void> =>
  void (await place.tx
    .deleteFrom('field_draft')
    .where((e) => e.and(keyOf(place, of)))
    .execute())
