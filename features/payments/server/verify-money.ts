import { StartError } from '../../../server/start-error.ts'
import type { VerifyResult, VerifyParts } from '../../../server/verify.ts'
import { ProviderRefused, ProviderSilent } from './provider.ts'
import { allProviders } from './providers.ts'
import { describeTowns, verifyLedger } from './verify-ledger.ts'
import { describeHeld, verifyProvider } from './verify-provider.ts'

/** Looks through the ledger of all towns, and, where it is wished, asks the payment provider, which must run, what it moved. */
export async function verifyMoney({ config, platformUrl, outside }: VerifyParts): Promise<VerifyResult> {
  const { findings, towns } = await verifyLedger(platformUrl)
  if (!outside) return { findings, lines: describeTowns(towns) }
  const lines = describeTowns(towns)
  for (const provider of allProviders(config)) {
    const asked = await askProvider(() => verifyProvider(provider, platformUrl))
    findings.push(asked.finding)
    lines.push(...describeHeld(asked.towns))
  }
  return { findings, lines }
}

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
