import { describeVerified, isSound, verifyLedger } from '../../features/payments/server/verify-ledger.ts'
import { restore } from '../backup/restore.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { runCommand } from '../lifetime.ts'
import { openFiles } from '../open-files.ts'
import '../payables.ts'
import { StartError } from '../start-error.ts'

/** `npm run restore -- FILE`: brings a backup back into an empty place, and looks through its money. */
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
  const verified = await verifyLedger(database.urls.platform)
  for (const line of describeVerified(verified)) console.log(line)
  if (!isSound(verified)) process.exitCode = 1
})
