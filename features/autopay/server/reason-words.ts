import { say } from '../../../shared/words.ts'
import type { ChargeState } from '../rules.ts'

/** Returns the payer's text for a charge that failed or was not made. Empty if no explanation is needed. */
export function reasonText(state: ChargeState, reason: string): string {
  if (state === 'planned') return reason ? say`It was refused (${reason}) and is tried again.` : ''
  if (state === 'failed') return say`It was refused (${reason}).`
  if (state === 'skipped') return reason === 'asked' ? say`You left it out.` : say`AutoPay was not on.`
  if (state === 'not_owed' && reason === 'installments') return say`You pay it by installments.`
  if (state !== 'refused') return ''
  if (reason === 'over_cap') return say`It is above the limit that you set.`
  if (reason === 'over_limit') return say`It is above the largest payment that can be made online.`
  if (reason === 'elsewhere')
    return say`Its card or bank account is kept by a payment service that is not used here any more.`
  return say`The payment could not be made.`
}
