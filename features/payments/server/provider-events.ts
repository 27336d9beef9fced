import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { applyIntent, applyRefund } from './apply-intent.ts'
import { type ProviderEvent, ProviderRefused } from './provider.ts'
import { providerOf } from './providers.ts'

/** A provider's event is small; more is not from a provider. */
const MOST_BYTES = 64 * 1024

/** The address where the provider's events arrive: signature checked on the raw body, kept in the inbox, then applied. */
export function mountProviderEvents(app: FastifyInstance, house: House): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/webhooks/sandbox', async (request) => {
      const provider = providerOf(house.config)
      const raw = typeof request.body === 'string' ? request.body : ''
      const signature = request.headers['gateway-signature']
      const event = read(() =>
        provider.readEvent(raw, typeof signature === 'string' ? signature : undefined, house.clock.now()),
      )
      const fresh = await house.outside(async (tx) => {
        const kept = await tx
          .insertInto('provider_event')
          .values({
            provider: provider.name,
            event_id: event.id,
            received_at: house.clock.now(),
            body: JSON.stringify(event),
            applied_at: null,
          })
          .onConflict((c) => c.columns(['provider', 'event_id']).doNothing())
          .returning('event_id')
          .executeTakeFirst()
        return Boolean(kept)
      })
      // The inbox has it: answering now and applying after is safe, the sweep takes up what fails here.
      if (fresh)
        void applyEvent(house, event).catch((error: unknown) =>
          house.log.warn({ err: error, event: event.id }, 'an event waits'),
        )
      return { received: true }
    })
  })
}

function read(work: () => ProviderEvent): ProviderEvent {
  try {
    return work()
  } catch (error) {
    throw new Refusal(400, 'bad_event', error instanceof ProviderRefused ? error.message : 'the event cannot be read')
  }
}

/**
 * Fetches the object that an event is about and applies what it says now. Which town it belongs to is what we told
 * the provider when the charge was made, and is believed only where that town knows the charge.
 */
export async function applyEvent(house: House, event: ProviderEvent): Promise<void> {
  const provider = providerOf(house.config)
  const intent = await provider.getIntent(event.account, event.intentId)
  if (intent.companyId !== null) {
    const company = companyIdFrom('provider-event', intent.companyId)
    const attempt = await house.inCompany(company, (tx) =>
      tx
        .selectFrom('payment_attempt')
        .select('id')
        .where('company_id', '=', company)
        .where('provider', '=', provider.name)
        .where('provider_account', '=', event.account)
        .where('intent_id', '=', intent.id)
        .executeTakeFirst(),
    )
    if (attempt) {
      await applyIntent(house, company, attempt.id, intent)
      if (event.object === 'refund')
        await applyRefund(house, company, attempt.id, await provider.getRefund(event.account, event.objectId))
    }
  }
  await house.outside((tx) =>
    tx
      .updateTable('provider_event')
      .set({ applied_at: house.clock.now() })
      .where('provider', '=', provider.name)
      .where('event_id', '=', event.id)
      .execute(),
  )
}
