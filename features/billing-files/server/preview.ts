import { findFile } from '../../../server/attachments/keep.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { importColumns } from '../../../server/columns.ts'
import { rememberMapping, rememberSheet } from '../../../server/import-columns.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import type { FileMapping } from '../../../shared/imports.ts'
import { withImportLock, loadBillFile, type Part, previewBills, settleColumns } from '../../utility-accounts/api.ts'
import { billFiles } from '../contract.ts'
import { type Bundle, withBundle } from './bundle.ts'
import { bySystem, changesOf, fileStateStore } from './file-store.ts'
import { countsOf, Digest, StoredLines } from './stored-lines.ts'
import { refuse } from './take-file.ts'

export const PREVIEW_JOB = 'billing.preview'
export const IMPORT_JOB = 'billing.import'
const GONE = 'This file is no longer stored. Upload the file again.'

interface PreviewJobData {
  company: number
  file: number
}

/**
 * Defines the jobs that process files from staff. These are jobs, because a large file takes too long for a request.
 */
export function defineFileJobs(context: AppContext): void {
  const patient = { timeoutSeconds: 900, retryLimit: 3 }
  const job =
    (work: (context: AppContext, company: CompanyId, file: number) => Promise<void>) => (named: PreviewJobData) =>
      work(context, companyIdFrom('job', named.company), named.file)
  context.jobs.define(PREVIEW_JOB, job(preview), patient)
  context.jobs.define(IMPORT_JOB, job(importFile), patient)
}

async function find(context: AppContext, company: CompanyId, id: number) {
  return context.readingCompany(company, async (tx) => {
    const row = await tx
      .selectFrom('billing_file')
      .select([
        'state',
        'digest',
        'mapping',
        'lines_done',
        'lines_read',
        'error_count',
        'accounts_created',
        'accounts_updated',
      ])
      .select(['bills_created', 'bills_changed', 'bills_unchanged', 'billed_cents', 'received_cents'])
      .select(['adjustments_created', 'adjusted_cents', 'shutoffs_changed', 'documents_stored', 'documents_missing'])
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const path = await findFile(tx, billFiles, company, id, 1).then(
      (file) => file.path,
      (error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      },
    )
    return { ...row, path }
  })
}

/** Runs `work` on the sent file. If the file is not readable, records the reason as the file's result. */
async function reading(context: AppContext, company: CompanyId, id: number, work: (bundle: Bundle) => Promise<void>) {
  const { path } = await find(context, company, id)
  const actor = bySystem(context.clock, 'Mainstreet')
  const open = () => {
    if (path === null) throw new FileRefused(GONE)
    return context.files.read(path)
  }
  try {
    await withBundle({ context, session: null, requestId: 'billing.files', kind: 'system' }, open, work)
  } catch (error) {
    const isGone = (error as { code?: string }).code === 'ENOENT'
    if (!isGone && !(error instanceof FileRefused)) throw error
    await refuse(context, company, id, isGone ? GONE : (error as Error).message, actor)
  }
}

/** Reads the whole file without changing data and saves the preview. */
async function preview(context: AppContext, company: CompanyId, id: number): Promise<void> {
  const { state, mapping: chosen } = await find(context, company, id)
  if (state !== 'previewing') return
  const step = { scope: company, id, actor: bySystem(context.clock, 'Mainstreet', PREVIEW_JOB) }
  await reading(context, company, id, async (bundle) => {
    const { mapping, columns } =
      chosen && chosen.columns.length > 0
        ? { mapping: chosen, columns: null }
        : await settled(context, company, bundle, chosen?.sheet)
    const patch = columns?.isOpen
      ? { columns: JSON.stringify(columns) }
      : await readOnly(context, company, id, bundle, mapping)
    await context.inCompany(company, (tx) =>
      transition(tx, fileStateStore, {
        ...step,
        event: columns?.isOpen ? 'hold' : 'preview',
        patch: { ...patch, mapping: JSON.stringify(mapping) },
      }),
    )
  })
}

async function settled(context: AppContext, company: CompanyId, { open }: Bundle, sheet?: string) {
  const { kind, hash, mapping, columns } = await settleColumns(context, company, open, sheet)
  return { mapping: { kind, hash, ...mapping, ...(columns.sheets && { sheets: columns.sheets }) }, columns }
}

/** Previews the changes that the file would make now. The new preview lines replace the stored ones. */
async function readOnly(
  context: AppContext,
  company: CompanyId,
  id: number,
  { open, documents }: Bundle,
  mapping: FileMapping | null,
) {
  await context.inCompany(company, (tx) =>
    tx.deleteFrom('billing_file_line').where('company_id', '=', company).where('file_id', '=', id).execute(),
  )
  const digest = new Digest()
  const lines = new StoredLines(company, id)
  const each = async (tx: Tx, part: Part) => {
    digest.add(part)
    await lines.add(tx, part)
  }
  const result = await previewBills(context, company, open(), { each, documents, mapping })
  return { ...countsOf(result), digest: digest.end() }
}

/**
 * Reads the file again and imports the changes if they match the preview. Otherwise, imports nothing and shows the new
 * preview. The company's other imports wait during this time. After a crash, resumes after the last imported line.
 */
async function importFile(context: AppContext, company: CompanyId, id: number): Promise<void> {
  const { state } = await find(context, company, id)
  if (state !== 'importing') return
  const step = { scope: company, id, actor: bySystem(context.clock, 'Mainstreet', IMPORT_JOB) }
  const work = async (bundle: Bundle) => {
    const { digest, lines_done, mapping, ...preview } = await find(context, company, id)
    if (lines_done === 0 && !(await comesToSame(context, company, bundle, { digest, mapping }))) {
      const patch = { ...(await readOnly(context, company, id, bundle, mapping)), differs_from_preview: true }
      await context.inCompany(company, (tx) => transition(tx, fileStateStore, { ...step, event: 'differ', patch }))
      return
    }
    const noteProgress = (tx: Tx, { read }: Part) =>
      tx
        .updateTable('billing_file')
        .set((e) => ({ lines_done: e('lines_done', '+', read) }))
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute()
        .then(() => {})
    await loadBillFile(context, company, bundle.open(), {
      each: noteProgress,
      skip: lines_done,
      changesIn: await changesOf(context, company, id),
      mapping,
      documents: bundle.documents,
    })
    const { state: _, path: __, ...detail } = preview
    await context.inCompany(company, async (tx) => {
      await transition(tx, fileStateStore, { ...step, event: 'finish', detail, patch: { differs_from_preview: false } })
      const columns = importColumns.get(mapping?.kind ?? '')
      if (!mapping || !columns) return
      await rememberMapping(tx, company, { columns, hash: mapping.hash }, mapping, context.clock.now())
      const { sheets = [], sheet = '' } = mapping
      await rememberSheet(tx, company, { columns, sheets, sheet }, context.clock.now())
    })
  }
  await withImportLock(context, company, () => reading(context, company, id, work))
}

async function comesToSame(
  context: AppContext,
  company: CompanyId,
  bundle: Bundle,
  { digest: previewDigest, mapping }: { digest: Buffer | null; mapping: FileMapping | null },
): Promise<boolean> {
  const digest = new Digest()
  await previewBills(context, company, bundle.open(), {
    each: async (_tx, part) => digest.add(part),
    documents: bundle.documents,
    mapping,
  })
  return previewDigest !== null && digest.end().equals(previewDigest)
}
