import { randomUUID } from 'node:crypto'
import * as shapes from './shapes.ts'
import { type StripeHandler, type StripeRequest, missing, StripeFault } from './stripe-fault.ts'
import type { CardReader, StripeWorld } from './world.ts'

/** Stripe's card readers: locations, readers, and the charge that a reader received. */

const busy = (code: string, message: string) => new StripeFault(400, { type: 'invalid_request_error', code, message })

function readerIn(world: StripeWorld, id: string): CardReader {
  const reader = world.readers.get(id)
  if (!reader) throw missing('terminal.reader')
  return reader
}

function process({ world, id, params }: StripeRequest) {
  const reader = readerIn(world, id)
  const intent = world.model.charges.get(params.payment_intent)?.intent
  const made = world.made.get(params.payment_intent)
  if (!intent || !made) throw missing('payment_intent')
  if (reader.isOffline) throw busy('terminal_reader_offline', 'Reader is currently offline.')
  if (reader.action?.status === 'in_progress')
    throw busy('terminal_reader_busy', 'Reader is currently busy processing another request.')
  if (made.method !== 'card_present') throw busy('payment_intent_invalid', 'It takes no card_present.')
  if (intent.status !== 'requires_confirmation')
    throw busy('intent_invalid_state', `The PaymentIntent is ${intent.status}.`)
  reader.action = { intent: intent.id, status: 'in_progress', failure: null }
  return shapes.reader(reader)
}

function cancelAction({ world, id }: StripeRequest) {
  const reader = readerIn(world, id)
  if (reader.action?.status === 'in_progress') reader.action = null
  return shapes.reader(reader)
}

export const terminalRoutes: Record<string, StripeHandler> = {
  'GET /v1/terminal/locations': ({ world }) => shapes.list([...world.locations.values()]),
  'POST /v1/terminal/locations': ({ world, params }) => {
    const made = { ...params, id: `tml_${randomUUID()}`, object: 'terminal.location' }
    world.locations.set(made.id, made)
    return made
  },
  'GET /v1/terminal/readers': ({ world, params }) =>
    shapes.list([...world.readers.values()].filter((one) => one.location === params.location).map(shapes.reader)),
  'POST /v1/terminal/readers': ({ world, params }) => {
    if (!world.locations.has(params.location)) throw missing('terminal.location')
    if (!/^simulated-\w+$/.test(params.registration_code)) throw busy('resource_missing', 'No such registration code.')
    const made = { id: `tmr_${randomUUID()}`, label: params.label, location: params.location, action: null }
    const reader: CardReader = { ...made, metadata: params.metadata, isOffline: false }
    world.readers.set(reader.id, reader)
    return shapes.reader(reader)
  },
  'GET /v1/terminal/readers/{reader}': ({ world, id }) =>
    world.readers.has(id) ? shapes.reader(readerIn(world, id)) : { id, object: 'terminal.reader', deleted: true },
  'DELETE /v1/terminal/readers/{reader}': ({ world, id }) => {
    readerIn(world, id)
    world.readers.delete(id)
    return { id, object: 'terminal.reader', deleted: true }
  },
  'POST /v1/terminal/readers/{reader}/process_payment_intent': process,
  'POST /v1/terminal/readers/{reader}/cancel_action': cancelAction,
}
