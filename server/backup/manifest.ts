import * as z from 'zod'

/** Version of the archive's layout. A portal reads all layouts up to its own. */
export const FORMAT = 1

const count = z.int().check(z.nonnegative())
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_]*$/))

/** Manifest of an archive. It is the last entry, written after everything was counted. */
export const manifestSchema = z.object({
  format: z.int(),
  /** Versions of the portal and of the PostgreSQL server. */
  portal: z.string(),
  postgres: z.string(),
  /** Moment that the archive shows, in ISO format. */
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256 })),
  /** In load order: a table follows the tables that it refers to. */
  tables: z.array(z.object({ schema: name, name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  /** `last` is text, because a sequence may exceed the range of a number. */
  sequences: z.array(z.object({ schema: name, name, last: z.string(), called: z.boolean() })),
  /** All files together: their number, their bytes, and the hash over their paths and contents in order. */
  files: z.object({ count, bytes: count, sha256 }),
  /** Files that the database names but the store lost before the backup. */
  lost: z.array(z.string()),
  /** Fingerprint of the key that seals texts in the archive. No backup contains the key itself. */
  sealedWith: z.optional(z.nullable(z.string())),
})

export type Manifest = z.infer<typeof manifestSchema>
export type ArchivedTable = Manifest['tables'][number]

export const tableItem = ({ schema, name: table }: { schema: string; name: string }) => `tables/${schema}.${table}`
export const FILES = 'files/'
export const SECRETS = 'secrets.json'
export const MANIFEST = 'manifest.json'
