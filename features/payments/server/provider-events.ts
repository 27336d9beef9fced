import type { FastifyInstance } from 'fastify'
import { notFound, Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { keepEvent, tryEvent } from './event-inbox.ts'
import { type ProviderEvent, ProviderRefused } from './provider.ts'
import { findProvider, providerNames } from './providers.ts'

/** A provider's event is small; more is not from a provider. */
const MAX_BYTES = 64 * 1024

/** The addresses where the providers' events arrive, one for each: signature checked on the raw body, kept in the inbox, then applied. */
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
        const told = read(() =>
          provider.readEvent(raw, typeof signature === 'string' ? signature : undefined, context.clock.now()),
        )
        // Whose it is follows from where it arrived.
        const event = told && { ...told, provider: name }
        // The inbox has it: answering now and applying after is safe, the sweep takes up what fails here.
        if (event && (await keepEvent(context, event))) void tryEvent(context, event)
        return { received: true }
      })
  })
}

function read(work: () => ProviderEvent | null): ProviderEvent | null {
  try {
    return work()
  } catch (error) {
    throw new Refusal(400, 'bad_event', error instanceof ProviderRefused ? error.message : 'the event cannot be read')
  }
}
