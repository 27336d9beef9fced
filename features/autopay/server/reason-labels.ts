import { say } from '../../../shared/messages.ts'
import type { ChargeState } from '../rules.ts'

/** Returns the payer's text for a charge that failed or was not made. Empty if no explanation is needed. */
export function reasonText(state: ChargeState, reason: string): string {
  if (state === 'planned') return reason ? say`The charge was declined (${reason}). AutoPay will try again.` : ''
  if (state === 'failed') return say`The charge was declined (${reason}).`
  if (state === 'skipped') return reason === 'asked' ? say`You skipped this payment.` : say`AutoPay was not on.`
  if (state === 'not_owed' && reason === 'installments') return say`You are paying this bill in installments.`
  if (state !== 'refused') return ''
  if (reason === 'over_cap') return say`The amount is above the limit that you set.`
  if (reason === 'over_limit') return say`The amount is above the maximum online payment.`
  if (reason === 'elsewhere')
    return say`The card or bank account is stored with a payment provider that we no longer use.`
  return say`The payment could not be made.`
}
