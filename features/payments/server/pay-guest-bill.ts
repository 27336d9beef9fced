import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { payGuestBill } from '../contract.ts'
import { drive, findPayment } from './drive-attempt.ts'
import { methods } from '../rules.ts'
import { type CardKind, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'
import { openAccount, unreachable } from './settings.ts'
import { standingWithNext } from './standing.ts'
import { type StartedPayment, startAttempt } from './start-attempt.ts'

/** Charges a guest's payment: the attempt is committed, then driven through the provider, then told as it stands. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  const { context, company, body } = call
  const begun = await begin(call)
  const page = `${originOf(context.config, company.subdomain)}/guest/payment/${body.token}`
  const driven = await drive(context, company, begun, begun.means, page)
  const { order, attempt } = driven ?? (await findPayment(context, company, begun.attempt.id))
  return call.reading((tx) => standingWithNext(tx, company.id, order, attempt))
})

/**
 * Step 1. A town's first payment opens its account with the provider, and where fees depend on the card the provider says
 * what it is: no transaction waits for either.
 */
async function begin(call: Call<RequestOf<typeof payGuestBill>>): Promise<StartedPayment> {
  const { context, company, session, body } = call
  const payer = {
    // Whoever pays, signed in or not.
    who: {
      as: 'requester' as const,
      actor: call,
      clock: context.clock,
      ...(session === null && { known: { id: null, name: 'Guest' } }),
    },
    person: townPersonOf(session),
    email: body.email,
  }
  const from = { address: call.address, device: call.device }
  const known = { key: call.idempotencyKey, wish: body, payer, from }
  const start = (card?: CardKind) =>
    call.inCompany((tx) => startAttempt(tx, context, company, card ? { ...known, card } : known))
  const begun = await start()
  if ('order' in begun) return begun
  const account = begun.providerAccount ?? (await openAccount(context, company, begun))
  const again = await start(await cardOf(context, begun.provider, account, body))
  if ('order' in again) return again
  throw new Error('the town has an account with the provider now')
}

const ANY_CARD: CardKind = { brand: null, funding: null }

/** What card a token stands for. A token that the provider refuses pays nothing either, so that any fee will do. */
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
