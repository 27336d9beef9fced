import Stripe from 'stripe'
import {
  type Intent,
  type NewReader,
  ProviderRefused,
  ProviderSilent,
  type Reader,
  type TerminalVerbs,
} from '../provider.ts'
import { callStripe, idOf } from './client.ts'

/**
 * Builds the methods for card readers, which Stripe controls over the internet. The readers belong to the portal's
 * Stripe account, as the charges do. Each company has a location at Stripe. The metadata of locations and readers
 * identifies the company. Source: https://docs.stripe.com/terminal/payments/setup-reader/server-driven
 */
export function terminalVerbs(stripe: Stripe): TerminalVerbs {
  return {
    async pair(account, { code, label, address }, key) {
      const location = (await locationOf(stripe, account)) ?? (await openLocation(stripe, account, address))
      const params = { registration_code: code, label, location, metadata: { account } }
      return readerFrom(await callStripe(() => stripe.terminal.readers.create(params, { idempotencyKey: key })))
    },
    async list(account) {
      const location = await locationOf(stripe, account)
      if (location === null) return []
      const { data } = await callStripe(() => stripe.terminal.readers.list({ location, limit: 100 }))
      return data.filter(({ metadata }) => metadata['account'] === account).map(readerFrom)
    },
    async clear(account, reader, key) {
      await ownReader(stripe, account, reader)
      await callStripe(() => stripe.terminal.readers.cancelAction(reader, {}, { idempotencyKey: key }))
    },
    async remove(account, reader) {
      const { action } = await ownReader(stripe, account, reader)
      if (action?.status === 'in_progress') throw new ProviderRefused('the reader waits for a card')
      await callStripe(() => stripe.terminal.readers.del(reader))
    },
  }
}

const readerFrom = ({ id, label }: Stripe.Terminal.Reader): Reader => ({ id, label: label ?? id, testUrl: null })

async function locationOf(stripe: Stripe, account: string): Promise<string | null> {
  for (let after: string | undefined, more = true; more;) {
    const params = { limit: 100, ...(after !== undefined && { starting_after: after }) }
    const page: Stripe.ApiList<Stripe.Terminal.Location> = await callStripe(() =>
      stripe.terminal.locations.list(params),
    )
    const own = page.data.find(({ metadata }) => metadata['account'] === account)
    if (own) return own.id
    after = page.data.at(-1)?.id
    more = page.has_more && after !== undefined
  }
  return null
}

/** Creates the location of a company's readers. Stripe configures the readers for the location's country. */
async function openLocation(stripe: Stripe, account: string, address: NewReader['address']): Promise<string> {
  const { name, street, city, state, zip } = address
  const params: Stripe.Terminal.LocationCreateParams = {
    display_name: name.slice(0, 100),
    address: { line1: street, city, state, postal_code: zip, country: 'US' },
    metadata: { account },
  }
  return (await callStripe(() => stripe.terminal.locations.create(params, { idempotencyKey: `location-${account}` })))
    .id
}

async function find(stripe: Stripe, id: string): Promise<Stripe.Terminal.Reader | null> {
  const reader = await callStripe(() => stripe.terminal.readers.retrieve(id))
  return reader.deleted ? null : reader
}

/**
 * Finds a reader of the company.
 * @throws ProviderRefused if it belongs to a different company or no longer exists
 */
async function ownReader(stripe: Stripe, account: string, id: string): Promise<Stripe.Terminal.Reader> {
  const reader = await find(stripe, id)
  if (reader?.metadata['account'] !== account) throw new ProviderRefused('the town has no such reader')
  return reader
}

type TerminalIntent = Pick<Stripe.PaymentIntent, 'id' | 'status' | 'metadata'>

/** Returns the id of the reader of a charge. Null if the charge has no reader. */
const readerOf = ({ metadata }: TerminalIntent): string | null => metadata['reader'] ?? null

/** Loads the reader's current action for a charge. Null if the reader has no charge or a different one. */
async function actionFor(stripe: Stripe, intent: TerminalIntent): Promise<Stripe.Terminal.Reader.Action | null> {
  const id = readerOf(intent)
  const action = id === null ? null : (await find(stripe, id))?.action
  return action && idOf(action.process_payment_intent?.payment_intent) === intent.id ? action : null
}

/**
 * Corrects the status of a charge at a reader. Stripe has the same status for a charge that waits for a card and for an
 * unconfirmed charge. The reader's action tells the two apart.
 */
export async function atReader(stripe: Stripe, intent: Stripe.PaymentIntent, current: Intent): Promise<Intent> {
  const isOpen = intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation'
  const action = isOpen ? await actionFor(stripe, intent) : null
  if (!action) return current
  if (action.status !== 'failed') return { ...current, status: 'requires_action', error: null }
  const gaveUp = { code: action.failure_code ?? 'reader_gave_up', message: messageOf(action) }
  return { ...current, status: 'failed', error: current.error ?? gaveUp }
}

const messageOf = ({ failure_code: code, failure_message: message }: Stripe.Terminal.Reader.Action): string =>
  code === 'customer_canceled' ? 'It was cancelled at the card reader.' : (message ?? 'The card reader gave up.')

/** Messages for staff if a reader cannot accept a charge now. */
const READER_ERRORS: Readonly<Record<string, string>> = {
  terminal_reader_offline: 'The card reader is offline. Switch it on, or connect it again.',
  terminal_reader_timeout: 'The card reader did not answer. Check its connection.',
  terminal_reader_busy: 'The card reader is busy with another payment.',
}

/**
 * Sends a charge to a company's reader. Returns the error, or null if the reader accepted the charge.
 * @throws ProviderRefused if the reader belongs to a different company
 */
export async function sendToReader(
  stripe: Stripe,
  account: string,
  { reader, intent }: { reader: string; intent: string },
  key: string,
): Promise<Intent['error']> {
  await ownReader(stripe, account, reader)
  const params = { payment_intent: intent, process_config: { enable_customer_cancellation: true, skip_tipping: true } }
  try {
    await callStripe(() => stripe.terminal.readers.processPaymentIntent(reader, params, { idempotencyKey: key }))
    return null
  } catch (error) {
    const cause = error instanceof ProviderRefused ? error.cause : null
    const code = cause instanceof Stripe.errors.StripeError ? (cause.code ?? '') : ''
    const message = READER_ERRORS[code]
    if (message === undefined) throw error
    return { code, message }
  }
}

/**
 * Removes a cancelled charge from its reader's display. If Stripe is already charging the card, the display stays. The
 * portal then learns the outcome from the charge.
 */
export async function takeFromReader(stripe: Stripe, intent: Stripe.PaymentIntent, key: string): Promise<void> {
  try {
    const action = await actionFor(stripe, intent)
    const reader = readerOf(intent) ?? ''
    if (action?.status === 'in_progress')
      await callStripe(() => stripe.terminal.readers.cancelAction(reader, {}, { idempotencyKey: `${key}/reader` }))
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderSilent)) throw error
  }
}
