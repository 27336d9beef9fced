import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { type Choices, type Merge, mergeContents } from '../../../server/content-differences.ts'
import {
  type Content,
  type ContentKind,
  contentKindNamed,
  type Creating,
  creatingFor,
  digestOf,
  readContent,
  refuseOutdated,
  runnerOf,
  saveContent,
} from '../../../server/contents.ts'
import { readValues } from '../../../server/company-values.ts'
import { notAllowed, notFound, rejected } from '../../../server/errors.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import type { Pack, PackEntry } from '../../../server/packs.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { compareStarterPack, type Language, updateStarterItem } from '../contract.ts'
import { findPack, missingArea, storedLanguage } from './show-packs.ts'

/** Item that has an older version of its entry in the pack. */
interface Outdated {
  key: string
  id: number
  title: string
  basis: Content
  next: Content
  now: Content
}

const contentKindOf = ({ content }: Pack): ContentKind | undefined => (content ? contentKindNamed(content) : undefined)

/** Loads the content that a pack gave an item. Null if its kind of records has no contents. */
export const contentFrom = async (tx: Tx, { company }: Call, pack: Pack, id: number): Promise<Content | null> => {
  const kind = contentKindOf(pack)
  return kind ? readContent(tx, company.id, kind, id) : null
}

/**
 * Returns the content that an entry would give a new item. It creates the item with the calls of its feature and takes
 * the creation back. Until then, the existing item has another name, because names are unique.
 */
async function contentOfEntry(creating: Creating, kind: ContentKind, entry: PackEntry, id: number): Promise<Content> {
  const { tx, company } = creating
  const { table, column } = kind.names
  await sql`SAVEPOINT newer_entry`.execute(tx)
  try {
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(column)} = gen_random_uuid() WHERE company_id = ${company} AND id = ${id}
    `.execute(tx)
    return await readContent(tx, company, kind, await entry.add(creating))
  } finally {
    await sql`ROLLBACK TO SAVEPOINT newer_entry`.execute(tx)
  }
}

/**
 * Loads the items of a pack that have an older version of their entry, or only the one with this `key`. Leaves out items
 * without a stored content.
 */
async function outdatedItems(
  call: Call,
  tx: Tx,
  { pack, language, key: onlyKey }: Omit<ItemKey, 'key'> & { key?: string },
): Promise<Outdated[]> {
  const kind = contentKindOf(pack)
  if (!kind) return []
  const company = call.company.id
  const rows = await tx
    .selectFrom('starter_item')
    .select(['key', 'subject_id', 'content'])
    .where('company_id', '=', company)
    .where('pack', '=', pack.pack)
    .where('language', '=', storedLanguage(pack, language))
    .where('version', '<', pack.version())
    .where('content', 'is not', null)
    .$if(onlyKey !== undefined, (query) => query.where('key', '=', onlyKey ?? ''))
    .execute()
  if (rows.length === 0) return []
  const titles = new Map((await pack.existing(tx, company)).map(({ id, title }) => [id, title]))
  const entries = new Map(pack.entries(language, await readValues(tx, company)).map((entry) => [entry.key, entry]))
  const creating = await creatingFor(call, tx, pack.calls)
  const items: Outdated[] = []
  for (const { key, subject_id: id, content } of rows) {
    const [entry, title] = [entries.get(key), titles.get(id)]
    if (!entry || title === undefined || !content) continue
    const next = await contentOfEntry(creating, kind, entry, id)
    items.push({ key, id, title, basis: content, next, now: await readContent(tx, company, kind, id) })
  }
  return items
}

interface ItemKey {
  pack: Pack
  language: Language
  key: string
}

/** Records that an item has the newest version of its entry. */
const setVersion = (tx: Tx, { company }: Call, { pack, language, key }: ItemKey, content: Content) =>
  tx
    .updateTable('starter_item')
    .set({ version: pack.version(), content: JSON.stringify(content) })
    .where('company_id', '=', company.id)
    .where('pack', '=', pack.pack)
    .where('language', '=', storedLanguage(pack, language))
    .where('key', '=', key)
    .execute()

/** @throws 403 if the person may not add the pack */
function findOwnPack(call: Call, name: string): Pack {
  const pack = findPack(call, name)
  const needed = missingArea(call, pack)
  if (needed !== '') throw notAllowed(say`To change the items of this pack, you need the level “Manage” in ${needed}.`)
  return pack
}

const digestOfMerge = ({ differences }: Merge): string => digestOf(differences)

export const compareStarterPackCall = implement(compareStarterPack, (call) => {
  const { pack: name, language } = call.body
  const pack = findOwnPack(call, name)
  const kind = contentKindOf(pack)
  return call.inCompany(async (tx) => {
    await lockUntilCommit(tx, 'starter_item', call.company.id, pack.pack)
    const items = []
    for (const { key, id: _id, title, ...contents } of await outdatedItems(call, tx, { pack, language })) {
      const merge = mergeContents(kind as ContentKind, contents)
      if (merge.differences.length === 0) await setVersion(tx, call, { pack, language, key }, contents.next)
      else items.push({ key, title, differences: merge.differences, digest: digestOfMerge(merge) })
    }
    return { items }
  })
})

export const updateStarterItemCall = implement(updateStarterItem, (call) => {
  const { pack: name, language, key, take, choices, digest } = call.body
  const pack = findOwnPack(call, name)
  const kind = contentKindOf(pack)
  return call.inCompany(async (tx) => {
    await lockUntilCommit(tx, 'starter_item', call.company.id, pack.pack)
    const [item] = await outdatedItems(call, tx, { pack, language, key })
    if (!item || !kind) throw notFound('This item has no newer text. Reload the page.')
    const { id, title, ...contents } = item
    const merge = mergeContents(kind, contents, choices as Choices)
    refuseOutdated(digest, digestOfMerge(mergeContents(kind, contents)))
    if (take) {
      if (merge.open.length > 0) throw rejected('Choose a text for each part that you changed too.')
      const run = runnerOf(call, tx, kind.calls)
      await saveContent({ tx, company: call.company.id, run }, kind, id, merge.merged, { publish: true })
    }
    await setVersion(tx, call, { pack, language, key }, contents.next)
    const detail = { pack: pack.pack, id, title, version: pack.version(), taken: take }
    await call.audit(tx, { action: 'company.starter_item_updated', detail })
    return {
      success: true as const,
      message: take ? say`“${title}” has the newer text.` : say`“${title}” keeps your text.`,
    }
  })
})
