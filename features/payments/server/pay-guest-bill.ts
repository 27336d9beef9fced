import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { payGuestBill } from '../contract.ts'
import { drive, findPayment } from './drive-attempt.ts'
import { openAccount } from './settings.ts'
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

/** Step 1. A town's first payment opens its account with the provider, which no transaction waits for. */
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
  const start = () => call.inCompany((tx) => startAttempt(tx, house, company, known))
  const begun = await start()
  if ('order' in begun) return begun
  await openAccount(house, company, begun)
  const again = await start()
  if ('order' in again) return again
  throw new Error('the town has an account with the provider now')
}
