import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoTemplate, TEST_NOW, type TestServer } from '../databases.ts'

/**
 * Loads the demo towns for the tests that clone them, in a process beside those that don't, so that nobody waits for them later.
 * `global-setup.ts` starts it in a whole run.
 */
const server = JSON.parse(process.env['DEMO_ON'] ?? '') as TestServer
const dataDir = mkdtempSync(join(tmpdir(), 'mainstreet-demo-'))
try {
  await demoTemplate(server, { clock: { now: () => new Date(TEST_NOW) }, dataDir })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
