import { ProviderRefused, ProviderSilent } from '../../features/payments/server/provider.ts'
import { providerOf } from '../../features/payments/server/providers.ts'
import { describeVerified, isSound, verifyLedger } from '../../features/payments/server/verify-ledger.ts'
import { describeHeld, verifyProvider } from '../../features/payments/server/verify-provider.ts'
import { verifyChains } from '../../features/audit/server/verify-chain.ts'
import { readConfig } from '../config.ts'
import { joinPortal } from '../db/database.ts'
import { runCommand } from '../lifetime.ts'
import '../payables.ts'
import { StartError } from '../start-error.ts'
import { outsideCompanies } from '../tenancy.ts'

/**
 * `npm run verify`: looks through the money and the audit log of all towns and changes nothing. `-- --provider` also asks
 * the payment provider, which must run, what it moved. Exit code 1 where something is wrong.
 */
await runCommand(async (lifetime) => {
  const [option, ...more] = process.argv.slice(2)
  if ((option !== undefined && option !== '--provider') || more.length > 0)
    throw new StartError('Usage: npm run verify [-- --provider]')
  const config = readConfig(process.env, 'start')
  const database = await joinPortal(config)
  lifetime.onStop(database.close)
  const ledger = await verifyLedger(database.urls.platform)
  const chains = await outsideCompanies(database.pools.platform)((tx) => verifyChains(tx))
  const asked = option ? await askProvider(() => verifyProvider(providerOf(config), database.urls.platform)) : null
  const verified = { ...ledger, findings: [...ledger.findings, ...chains, ...(asked ? [asked.finding] : [])] }
  for (const line of [...describeVerified(verified), ...describeHeld(asked?.towns ?? [])]) console.log(line)
  if (!isSound(verified)) process.exitCode = 1
})

async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProviderSilent)
      throw new StartError('The payment provider does not answer. Is the portal running?')
    if (error instanceof ProviderRefused) throw new StartError(`The payment provider refuses: ${error.message}.`)
    throw error
  }
}
