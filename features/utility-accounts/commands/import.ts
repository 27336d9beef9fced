import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeImport, importBills } from '../server/import-bills.ts'
import { systemClock } from '../../../server/clock.ts'
import { readConfig } from '../../../server/config.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { joinDatabase } from '../../../server/db/database.ts'
import { runCommand } from '../../../server/lifetime.ts'
import { openLog } from '../../../server/log.ts'
import { reasonOf, StartError } from '../../../server/start-error.ts'

const USAGE = 'Usage: npm run import -- bills --company SUBDOMAIN FILE.csv'

/** `npm run import -- bills --company SUBDOMAIN FILE.csv`: loads utility accounts and bills. Wrong lines give exit code 1. */
await runCommand(async (lifetime) => {
  const { company, file } = readArguments()
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${reasonOf(error)}).`)
  })
  const config = readConfig(process.env, 'start')
  const { log, flush } = openLog({ logLevel: 'warn' }, process.stderr)
  lifetime.onStop(flush)
  const database = await joinDatabase(config)
  lifetime.onStop(database.close)
  const result = await importBills(
    { db: database.pools, clock: systemClock, log },
    company,
    createReadStream(file),
  ).catch((error: unknown) => {
    throw error instanceof FileRefused ? new StartError(error.message) : error
  })
  for (const line of describeImport(result)) console.log(line)
  if (result.wrongCount > 0) process.exitCode = 1
})

function readArguments(): { company: string; file: string } {
  try {
    const { values, positionals } = parseArgs({ options: { company: { type: 'string' } }, allowPositionals: true })
    const [what, file, ...more] = positionals
    if (what === 'bills' && file && values.company && more.length === 0) return { company: values.company, file }
  } catch {
    // An option that we don't know: the usage says which ones there are.
  }
  throw new StartError(USAGE)
}
