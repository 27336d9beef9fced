import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { payGuestBill } from '../contract.ts'
import { drive, findPayment } from './drive-attempt.ts'
import { methods } from '../rules.ts'
import { type CardKind, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'
import { openAccount, unreachable } from './settings.ts'
import { statusWithNext } from './standing.ts'
import { type StartedPayment, startAttempt } from './start-attempt.ts'

/** Charges a guest's payment: commits the attempt, sends it to the provider, then returns its status. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  const { context, company, body } = call
  const started = await begin(call)
  const page = `${originOf(context.config, company.subdomain)}/guest/payment/${body.token}`
  const driven = await drive(context, company, started, started.source, page)
  const { order, attempt } = driven ?? (await findPayment(context, company, started.attempt.id))
  return call.reading((tx) => statusWithNext(tx, company.id, order, attempt))
})

/**
 * Step 1. A company's first payment opens its provider account, and card-dependent fees need the card type from the
 * provider. No transaction stays open during either call.
 */
async function begin(call: Call<RequestOf<typeof payGuestBill>>): Promise<StartedPayment> {
  const { context, company, session, body } = call
  const payer = {
    // The payer, signed in or not.
    who: {
      as: 'requester' as const,
      caller: call,
      clock: context.clock,
      ...(session === null && { person: { id: null, name: 'Guest' } }),
    },
    person: companyPersonOf(session),
    email: body.email,
  }
  const from = { address: call.address, device: call.device }
  const attemptInput = { key: call.idempotencyKey, request: body, payer, from }
  const start = (card?: CardKind) =>
    call.inCompany((tx) => startAttempt(tx, context, company, card ? { ...attemptInput, card } : attemptInput))
  const started = await start()
  if ('order' in started) return started
  const account = started.providerAccount ?? (await openAccount(context, company, started))
  const again = await start(await cardOf(context, started.provider, account, body))
  if ('order' in again) return again
  throw new Error('the town has an account with the provider now')
}

const ANY_CARD: CardKind = { brand: null, funding: null }

/**
 * Asks the provider for the card type of a token. If the provider refuses the token, the charge fails as well, so any
 * fee is acceptable.
 */
async function cardOf(
  { config }: Call['context'],
  provider: string,
  account: string,
  { method, methodToken }: RequestOf<typeof payGuestBill>,
): Promise<CardKind> {
  if (method !== methods.card || methodToken === undefined) return ANY_CARD
  try {
    return (await providerNamed(config, provider).cardOf?.(account, methodToken)) ?? ANY_CARD
  } catch (error) {
    if (error instanceof ProviderRefused) return ANY_CARD
    if (error instanceof ProviderSilent) throw unreachable()
    throw error
  }
}
