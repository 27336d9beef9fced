import { readConfig } from '../../server/config.ts'
import { joinPortal } from '../../server/db/database.ts'
import { runCommand } from '../../server/lifetime.ts'
import { StartError } from '../../server/start-error.ts'
import { outsideCompanies } from '../../server/tenancy.ts'
import { describeVerified, isSound, verifyAll } from '../../server/verify.ts'
import { features } from '../server.ts'

/**
 * `npm run verify` checks the payments and the audit log of all companies, without changing data. `-- --provider` also
 * compares them with the running payment provider. Exits with code 1 if it finds an error.
 */
await runCommand(async (lifetime) => {
  const [option, ...more] = process.argv.slice(2)
  if ((option !== undefined && option !== '--provider') || more.length > 0)
    throw new StartError('Usage: npm run verify [-- --provider]')
  const config = readConfig(process.env, 'start')
  const database = await joinPortal(config)
  lifetime.onStop(database.close)
  const verified = await verifyAll(features, {
    config,
    platformUrl: database.urls.platform,
    acrossCompanies: outsideCompanies(database.pools.platform),
    outside: option !== undefined,
  })
  for (const line of describeVerified(verified)) console.log(line)
  if (!isSound(verified)) process.exitCode = 1
})
