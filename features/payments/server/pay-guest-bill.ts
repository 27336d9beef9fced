import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { payGuestBill } from '../contract.ts'
import { drive, findPayment } from './drive-attempt.ts'
import { methods } from '../rules.ts'
import { type CardKind, ProviderRefused, ProviderSilent } from './provider.ts'
import { providerNamed } from './providers.ts'
import { openAccount, unreachable } from './settings.ts'
import { standingWithNext } from './standing.ts'
import { type Started, startAttempt } from './start-attempt.ts'

/** Charges a guest's payment: the attempt is committed, then driven through the provider, then told as it stands. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  const { house, company, body } = call
  const begun = await begin(call)
  const page = `${originOf(house.config, company.subdomain)}/guest/payment/${body.token}`
  const driven = await drive(house, company, begun, begun.means, page)
  const { order, attempt } = driven ?? (await findPayment(house, company, begun.attempt.id))
  return call.reading((tx) => standingWithNext(tx, company.id, order, attempt))
})

/**
 * Step 1. A town's first payment opens its account with the provider, and where fees depend on the card the provider says
 * what it is: no transaction waits for either.
 */
async function begin(call: Call<BodyOf<typeof payGuestBill>>): Promise<Started> {
  const { house, company, session, body } = call
  const payer = {
    // Whoever pays, signed in or not.
    who: {
      as: 'requester' as const,
      doer: call,
      clock: house.clock,
      ...(session === null && { known: { id: null, name: 'Guest' } }),
    },
    person: townPersonOf(session),
    email: body.email,
  }
  const from = { address: call.address, device: call.device }
  const known = { key: call.idempotencyKey, wish: body, payer, from }
  const start = (card?: CardKind) =>
    call.inCompany((tx) => startAttempt(tx, house, company, card ? { ...known, card } : known))
  const begun = await start()
  if ('order' in begun) return begun
  const account = begun.providerAccount ?? (await openAccount(house, company, begun))
  const again = await start(await cardOf(house, begun.provider, account, body))
  if ('order' in again) return again
  throw new Error('the town has an account with the provider now')
}

const ANY_CARD: CardKind = { brand: null, funding: null }

/** What card a token stands for. A token that the provider refuses pays nothing either, so that any fee will do. */
async function cardOf(
  { config }: Call['house'],
  provider: string,
  account: string,
  { method, methodToken }: BodyOf<typeof payGuestBill>,
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
