import { type Call, implement, signedIn } from '../../../server/call.ts'
import { Refusal, rejected } from '../../../server/errors.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { say } from '../../../shared/words.ts'
import { type Method, methods } from '../../payments/rules.ts'
import { ProviderRefused, ProviderSilent, type Setup } from '../../payments/server/provider.ts'
import { providerOf } from '../../payments/server/providers.ts'
import { settingsOf, throughOf } from '../../payments/server/settings.ts'
import { addPaymentMethod } from '../contract.ts'
import { expiryDay, keepingMandate } from '../rules.ts'
import { makeDefault, own } from './methods.ts'

/** Cards that are tried one after the other are somebody else's: there are few of one's own. */
const perPerson = defineLimit('payment-method-person', {
  most: 8,
  minutes: 60,
  says: 'Too many cards or bank accounts were tried.',
})
const MOST = 20

/** Asks the provider to keep it, with no transaction open; the same key finds what an answer that was lost had said. */
async function setUp(call: Call, token: string, method: Method): Promise<Setup> {
  const { house, company } = call
  const { personId, firstName, lastName, email } = signedIn(call)
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  const { account } = await throughOf(house, company, settings)
  const wanted = {
    customer: { reference: `person-${personId}`, name: `${firstName} ${lastName}`.trim(), email },
    method: method === methods.card ? ('card' as const) : ('echeck' as const),
    token,
    mandate: {
      text: keepingMandate(company.name),
      acceptedAt: house.clock.now(),
      address: call.address,
      device: call.device,
    },
  }
  try {
    return await providerOf(house.config).stored.setup(account, wanted, `${company.guid}/setup/${call.idempotencyKey}`)
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    house.log.warn({ err: error.message }, 'a method could not be kept')
    throw new Refusal(
      503,
      'provider_unreachable',
      'The payment service cannot be reached at the moment. Nothing was kept. Please try again in a few minutes.',
    )
  }
}

export const addPaymentMethodCall = implement(addPaymentMethod, async (call) => {
  const { house, company, body } = call
  const { personId } = signedIn(call)
  await countTry(house, [perPerson(`${company.id}/${personId}`)])
  const kept = await call.reading((tx) => own(tx, call).execute())
  if (kept.length >= MOST) throw rejected(say`You have ${MOST} cards and bank accounts. Remove one first.`)
  const setup = await setUp(call, body.methodToken, body.method)
  if (setup.status === 'requires_action')
    throw rejected('The bank wants to see you with each payment by this card, so it can not be kept. Use another one.')
  if (setup.status === 'failed') {
    await call.inCompany((tx) =>
      call.audit(tx, { action: 'payment_method.refused', detail: { code: setup.error.code }, person: personId }),
    )
    throw rejected(say`It was not kept: ${setup.error.message} Check the details, or use another one.`)
  }
  const { stored, customer } = setup
  return call.inCompany(async (tx) => {
    const now = house.clock.now()
    const isFirst = !kept.some(({ unusable }) => unusable === '')
    const row = await tx
      .insertInto('stored_method')
      .values({
        company_id: company.id,
        person_id: personId,
        method: body.method,
        provider: providerOf(house.config).name,
        provider_customer: customer,
        provider_method: stored.id,
        means: stored.means,
        bank_name: stored.bankName ?? '',
        expires_on: stored.expires && expiryDay(stored.expires),
        is_default: false,
        mandate_text: keepingMandate(company.name),
        mandate_at: now,
        mandate_address: call.address,
        mandate_device: call.device,
        created_at: now,
        removed_at: null,
        expiry_told_at: null,
      })
      // The answer to the first try was lost, and this is the second.
      .onConflict((on) => on.columns(['company_id', 'person_id', 'provider_method']).doUpdateSet({ removed_at: null }))
      .returning('id')
      .executeTakeFirstOrThrow()
    if (isFirst) await makeDefault(tx, call, row.id)
    await call.audit(tx, {
      action: 'payment_method.added',
      subject: { kind: 'payment_method', id: row.id },
      detail: { means: stored.means },
      person: personId,
    })
    return { success: true as const, message: say`${stored.means} is kept for your payments.`, id: row.id }
  })
})
