import { createReadStream, type ReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeImport, importBills } from '../server/import-bills.ts'
import { describeReads, importReads } from '../server/import-reads.ts'
import { systemClock } from '../../../server/clock.ts'
import { readConfig } from '../../../server/config.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { joinDatabase } from '../../../server/db/database.ts'
import { runCommand } from '../../../server/lifetime.ts'
import { openLog } from '../../../server/log.ts'
import { reasonOf, StartError } from '../../../server/start-error.ts'

const USAGE = 'Usage: npm run import -- bills|reads --company SUBDOMAIN FILE.csv'

/**
 * `npm run import -- bills --company SUBDOMAIN FILE.csv` loads utility accounts and bills, `reads` the readings of their
 * meters. Wrong lines give exit code 1.
 */
await runCommand(async (lifetime) => {
  const { what, company, file } = readArguments()
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${reasonOf(error)}).`)
  })
  const config = readConfig(process.env, 'start')
  const { log, flush } = openLog({ logLevel: 'warn' }, process.stderr)
  lifetime.onStop(flush)
  const database = await joinDatabase(config)
  lifetime.onStop(database.close)
  const means = { db: database.pools, clock: systemClock, log }
  const { lines, wrongCount } = await load(what, means, company, createReadStream(file)).catch((error: unknown) => {
    throw error instanceof FileRefused ? new StartError(error.message) : error
  })
  for (const line of lines) console.log(line)
  if (wrongCount > 0) process.exitCode = 1
})

type What = 'bills' | 'reads'

async function load(what: What, means: Parameters<typeof importBills>[0], company: string, file: ReadStream) {
  if (what === 'reads') {
    const result = await importReads(means, company, file)
    return { lines: describeReads(result), wrongCount: result.wrongCount }
  }
  const result = await importBills(means, company, file)
  return { lines: describeImport(result), wrongCount: result.wrongCount }
}

function readArguments(): { what: What; company: string; file: string } {
  try {
    const { values, positionals } = parseArgs({ options: { company: { type: 'string' } }, allowPositionals: true })
    const [what, file, ...more] = positionals
    if ((what === 'bills' || what === 'reads') && file && values.company && more.length === 0)
      return { what, company: values.company, file }
  } catch {
    // An option that we don't know: the usage says which ones there are.
  }
  throw new StartError(USAGE)
}
