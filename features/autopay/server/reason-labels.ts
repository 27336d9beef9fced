import { say, translated } from '../../../shared/messages.ts'
import { declineCodes, declineReasons, type ReturnCode, returnCodes } from '../../payments/rules-declines.ts'
import type { ChargeState } from '../rules.ts'

/** Returns the payer's text for a charge that failed or was not made. Empty if no explanation is needed. */
export function reasonText(state: ChargeState, reason: string): string {
  if (state === 'planned') return reason ? plannedText(failureLabel(reason)) : ''
  if (state === 'failed' && reason !== 'provider_unreachable') return failedText(failureLabel(reason))
  if (state === 'skipped') return reason === 'asked' ? say`You skipped this payment.` : say`AutoPay was not on.`
  if (state === 'not_owed' && reason === 'installments') return say`You are paying this bill in installments.`
  if (state !== 'refused' && state !== 'failed') return ''
  if (reason === 'over_cap') return say`The amount is above the limit that you set.`
  if (reason === 'over_limit') return say`The amount is above the maximum online payment.`
  if (reason === 'elsewhere')
    return say`The card or bank account is stored with a payment provider that we no longer use.`
  return say`The payment could not be made.`
}

const plannedText = (label: string): string =>
  label
    ? say`The charge was declined. Reason: ${label}. AutoPay will try again.`
    : say`The charge was declined. AutoPay will try again.`

const failedText = (label: string): string =>
  label ? say`The charge was declined. Reason: ${label}.` : say`The charge was declined.`

/** Returns a provider's error code or a bank's return code in plain words. Empty if the code is unknown. */
function failureLabel(code: string): string {
  const reasons = Object.keys(declineCodes) as (keyof typeof declineCodes)[]
  const reason = reasons.find((one) => declineCodes[one].includes(code))
  const label = returnCodes[code as ReturnCode]?.label ?? (reason && declineReasons[reason])
  return label ? translated(label) : ''
}
