import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../../server/clock.ts'
import { readConfig } from '../../../server/config.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { joinDatabase } from '../../../server/db/database.ts'
import type { Pools } from '../../../server/db/pool.ts'
import { runCommand } from '../../../server/lifetime.ts'
import { openLog } from '../../../server/log.ts'
import { reasonOf, StartError } from '../../../server/start-error.ts'
import { outsideCompanies, tenancyOn } from '../../../server/tenancy.ts'
import { describeImport, previewBills, findCompanyId, describeReads, importReads } from '../../utility-accounts/api.ts'
import { bySystem } from '../server/file-store.ts'
import { takeFile } from '../server/take-file.ts'

const USAGE =
  'Usage: npm run import -- bills --company SUBDOMAIN [--preview] FILE.csv, or npm run import -- reads --company SUBDOMAIN FILE.csv'

interface ImportArguments {
  what: 'bills' | 'reads'
  company: string
  file: string
  preview: boolean
}

/**
 * Command that imports files. `bills` loads utility accounts and bills, or lists the changes with `--preview`. `reads`
 * loads meter readings. The exit code is 1 if a line is invalid.
 */
await runCommand(async (lifetime) => {
  const args = readArguments()
  await access(args.file, constants.R_OK).catch((error: unknown) => {
    throw new StartError(`Could not read ${args.file} (${reasonOf(error)}).`)
  })
  const database = await joinDatabase(readConfig(process.env, 'start'))
  lifetime.onStop(database.close)
  const { lines, errorCount } = await load(database.pools, args).catch((error: unknown) => {
    throw error instanceof FileRefused ? new StartError(error.message) : error
  })
  for (const line of lines) console.log(line)
  if (errorCount > 0) process.exitCode = 1
})

async function load(db: Pools, { what, company: subdomain, file, preview }: ImportArguments) {
  const open = () => createReadStream(file)
  if (what === 'reads') {
    const { log } = openLog({ logLevel: 'warn' }, process.stderr)
    const result = await importReads({ db, clock: systemClock, log }, subdomain, open())
    return { lines: describeReads(result), errorCount: result.errorCount }
  }
  const deps = { inCompany: tenancyOn(db.app), clock: systemClock }
  const company = await findCompanyId(outsideCompanies(db.app), subdomain)
  if (preview) {
    const result = await previewBills(deps, company, open())
    return { lines: ['Preview only. Nothing was changed.', ...describeImport(result)], errorCount: result.errorCount }
  }
  const sender = 'npm run import'
  const arrival = { name: basename(file), source: 'command', sender, actor: bySystem(systemClock, sender) } as const
  const { result } = await takeFile(deps, company, arrival, { open })
  return { lines: describeImport(result), errorCount: result.errorCount }
}

function readArguments(): ImportArguments {
  try {
    const { values, positionals } = parseArgs({
      options: { company: { type: 'string' }, preview: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [what, file, ...more] = positionals
    const { company, preview } = values
    if (file && company && more.length === 0 && (what === 'bills' || (what === 'reads' && !preview)))
      return { what, company, file, preview }
  } catch {
    // For an unknown option, the usage text lists the valid ones.
  }
  throw new StartError(USAGE)
}
