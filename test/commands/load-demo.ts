import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoTemplate, TEST_NOW, type TestServer } from '../databases.ts'

/**
 * Loads the demo companies for tests that clone them, in a parallel process, so that no test waits. `global-setup.ts`
 * starts it in a full run.
 */
const server = JSON.parse(process.env['DEMO_ON'] ?? '') as TestServer
const dataDir = mkdtempSync(join(tmpdir(), 'mainstreet-demo-'))
try {
  await demoTemplate(server, { clock: { now: () => new Date(TEST_NOW) }, dataDir })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
