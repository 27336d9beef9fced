/** Calls of the platform for the columns of billing systems (`import_preset`). */
import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import {
  addImportPreset,
  importPresets,
  presetFile,
  removeImportPreset,
  renameImportPreset,
} from '../shared/import-presets.ts'
import type { AuditAction } from '../shared/audit-actions.ts'
import { say } from '../shared/messages.ts'
import { may } from '../shared/privileges.ts'
import { partCalls } from './attachments/parts.ts'
import { auditPlatform, PLATFORM } from './audit.ts'
import { type Call, callerName, implement, signedIn } from './call.ts'
import { importColumns } from './columns.ts'
import { defineUnique } from './db/unique.ts'
import { applyEdit, type Edit } from './edits.ts'
import { notFound, rejected } from './errors.ts'
import { FileRefused } from './file-refused.ts'
import { columnsForPreset, titleOfColumn } from './import-columns.ts'
import { implementList } from './list.ts'
import { openTable, type Table } from './table-rows.ts'
import type { Tx } from './tenancy.ts'

defineUnique({
  index: 'import_preset_name_once',
  field: 'name',
  message: 'A preset of this billing system exists for this content. Remove it first, or enter another name.',
})

const titleOf = (kind: string, name: string): string => titleOfColumn(importColumns.get(kind)?.columns[name])

const presetLists = implementList(importPresets, {
  table: sql`import_preset`,
  columns: {
    name: 'name',
    kind: 'kind',
    used: sql`(SELECT count(*)::int FROM jsonb_array_elements_text(r.mapping->'columns') c WHERE c <> '')`,
    savedAt: 'saved_at',
    savedBy: 'saved_by',
    columns: sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('name', h.name, 'to', c.name) ORDER BY h.at), '[]')
      FROM jsonb_array_elements_text(r.headers) WITH ORDINALITY AS h(name, at)
      JOIN jsonb_array_elements_text(r.mapping->'columns') WITH ORDINALITY AS c(name, at) USING (at))`,
  },
  sorts: { name: 'name_key' },
  unindexed: { kind: 'The platform has a few presets for each billing system.' },
  row: ({ kind, columns }, call) => ({
    columns: columns.map(({ name, to }) => ({ name, to: titleOf(kind, to) })),
    can: {
      edit: may(signedIn(call).privileges, 'company_setup', 'update'),
      remove: may(signedIn(call).privileges, 'company_setup', 'delete'),
    },
  }),
})

const addPresetCall = implement(addImportPreset, async (call) => {
  const { name, kind, mode, columns: chosen } = call.body
  const layout = importColumns.get(kind)
  if (!layout) throw notFound('This content has no columns.')
  const table = await readable(openTable(createReadStream(call.largeFile.path), layout))
  await table.close()
  if (table.hasShapes) throw fileRejected(say`Upload a CSV or XLSX file.`)
  const { mapping, columns } = columnsForPreset(table, chosen)
  if (mode === 'read') return { columns, message: '' }
  if (mapping.columns.every((to) => to === '')) throw rejected('Choose the content of at least one column.')
  await call.context.acrossCompanies(async (tx) => {
    const { id } = await tx
      .insertInto('import_preset')
      .values({
        ...{ name, kind, header_hash: table.hash, headers: JSON.stringify(table.headers) },
        mapping: JSON.stringify(mapping),
        ...{ saved_at: call.context.clock.now(), saved_by: callerName(call) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const used = mapping.columns.filter((to) => to !== '').length
    await audited(tx, call, 'import.preset_added', id, { name, kind, columns: used })
  })
  return { columns, message: say`Preset ${name} added.` }
})

const fileRejected = (message: string) => rejected(message, { file: message })

async function readable(opening: Promise<Table>): Promise<Table> {
  try {
    return await opening
  } catch (error) {
    throw error instanceof FileRefused ? fileRejected(error.message) : error
  }
}

/** Writes an entry about a preset to the platform's audit log. */
const audited = (tx: Tx, call: Call, action: AuditAction, id: number, detail: Record<string, unknown>) =>
  auditPlatform(tx, call.context.clock, call, { action, subject: { kind: 'import_preset', id }, detail })

async function lockPreset(tx: Tx, id: number) {
  const preset = await tx
    .selectFrom('import_preset')
    .select(['id', 'name', 'kind'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!preset) throw notFound('This preset was removed.')
  return preset
}

const renamePresetCall = implement(renameImportPreset, (call) =>
  call.context.acrossCompanies(async (tx) => {
    const { presetId, basis, name } = call.body
    const before = await lockPreset(tx, presetId)
    const edit: Edit = {
      tx,
      clock: call.context.clock,
      actor: call,
      company: PLATFORM,
      subject: `import_preset ${presetId}`,
    }
    const { after, isChanged } = await applyEdit(edit, { basis, own: { name }, before: { name: before.name } })
    if (isChanged) {
      await tx.updateTable('import_preset').set(after).where('id', '=', presetId).execute()
      const detail = { kind: before.kind, name: { from: before.name, to: after.name } }
      await audited(tx, call, 'import.preset_renamed', presetId, detail)
    }
    return { success: true as const, message: say`Preset ${after.name} saved.` }
  }),
)

const removePresetCall = implement(removeImportPreset, (call) =>
  call.context.acrossCompanies(async (tx) => {
    const { id, name, kind } = await lockPreset(tx, call.body.presetId)
    await tx.deleteFrom('import_preset').where('id', '=', id).execute()
    await audited(tx, call, 'import.preset_removed', id, { name, kind })
    return { success: true as const, message: say`Preset ${name} removed.` }
  }),
)

export const presetCalls = [...presetLists, addPresetCall, renamePresetCall, removePresetCall, ...partCalls(presetFile)]
