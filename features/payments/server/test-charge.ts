import * as z from 'zod/mini'
import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { conflict } from '../../../server/errors.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/words.ts'
import { TEST_CHARGE_CENTS, testCharge } from '../contract.ts'
import { type Intent, type Provider, ProviderRefused, ProviderSilent } from './provider.ts'
import { findProvider } from './providers.ts'
import { type PaymentSettings, providerAccountOf, settingsOf } from './settings.ts'

type Step = AnswerOf<typeof testCharge>['steps'][number]

const ONLY_SANDBOX = 'This municipality takes real payments, so nothing was charged. A test payment needs the sandbox.'
const perPerson = defineLimit('test-charge', { most: 10 })
const TIMEOUT_MS = 10_000

/** The sandbox's own card, which is no card of anybody's: the one that always pays. */
const CARD = { type: 'card', number: '4242424242424242', month: 12, year: 2040, cvc: '123' }

/**
 * Goes the way of a payment, provider and back, and says how long each step took. It writes no order, no attempt and no
 * transfer: the gateway's events about it find no attempt of ours and are dropped (`provider-events.ts`).
 */
export const testChargeCall = implement(testCharge, async (call) => {
  const { house, company, session } = call
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  const provider = findProvider(house.config, settings.provider)
  if (!provider?.test || provider.name !== 'sandbox') throw conflict('not_a_sandbox', ONLY_SANDBOX)
  await countTry(house, [perPerson(`${company.id}/${session?.personId}`)])
  const steps: Step[] = []
  const intent = await run(call, provider, settings, steps)
  const failed = steps.find(({ passed }) => !passed)
  await call.inCompany((tx) =>
    call.audit(tx, {
      action: 'payment.tested',
      ...(intent && { subject: { kind: 'charge', id: intent.id } }),
      detail: { amountCents: TEST_CHARGE_CENTS, passed: !failed, steps: steps.map(({ what }) => what) },
    }),
  )
  const message = failed
    ? say`The test payment did not go through. Nothing was charged to anybody.`
    : say`The test payment went through and was given back. It is in no report.`
  return { success: !failed, message, steps }
})

async function run(call: Call, provider: Provider, settings: PaymentSettings, steps: Step[]): Promise<Intent | null> {
  const { house, company } = call
  let intent: Intent | null = null
  try {
    const account = await step(steps, 'account', async () => {
      const id = await providerAccountOf(house, company, settings)
      return [id, id]
    })
    const token = await step(steps, 'card', async () => [
      await cardToken(call, account),
      say`The card that always pays`,
    ])
    const key = `test-${call.requestId}`
    const back = `${originOf(house.config, company.subdomain)}/payment-test`
    const wanted = {
      ...{ amountCents: TEST_CHARGE_CENTS, feeCents: 0, method: 'card' as const },
      ...{ description: 'Test payment', companyId: company.id },
    }
    const created = await step(steps, 'create', async () => {
      const made = await provider.createIntent(account, wanted, `${key}-create`)
      return [made, made.id]
    })
    intent = created
    await step(steps, 'confirm', async () => {
      const confirmed = await provider.confirmIntent(account, created.id, { token }, back, `${key}-confirm`)
      if (confirmed.status !== 'succeeded') throw new ProviderRefused(say`The charge is ${confirmed.status}.`)
      return [confirmed, confirmed.means]
    })
    await step(steps, 'refund', async () => {
      const refund = await giveBack(call, account, created.id, `${key}-refund`)
      return [refund, refund]
    })
    await step(steps, 'check', async () => {
      const { refundedCents } = await provider.getIntent(account, created.id)
      if (refundedCents !== TEST_CHARGE_CENTS) throw new ProviderRefused(say`Not everything was given back.`)
      return [refundedCents, say`All of it was given back`]
    })
  } catch (error) {
    if (!(error instanceof Failed)) throw error
  }
  return intent
}

class Failed extends Error {}

async function step<T>(steps: Step[], what: Step['what'], work: () => Promise<[T, string]>): Promise<T> {
  const began = performance.now()
  const note = (passed: boolean, said: string) =>
    steps.push({ what, passed, said, milliseconds: Math.round(performance.now() - began) })
  try {
    const [result, said] = await work()
    note(true, said)
    return result
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    note(false, error instanceof ProviderSilent ? say`The gateway did not answer.` : say`The gateway refused it.`)
    throw new Failed(what, { cause: error })
  }
}

/** Beyond the port of every provider: what the hosted fields do in a browser, and a refund. The sandbox's alone. */
async function ask<T>(
  call: Call,
  path: string,
  answer: z.ZodMiniType<T>,
  body: object,
  headers: Record<string, string>,
) {
  const response = await fetch(call.house.config.gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new ProviderSilent('the gateway did not answer', { cause })
  })
  if (response.status >= 500) throw new ProviderSilent(`the gateway answered ${response.status}`)
  const parsed = answer.safeParse(await response.json().catch(() => null))
  if (!response.ok || !parsed.success) throw new ProviderRefused(`the gateway answered ${response.status}`)
  return parsed.data
}

const cardToken = async (call: Call, account: string): Promise<string> =>
  (await ask(call, `/fields/tokens?account=${encodeURIComponent(account)}`, z.object({ token: z.string() }), CARD, {}))
    .token

const giveBack = async (call: Call, account: string, intent: string, key: string): Promise<string> =>
  (
    await ask(
      call,
      '/v1/refunds',
      z.object({ id: z.string() }),
      { intent, amount_cents: TEST_CHARGE_CENTS, reason: 'test' },
      {
        ...{ authorization: `Bearer ${call.house.config.gateway.apiKey}`, 'gateway-account': account },
        'idempotency-key': key,
      },
    )
  ).id
