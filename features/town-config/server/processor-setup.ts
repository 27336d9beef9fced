import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { conflict, Refusal } from '../../../server/errors.ts'
import { say } from '../../../shared/messages.ts'
import { ProviderRefused, ProviderSilent, findProvider, openAccount, settingsOf } from '../../payments/api.ts'
import { startProcessorSetup, processorStatus } from '../contract.ts'

/**
 * Loads the settings and the onboarding API of the processor. Some processors require onboarding before they pay out to
 * the bank.
 */
async function atProcessor({ context, company }: Pick<Call, 'context' | 'company'>) {
  const settings = await context.inCompany(company.id, (tx) => settingsOf(tx, company.id))
  const onboarding = findProvider(context.config, settings.provider)?.onboarding
  return { settings, onboarding: onboarding?.needsConsent ? onboarding : undefined }
}

const NOTHING = { missing: [], why: '', takesPayments: false, isPaidOut: false }

/** Loads the onboarding status from the processor each time. `not_needed` if the processor requires no onboarding. */
export const processorStatusCall = implement(processorStatus, async (call) => {
  const { settings, onboarding } = await atProcessor(call)
  if (!onboarding) return { ...NOTHING, state: 'not_needed' as const }
  if (settings.providerAccount === null) return { ...NOTHING, state: 'not_started' as const }
  const status = await callProvider(() => onboarding.loadStatus(settings.providerAccount ?? ''))
  const { state, takesPayments, isPaidOut, missing, why } = status
  return { state, takesPayments, isPaidOut, missing: [...missing], why }
})

/** Returns the processor's single-use onboarding page. Opens the company's account there if it has none. */
export const startProcessorSetupCall = implement(startProcessorSetup, async (call) => {
  const { context, company } = call
  const { settings, onboarding } = await atProcessor(call)
  if (!onboarding) throw conflict('not_needed', say`The processor for ${company.name} needs no setup.`)
  const account = settings.providerAccount ?? (await openAccount(context, company, settings))
  const returnUrl = `${originOf(context.config, 'admin')}/admin/companies`
  const url = await callProvider(() => onboarding.link(account, returnUrl, returnUrl))
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'company.processor_setup_started', subject: { kind: 'company', id: company.id } }),
  )
  return { success: true as const, message: say`The link to the processor’s page works only for a few minutes.`, url }
})

async function callProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw new Refusal(
      503,
      'provider_unreachable',
      'The processor is not available right now. Try again in a few minutes.',
    )
  }
}
