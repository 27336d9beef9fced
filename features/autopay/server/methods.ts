import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, Refusal, rejected } from '../../../server/errors.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { whoOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import { type Method, methods } from '../../payments/rules.ts'
import { ProviderRefused, ProviderSilent, type Setup } from '../../payments/server/provider.ts'
import { providerOf } from '../../payments/server/providers.ts'
import { providerAccountOf, settingsOf, throughOf } from '../../payments/server/settings.ts'
import { addPaymentMethod, makeDefaultMethod, paymentMethods, removePaymentMethod } from '../contract.ts'
import { expiryDay, keepingMandate } from '../rules.ts'
import { endAutopay } from './enrolments.ts'

/** Cards that are tried one after the other are somebody else's: there are few of one's own. */
const perPerson = defineLimit('payment-method-person', {
  most: 8,
  minutes: 60,
  says: 'Too many cards or bank accounts were tried.',
})
const MOST = 20
const GONE = 'This card or bank account is not kept any more. Load the page again.'

const own = (tx: Tx, call: Call) =>
  tx
    .selectFrom('stored_method')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .where('removed_at', 'is', null)

/** One of the caller's, locked. @throws 404 */
export async function lockOwnMethod(tx: Tx, call: Call, id: number) {
  const found = await own(tx, call).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!found) throw notFound(GONE)
  return found
}

/** The live enrolments that pay by a method, locked after it. */
const paidBy = (tx: Tx, call: Call, id: number) =>
  tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .where('method_id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .orderBy('id')
    .forUpdate()
    .execute()

export const paymentMethodsCall = implement(paymentMethods, async (call) => {
  const { house, company } = call
  const provider = providerOf(house.config)
  const { rows, settings } = await call.reading(async (tx) => ({
    rows: await own(tx, call)
      .select(
        sql<string[]>`ARRAY(SELECT a.reference FROM autopay a WHERE a.company_id = stored_method.company_id
          AND a.method_id = stored_method.id AND a.state IN ('active', 'paused') ORDER BY a.reference)`.as('pays'),
      )
      .orderBy('is_default', 'desc')
      .orderBy('id')
      .execute(),
    settings: await settingsOf(tx, company.id),
  }))
  // What is kept can be looked at while the payment service is away; only its fields can't.
  const account = await providerAccountOf(house, company, settings).catch(() => '')
  const today = dateIn(company.timeZone, house.clock.now())
  return {
    methods: rows.map((row) => ({
      id: row.id,
      method: row.method,
      means: row.means,
      bankName: row.bank_name,
      expiresOn: row.expires_on,
      expired: row.expires_on !== null && row.expires_on < today,
      isDefault: row.is_default,
      unusable: row.unusable,
      pays: row.pays,
    })),
    gateway: { origin: provider.fieldsOrigin, account, test: provider.test },
    mandate: keepingMandate(company.name),
  }
})

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

async function makeDefault(tx: Tx, call: Call, id: number): Promise<void> {
  const mine = () =>
    tx
      .updateTable('stored_method')
      .where('company_id', '=', call.company.id)
      .where('person_id', '=', signedIn(call).personId)
  await mine().set({ is_default: false }).where('is_default', '=', true).execute()
  await mine().set({ is_default: true }).where('id', '=', id).execute()
}

export const makeDefaultMethodCall = implement(makeDefaultMethod, (call) =>
  call.inCompany(async (tx) => {
    const { id, means, unusable } = await lockOwnMethod(tx, call, call.body.id)
    if (unusable !== '') throw conflict('unusable', say`${means} can not be charged any more. Add it anew.`)
    await makeDefault(tx, call, id)
    await call.audit(tx, {
      action: 'payment_method.made_default',
      subject: { kind: 'payment_method', id },
      detail: { means },
    })
    return { success: true as const, message: say`${means} is offered first from now on.` }
  }),
)

/** Here first, so that nothing is charged by it any more; then at the provider, which may be asked again. */
export const removePaymentMethodCall = implement(removePaymentMethod, async (call) => {
  const { house, company, body } = call
  const removed = await call.inCompany(async (tx) => {
    const method = await lockOwnMethod(tx, call, body.id)
    const pays = await paidBy(tx, call, body.id)
    if (pays.length > 0 && !body.endAutopay)
      throw conflict(
        'used_by_autopay',
        say`AutoPay pays by ${method.means}. Choose another card or bank account there first, or end AutoPay with it.`,
      )
    for (const one of pays) await endAutopay(tx, company.id, one, 'end', { reason: 'method_removed' }, whoOf(call))
    await tx
      .updateTable('stored_method')
      .set({ removed_at: house.clock.now(), is_default: false })
      .where('company_id', '=', company.id)
      .where('id', '=', method.id)
      .execute()
    const next = await own(tx, call).where('unusable', '=', '').orderBy('id').executeTakeFirst()
    if (method.is_default && next) await makeDefault(tx, call, next.id)
    await call.audit(tx, {
      action: 'payment_method.removed',
      subject: { kind: 'payment_method', id: method.id },
      detail: { means: method.means },
    })
    await house.jobs.enqueue(tx, FORGET, { company: company.id, id: method.id })
    return method
  })
  return { success: true as const, message: say`${removed.means} is removed.` }
})

/** The job that has the provider forget a method that was removed. */
export const FORGET = 'autopay.forget_method'
