import { auditCompanyOrPlatform, PLATFORM } from '../audit.ts'
import type { AppContext } from '../app-context.ts'
import { removeFiles } from './keep.ts'
import { companyIdFrom } from '../tenancy.ts'
import { ScannerAway } from './scanner.ts'

/** Maximum number of files in one run. The job scans the oldest files first and continues a minute later. */
const BATCH_SIZE = 100

/**
 * Defines the job that scans waiting files every minute. These files arrived while the virus scanner was unavailable.
 */
export function defineScanning(context: AppContext): void {
  context.jobs.define('attachments.scan', () => scanPending(context), { cron: '* * * * *', retryLimit: 0 })
}

const pendingFiles = (context: AppContext) =>
  context.readingAll((tx) =>
    tx
      .selectFrom('attachment')
      .select(['company_id', 'id', 'kind', 'name', 'path'])
      .where('state', '=', 'waiting')
      .orderBy('created_at')
      .limit(BATCH_SIZE)
      .execute(),
  )
type PendingFile = Awaited<ReturnType<typeof pendingFiles>>[number]

async function scanPending(context: AppContext): Promise<void> {
  for (const file of await pendingFiles(context)) {
    try {
      await scanOne(context, file)
    } catch (error) {
      context.log.warn({ err: error, path: file.path }, 'a file still waits for the virus scanner')
      // A missing or broken file does not stop the scan of the others. If the scanner is unavailable, the run ends.
      if (error instanceof ScannerAway) return
    }
  }
}

async function scanOne(context: AppContext, { company_id, id, kind, name, path }: PendingFile): Promise<void> {
  if (path === null) return
  const scanResult = await context.scanner.scan(() => context.files.read(path))
  const now = context.clock.now()
  const finding =
    'finding' in scanResult ? scanResult.finding : 'tooLarge' in scanResult ? 'more than the scanner looks at' : null
  const isRefused = finding !== null
  await context.acrossCompanies(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('attachment')
      .set(
        isRefused
          ? { state: 'refused', scanned_at: now, refused_at: now, path: null, preview: null, finding }
          : { state: 'clean', scanned_at: now },
      )
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (!isRefused || numUpdatedRows === 0n) return
    const actor = { session: null, requestId: 'attachments.scan', kind: 'system' } as const
    const auditEntry = {
      action: 'attachment.refused',
      subject: { kind: 'attachment', id },
      detail: { kind, file: name, finding },
    } as const
    await auditCompanyOrPlatform(
      tx,
      context.clock,
      company_id === PLATFORM ? null : companyIdFrom('job', company_id),
      actor,
      auditEntry,
    )
  })
  if (isRefused) await removeFiles(context, [{ path }])
}
