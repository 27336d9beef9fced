/**
 * Retention rule of one table. Features declare their rules in their manifest, and the server declares its rules in
 * `server-feature.ts`.
 */
export interface Retention {
  table: string
  /** Column with the start of the retention period. If it is null, the row stays. */
  since: string
  /** Retention period, in days. */
  days: number
  /** True if the column `path` refers to stored files. The files are then deleted with the row. */
  files?: true
  /** SQL condition. Only rows that meet the condition are deleted. */
  only?: string
}
