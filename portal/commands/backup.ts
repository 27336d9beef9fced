import { backUp } from '../../server/backup/back-up.ts'
import { systemClock } from '../../server/clock.ts'
import { readConfig } from '../../server/config.ts'
import { joinPortal } from '../../server/db/database.ts'
import { runCommand } from '../../server/lifetime.ts'
import { KEY_FILE } from '../../server/made-secrets.ts'
import { openFiles } from '../../server/open-files.ts'
import { StartError } from '../../server/start-error.ts'

/**
 * `npm run backup -- FILE` saves the complete installation in one archive. Exits with code 1 if an upload is missing.
 */
await runCommand(async (lifetime) => {
  const [file, ...more] = process.argv.slice(2)
  if (!file || more.length > 0) throw new StartError('Usage: npm run backup -- FILE')
  const config = readConfig(process.env, 'start')
  const files = await openFiles(config, systemClock)
  const database = await joinPortal(config)
  lifetime.onStop(database.close)
  const {
    tables,
    files: storedFiles,
    lost,
    sealedWith,
  } = await backUp({ config, clock: systemClock, files, database }, file)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${file}: ${rows.toLocaleString('en-US')} rows of ${tables.length} tables, ${storedFiles.count.toLocaleString('en-US')} files.`,
  )
  console.log(
    `The file does not contain the key of sealed texts${sealedWith ? ', which are unreadable without it' : ''}. Keep a copy of SECRET_KEY, or of ${KEY_FILE} in DATA_DIR, in another place.`,
  )
  for (const path of lost) console.error(`The uploaded file ${path} is missing from the store, or damaged there.`)
  if (lost.length > 0) process.exitCode = 1
})
