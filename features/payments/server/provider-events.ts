import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { keepEvent, tryEvent } from './event-inbox.ts'
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
      const raw = typeof request.body === 'string' ? request.body : ''
      const signature = request.headers['gateway-signature']
      const event = read(() =>
        providerOf(house.config).readEvent(
          raw,
          typeof signature === 'string' ? signature : undefined,
          house.clock.now(),
        ),
      )
      // The inbox has it: answering now and applying after is safe, the sweep takes up what fails here.
      if (await keepEvent(house, event)) void tryEvent(house, event)
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
