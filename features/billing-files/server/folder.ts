import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileRefused } from '../../../server/file-refused.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { isOn } from '../../../server/modules.ts'
import { describeImport, findCompanyId, Documents } from '../../utility-accounts/api.ts'
import { remittanceName } from '../rules.ts'
import { type Bundle, filesIn, isZip, withBundle } from './bundle.ts'
import { bySystem } from './file-store.ts'
import { remittanceFile } from './remittances.ts'
import { takeFile } from './take-file.ts'

/** Time without changes after which a file counts as complete, in milliseconds. */
const AT_REST_MS = 30_000
/**
 * Folders of a company. `in` is for new files, `working` for files during an import, `done` or `failed` for files after
 * it. `out` contains the remittance files.
 */
const FOLDERS = ['in', 'working', 'done', 'failed', 'out'] as const

/**
 * Defines the job that checks the folder of each company once a minute, for example FOLDER/maplegrove/in. The job never
 * runs twice in parallel. If `working` contains a file at the start, the portal crashed while importing that file.
 */
export function defineFolderJob(context: AppContext, folder: string): void {
  context.jobs.define('billing.folder', () => importFolder(context, folder), {
    cron: '* * * * *',
    timeoutSeconds: 3600,
    retryLimit: 0,
  })
}

async function importFolder(context: AppContext, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    try {
      const company = await findCompanyId(context.outside, entry.name)
      const record = await context.hosts.byId(company)
      if (record && !isOn(record, 'billing_files')) continue
      const companyFolder = join(folder, entry.name)
      for (const name of FOLDERS) await mkdir(join(companyFolder, name), { recursive: true })
      await takeFiles(context, company, companyFolder)
      await giveRemittances(context, company, { companyFolder, subdomain: entry.name.toLowerCase() })
    } catch (error) {
      // An error in one folder, such as a missing company, does not stop the other folders. If a company's import must
      // wait, the job retries it in a minute.
      context.log.warn({ err: error, folder: entry.name }, 'a billing folder could not be processed')
    }
  }
}

async function takeFiles(context: AppContext, company: CompanyId, companyFolder: string): Promise<void> {
  for (const name of await namesIn(join(companyFolder, 'working'))) await takeOne(context, company, companyFolder, name)
  for (const name of await namesIn(join(companyFolder, 'in'))) {
    const { mtimeMs } = await stat(join(companyFolder, 'in', name))
    if (Date.now() - mtimeMs < AT_REST_MS) continue
    // Only one process can move the file, so no other process imports it too.
    await rename(join(companyFolder, 'in', name), join(companyFolder, 'working', name))
    await takeOne(context, company, companyFolder, name)
  }
}

/** Lists the files of a folder. Skips incomplete files: names with a leading dot or ending in `.part` or `.tmp`. */
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /^[^.].*\.(?:csv|xlsx|zip)$/i.test(entry.name))
    .map(({ name }) => name)
    .toSorted()

/** Imports a file and moves it to `done`, or to `failed` if the portal refuses it. Writes a report next to the file. */
async function takeOne(context: AppContext, company: CompanyId, companyFolder: string, name: string): Promise<void> {
  const path = join(companyFolder, 'working', name)
  const arrival = {
    name,
    source: 'folder',
    sender: 'Watched folder',
    actor: bySystem(context.clock, 'Watched folder'),
  } as const
  const put = async (folder: 'done' | 'failed', lines: readonly string[]) => {
    // The time in the name prevents overwriting an earlier file with the same name.
    const storedPath = join(
      companyFolder,
      folder,
      `${context.clock.now().toISOString().replaceAll(/[:.]/g, '-')}-${name}`,
    )
    await writeFile(`${storedPath}.txt`, `${lines.join('\n')}\n`)
    await rename(path, storedPath)
    return storedPath
  }
  try {
    const sender = { context, session: null, requestId: 'billing.folder', kind: 'system' } as const
    const content = () => createReadStream(path)
    // A zip contains its PDFs. The PDFs of a plain CSV are in the folder `in`.
    const take = (bundle: Bundle) => takeFile(context, company, arrival, bundle)
    const beside = new Documents(sender, filesIn(join(companyFolder, 'in')))
    const isPacked = await isZip(content())
    const { result } = await (isPacked ? withBundle(sender, content, take) : take({ open: content, documents: beside }))
    const storedPath = await put('done', describeImport(result))
    for (const pdf of beside.used) await takeAlong(join(companyFolder, 'in', pdf), `${storedPath}-${pdf}`)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    await put('failed', [error.message])
  }
}

/**
 * Moves a PDF next to its billing file. A missing PDF is not an error, because an earlier import of the same file may
 * have moved it.
 */
const takeAlong = (from: string, to: string) =>
  rename(from, to).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  })

/** Writes each daily remittance file into `out` once. The billing system may delete it. */
async function giveRemittances(
  context: AppContext,
  company: CompanyId,
  { companyFolder, subdomain }: { companyFolder: string; subdomain: string },
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
    const path = join(companyFolder, 'out', remittanceName(subdomain, number))
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
