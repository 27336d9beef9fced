import { StartError } from '../../../../server/start-error.ts'
import type { VerifyResult, VerifyParts } from '../../../../server/verify.ts'
import { ProviderRefused, ProviderSilent } from '../providers/provider.ts'
import { allProviders } from '../providers/providers.ts'
import { describeCompanies, verifyLedger } from './verify-ledger.ts'
import { describeBalances, verifyProvider } from './verify-provider.ts'

/**
 * Checks the ledger. If `outside` is true, also compares the ledger with the movements of each provider, which must be
 * running.
 */
export async function verifyMoney({ config, platformUrl, outside }: VerifyParts): Promise<VerifyResult> {
  const { findings, companies } = await verifyLedger(platformUrl)
  if (!outside) return { findings, lines: describeCompanies(companies) }
  const lines = describeCompanies(companies)
  for (const provider of allProviders(config)) {
    const providerResult = await callProvider(() => verifyProvider(provider, platformUrl))
    findings.push(providerResult.finding)
    lines.push(...describeBalances(providerResult.companies))
  }
  return { findings, lines }
}

async function callProvider<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProviderSilent)
      throw new StartError('The payment provider does not answer. Is the portal running?')
    if (error instanceof ProviderRefused) throw new StartError(`The payment provider refuses: ${error.message}.`)
    throw error
  }
}
