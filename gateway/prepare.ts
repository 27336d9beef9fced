import { SANDBOX } from './database.ts'
import { openDatabase } from '../provider-kit/database.ts'

/** Creates the gateway's tables and exits. Run it before you restore a backup into a new database. */
const database = openDatabase(process.env['GATEWAY_DATABASE_URL'] ?? '', SANDBOX)
try {
  await database.prepare()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await database.close()
}
