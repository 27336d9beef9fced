import Stripe from 'stripe'
import { type Provider, type ProviderEvent, ProviderRefused } from '../provider.ts'
import { idOf } from './client.ts'
import { isVoid } from './intent-from.ts'
import { isReturn } from './return-codes.ts'

/** Maximum event age and clock difference, in seconds. Prevents the replay of recorded events. */
const TOLERANCE_SECONDS = 300

/**
 * Builds the method that reads signed events. It accepts any of the configured secrets, because each Stripe endpoint
 * has its own. Staff also add a new secret before the old one expires.
 */
export function eventVerbs(
  stripe: Stripe,
  secrets: readonly string[],
): Pick<Provider, 'signatureHeader' | 'readEvent'> {
  return {
    signatureHeader: 'stripe-signature',
    readEvent(rawBody, signature, now) {
      const event = verified(stripe, secrets, rawBody, signature ?? '', now)
      const about = aboutOf(event)
      return about && { account: '', ...about, provider: 'stripe', id: event.id, type: event.type }
    },
  }
}

function verified(
  stripe: Stripe,
  secrets: readonly string[],
  body: string,
  signature: string,
  now: Date,
): Stripe.Event {
  for (const secret of secrets)
    try {
      const received = now.getTime()
      const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, received)
      // The SDK refuses only old events. This check refuses events with a future time.
      const signed = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
      if (signed - received / 1000 > TOLERANCE_SECONDS) throw new ProviderRefused('the event is of a time to come')
      return event
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    }
  throw new ProviderRefused('the signature is wrong, or the event too old')
}

type StripeEventSubject = Pick<ProviderEvent, 'intentId' | 'object' | 'objectId'> & { account?: string }

/** Types of Stripe objects that belong to a company's account: capabilities and people. */
const OF_ACCOUNT: readonly string[] = ['capability', 'person']

/**
 * Finds the object that an event is about. The type comes from the object in the event, not from the event type. The
 * object's content is fetched from Stripe, never read from the event.
 */
function aboutOf({ data: { object } }: Stripe.Event): StripeEventSubject | null {
  const ofIntent = (intent: string | { id: string } | null): StripeEventSubject | null => {
    const intentId = idOf(intent)
    return intentId === null ? null : { intentId, object: 'intent', objectId: intentId }
  }
  const { object: kind } = object as { object: string }
  const ofAccount = (account: string | null): StripeEventSubject | null =>
    account === null ? null : { account, intentId: '', object: 'account', objectId: account }
  if (kind === 'account') return ofAccount((object as Stripe.Account).id)
  if (OF_ACCOUNT.includes(kind)) return ofAccount(idOf((object as Stripe.Capability).account))
  if (kind === 'payment_intent') return ofIntent(object as Stripe.PaymentIntent)
  if (kind === 'terminal.reader')
    return ofIntent((object as Stripe.Terminal.Reader).action?.process_payment_intent?.payment_intent ?? null)
  if (kind === 'charge') return ofIntent((object as Stripe.Charge).payment_intent)
  if (kind === 'refund') {
    const refund = object as Stripe.Refund
    const intent = ofIntent(refund.payment_intent)
    return intent && (isVoid(refund) ? intent : { ...intent, object: 'refund', objectId: refund.id })
  }
  if (kind === 'dispute') {
    const dispute = object as Stripe.Dispute
    const intent = ofIntent(dispute.payment_intent)
    return intent && (isReturn(dispute.reason) ? intent : { ...intent, object: 'dispute', objectId: dispute.id })
  }
  return null
}
