import Stripe from 'stripe'
import {
  type Intent,
  type NewReader,
  ProviderRefused,
  ProviderSilent,
  type Reader,
  type TerminalVerbs,
} from '../provider.ts'
import { ask, idOf } from './client.ts'

/**
 * Card readers that Stripe drives. They are the portal's own, as its charges are: a town has a location, and both say in their
 * metadata whose they are. Source: https://docs.stripe.com/terminal/payments/setup-reader/server-driven
 */
export function terminalVerbs(stripe: Stripe): TerminalVerbs {
  return {
    async pair(account, { code, label, place }, key) {
      const location = (await locationOf(stripe, account)) ?? (await openLocation(stripe, account, place))
      const params = { registration_code: code, label, location, metadata: { account } }
      return readerFrom(await ask(() => stripe.terminal.readers.create(params, { idempotencyKey: key })))
    },
    async list(account) {
      const location = await locationOf(stripe, account)
      if (location === null) return []
      const { data } = await ask(() => stripe.terminal.readers.list({ location, limit: 100 }))
      return data.filter(({ metadata }) => metadata['account'] === account).map(readerFrom)
    },
    async clear(account, reader, key) {
      await ownReader(stripe, account, reader)
      await ask(() => stripe.terminal.readers.cancelAction(reader, {}, { idempotencyKey: key }))
    },
    async remove(account, reader) {
      const { action } = await ownReader(stripe, account, reader)
      if (action?.status === 'in_progress') throw new ProviderRefused('the reader waits for a card')
      await ask(() => stripe.terminal.readers.del(reader))
    },
  }
}

const readerFrom = ({ id, label }: Stripe.Terminal.Reader): Reader => ({ id, label: label ?? id, testUrl: null })

async function locationOf(stripe: Stripe, account: string): Promise<string | null> {
  for (let after: string | undefined, more = true; more;) {
    const params = { limit: 100, ...(after !== undefined && { starting_after: after }) }
    const page: Stripe.ApiList<Stripe.Terminal.Location> = await ask(() => stripe.terminal.locations.list(params))
    const own = page.data.find(({ metadata }) => metadata['account'] === account)
    if (own) return own.id
    after = page.data.at(-1)?.id
    more = page.has_more && after !== undefined
  }
  return null
}

/** Where a town's readers stand: Stripe sets them up by the country of that. */
async function openLocation(stripe: Stripe, account: string, place: NewReader['place']): Promise<string> {
  const { name, street, city, state, zip } = place
  const params: Stripe.Terminal.LocationCreateParams = {
    display_name: name.slice(0, 100),
    address: { line1: street, city, state, postal_code: zip, country: 'US' },
    metadata: { account },
  }
  return (await ask(() => stripe.terminal.locations.create(params, { idempotencyKey: `location-${account}` }))).id
}

async function find(stripe: Stripe, id: string): Promise<Stripe.Terminal.Reader | null> {
  const reader = await ask(() => stripe.terminal.readers.retrieve(id))
  return reader.deleted ? null : reader
}

/** A reader of that town's. @throws ProviderRefused where it is another's, or gone */
async function ownReader(stripe: Stripe, account: string, id: string): Promise<Stripe.Terminal.Reader> {
  const reader = await find(stripe, id)
  if (reader?.metadata['account'] !== account) throw new ProviderRefused('the town has no such reader')
  return reader
}

type TerminalIntent = Pick<Stripe.PaymentIntent, 'id' | 'status' | 'metadata'>

/** The reader that a charge was made for. */
const readerOf = ({ metadata }: TerminalIntent): string | null => metadata['reader'] ?? null

/** What a reader does with the charge that was made for it; null where it was never handed it, or has another by now. */
async function actionFor(stripe: Stripe, intent: TerminalIntent): Promise<Stripe.Terminal.Reader.Action | null> {
  const id = readerOf(intent)
  const action = id === null ? null : (await find(stripe, id))?.action
  return action && idOf(action.process_payment_intent?.payment_intent) === intent.id ? action : null
}

/** Of a charge that waits for its card Stripe says the same as of one that nobody has confirmed: its reader tells them apart. */
export async function atReader(stripe: Stripe, intent: Stripe.PaymentIntent, known: Intent): Promise<Intent> {
  const isOpen = intent.status === 'requires_payment_method' || intent.status === 'requires_confirmation'
  const action = isOpen ? await actionFor(stripe, intent) : null
  if (!action) return known
  if (action.status !== 'failed') return { ...known, status: 'requires_action', error: null }
  const gaveUp = { code: action.failure_code ?? 'reader_gave_up', message: sentenceOf(action) }
  return { ...known, status: 'failed', error: known.error ?? gaveUp }
}

const sentenceOf = ({ failure_code: code, failure_message: message }: Stripe.Terminal.Reader.Action): string =>
  code === 'customer_canceled' ? 'It was cancelled at the card reader.' : (message ?? 'The card reader gave up.')

/** What a reader says that cannot take a charge now, for the clerk. */
const NOT_HANDED: Readonly<Record<string, string>> = {
  terminal_reader_offline: 'The card reader is offline. Switch it on, or connect it again.',
  terminal_reader_timeout: 'The card reader did not answer. Check its connection.',
  terminal_reader_busy: 'The card reader is busy with another payment.',
}

/**
 * Hands a charge to a reader of the town's. Answers why the reader took none, or null where it did.
 * @throws ProviderRefused where the reader is another town's
 */
export async function handOver(
  stripe: Stripe,
  account: string,
  { reader, intent }: { reader: string; intent: string },
  key: string,
): Promise<Intent['error']> {
  await ownReader(stripe, account, reader)
  const params = { payment_intent: intent, process_config: { enable_customer_cancellation: true, skip_tipping: true } }
  try {
    await ask(() => stripe.terminal.readers.processPaymentIntent(reader, params, { idempotencyKey: key }))
    return null
  } catch (error) {
    const cause = error instanceof ProviderRefused ? error.cause : null
    const code = cause instanceof Stripe.errors.StripeError ? (cause.code ?? '') : ''
    const message = NOT_HANDED[code]
    if (message === undefined) throw error
    return { code, message }
  }
}

/** Takes a charge that is given up from its reader's screen. A card that is being charged stays there: the charge itself says so. */
export async function takeFromReader(stripe: Stripe, intent: Stripe.PaymentIntent, key: string): Promise<void> {
  try {
    const action = await actionFor(stripe, intent)
    const reader = readerOf(intent) ?? ''
    if (action?.status === 'in_progress')
      await ask(() => stripe.terminal.readers.cancelAction(reader, {}, { idempotencyKey: `${key}/reader` }))
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderSilent)) throw error
  }
}
