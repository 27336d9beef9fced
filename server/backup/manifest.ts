import * as z from 'zod'

/** Version of the archive's layout. A portal reads all layouts up to its own. */
export const FORMAT = 1

const count = z.int().check(z.nonnegative())
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_]*$/))

/** Manifest of an archive. It is the last entry, because it contains the counts of all others. */
export const manifestSchema = z.object({
  format: z.int(),
  /** Versions of the portal and of the PostgreSQL server. */
  portal: z.string(),
  postgres: z.string(),
  /** Time of the archived state, in ISO format. */
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256 })),
  /** Tables in load order. Each table comes after the tables that it refers to. */
  tables: z.array(z.object({ schema: name, name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  /** Positions of the sequences. `last` is text, because a sequence may exceed the range of a JavaScript number. */
  sequences: z.array(z.object({ schema: name, name, last: z.string(), called: z.boolean() })),
  /** Number, total bytes and hash of all files. The hash covers their paths and contents in order. */
  files: z.object({ count, bytes: count, sha256 }),
  /** Files that the database refers to but that were missing from the store or damaged at the time of the backup. */
  lost: z.array(z.string()),
  /**
   * Fingerprint of the key that the sealed texts in the archive are encrypted with. No backup contains the key itself.
   */
  sealedWith: z.optional(z.nullable(z.string())),
})

export type Manifest = z.infer<typeof manifestSchema>
export type ArchivedTable = Manifest['tables'][number]

export const tableItem = ({ schema, name: table }: { schema: string; name: string }) => `tables/${schema}.${table}`
export const FILES = 'files/'
export const SECRETS = 'secrets.json'
export const MANIFEST = 'manifest.json'
