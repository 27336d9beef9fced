import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { type Method, methods } from '../../payments/rules.ts'
import {
  ProviderRefused,
  ProviderSilent,
  type Setup,
  providerNamed,
  settingsOf,
  ensureProviderRoute,
} from '../../payments/api.ts'
import { addPaymentMethod, finishPaymentMethod, storageMandate } from '../../payments/stored-methods.ts'
import {
  type Agreed,
  deposits,
  type SetupResult,
  endSetup,
  hasTooMany,
  finishSetup,
  tooManyMethods,
  unreachable,
} from './end-setup.ts'
import { own } from './methods.ts'

/** Rate limit against card testing. A person has few cards, so many attempts suggest stolen cards. */
const perPerson = defineLimit('payment-method-person', {
  max: 8,
  minutes: 60,
  text: 'Too many attempts to add a card or bank account.',
})
/**
 * Time after the redirect to the bank, in milliseconds. After this time, the portal requests the result from the
 * provider.
 */
const TIMEOUT_MS = 20 * 60_000
/** Time between checks for the confirmation of the small deposits, in milliseconds. */
const DEPOSITS_MS = 6 * 60 * 60_000

interface SetupRequest {
  token: string
  method: Method
  returnUrl: string
}

/**
 * Asks the provider to save the method, outside any transaction. If the response is lost, a retry with the same key
 * receives the original response.
 */
async function setUp(
  call: Call,
  { token, method, returnUrl }: SetupRequest,
): Promise<{ setup: Setup; provider: string }> {
  const { context, company } = call
  const { personId, email } = signedIn(call)
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  const { account, provider } = await ensureProviderRoute(context, company, settings)
  const setupRequest = {
    customer: { reference: `person-${personId}`, name: callerName(call), email },
    method: method === methods.card ? ('card' as const) : ('echeck' as const),
    token,
    mandate: {
      text: storageMandate(company.name),
      acceptedAt: context.clock.now(),
      address: call.address,
      device: call.device,
    },
    returnUrl,
  }
  try {
    const { stored } = providerNamed(context.config, provider)
    return {
      setup: await stored.setup(account, setupRequest, `${company.guid}/setup/${call.idempotencyKey}`),
      provider,
    }
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message }, 'a method could not be kept')
    throw unreachable()
  }
}

export const addPaymentMethodCall = implement(addPaymentMethod, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  await countAttempt(context, [perPerson(`${company.id}/${personId}`)])
  const storedMethods = await call.reading((tx) => own(tx, call).execute())
  if (hasTooMany(storedMethods)) throw rejected(tooManyMethods())
  const page = body.checkout === undefined ? '/profile/payment-methods' : `/guest/payment/${body.checkout}`
  // The caller's idempotency key identifies the setup. A retry after a lost response finds the same setup.
  const key = call.idempotencyKey
  const returnUrl = `${originOf(context.config, company.subdomain)}${page}?${new URLSearchParams({ setup: key })}`
  const { setup, provider } = await setUp(call, { token: body.methodToken, method: body.method, returnUrl })
  const agreed: Agreed = {
    company_id: company.id,
    person_id: personId,
    method: body.method,
    provider,
    mandate_text: storageMandate(company.name),
    mandate_at: context.clock.now(),
    mandate_address: call.address,
    mandate_device: call.device,
  }
  if (setup.status !== 'requires_action')
    return call.inCompany((tx) => endSetup(tx, context, agreed, setup, call)).then(throwIfRefused)
  await call.inCompany(async (tx) => {
    await tx
      .insertInto('method_setup')
      .values({ ...agreed, setup_key: key, provider_setup: setup.id, created_at: agreed.mandate_at, finished_at: null })
      .onConflict((on) => on.columns(['company_id', 'person_id', 'setup_key']).doNothing())
      .execute()
    // The job also saves the method if the person approves at the bank but does not return. The person has agreed in
    // any case.
    const after = new Date(agreed.mandate_at.getTime() + TIMEOUT_MS)
    await context.jobs.enqueue(tx, FINISH_SETUP, { company: company.id, person: personId, key }, { after })
  })
  if (body.method === methods.echeck) return { success: true as const, message: deposits(), id: 0, actionUrl: null }
  return {
    success: true as const,
    message: say`Your bank must confirm this card before we save it.`,
    id: 0,
    actionUrl: setup.actionUrl,
  }
})

/** Fails the call if no method was saved. The outcome of the setup is already committed. */
const throwIfRefused = (ended: SetupResult) => {
  if ('refused' in ended) throw rejected(ended.refused)
  return ended
}

/** Finishes a setup after the person returns from the bank. A repeated call returns the same response. */
export const finishPaymentMethodCall = implement(finishPaymentMethod, async (call) => {
  const { context, company } = call
  const ended = await finishSetup(context, company, { person: signedIn(call).personId, key: call.body.setup, by: call })
  if (ended === null) throw notFound('We could not find this card, or its setup has expired. Add the card again.')
  return throwIfRefused(ended)
})

/**
 * Job that finishes the setup of a person who did not return. It repeats while the provider waits for confirmation of
 * the small deposits.
 */
export const FINISH_SETUP = 'autopay.finish_setup'

export function defineSetupJob(context: AppContext): void {
  context.jobs.define<{ company: number; person: number; key: string }>(
    FINISH_SETUP,
    async ({ company, person, key }) => {
      const companyRecord = await context.hosts.byId(companyIdFrom('job', company))
      const by = { session: null, requestId: '', kind: 'system' } as const
      const ended = companyRecord && (await finishSetup(context, companyRecord, { person, key, by }))
      if (!companyRecord || !ended || 'refused' in ended || ended.actionUrl === null) return
      const after = new Date(context.clock.now().getTime() + DEPOSITS_MS)
      await context.inCompany(companyRecord.id, (tx) =>
        context.jobs.enqueue(tx, FINISH_SETUP, { company, person, key }, { after }),
      )
    },
  )
}
