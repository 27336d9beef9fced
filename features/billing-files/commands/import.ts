import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../../server/clock.ts'
import { readConfig } from '../../../server/config.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { joinDatabase } from '../../../server/db/database.ts'
import { runCommand } from '../../../server/lifetime.ts'
import { reasonOf, StartError } from '../../../server/start-error.ts'
import { outsideCompanies, tenancyOn } from '../../../server/tenancy.ts'
import { describeImport, rehearseFile, townOf } from '../../utility-accounts/server/import-bills.ts'
import { bySystem } from '../server/keeping.ts'
import { takeFile } from '../server/take-file.ts'

const USAGE = 'Usage: npm run import -- bills --company SUBDOMAIN [--rehearsal] FILE.csv'

/** Loads a file of bills, or with `--rehearsal` says what it would change. Wrong lines give exit code 1. */
await runCommand(async (lifetime) => {
  const { company: subdomain, file, rehearsal } = readArguments()
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${reasonOf(error)}).`)
  })
  const database = await joinDatabase(readConfig(process.env, 'start'))
  lifetime.onStop(database.close)
  const means = { inCompany: tenancyOn(database.pools.app), clock: systemClock }
  try {
    const company = await townOf(outsideCompanies(database.pools.app), subdomain)
    const arrival = {
      name: basename(file),
      way: 'command',
      sender: 'npm run import',
      who: bySystem(systemClock, 'npm run import'),
    } as const
    const open = () => createReadStream(file)
    const result = rehearsal
      ? await rehearseFile(means, company, open(), async () => {})
      : (await takeFile(means, company, arrival, open)).result
    if (rehearsal) console.log('A rehearsal: nothing was changed.')
    for (const line of describeImport(result)) console.log(line)
    if (result.wrongCount > 0) process.exitCode = 1
  } catch (error) {
    throw error instanceof FileRefused ? new StartError(error.message) : error
  }
})

function readArguments(): { company: string; file: string; rehearsal: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: { company: { type: 'string' }, rehearsal: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [what, file, ...more] = positionals
    if (what === 'bills' && file && values.company && more.length === 0)
      return { company: values.company, file, rehearsal: values.rehearsal }
  } catch {
    // An option that we don't know: the usage says which ones there are.
  }
  throw new StartError(USAGE)
}
