import { systemClock } from '../server/clock.ts'
import { type Mode, readConfig } from '../server/config.ts'
import { openPools } from '../server/db/pool.ts'
import type { Database } from '../server/db/database.ts'
import { loadDemoOnce } from '../server/demo.ts'
import { openLog } from '../server/log.ts'
import { openFiles } from '../server/open-files.ts'
import { openSecrets } from '../server/secrets.ts'
import { printLine } from '../server/welcome.ts'
import { loadDemo } from './demo.ts'

/**
 * Loads the demo in a separate process, so that its memory (about 300 MB) is freed afterwards. The process uses the
 * settings and the database of its parent, `main.ts`. An interrupted load runs again at the next start.
 */
process.once('disconnect', () => process.exit(1))
const config = readConfig(process.env, process.env['DEMO_MODE'] as Mode)
const { urls, ownerUrl } = JSON.parse(process.env['DEMO_DATABASE'] ?? '') as Pick<Database, 'urls' | 'ownerUrl'>
const { log, flush } = openLog(config)
const pools = openPools(urls)
const files = await openFiles(config, systemClock)
const parts = { clock: systemClock, log, files, secrets: openSecrets(config.secretKey), report: printLine }
await loadDemoOnce({ ownerUrl, pools }, parts, loadDemo)
await pools.close()
await flush()
process.exit(0)
