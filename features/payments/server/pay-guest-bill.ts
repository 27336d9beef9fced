import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import { payGuestBill } from '../contract.ts'
import { findCheckout } from './checkout.ts'
import { driveAttempt } from './drive-attempt.ts'
import { findAttempt, findOrder } from './orders.ts'
import { settingsOf, throughOf } from './settings.ts'
import { standingOf } from './standing.ts'
import { startAttempt } from './start-attempt.ts'

/** Charges a guest's payment: the attempt is committed, then driven through the provider, then told as it stands. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  const { house, company, body } = call
  const { checkout, settings } = await call.inCompany(async (tx) => ({
    checkout: await findCheckout(tx, house, company.id, body.token),
    settings: await settingsOf(tx, company.id),
  }))
  const through = await throughOf(house, company, settings)
  const payer = {
    // Whoever pays, signed in or not.
    who: {
      as: 'requester' as const,
      doer: call,
      clock: house.clock,
      ...(call.session === null && { known: { id: null, name: 'Guest' } }),
    },
    person: townPersonOf(call.session),
    email: body.email,
  }
  const known = { checkout, key: call.idempotencyKey, wish: body, payer }
  const attempt = await call.inCompany((tx) => startAttempt(tx, house, company, known, through))
  const page = `${originOf(house.config, company.subdomain)}/guest/payment/${body.token}`
  await driveAttempt(house, company, attempt.id, { token: body.methodToken }, page)
  return call.inCompany(async (tx) => {
    const now = await findAttempt(tx, company.id, attempt.id)
    return standingOf(await findOrder(tx, company.id, now.order_id), now)
  })
})
