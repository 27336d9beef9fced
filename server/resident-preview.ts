import { sql } from 'kysely'
import type { Endpoint } from '../shared/endpoint.ts'
import type { ModuleName } from '../shared/modules.ts'
import { previewActNames, previewActs, type PreviewActName } from '../shared/resident-preview.ts'
import type { Call } from './call.ts'
import { setNoteRows } from './current-preview.ts'
import type { Company } from './hosts.ts'
import { createImport, ImportedRows, type ImportSource, type LaterUse, undoRows } from './imported-rows.ts'
import { isReading } from './impersonation.ts'
import { isOn } from './modules.ts'
import { setupChoices, storeSetupChoice } from './setup.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Error for calls that a preview does not include. */
export const NOT_IN_PREVIEW =
  'This action is not part of the preview. In the preview, you can find and pay a bill, report a problem and submit a form.'

/** Key of the step in Get Started. Its choice lists the completed steps of the preview. */
export const PREVIEW_STEP = 'preview'

/** Rows of a feature that a preview creates. */
export interface PreviewRows {
  tables: readonly Table[]
  /** Counters by company. The end of the preview restores them if no later number exists. */
  counters?: readonly Table[]
  /** Tables without an id, with the column of their parent. */
  children?: readonly { table: Table; of: Table; column: string; only?: Readonly<Record<string, string>> }[]
  /** Later rows of others that prevent the removal of the rows. */
  uses?: readonly LaterUse[]
}
type Table = LaterUse['from']
const declared: PreviewRows[] = [{ tables: ['person', 'case_entry'] }]

/** Declares the rows that a preview creates in a feature. */
export const definePreviewRows = (rows: PreviewRows): void => void declared.push(rows)

/** Creates the record of the rows of a preview. @returns its id */
export const createPreview = (tx: Tx, company: CompanyId, { by, now }: { by: string; now: Date }): Promise<number> =>
  createImport(tx, sourceOf(company, by, now), { tables: [], uses: declared.flatMap(({ uses = [] }) => uses) })

const sourceOf = (company: CompanyId, by: string, now: Date): ImportSource => ({
  ...{ company, kind: 'preview', file: '', by, now },
})

/** True if the call is part of a preview. */
export const isInPreview = (endpoint: Endpoint): boolean => isReading(endpoint) || endpoint.inPreview !== false

setNoteRows(async (tx, company, { importId }, work) => {
  const tables = declared.flatMap((one) => one.tables).map((table) => ({ table }))
  const rows = await ImportedRows.start(tx, sourceOf(company, '', new Date(0)), { tables }, importId)
  for (const table of declared.flatMap(({ counters = [] }) => counters)) await rows.keep(table, 'company_id', [company])
  const result = await work(tx)
  await sql`SELECT unseal_import_rows(${company}, ${importId})`.execute(tx)
  await rows.end({ created: 0, changed: 0 })
  for (const { table, of, column, only } of declared.flatMap(({ children = [] }) => children))
    await rows.note(table, column, await idsOf(tx, company, importId, of), only)
  return result
})

const idsOf = async (tx: Tx, company: CompanyId, importId: number, table: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`SELECT (row_key->>'id')::bigint AS id FROM import_row
    WHERE company_id = ${company} AND import_id = ${importId} AND table_name = ${table}`.execute(tx)
  return rows.map(({ id }) => id)
}

const isOpenTo = (company: Company, name: PreviewActName): boolean => {
  const { pages } = previewActs[name]
  return pages === null || Object.keys(pages).some((module) => isOn(company, module as ModuleName))
}

/** Lists the steps of a preview, without those of modules that are off. `done` is the choice of the step. */
export function previewSteps(company: Company, done: string | null): { name: PreviewActName; isDone: boolean }[] {
  const completed = new Set(done?.split(' '))
  return previewActNames
    .filter((name) => isOpenTo(company, name))
    .map((name) => ({ name, isDone: completed.has(name) }))
}

/** Stores that a staff member has completed a step of the preview. */
export async function completePreviewStep(call: Call, name: PreviewActName): Promise<void> {
  const { company, context, session } = call
  const by = session?.impersonation?.actorName ?? ''
  await context.inCompany(company.id, async (tx) => {
    const done = new Set((await setupChoices(tx, company)).get(PREVIEW_STEP)?.split(' '))
    if (done.has(name)) return
    const choice = previewActNames.filter((one) => one === name || done.has(one)).join(' ')
    await storeSetupChoice(tx, { company, name: by, at: context.clock.now() }, PREVIEW_STEP, choice)
  })
}

/**
 * Ends a preview: ends its session and removes its rows with their files.
 * @returns the paths of the files to remove from the store after the commit
 * @throws 409 if other people have worked with the rows
 */
export async function endPreview(
  tx: Tx,
  company: CompanyId,
  importId: number,
  input: { by: string; now: Date },
): Promise<{ path: string }[]> {
  await sql`SELECT end_preview(${company}, ${importId})`.execute(tx)
  const { rows } = await sql<{
    path: string
  }>`SELECT path FROM remove_preview_leftovers(${company}, ${importId}) AS path`.execute(tx)
  await undoRows(tx, company, importId, input)
  return rows
}

/** Ends the session of a preview and leaves its rows. Its temporary resident cannot sign in. */
export async function closePreview(tx: Tx, company: CompanyId, importId: number): Promise<void> {
  await sql`UPDATE person p SET is_active = 0 FROM impersonation i
    WHERE i.company_id = ${company} AND i.preview_import_id = ${importId} AND p.company_id = i.company_id AND p.id = i.target_id`.execute(
    tx,
  )
  await sql`SELECT end_preview(${company}, ${importId})`.execute(tx)
}
