import { auditAt, PLATFORM } from '../audit.ts'
import type { House } from '../house.ts'
import { removeFiles } from './keep.ts'
import { companyIdFrom } from '../tenancy.ts'
import { ScannerAway } from './scanner.ts'

/** Files of one run, the oldest first. What is left comes a minute later. */
const AT_ONCE = 100

/** Every minute the virus scanner is shown what was sent while it was away. */
export function defineScanning(house: House): void {
  house.jobs.define('attachments.scan', () => scanWaiting(house), { cron: '* * * * *', retryLimit: 0 })
}

const waitingFiles = (house: House) =>
  house.readingAll((tx) =>
    tx
      .selectFrom('attachment')
      .select(['company_id', 'id', 'kind', 'name', 'path'])
      .where('state', '=', 'waiting')
      .orderBy('created_at')
      .limit(AT_ONCE)
      .execute(),
  )
type Waiting = Awaited<ReturnType<typeof waitingFiles>>[number]

async function scanWaiting(house: House): Promise<void> {
  for (const file of await waitingFiles(house)) {
    try {
      await scanOne(house, file)
    } catch (error) {
      house.log.warn({ err: error, path: file.path }, 'a file still waits for the virus scanner')
      // One that is lost or broken does not hold up the others; a scanner that is away does not come back for the next.
      if (error instanceof ScannerAway) return
    }
  }
}

async function scanOne(house: House, { company_id, id, kind, name, path }: Waiting): Promise<void> {
  if (path === null) return
  const verdict = await house.scanner.scan(() => house.files.read(path))
  const now = house.clock.now()
  const finding = 'found' in verdict ? verdict.found : 'tooLarge' in verdict ? 'more than the scanner looks at' : null
  const isRefused = finding !== null
  await house.acrossCompanies(async (tx) => {
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
    const doer = { session: null, requestId: 'attachments.scan', kind: 'system' } as const
    const deed = {
      action: 'attachment.refused',
      subject: { kind: 'attachment', id },
      detail: { kind, file: name, found: finding },
    } as const
    await auditAt(tx, house.clock, company_id === PLATFORM ? null : companyIdFrom('job', company_id), doer, deed)
  })
  if (isRefused) await removeFiles(house, [{ path }])
}
