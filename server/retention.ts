/** Rows that are taken away by themselves, and when. Features say theirs in their manifest, the server in `ground.ts`. */
export interface Retention {
  table: string
  /** The column that says since when a row is of no more use; null there keeps it. */
  since: string
  /** For how many days it is kept all the same. */
  days: number
  /** Its rows name files of the store in the column `path`, which go with them. */
  files?: true
  /** Rows for which alone this holds. */
  only?: string
}
