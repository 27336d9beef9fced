import { addDays, toIso } from '../shared/dates.ts'
import { importKindNames, importKinds, type ImportKind, importList, UNDO_DAYS, undoImport } from '../shared/imports.ts'
import { may } from '../shared/privileges.ts'
import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from './call.ts'
import { conflict, notAllowed, notFound } from './errors.ts'
import { undoRows } from './imported-rows.ts'
import { implementList } from './list.ts'
import type { Tx } from './tenancy.ts'

type AfterUndo = (tx: Tx, call: Call, importId: number) => Promise<unknown>
const afterUndo = new Map<string, AfterUndo>()

/** Registers work at the end of each undo of a kind, such as the new state of the imported file. */
export const whenUndone = (kind: ImportKind, work: AfterUndo): void => void afterUndo.set(kind, work)

/** True if the staff member may import and undo this kind. */
export function mayImport(call: Call, kind: ImportKind): boolean {
  const [, area, permission] = importKinds[kind]
  return may(signedIn(call).privileges, area, permission)
}
const permittedKinds = (call: Call): ImportKind[] => importKindNames.filter((kind) => mayImport(call, kind))

const isUndoable = (importedAt: Date, now: Date): boolean => toIso(now) <= addDays(toIso(importedAt), UNDO_DAYS)

/**
 * Undoes an import in the caller's transaction.
 * @throws 409 if the import is older than 30 days, undone, or used by later records
 */
async function undoImportOf(tx: Tx, call: Call, id: number): Promise<void> {
  const record = await tx
    .selectFrom('data_import')
    .select(['id', 'kind', 'file_name', 'imported_at', 'undone_at'])
    .where('company_id', '=', call.company.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!record) throw notFound('The portal has no list of the changes of this import, so the import cannot be undone.')
  const now = call.context.clock.now()
  if (!permittedKinds(call).some((kind) => kind === record.kind)) throw notAllowed()
  if (record.undone_at) throw conflict('import_undone', 'This import was already undone.')
  if (!isUndoable(record.imported_at, now))
    throw conflict('import_old', 'This import is more than 30 days old, so it cannot be undone.')
  await undoRows(tx, call.company.id, record.id, { by: callerName(call), now })
  await afterUndo.get(record.kind)?.(tx, call, record.id)
  await call.audit(tx, {
    action: 'import.undone',
    detail: { kind: record.kind, file: record.file_name },
  })
}

/** Returns the id of an import if the staff member can undo it, else null. */
export async function undoableImport(tx: Tx, call: Call, id: number | null): Promise<number | null> {
  if (id === null) return null
  const record = await tx
    .selectFrom('data_import')
    .select(['id', 'kind', 'imported_at', 'undone_at'])
    .where('company_id', '=', call.company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  const canUndo =
    record &&
    !record.undone_at &&
    isUndoable(record.imported_at, call.context.clock.now()) &&
    permittedKinds(call).some((kind) => kind === record.kind)
  return canUndo ? id : null
}

const undoImportCall = implement(undoImport, (call) =>
  call.inCompany(async (tx) => {
    await undoImportOf(tx, call, call.body.importId)
    return { success: true as const, message: 'Import undone. The portal has the data from before the import.' }
  }),
)

const importLists = implementList(importList, {
  table: sql`data_import`,
  where: ({ call }) => [sql`r.kind = ANY (${permittedKinds(call)}::text[])`],
  columns: {
    importedAt: 'imported_at',
    kind: 'kind',
    file: 'file_name',
    by: 'imported_by',
    created: 'created_count',
    changed: 'changed_count',
    state: sql`CASE WHEN r.undone_at IS NULL THEN 'imported' ELSE 'undone' END`,
  },
  unindexed: {
    all: 'Staff of a municipality import a few files a week, so the list stays short.',
    kind: 'The list of imports stays short.',
    state: 'The list of imports stays short.',
  },
  row: (row, { context }) => ({
    can: { undo: row.state === 'imported' && isUndoable(new Date(row.importedAt), context.clock.now()) },
  }),
})

export const undoCalls = [undoImportCall, ...importLists]
