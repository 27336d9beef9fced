import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import type { Endpoint } from '../shared/endpoint.ts'
import { previewActNames, previewActs, type PreviewActName } from '../shared/resident-preview.ts'
import type { Call } from './call.ts'
import type { Company } from './hosts.ts'
import { ImportedRows, type LaterUse, undoRows } from './imported-rows.ts'
import { isReading } from './impersonation.ts'
import { isOn } from './modules.ts'
import type { Session } from './sessions.ts'
import { setupChoices, storeSetupChoice } from './setup.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/**
 * Preview of the portal by staff in the session of a temporary resident. Its rows are noted as those of an import, and
 * the end of the preview removes them. It charges nothing, starts no jobs, and only the staff member gets its emails.
 */
export interface ResidentPreview {
  /** Id of the record of its rows (`data_import`). */
  importId: number
  /** Email address of the staff member. */
  email: string
}

/** Error for calls that a preview does not include. */
export const NOT_IN_PREVIEW =
  'This action is not part of the preview. In the preview, you can find and pay a bill, report a problem and submit a form.'

/** Key of the step in Get Started. Its choice lists the completed steps of the preview. */
export const PREVIEW_STEP = 'preview'

/** Tables in which a preview creates rows, and counters that it changes. */
const tables = [
  'person',
  'case_entry',
  'form_submission',
  'general_charge',
  'guest_checkout',
  'service_request',
] as const
const counters = ['request_number', 'form_number'] as const
/** Tables without an id, with the column of their parent. */
const children = [
  { table: 'form_round', of: 'form_submission', column: 'submission_id' },
  { table: 'status_history', of: 'form_submission', column: 'subject_id', only: { machine: 'form_submission' } },
  { table: 'status_history', of: 'service_request', column: 'subject_id', only: { machine: 'service_request' } },
] as const

/** Emails about the preview. All other jobs of its calls would reach other people or systems. */
const PERMITTED_JOBS = /^(?:email|notices)\./

const running = new AsyncLocalStorage<ResidentPreview | undefined>()

/** Later rows of others that prevent the removal of the rows. */
export const PREVIEW_USES: readonly LaterUse[] = [
  {
    from: 'case_entry',
    column: 'subject_id',
    of: 'service_request',
    only: { subject_kind: 'request' },
    cause: 'answered',
  },
  {
    from: 'case_entry',
    column: 'subject_id',
    of: 'form_submission',
    only: { subject_kind: 'submission' },
    cause: 'answered',
  },
  { from: 'work_order', column: 'source_id', of: 'service_request', only: { source_kind: 'request' }, cause: 'linked' },
]

/** Runs a call of a preview. */
export const inPreview = <T>(session: Session | null, work: () => T): T =>
  session?.impersonation?.preview ? running.run(session.impersonation.preview, work) : work()

/** True if the current call belongs to a preview. */
export const isPreview = (): boolean => running.getStore() !== undefined

/** Returns the address that gets an email: in a preview, the staff member's. */
export const recipientOf = (to: string): string => running.getStore()?.email ?? to

/** True if the current call may start the job. */
export const mayStartJob = (name: string): boolean => !isPreview() || PERMITTED_JOBS.test(name)

/** True if the call is part of a preview. */
export const isInPreview = (endpoint: Endpoint): boolean => isReading(endpoint) || endpoint.inPreview !== false

/** Runs a transaction of a preview and notes its rows. */
export async function notePreviewRows<T>(
  tx: Tx,
  company: CompanyId,
  { importId }: ResidentPreview,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const source = { company, kind: 'preview', file: '', by: '', now: new Date(0) } as const
  const rows = await ImportedRows.start(tx, source, { tables: tables.map((table) => ({ table })) }, importId)
  for (const table of counters) await rows.keep(table, 'company_id', [company])
  const result = await work(tx)
  await sql`SELECT unseal_import_rows(${company}, ${importId})`.execute(tx)
  await rows.end({ created: 0, changed: 0 })
  for (const { table, of, column, ...more } of children)
    await rows.note(table, column, await idsOf(tx, company, importId, of), 'only' in more ? more.only : {})
  return result
}

const idsOf = async (tx: Tx, company: CompanyId, importId: number, table: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`SELECT (row_key->>'id')::bigint AS id FROM import_row
    WHERE company_id = ${company} AND import_id = ${importId} AND table_name = ${table}`.execute(tx)
  return rows.map(({ id }) => id)
}

const isOpenTo = (company: Company, name: PreviewActName): boolean => {
  const { pages } = previewActs[name]
  return pages === null || Object.keys(pages).some((module) => isOn(company, module as keyof typeof pages))
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

/** Ends the session of a preview whose rows stay. Its temporary resident cannot sign in. */
export async function closePreview(tx: Tx, company: CompanyId, importId: number): Promise<void> {
  await sql`UPDATE person p SET is_active = 0 FROM impersonation i
    WHERE i.company_id = ${company} AND i.preview_import_id = ${importId} AND p.company_id = i.company_id AND p.id = i.target_id`.execute(
    tx,
  )
  await sql`SELECT end_preview(${company}, ${importId})`.execute(tx)
}
