import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { conflict, notAllowed } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { defineSetupRun } from '../../../server/setup-runs.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { areaLabel } from '../../../shared/areas.ts'
import { say } from '../../../shared/messages.ts'
import { may } from '../../../shared/privileges.ts'
import {
  findProvider,
  type Intent,
  type PaymentSettings,
  type Provider,
  ensureProviderAccount,
  ProviderRefused,
  ProviderSilent,
  settingsOf,
  trialPort,
  type TrialVerbs,
} from '../../payments/api.ts'
import { TEST_CHARGE_CENTS, testCharge } from '../contract.ts'
import { enter } from './onboardings.ts'

type TestChargeStep = ResponseOf<typeof testCharge>['steps'][number]
type ProviderWithTrial = Provider & { trial: TrialVerbs }

const ONLY_TESTS =
  'This municipality takes real payments, so nothing was charged. You can make a test payment only with a test provider.'
const perPerson = defineLimit('test-charge', { max: 10 })

/**
 * Runs a test charge through the provider, refunds it, and reports the duration of each step. The charge creates no
 * order, attempt or transfer. So the gateway's events about the charge match no attempt and are dropped
 * (`provider-events.ts`).
 */
export const testChargeCall = implement(testCharge, chargeTest)

// The test payment of Get Started.
defineSetupRun('provider', async (call) => {
  const { kind, privileges } = signedIn(call)
  if (kind === 'municipality' && !may(privileges, 'payments', 'create'))
    throw notAllowed(say`To run a test payment, you need the area “${areaLabel('payments')}”.`)
  const { success, message } = await chargeTest(call)
  if (!success) throw conflict('test_failed', message)
  return message
})

async function chargeTest(call: Call) {
  const { context, company } = call
  const tried = await tryCharge(call)
  if (!tried) throw conflict('not_a_sandbox', ONLY_TESTS)
  const { provider, intent, steps, failed } = tried
  await call.inCompany(async (tx) => {
    await call.audit(tx, {
      action: 'payment.tested',
      ...(intent && { subject: { kind: 'charge', id: intent.id } }),
      detail: { amountCents: TEST_CHARGE_CENTS, passed: !failed, steps: steps.map(({ what }) => what) },
    })
    // The test is the last step of the company's onboarding with the provider. The onboarding screens show the result.
    await enter(tx, context, company.id, provider.name)
    await tx
      .updateTable('provider_onboarding')
      .set({ tested_at: context.clock.now(), test_passed: !failed, tested_by: callerName(call) })
      .where('company_id', '=', company.id)
      .where('provider', '=', provider.name)
      .execute()
  })
  const message = failed
    ? say`The test payment failed. No real money was charged.`
    : say`The test payment succeeded and was refunded. It does not appear in any report.`
  return { success: !failed, message, steps }
}

/** Runs a test charge through the provider. Null if the provider takes real payments. */
async function tryCharge(call: Call) {
  const { context, company, session } = call
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  const provider = findProvider(context.config, settings.provider)
  const trial = provider?.test ? provider.trial : undefined
  if (!provider || !trial) return null
  await countAttempt(context, [perPerson(`${company.id}/${session?.personId}`)])
  const steps: TestChargeStep[] = []
  const intent = await run(call, { ...provider, trial }, settings, steps)
  return { provider, intent, steps, failed: steps.find(({ passed }) => !passed) }
}

trialPort.tryCharge = async (call) => {
  const tried = await tryCharge(call)
  return tried && { failed: tried.failed !== undefined }
}

async function run(
  call: Call,
  provider: ProviderWithTrial,
  settings: PaymentSettings,
  steps: TestChargeStep[],
): Promise<Intent | null> {
  const { context, company } = call
  let intent: Intent | null = null
  try {
    const account = await step(steps, 'account', async () => {
      const id = await ensureProviderAccount(context, company, settings)
      return [id, id]
    })
    const { method } = provider.trial
    const source = await step(steps, 'card', async () => [
      await provider.trial.createSource(account),
      method === 'card' ? say`Test card that always succeeds` : say`Test bank account that always succeeds`,
    ])
    const key = `test-${call.requestId}`
    const returnUrl = `${originOf(context.config, company.subdomain)}/payment-test`
    const intentRequest = {
      ...{ amountCents: TEST_CHARGE_CENTS, feeCents: 0, method },
      ...{ description: 'Test payment', companyId: company.id },
    }
    const created = await step(steps, 'create', async () => {
      const made = await provider.createIntent(account, intentRequest, `${key}-create`)
      return [made, made.id]
    })
    intent = created
    await step(steps, 'confirm', async () => {
      const confirmed = await provider.confirmIntent(account, created.id, source, returnUrl, `${key}-confirm`)
      // A bank debit takes days, so only its acceptance can be checked now.
      if (confirmed.status !== (method === 'card' ? 'succeeded' : 'processing'))
        throw new UnexpectedResult(say`The charge has the status “${confirmed.status}”.`)
      return [confirmed, confirmed.methodLabel]
    })
    await step(steps, 'refund', async () => {
      const refund = await refundCharge(provider, account, created.id, key)
      return [refund, refund]
    })
    await step(steps, 'check', async () => {
      const { refundedCents, status } = await provider.getIntent(account, created.id)
      if (status !== 'canceled' && refundedCents !== TEST_CHARGE_CENTS)
        throw new UnexpectedResult(say`The charge was not fully refunded.`)
      return [refundedCents, say`Fully refunded`]
    })
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  }
  return intent
}

class Failed extends Error {}

/** Error if a charge differs from the expected result. The screen shows its message with the step. */
class UnexpectedResult extends Error {}

async function step<T>(
  steps: TestChargeStep[],
  what: TestChargeStep['what'],
  work: () => Promise<[T, string]>,
): Promise<T> {
  const began = performance.now()
  const note = (passed: boolean, resultText: string) =>
    steps.push({ what, passed, result: resultText, milliseconds: Math.round(performance.now() - began) })
  try {
    const [result, resultText] = await work()
    note(true, resultText)
    return result
  } catch (error) {
    if (error instanceof UnexpectedResult) note(false, error.message)
    else if (error instanceof ProviderSilent) note(false, say`The provider did not respond.`)
    else if (error instanceof ProviderRefused) note(false, say`The provider rejected the request.`)
    else throw error
    throw new Failed(what, { cause: error })
  }
}

/** Refunds a paid charge, or cancels a debit before it is sent to the bank. */
async function refundCharge(
  provider: ProviderWithTrial,
  account: string,
  intent: string,
  key: string,
): Promise<string> {
  if (provider.trial.method === 'echeck') return (await provider.cancelIntent(account, intent, `${key}-cancel`)).id
  const refundRequest = { amountCents: TEST_CHARGE_CENTS, line: null, reason: 'test' }
  return (await provider.createRefund(account, intent, refundRequest, `${key}-refund`)).id
}
