/** Retention rule of one table. Features declare theirs in their manifest, the server in `ground.ts`. */
export interface Retention {
  table: string
  /** Column with the start of the retention period. If it is null, the row stays. */
  since: string
  /** Retention period, in days. */
  days: number
  /** True if the column `path` names files of the store, which are deleted too. */
  files?: true
  /** SQL condition. Only rows that meet the condition are deleted. */
  only?: string
}
