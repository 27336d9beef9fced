import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AreaName } from '../shared/privileges.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import type { Definition, Field, FieldType, FormStep } from '../shared/fields/definition.ts'
import {
  placeholdersIn,
  unfilled,
  type PackLanguage,
  type PackPlaceholder,
  type PackValues,
  textsOf,
} from './pack-texts.ts'
import type { Handler } from './call.ts'
import type { Creating } from './contents.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Starter packs: ready-made items that staff add to their municipality. The entries are in `packs/`. */

/** View of an entry before staff add it. */
export interface PackPreview {
  title: string
  text: string
  /** Details such as the fee or the target days. */
  details: readonly string[]
}

/** Kind of a starter pack, declared by the feature that owns its items. */
export interface PackKind<Entry> {
  /** Name of the file in `packs/`. */
  pack: string
  label: string
  /** Area in which staff need the level "manage" to add the pack. */
  area: AreaName
  /** Kind of the records in `defineContent`. Items with contents can take newer texts of the pack. */
  content?: string
  /** True if each item has its texts in both languages. */
  isBilingual?: boolean
  preview: (entry: Entry) => PackPreview
  /** Loads the ids of the company's items by title in lower case. An item that exists is not added again. */
  existing: (tx: Tx, company: CompanyId) => Promise<{ id: number; title: string }[]>
  /** Calls that create an item. */
  calls: readonly Handler[]
  /**
   * Creates the item with the calls of the feature's own screens.
   * @param isComplete false if a placeholder of the entry has no value. The item then stays a draft
   * @returns id of the item
   */
  add: (adding: Creating, entry: Entry, isComplete: boolean) => Promise<number>
}

/** Entry in one language, with the values of one company. */
export interface PackEntry {
  key: string
  preview: PackPreview
  isComplete: boolean
  add: (adding: Creating) => Promise<number>
}

export interface Pack extends Pick<PackKind<never>, 'pack' | 'label' | 'area' | 'calls' | 'existing' | 'content'> {
  isBilingual: boolean
  version: () => number
  /** Names of the departments that the entries need. A municipality without departments gets them. */
  departments: () => readonly string[]
  keys: () => readonly string[]
  /** Names of the placeholders that the pack uses. */
  placeholders: () => ReadonlySet<PackPlaceholder>
  entries: (language: PackLanguage, values: PackValues) => PackEntry[]
}

interface PackFile {
  version: number
  departments?: readonly string[]
  entries: ({ key: string } & Record<string, unknown>)[]
}

let departmentCall: Handler | undefined

/** Declares the call that creates a department. The feature that owns the departments declares it. */
export const definePackDepartments = (handler: Handler): void => void (departmentCall = handler)
/** Returns the call that creates a department. */
export const createDepartmentCall = (): Handler | undefined => departmentCall

const files = new Map<string, PackFile>()
const declared = new Map<string, Pack>()

/** Lists the packs of all features. */
export const allPacks = (): Pack[] => [...declared.values()]
export const packNamed = (pack: string): Pack | undefined => declared.get(pack)

/** Reads the file of a pack, once. */
export function packFile(pack: string): PackFile {
  const loaded = files.get(pack)
  if (loaded) return loaded
  const path = join(import.meta.dirname, '../packs', `${pack}.json`)
  const file = JSON.parse(readFileSync(path, 'utf8')) as PackFile
  files.set(pack, file)
  return file
}

/** Returns the English entries of a pack, for demo data. Placeholders stay as they are. */
export const packEntries = <Entry>(pack: string): (Entry & { key: string })[] =>
  packFile(pack).entries.map((entry) => textsOf(entry, 'en', unfilled).texts as Entry & { key: string })

/** Returns the entries of a pack with both languages, for demo data. */
export const bilingualEntries = <Entry>(pack: string): Entry[] =>
  packFile(pack).entries.map((entry) => textsOf(entry, null, unfilled).texts as Entry)

/** Declares a kind of starter pack. The manifest of the feature lists it. */
export function definePack<Entry>({ isBilingual = false, preview, add, ...kind }: PackKind<Entry>): Pack {
  const { pack } = kind
  const made: Pack = {
    ...kind,
    isBilingual,
    version: () => packFile(pack).version,
    departments: () => packFile(pack).departments ?? [],
    keys: () => packFile(pack).entries.map(({ key }) => key),
    placeholders: () => placeholdersIn(packFile(pack)),
    entries: (language, values) =>
      packFile(pack).entries.map(({ key, ...content }) => {
        const { texts, isComplete } = textsOf(content, isBilingual ? null : language, values)
        const entry = texts as Entry
        return { key, isComplete, preview: preview(entry), add: (adding) => add(adding, entry, isComplete) }
      }),
  }
  declared.set(pack, made)
  return made
}

/** Field of an entry. Settings that the entry lacks are those of a new field in the form builder. */
type PackField = Pick<Field, 'name' | 'type'> & Partial<Field>
export interface PackStep {
  id: string
  title: string
  fields: readonly PackField[]
}

const NOT_REQUIRED = new Set<FieldType>(['file', 'reading', 'computed'])

/** Builds the definition of an entry. Its fields are required unless they say otherwise. */
export const definitionOf = (steps: readonly PackStep[]): Definition => ({
  steps: steps.map((step): FormStep => ({
    ...blankStep(step.id),
    ...step,
    fields: step.fields.map((field) => {
      const columns = (field as { columns?: readonly PackField[] }).columns
      return {
        ...blankField(field.type, field.name),
        required: !NOT_REQUIRED.has(field.type),
        ...field,
        ...(columns && { columns: columns.map((one) => ({ ...blankField(one.type, one.name), ...one })) }),
      } as Field
    }),
  })),
})
