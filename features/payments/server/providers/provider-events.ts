import type { FastifyInstance } from 'fastify'
import { notFound, Refusal } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { storeEvent, tryEvent } from './event-inbox.ts'
import { type ProviderEvent, ProviderRefused } from './provider.ts'
import { findProvider, providerNames } from './providers.ts'

/** Maximum size of an event in bytes. No real provider event is that large. */
const MAX_BYTES = 64 * 1024

/**
 * Mounts one webhook URL for each provider. Each webhook checks the signature on the raw body, saves the event in the
 * inbox and then applies it.
 */
export function mountProviderEvents(app: FastifyInstance, context: AppContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    for (const name of providerNames)
      scope.post(`/webhooks/${name}`, async (request) => {
        const provider = findProvider(context.config, name)
        if (!provider) throw notFound()
        const raw = typeof request.body === 'string' ? request.body : ''
        const signature = request.headers[provider.signatureHeader]
        const parsed = read(() =>
          provider.readEvent(raw, typeof signature === 'string' ? signature : undefined, context.clock.now()),
        )
        // The webhook URL decides the provider.
        const event = parsed && { ...parsed, provider: name }
        // The inbox already has the event, so the response does not wait for its processing. If the processing fails,
        // the sweep retries it.
        if (event && (await storeEvent(context, event))) void tryEvent(context, event)
        return { received: true }
      })
  })
}

function read(work: () => ProviderEvent | null): ProviderEvent | null {
  try {
    return work()
  } catch (error) {
    throw new Refusal(
      400,
      'bad_event',
      error instanceof ProviderRefused ? error.message : 'The event from the payment provider could not be read.',
    )
  }
}
