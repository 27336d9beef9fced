import * as z from 'zod'

/** The archive's layout. A portal reads the layouts up to its own. */
export const FORMAT = 1

const count = z.int().check(z.nonnegative())
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_]*$/))

/** What an archive holds, told at its end, when everything was counted. */
export const manifestSchema = z.object({
  format: z.int(),
  /** The versions of the portal and of the database's server. */
  portal: z.string(),
  postgres: z.string(),
  /** The moment that the archive shows, in ISO. */
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256 })),
  /** In an order in which they can be loaded: a table comes after those that it refers to. */
  tables: z.array(z.object({ schema: name, name, columns: z.array(name), rows: count, bytes: count, sha256 })),
  /** `last` as text: a sequence may be past what a number holds. */
  sequences: z.array(z.object({ schema: name, name, last: z.string(), called: z.boolean() })),
  /** All files as one: how many, their bytes, and the hash over their paths and contents in turn. */
  files: z.object({ count, bytes: count, sha256 }),
  /** Files that the database knows of and the store lost before the backup was made. */
  lost: z.array(z.string()),
  /** The fingerprint of the key that texts in it are sealed with; the key itself is in no backup. */
  sealedWith: z.optional(z.nullable(z.string())),
})

export type Manifest = z.infer<typeof manifestSchema>
export type ArchivedTable = Manifest['tables'][number]

export const tableItem = ({ schema, name: table }: { schema: string; name: string }) => `tables/${schema}.${table}`
export const FILES = 'files/'
export const SECRETS = 'secrets.json'
export const MANIFEST = 'manifest.json'
