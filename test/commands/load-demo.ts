import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoTemplate, TEST_NOW, type TestServer } from '../databases.ts'

/**
 * Loads the demo companies that tests clone. Runs in a parallel process, so that tests that do not need the demo can
 * start. In a full run, `global-setup.ts` starts this process.
 */
const server = JSON.parse(process.env['DEMO_ON'] ?? '') as TestServer
const dataDir = mkdtempSync(join(tmpdir(), 'mainstreet-demo-'))
try {
  await demoTemplate(server, { clock: { now: () => new Date(TEST_NOW) }, dataDir })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
