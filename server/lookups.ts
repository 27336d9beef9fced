import type { RawBuilder } from 'kysely'
import type { ModuleName } from '../shared/modules.ts'
import type { PrivilegeName } from '../shared/privileges.ts'
import type { Company } from './hosts.ts'

type Sql = RawBuilder<unknown>

/** Texts of a record, as the command bar shows them. */
interface RecordView {
  title: string
  /** Parts of the second line. The bar leaves out empty parts. */
  detail: readonly string[]
  /** Path that opens the record. */
  path: string
}

/** Search for records by their texts. */
export interface TextSearch {
  /**
   * Builds the condition that a record contains a word. An index must support it. The default searches the column
   * `search_text`.
   */
  word?: (word: string) => RawBuilder<boolean>
  /** Name of a person or title. Records that contain all words in the name come before other records. */
  name: Sql
  /** Address of the record, which ranks after the name. */
  address?: Sql
  /** True if a municipality has only a few hundred records. The search then reads all of them. */
  isSmall?: true
}

/** Search of one feature for one kind of record. In SQL, `r` is the row. */
export interface Lookup {
  /** Plural noun for the records, such as 'Requests'. */
  kind: string
  /** Area with the permission to view the records, and the screen of `path`. */
  area: PrivilegeName
  /** Table or view with the columns `company_id` and `id`. A search by text reads a view `found_…`. */
  table: Sql
  /** Condition of all results. */
  where?: Sql
  /** Builds the condition for a record with this exact number. Null if the text can't be a number of this kind. */
  number: (typed: string) => RawBuilder<unknown> | null
  find?: TextSearch
  columns: Readonly<Record<string, Sql>>
  show: (row: never, at: { company: Company }) => RecordView
}

/**
 * Declares the search of a feature for one kind of record. `Row` has the columns as JSON: instants and days are text.
 */
export const defineLookup = <Row>(
  lookup: Omit<Lookup, 'columns' | 'show'> & {
    columns: Readonly<Record<keyof Row & string, Sql>>
    show: (row: Row, at: { company: Company }) => RecordView
  },
): Lookup => lookup

/** Lookup with the module of its feature. */
export type ModuleLookup = Lookup & { module: ModuleName | undefined }
