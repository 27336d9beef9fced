import type Stripe from 'stripe'
import { describe } from '../describe-means.ts'
import type { Intent, IntentStatus } from '../provider.ts'
import { wholeOf } from './client.ts'
import { returnCodeOf } from './return-codes.ts'

/** What has to come along whole, so that an intent can be told. */
export const WITH_CHARGE = ['latest_charge.refunds', 'payment_method']

/** The metadata by which a refund says that it is a void: all was given back on the day itself, the fee too. */
export const VOID = { kind: 'void' } as const
export const isVoid = ({ metadata, status }: Stripe.Refund): boolean =>
  metadata?.['kind'] === VOID.kind && status !== 'failed' && status !== 'canceled'

/** `returned`: why the bank took a debit back that was paid; null where it did not. */
export function intentFrom(intent: Stripe.PaymentIntent, returned: string | null): Intent {
  const charge = wholeOf(intent.latest_charge)
  const status = statusOf(intent, charge, returned)
  const error = intent.last_payment_error
  return {
    id: intent.id,
    status,
    amountCents: intent.amount,
    refundedCents: status === 'canceled' ? 0 : (charge?.amount_refunded ?? 0),
    error: status === 'failed' && error ? { code: codeOf(error), message: error.message ?? '' } : null,
    actionUrl: actionUrlOf(intent.next_action),
    means: meansOf(charge?.payment_method_details ?? wholeOf(intent.payment_method) ?? error?.payment_method),
    returnCode: status === 'failed' && isDebit(intent) ? returnCodeOf(error?.code) : returnCodeOf(returned),
    companyId: companyOf(intent.metadata),
  }
}

/** A card has no return codes, though a bank refuses one in the same words. */
const isDebit = ({ payment_method_types }: Stripe.PaymentIntent) => payment_method_types.includes('us_bank_account')

export const companyOf = (metadata: Stripe.Metadata | null | undefined): number | null =>
  Number(metadata?.['company_id']) || null

function statusOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null, returned: string | null): IntentStatus {
  switch (intent.status) {
    // Of one that nobody has confirmed, and of one whose confirmation failed, Stripe says the same.
    case 'requires_payment_method':
      return intent.last_payment_error ? 'failed' : 'requires_confirmation'
    case 'requires_confirmation':
      return 'requires_confirmation'
    // Small deposits take days, in which nothing is given up.
    case 'requires_action':
      return intent.next_action?.type === 'verify_with_microdeposits' ? 'processing' : 'requires_action'
    case 'canceled':
      return 'canceled'
    case 'succeeded':
      if (returned !== null) return 'returned'
      return charge?.refunds?.data.some(isVoid) ? 'canceled' : 'succeeded'
    default:
      return 'processing'
  }
}

/** The words of the specification's declines; the rest stay Stripe's own. */
const CODES: Readonly<Record<string, string>> = {
  generic_decline: 'card_declined',
  payment_intent_authentication_failure: 'authentication_failed',
  resource_missing: 'invalid_token',
}

export function codeOf({
  code,
  decline_code,
}: {
  code?: string | undefined
  decline_code?: string | undefined
}): string {
  const said = decline_code ?? code ?? 'unknown'
  return CODES[said] ?? said
}

/** Where the payer goes on: their bank's page, or the page on which they name the small deposits. */
export function actionUrlOf(
  action: Stripe.PaymentIntent.NextAction | Stripe.SetupIntent.NextAction | null,
): string | null {
  return action?.redirect_to_url?.url ?? action?.verify_with_microdeposits?.hosted_verification_url ?? null
}

interface StripeSource {
  type: string
  card?: { brand: string | null; last4: string | null } | null
  card_present?: { brand: string | null; last4: string | null } | null
  us_bank_account?: { account_type: string | null; last4: string | null } | null
}

/** "Visa ending 4242"; empty before it is known. */
export function meansOf(means: StripeSource | null | undefined): string {
  const card = means?.card ?? means?.card_present
  if (card) return describe({ type: 'card', brand: card.brand, last4: card.last4 })
  const account = means?.us_bank_account
  return account ? describe({ type: 'echeck', account_type: account.account_type, last4: account.last4 }) : ''
}
