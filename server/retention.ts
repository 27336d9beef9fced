/** Retention rule of one table. Features declare theirs in their manifest, the server in `ground.ts`. */
export interface Retention {
  table: string
  /** Column with the start of the retention period. Null in it keeps the row. */
  since: string
  /** Retention period, in days. */
  days: number
  /** Column `path` names files of the store, which are deleted too. */
  files?: true
  /** SQL condition. Only rows that meet it are deleted. */
  only?: string
}
