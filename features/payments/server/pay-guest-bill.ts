import { implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { Refusal } from '../../../server/errors.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import { payGuestBill } from '../contract.ts'
import { findCheckout } from './checkout.ts'
import { driveAttempt } from './drive-attempt.ts'
import { findAttempt, findOrder } from './orders.ts'
import { ProviderRefused, ProviderSilent } from './provider.ts'
import { providerOf } from './providers.ts'
import { providerAccountOf, settingsOf } from './settings.ts'
import { standingOf } from './standing.ts'
import { startAttempt } from './start-attempt.ts'

/** Charges a guest's payment: the attempt is committed, then driven through the provider, then told as it stands. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  const { house, company, body } = call
  const known = await call.inCompany(async (tx) => ({
    checkout: await findCheckout(tx, house, company.id, body.token),
    settings: await settingsOf(tx, company.id),
  }))
  const providerAccount = await providerAccountOf(house, company, known.settings).catch((error: unknown) => {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw new Refusal(
      503,
      'provider_unreachable',
      'The payment service cannot be reached at the moment. Nothing was charged. Please try again in a few minutes.',
    )
  })
  const provider = providerOf(house.config).name
  const person = townPersonOf(call.session)
  const attempt = await call.inCompany((tx) =>
    startAttempt(tx, house, company, {
      ...known,
      ...{ providerAccount, provider, key: call.idempotencyKey, wish: body, doer: call, person },
    }),
  )
  await driveAttempt(
    house,
    company,
    attempt.id,
    body.methodToken,
    `${originOf(house.config, company.subdomain)}/guest/payment/${body.token}`,
  )
  return call.inCompany(async (tx) => {
    const now = await findAttempt(tx, company.id, attempt.id)
    return standingOf(await findOrder(tx, company.id, now.order_id), now)
  })
})
