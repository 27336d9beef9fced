import { restore } from '../../server/backup/restore.ts'
import { systemClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config.ts'
import { runCommand } from '../../server/lifetime.ts'
import { openFiles } from '../../server/open-files.ts'
import { StartError } from '../../server/start-error.ts'
import { outsideCompanies } from '../../server/tenancy.ts'
import { describeVerified, isSound, verifyAll } from '../../server/verify.ts'
import { features } from '../server.ts'

/** `npm run restore -- FILE` restores a backup into an empty installation, and verifies its payments and audit log. */
await runCommand(async (lifetime) => {
  const [file, ...more] = process.argv.slice(2)
  if (!file || more.length > 0) throw new StartError('Usage: npm run restore -- FILE')
  const config = readConfig(process.env, 'start')
  const files = await openFiles(config, systemClock)
  const { manifest, database } = await restore(config, files, file)
  lifetime.onStop(database.close)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `Restored the backup of ${manifest.takenAt}: ${rows.toLocaleString('en-US')} rows of ${manifest.tables.length} tables, ${manifest.files.count.toLocaleString('en-US')} files.`,
  )
  const verified = await verifyAll(features, {
    config,
    platformUrl: database.urls.platform,
    acrossCompanies: outsideCompanies(database.pools.platform),
    outside: false,
  })
  for (const line of describeVerified(verified)) console.log(line)
  if (!isSound(verified)) process.exitCode = 1
})
