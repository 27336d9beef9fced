import { describeVerified, isSound, verifyLedger } from '../../features/payments/server/verify-ledger.ts'
import { verifyChains } from '../../features/audit/server/verify-chain.ts'
import { readConfig } from '../config.ts'
import { joinPortal } from '../db/database.ts'
import { runCommand } from '../lifetime.ts'
import { StartError } from '../start-error.ts'
import { outsideCompanies } from '../tenancy.ts'

/** `npm run verify`: looks through the money and the audit log of all towns and changes nothing. Exit code 1 where something is wrong. */
await runCommand(async (lifetime) => {
  if (process.argv.length > 2) throw new StartError('Usage: npm run verify')
  const config = readConfig(process.env, 'start')
  const database = await joinPortal(config)
  lifetime.onStop(database.close)
  const ledger = await verifyLedger(database.urls.platform)
  const chains = await outsideCompanies(database.pools.platform)((tx) => verifyChains(tx))
  const verified = { ...ledger, findings: [...ledger.findings, ...chains] }
  for (const line of describeVerified(verified)) console.log(line)
  if (!isSound(verified)) process.exitCode = 1
})
