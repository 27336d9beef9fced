import { SANDBOX } from './database.ts'
import { openDatabase } from '../provider-kit/database.ts'

/** Makes the gateway's tables and ends: for a backup that is loaded into a database where it never ran. */
const database = openDatabase(process.env['GATEWAY_DATABASE_URL'] ?? '', SANDBOX)
try {
  await database.prepare()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await database.close()
}
