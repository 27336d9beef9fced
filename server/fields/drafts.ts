import { mergeFields, same, type Values } from '../../shared/edits.ts'
import { carryOver } from '../../shared/fields/carry.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import type { Edit } from '../edits.ts'
import { malformed } from '../errors.ts'
import { canBeStored, UNSTORABLE } from '../text.ts'
import { latestVersion, versionOf } from './sets.ts'

/** Drafts of unsent answers. They survive a reload, an expired session, and a new version of the fields. */

/** Key of a draft. */
export interface DraftOf {
  set: number
  /** Owner of the draft: `person 17`, or the hash of a secret in a guest's browser. */
  owner: string
  /** Subject that distinguishes several drafts of one field set. Empty if not needed. */
  subject: string
}

export interface Draft {
  version: number
  definition: Definition
  raw: Record<string, unknown>
  /** Messages about the changes in newer versions. The messages stay until the person confirms them. */
  changes: string[]
}

type DraftContext = Pick<Edit, 'tx' | 'clock' | 'company'>

const MAX_CHARACTERS = 400_000
/**
 * Maximum nesting of a value. Table rows contain cells, and signatures contain lines of points. No valid answer is
 * nested deeper.
 */
const MAX_LEVELS = 6

const TOO_MUCH =
  'Your answers are too long to save. Shorten your longest answers. If you signed by hand, sign again or type your name.'

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)))

/** Returns the sent values that belong to fields of the definition. Drops all other values. */
function readRaw(definition: Definition, sent: unknown): Record<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw malformed('We could not read these answers. Reload the page and try again.')
  if (isDeeperThan(sent, MAX_LEVELS)) throw malformed(TOO_MUCH)
  if (!canBeStored(sent)) throw malformed(UNSTORABLE)
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
 * Saves the current inputs, even if they are incomplete. `version` is the version of the fields that the person filled
 * in.
 * @param basis last state that this device knows. Later changes of another device stay
 * @returns Labels of fields that another device changed and this device does not show yet
 */
export async function saveDraft(
  draftContext: DraftContext,
  of: DraftOf,
  version: number,
  sent: unknown,
  basis?: Values,
): Promise<string[]> {
  const { definition } = await versionOf(draftContext, of.set, version)
  const own = readRaw(definition, sent)
  const now = basis ? await rawOf(draftContext, of, version) : null
  const merged = now && basis ? withOthers(basis, own, now) : own
  const others = allFields(definition).filter(({ name }) => !same(merged[name], own[name]))
  await storeRaw(draftContext, of, version, readRaw(definition, merged))
  return others.map(({ label }) => label)
}

/**
 * Stores checked values. A draft with its own subject may also contain values that are not fields, such as an address.
 */
export async function storeRaw(draftContext: DraftContext, of: DraftOf, version: number, raw: object): Promise<void> {
  const stored = { version, raw: JSON.stringify(raw), saved_at: draftContext.clock.now() }
  await draftContext.tx
    .insertInto('field_draft')
    .values({ ...keyOf(draftContext, of), ...stored })
    .onConflict((on) => on.columns(['company_id', 'field_set_id', 'owner', 'subject']).doUpdateSet(stored))
    .execute()
}

/** Returns the stored values unchanged, no matter which version they belong to. */
export async function storedRaw(draftContext: DraftContext, of: DraftOf): Promise<Values | null> {
  const row = await draftContext.tx
    .selectFrom('field_draft')
    .select('raw')
    .where((e) => e.and(keyOf(draftContext, of)))
    .executeTakeFirst()
  return row?.raw ?? null
}

/**
 * Returns the stored inputs if they belong to this version. Otherwise returns null. Only `readDraft` converts the
 * inputs of other versions.
 */
async function rawOf(draftContext: DraftContext, of: DraftOf, version: number): Promise<Values | null> {
  const row = await draftContext.tx
    .selectFrom('field_draft')
    .select('raw')
    .where((e) => e.and({ ...keyOf(draftContext, of), version }))
    .forUpdate()
    .executeTakeFirst()
  return row?.raw ?? null
}

const isParts = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Merges changes from another device with the inputs on this device. Merges an address line by line. If a field was
 * changed on both devices, the later input wins, because the same person uses both devices.
 */
function withOthers(basis: Values, own: Values, now: Values): Values {
  const merged: Record<string, unknown> = { ...mergeFields(basis, own, now).merged }
  for (const [name, value] of Object.entries(own)) {
    const [was, is] = [basis[name], now[name]]
    if (isParts(was) && isParts(value) && isParts(is)) merged[name] = withOthers(was, value, is)
  }
  const added = Object.entries(now).filter(([name]) => !(name in own) && !(name in basis))
  return { ...Object.fromEntries(added), ...merged }
}

/**
 * Reads the draft in the latest version. Converts a draft of an older version and saves the list of changes until the
 * person has read it. Values that can't be converted remain only in that list.
 */
export async function readDraft(draftContext: DraftContext, of: DraftOf, today: string): Promise<Draft | null> {
  const key = keyOf(draftContext, of)
  const row = await draftContext.tx
    .selectFrom('field_draft')
    .select(['version', 'raw', 'changes'])
    .where((e) => e.and(key))
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const { version, definition } = await latestVersion(draftContext, of.set)
  if (version === row.version) return { ...row, definition }
  const { definition: from } = await versionOf(draftContext, of.set, row.version)
  const carried = carryOver(from, definition, row.raw, today)
  const changes = [...row.changes, ...carried.changes]
  await draftContext.tx
    .updateTable('field_draft')
    .set({ version, raw: JSON.stringify(carried.raw), changes: JSON.stringify(changes) })
    .where((e) => e.and(key))
    .execute()
  return { version, definition, raw: carried.raw, changes }
}

/** Records that the owner has read the changes. */
export const markChangesRead = async (draftContext: DraftContext, of: DraftOf): Promise<void> =>
  void (await draftContext.tx
    .updateTable('field_draft')
    .set({ changes: '[]' })
    .where((e) => e.and(keyOf(draftContext, of)))
    .execute())

/** Deletes the draft after it was sent or discarded. */
export const dropDraft = async (draftContext: DraftContext, of: DraftOf): Promise<void> =>
  void (await draftContext.tx
    .deleteFrom('field_draft')
    .where((e) => e.and(keyOf(draftContext, of)))
    .execute())
