import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { type Method, methods } from '../../payments/rules.ts'
import { ProviderRefused, ProviderSilent, type Setup } from '../../payments/server/provider.ts'
import { providerNamed } from '../../payments/server/providers.ts'
import { settingsOf, throughOf } from '../../payments/server/settings.ts'
import { addPaymentMethod, finishPaymentMethod, keepingMandate } from '../../payments/stored-methods.ts'
import {
  type Agreed,
  deposits,
  type SetupResult,
  endSetup,
  hasTooMany,
  settleSetup,
  tooManyMethods,
  unreachable,
} from './end-setup.ts'
import { own } from './methods.ts'

/** Cards that are tried one after the other are somebody else's: there are few of one's own. */
const perPerson = defineLimit('payment-method-person', {
  most: 8,
  minutes: 60,
  says: 'Too many cards or bank accounts were tried.',
})
/** So long after somebody was sent to their bank we ask what came of it. */
const TIMEOUT_MS = 20 * 60_000
/** So often we ask whether the small deposits on a bank account were named. */
const DEPOSITS_MS = 6 * 60 * 60_000

interface SetupRequest {
  token: string
  method: Method
  /** Where they come back to from their bank. */
  returnUrl: string
}

/** Asks the provider to keep it, with no transaction open; the same key finds what an answer that was lost had said. */
async function setUp(
  call: Call,
  { token, method, returnUrl }: SetupRequest,
): Promise<{ setup: Setup; provider: string }> {
  const { context, company } = call
  const { personId, email } = signedIn(call)
  const settings = await call.reading((tx) => settingsOf(tx, company.id))
  const { account, provider } = await throughOf(context, company, settings)
  const wanted = {
    customer: { reference: `person-${personId}`, name: callerName(call), email },
    method: method === methods.card ? ('card' as const) : ('echeck' as const),
    token,
    mandate: {
      text: keepingMandate(company.name),
      acceptedAt: context.clock.now(),
      address: call.address,
      device: call.device,
    },
    returnUrl,
  }
  try {
    const { stored } = providerNamed(context.config, provider)
    return { setup: await stored.setup(account, wanted, `${company.guid}/setup/${call.idempotencyKey}`), provider }
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    context.log.warn({ err: error.message }, 'a method could not be kept')
    throw unreachable()
  }
}

export const addPaymentMethodCall = implement(addPaymentMethod, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  await countTry(context, [perPerson(`${company.id}/${personId}`)])
  const kept = await call.reading((tx) => own(tx, call).execute())
  if (hasTooMany(kept)) throw rejected(tooManyMethods())
  const page = body.checkout === undefined ? '/profile/payment-methods' : `/guest/payment/${body.checkout}`
  // The caller's key names the setup: a second try, after an answer that was lost, comes back to the same one.
  const key = call.idempotencyKey
  const returnUrl = `${originOf(context.config, company.subdomain)}${page}?${new URLSearchParams({ setup: key })}`
  const { setup, provider } = await setUp(call, { token: body.methodToken, method: body.method, returnUrl })
  const agreed: Agreed = {
    company_id: company.id,
    person_id: personId,
    method: body.method,
    provider,
    mandate_text: keepingMandate(company.name),
    mandate_at: context.clock.now(),
    mandate_address: call.address,
    mandate_device: call.device,
  }
  if (setup.status !== 'requires_action')
    return call.inCompany((tx) => endSetup(tx, context, agreed, setup, call)).then(orRefused)
  await call.inCompany(async (tx) => {
    await tx
      .insertInto('method_setup')
      .values({ ...agreed, setup_key: key, provider_setup: setup.id, created_at: agreed.mandate_at, settled_at: null })
      .onConflict((on) => on.columns(['company_id', 'person_id', 'setup_key']).doNothing())
      .execute()
    // Whoever approves and never comes back has agreed all the same.
    const after = new Date(agreed.mandate_at.getTime() + TIMEOUT_MS)
    await context.jobs.enqueue(tx, SETTLE_SETUP, { company: company.id, person: personId, key }, { after })
  })
  if (body.method === methods.echeck) return { success: true as const, message: deposits(), id: 0, actionUrl: null }
  return {
    success: true as const,
    message: say`Your bank wants to see you before this card is kept.`,
    id: 0,
    actionUrl: setup.actionUrl,
  }
})

/** What became of a setup is committed in any case, and said as a refusal where nothing is kept. */
const orRefused = (ended: SetupResult) => {
  if ('refused' in ended) throw rejected(ended.refused)
  return ended
}

/** After the way to the bank. A second time it says the same. */
export const finishPaymentMethodCall = implement(finishPaymentMethod, async (call) => {
  const { context, company } = call
  const ended = await settleSetup(context, company, { person: signedIn(call).personId, key: call.body.setup, by: call })
  if (ended === null) throw notFound('This card was not asked for, or too long ago. Add it again.')
  return orRefused(ended)
})

/** The job for whoever did not come back. It asks again while the provider waits for small deposits to be named. */
export const SETTLE_SETUP = 'autopay.settle_setup'

export function defineSettlingSetups(context: AppContext): void {
  context.jobs.define<{ company: number; person: number; key: string }>(
    SETTLE_SETUP,
    async ({ company, person, key }) => {
      const town = await context.hosts.byId(companyIdFrom('job', company))
      const by = { session: null, requestId: '', kind: 'system' } as const
      const ended = town && (await settleSetup(context, town, { person, key, by }))
      if (!town || !ended || 'refused' in ended || ended.actionUrl === null) return
      const after = new Date(context.clock.now().getTime() + DEPOSITS_MS)
      await context.inCompany(town.id, (tx) =>
        context.jobs.enqueue(tx, SETTLE_SETUP, { company, person, key }, { after }),
      )
    },
  )
}
