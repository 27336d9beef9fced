import { sql } from 'kysely'
import type { Attachments } from '../shared/attachments.ts'
import { type CopyCall, nameOfCopy } from '../shared/copies.ts'
import { say } from '../shared/messages.ts'
import { removeFiles } from './attachments/keep.ts'
import type { AuditEntry } from './audit.ts'
import { type Call, type Handler, implement } from './call.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/**
 * Copies of records that staff built, such as forms and rental resources. A copy has the settings, questions and files
 * of its source. It is a draft or not in use, and it has no people and no records that residents sent.
 */

/** A copy that is being created. */
export interface Copying {
  call: Call
  tx: Tx
  company: CompanyId
  /** Id of the source. */
  from: number
  /** Name of the copy. */
  name: string
  /** Copies the files of a subject. @returns the ids of the new files by the ids of the old ones */
  copyFiles: (use: Pick<Attachments, 'kind' | 'subject'>, from: number, to: number) => Promise<Map<string, string>>
}

/** Table and column of the names of a kind, and the maximum length of a name. */
export interface NameColumn {
  table: string
  column: string
  maxLength: number
}

interface CopyKind<Source> {
  /** Reads the source. @throws 404 if it does not exist */
  read: (tx: Tx, company: CompanyId, id: number) => Promise<Source>
  names: NameColumn
  nameOf: (source: Source) => string
  /** Inserts the copy. @returns its id */
  create: (copying: Copying, source: Source) => Promise<number>
  /** Audit action of a new record. Not needed if `create` records the creation of an entity with states. */
  audit?: { action: AuditEntry['action']; subject: NonNullable<AuditEntry['subject']>['kind'] }
}

async function takenNames(tx: Tx, company: CompanyId, { table, column }: NameColumn): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT ${sql.ref(column)} AS name FROM ${sql.table(table)} WHERE company_id = ${company}`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Returns a name that no record of the company has: the name itself, or the name of a copy. */
export async function freeName(tx: Tx, company: CompanyId, names: NameColumn, name: string): Promise<string> {
  const taken = await takenNames(tx, company, names)
  const isTaken = taken.some((one) => one.toLowerCase() === name.toLowerCase())
  return isTaken ? nameOfCopy(name, taken, names.maxLength) : name
}

/** Implements a call that copies records of one kind. If the copy fails, removes the files that it wrote. */
export const implementCopy = <Source>(endpoint: CopyCall, kind: CopyKind<Source>): Handler =>
  implement(endpoint, async (call) => {
    const { company, body, context } = call
    const written: { path: string }[] = []
    try {
      return await call.inCompany(async (tx) => {
        const source = await kind.read(tx, company.id, body.id)
        const taken = await takenNames(tx, company.id, kind.names)
        const name = nameOfCopy(kind.nameOf(source), taken, kind.names.maxLength)
        const copyFiles: Copying['copyFiles'] = (use, from, to) => copyFilesOf(call, tx, use, { from, to, written })
        const id = await kind.create({ call, tx, company: company.id, from: body.id, name, copyFiles }, source)
        if (kind.audit) {
          const { action, subject } = kind.audit
          await call.audit(tx, { action, subject: { kind: subject, id }, detail: { name, copiedFrom: body.id } })
        }
        return { success: true as const, message: say`“${name}” was created.`, id }
      })
    } catch (error) {
      await removeFiles(context, written)
      throw error
    }
  })

async function copyFilesOf(
  call: Call,
  tx: Tx,
  { kind, subject }: Pick<Attachments, 'kind' | 'subject'>,
  { from, to, written }: { from: number; to: number; written: { path: string }[] },
): Promise<Map<string, string>> {
  const { company, context, session } = call
  const files = await tx
    .selectFrom('attachment')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('kind', '=', kind)
    .where('subject_kind', '=', subject)
    .where('subject_id', '=', from)
    .where('state', '=', 'clean')
    .orderBy('nth')
    .execute()
  const copies = new Map<string, string>()
  for (const { id: source, path: stored, ...file } of files) {
    if (stored === null) continue
    const { path } = await context.files.write(company.id, context.files.read(stored))
    written.push({ path })
    const { id } = await tx
      .insertInto('attachment')
      .values({
        ...file,
        ...{ subject_id: to, path, created_at: context.clock.now() },
        ...{ created_by_kind: session?.kind ?? 'system', created_by: session?.personId ?? null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    copies.set(source, id)
  }
  return copies
}
