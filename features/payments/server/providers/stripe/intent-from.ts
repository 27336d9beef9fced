import type Stripe from 'stripe'
import { describe } from '../method-label.ts'
import type { Intent, IntentStatus } from '../provider.ts'
import { wholeOf } from './client.ts'
import { returnCodeOf } from './return-codes.ts'

/** Fields that Stripe must expand before `intentFrom` can map an intent. */
export const WITH_CHARGE = ['latest_charge.refunds', 'payment_method']

/** Metadata that marks a refund as a void: a full refund on the day of the charge, including the fee. */
export const VOID = { kind: 'void' } as const
export const isVoid = ({ metadata, status }: Stripe.Refund): boolean =>
  metadata?.['kind'] === VOID.kind && status !== 'failed' && status !== 'canceled'

/** Maps a Stripe intent to the port's intent. `returned` is the return reason of a paid bank debit, or null. */
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
    methodLabel: methodLabelOf(
      charge?.payment_method_details ?? wholeOf(intent.payment_method) ?? error?.payment_method,
    ),
    returnCode: status === 'failed' && isDebit(intent) ? returnCodeOf(error?.code) : returnCodeOf(returned),
    companyId: companyOf(intent.metadata),
  }
}

/** True for a bank debit. Only bank debits have return codes. */
const isDebit = ({ payment_method_types }: Stripe.PaymentIntent) => payment_method_types.includes('us_bank_account')

export const companyOf = (metadata: Stripe.Metadata | null | undefined): number | null =>
  Number(metadata?.['company_id']) || null

function statusOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null, returned: string | null): IntentStatus {
  switch (intent.status) {
    // Stripe uses this status for unconfirmed intents and for failed confirmations.
    case 'requires_payment_method':
      return intent.last_payment_error ? 'failed' : 'requires_confirmation'
    case 'requires_confirmation':
      return 'requires_confirmation'
    // Verification by microdeposits takes days. `processing` prevents the cancellation of the attempt during that time.
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

/** Maps Stripe's codes to the decline codes for which the specification has a text. Other codes stay unchanged. */
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
  const reasonCode = decline_code ?? code ?? 'unknown'
  return CODES[reasonCode] ?? reasonCode
}

/** Returns the page for the payer's next step: the bank's page, or the page to enter the microdeposit amounts. */
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

/** Returns a label such as "Visa ending 4242". Empty if the data is not available yet. */
export function methodLabelOf(source: StripeSource | null | undefined): string {
  const card = source?.card ?? source?.card_present
  if (card) return describe({ type: 'card', brand: card.brand, last4: card.last4 })
  const account = source?.us_bank_account
  return account ? describe({ type: 'echeck', account_type: account.account_type, last4: account.last4 }) : ''
}
