import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/database.ts'
import { connectOwner } from '../../server/db/owner.ts'
import { schemaText } from '../../server/db/schema-text.ts'
import { runCommand } from '../../server/lifetime.ts'

/** `npm run schema` writes `server/db/schema.ts` from a temporary, freshly migrated database. */
await runCommand(async (lifetime) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mainstreet-schema-'))
  lifetime.onStop(async () => rmSync(dataDir, { recursive: true, force: true }))
  const database = await openDatabase(readConfig({ DATA_DIR: dataDir }, 'start'))
  lifetime.onStop(database.close)
  const owner = await connectOwner(database.ownerUrl)
  const text = await schemaText(owner)
  await owner.end()
  writeFileSync(new URL('../../server/db/schema.ts', import.meta.url), text)
  console.log('server/db/schema.ts is made.')
})
