import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileRefused } from '../../../server/csv-records.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { describeImport } from '../../utility-accounts/server/import-bills.ts'
import { townOf } from '../../utility-accounts/server/import-file.ts'
import { remittanceName } from '../rules.ts'
import { Documents } from '../../utility-accounts/server/documents.ts'
import { type Bundle, filesIn, isZip, withBundle } from './bundle.ts'
import { bySystem } from './keeping.ts'
import { remittanceFile } from './remittances.ts'
import { takeFile } from './take-file.ts'

/** A file that nobody has written to for so long is complete. */
const AT_REST_MS = 30_000
/** Where a file is while it is taken over, and where it goes then; `out` has the remittances. */
const FOLDERS = ['in', 'working', 'done', 'failed', 'out'] as const

/**
 * Looks into the folder of each town once a minute: FOLDER/maplegrove/in. The job never runs twice at once, so that what
 * stands in `working` when it begins was left there by a portal that ended.
 */
export function defineFolderJob(context: AppContext, folder: string): void {
  context.jobs.define('billing.folder', () => lookInto(context, folder), {
    cron: '* * * * *',
    timeoutSeconds: 3600,
    retryLimit: 0,
  })
}

async function lookInto(context: AppContext, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    try {
      const company = await townOf(context.outside, entry.name)
      const place = join(folder, entry.name)
      for (const name of FOLDERS) await mkdir(join(place, name), { recursive: true })
      await takeFiles(context, company, place)
      await giveRemittances(context, company, { place, subdomain: entry.name.toLowerCase() })
    } catch (error) {
      // A folder that is no town's, or a town whose turn comes again in a minute, holds up no other.
      context.log.warn({ err: error, folder: entry.name }, 'a billing folder was not looked through')
    }
  }
}

async function takeFiles(context: AppContext, company: CompanyId, place: string): Promise<void> {
  for (const name of await namesIn(join(place, 'working'))) await takeOne(context, company, place, name)
  for (const name of await namesIn(join(place, 'in'))) {
    const { mtimeMs } = await stat(join(place, 'in', name))
    if (Date.now() - mtimeMs < AT_REST_MS) continue
    // Two portals can't move the same file.
    await rename(join(place, 'in', name), join(place, 'working', name))
    await takeOne(context, company, place, name)
  }
}

/** What begins with a dot or ends in `.part` or `.tmp` is still on its way. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /^[^.].*\.(?:csv|zip)$/i.test(entry.name))
    .map(({ name }) => name)
    .toSorted()

/** Takes a file over and puts it into `done`, or into `failed` where nothing of it can be read, with a report beside. */
async function takeOne(context: AppContext, company: CompanyId, place: string, name: string): Promise<void> {
  const path = join(place, 'working', name)
  const arrival = {
    name,
    way: 'folder',
    sender: 'Watched folder',
    who: bySystem(context.clock, 'Watched folder'),
  } as const
  const put = async (folder: 'done' | 'failed', lines: readonly string[]) => {
    // The time before it, so that a file of the same name is never written over.
    const kept = join(place, folder, `${context.clock.now().toISOString().replaceAll(/[:.]/g, '-')}-${name}`)
    await writeFile(`${kept}.txt`, `${lines.join('\n')}\n`)
    await rename(path, kept)
    return kept
  }
  try {
    const sender = { context, session: null, requestId: 'billing.folder', kind: 'system' } as const
    const content = () => createReadStream(path)
    // What a zip names is in it; what a CSV names lies beside it.
    const take = (bundle: Bundle) => takeFile(context, company, arrival, bundle)
    const beside = new Documents(sender, filesIn(join(place, 'in')))
    const isPacked = await isZip(content())
    const { result } = await (isPacked ? withBundle(sender, content, take) : take({ open: content, documents: beside }))
    const kept = await put('done', describeImport(result))
    for (const pdf of beside.used) await takeAlong(join(place, 'in', pdf), `${kept}-${pdf}`)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    await put('failed', [error.message])
  }
}

/** A PDF that is kept now goes where the file went that named it; one of a file that was sent twice has gone before. */
const takeAlong = (from: string, to: string) =>
  rename(from, to).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  })

/** Lays each day's file of remittances into `out`, once: whoever takes it away has it. */
async function giveRemittances(
  context: AppContext,
  company: CompanyId,
  { place, subdomain }: { place: string; subdomain: string },
): Promise<void> {
  const due = await context.readingCompany(company, (tx) =>
    tx
      .selectFrom('remittance_file')
      .select('number')
      .where('company_id', '=', company)
      .where('in_folder_at', 'is', null)
      .orderBy('number')
      .execute(),
  )
  for (const { number } of due) {
    const path = join(place, 'out', remittanceName(subdomain, number))
    await pipeline(await remittanceFile(context, company, number), createWriteStream(`${path}.part`, { flush: true }))
    await rename(`${path}.part`, path)
    await context.inCompany(company, (tx) =>
      tx
        .updateTable('remittance_file')
        .set({ in_folder_at: context.clock.now() })
        .where('company_id', '=', company)
        .where('number', '=', number)
        .execute(),
    )
  }
}
