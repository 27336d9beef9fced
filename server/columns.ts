/** Columns of imported files: their declarations, and the names that files use for them. */

import type { RawBuilder } from 'kysely'
import type { ColumnMapping } from '../shared/imports.ts'

/** Kind of content. The portal compares it with the values of a file. */
export type Content =
  | 'text'
  | 'code'
  | 'date'
  | 'money'
  | 'number'
  | 'zip'
  | 'state'
  | 'phone'
  | 'email'
  | 'latitude'
  | 'longitude'

export interface Column {
  /** Name on screens and in sample files. */
  title: string
  /** Names that files use for the column, in lower case with underscores, separated by spaces. */
  aliases: string
  /** Number after the title, if several columns have the same title. */
  nth?: number
  /** The default is text. */
  content?: Content
  /** Value in the sample file. The sample omits a column without one. */
  sample?: string
  /**
   * Preset of a required column that a file may lack, for all of its rows. `today`, `city`, `state` and `zip` are those
   * of the company.
   */
  preset?: string
  /** Other columns of a file with which the portal leaves this column out, and the reason that the screen shows. */
  unless?: { names: string; why: string }
  /** Other columns of a file next to which staff must check a column with such a name, and the warning of the screen. */
  check?: { names: string; header: RegExp; warning: string }
  /**
   * Our name of the column with a person's name that this column replaces. Its values have the last name first without a
   * comma, such as “MILLER HAL”.
   */
  lastFirst?: string
  /** True for a code that only its owner may know. Lists of rows hide it. */
  isSecret?: true
  /** Explains the value of a required column that a file may lack and that the portal then makes. */
  made?: string
}

/** Names that files use for a column of names with the last name first. */
export const LAST_FIRST_NAMES = 'name_lf last_first last_first_name'

export interface ImportColumns<Name extends string = string> {
  /** Name under which the portal remembers the columns of a file. */
  kind: string
  columns: Readonly<Record<Name, Column>>
  /** Required columns: 'lat', or alternatives such as 'address|street'. */
  needs: readonly string[]
  /**
   * Table that stores the values, and its columns, so that a preview can show changes. An expression calls the table `t`.
   * Amounts are in cents. `shape` identifies a shape, which no column of a file contains.
   */
  stored?: {
    table: string
    columns: Readonly<Partial<Record<NoInfer<Name>, string | RawBuilder<unknown>>>>
    shape?: RawBuilder<unknown>
  }
  /** Normalized names of files, with the name of the column. */
  names: ReadonlyMap<string, string>
}

/** All declarations by kind, for the sample files. */
export const importColumns = new Map<string, ImportColumns>()

/** Declares the columns of an importer. */
export function defineColumns<Name extends string>(
  kind: string,
  { needs, columns, stored }: Pick<ImportColumns<Name>, 'needs' | 'columns' | 'stored'>,
): ImportColumns<Name> {
  const names = Object.entries<Column>(columns).flatMap(([name, { title, aliases }]) =>
    [name, title, ...aliases.split(' ')].map((other) => [columnKey(other), name] as const),
  )
  // The first column that lists a name has it.
  const declared = { kind, columns, needs, ...(stored && { stored }), names: new Map(names.toReversed()) }
  importColumns.set(kind, declared)
  return declared
}

/** Writes a column name in lower case with underscores, so that names compare regardless of spelling. */
export const columnKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#]+/gu, '_')
    .replaceAll(/^_|_$/g, '')

/** Returns the required columns that a mapping lacks. */
export function missingIn(of: ImportColumns, { columns, values }: ColumnMapping): string[] {
  const mapped = new Set(columns.map((name) => of.columns[name]?.lastFirst ?? name))
  return of.needs.filter((need) => need.split('|').every((name) => !mapped.has(name) && !values[name]))
}

/** Returns the column that replaces a column with a person's name if the last name comes first. Else undefined. */
export const lastFirstOf = ({ columns }: ImportColumns, name: string): string | undefined =>
  Object.keys(columns).find((other) => columns[other]?.lastFirst === name)

/** Returns the required columns that staff must choose or fill. The portal makes some of the missing columns. */
export const unmappedIn = (columns: ImportColumns, mapping: ColumnMapping): string[] =>
  missingIn(columns, mapping).filter((name) => !columns.columns[name]?.made)

/** Maps the columns of a file by their exact names. */
export function exactMapping({ names }: ImportColumns, headers: readonly string[]): ColumnMapping {
  const used = new Set<string>()
  const columns = headers.map((header) => {
    const name = names.get(columnKey(header)) ?? ''
    if (used.has(name)) return ''
    used.add(name)
    return name
  })
  return { columns, values: {} }
}
