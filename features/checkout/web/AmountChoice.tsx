import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { ZodForm } from '../../../web/ui/form.ts'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { useLeft } from '../../../web/ui/use-left.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { type PayType, payTypes, amountRefusal } from '../../payments/rules.ts'
import { type Checkout, installmentOf, canPayPartially } from './checkout.ts'
import { isBeyondCorrection, refusalOf, type PaymentRequest } from './payment-request.ts'

/**
 * Amount choice for an installment, in addition to the choices of the specification. It is sent as a partial amount.
 */
const INSTALLMENT = 0 as const

interface AmountChoiceProps {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
}

/**
 * Shows the choice between the full, a partial and another amount, with the limits. An error appears as soon as further
 * typing can no longer correct the amount.
 */
export function AmountChoice({ form, checkout }: AmountChoiceProps) {
  const { t } = useLingui()
  const { payableCents } = checkout
  const { payType, choice, amount, isTyped, error, extraCents, enter, leave } = useAmountChoice(form, checkout)
  const options = useAmountOptions(checkout, payType)
  return (
    <div>
      {payableCents <= 0 && (
        <Notice className="mb-4">
          {payableCents < 0 ? (
            <Trans>This account has a credit of {formatCents(-payableCents)}. You do not need to pay anything.</Trans>
          ) : (
            <Trans>This account has no amount due right now.</Trans>
          )}
        </Notice>
      )}
      <RadioCards label={t`How much do you want to pay?`} {...choice} options={options} />
      {isTyped && (
        <MoneyField
          label={t`Amount to pay`}
          className="mt-4 max-w-60"
          {...amount}
          error={error}
          onChange={(cents) => {
            enter()
            amount.onChange(cents)
          }}
          onBlur={leave}
        />
      )}
      <div role="status">
        {extraCents > 0 && (
          <Notice className="mt-4">
            <Trans>
              This is <strong>{formatCents(extraCents)} more</strong> than the amount due. The extra amount will stay on
              the account as a credit.
            </Trans>
          </Notice>
        )}
      </div>
    </div>
  )
}

/** Returns the chosen type and amount, the error of the amount, and the part of the amount that becomes a credit. */
function useAmountChoice(form: AmountChoiceProps['form'], checkout: Checkout) {
  const { limits, payableCents } = checkout
  const [hasLeft, leave, enter] = useLeft()
  const payType = form.choice('payType')
  const amount = form.money('amountCents')
  // The installment is a partial amount that the payer does not have to type.
  const installment = installmentOf(checkout)
  const [byPlan, setByPlan] = useState(
    installment !== null && payType.value === payTypes.partial && amount.value === installment.cents,
  )
  const choose = (value: PayType | typeof INSTALLMENT) => {
    setByPlan(value === INSTALLMENT)
    payType.onChange(value === INSTALLMENT ? payTypes.partial : value)
    if (value === INSTALLMENT || byPlan) amount.onChange(value === INSTALLMENT ? (installment?.cents ?? null) : null)
  }
  const request = { payType: payType.value, amountCents: amount.value }
  const isFinal = isBeyondCorrection(amount.value, limits) || (hasLeft && amount.value !== null)
  const liveError = isFinal ? (refusalOf(request, payableCents, limits) ?? undefined) : undefined
  const hasExtra =
    payType.value === payTypes.other && payableCents >= 0 && amount.value !== null && liveError === undefined
  return {
    payType: payType.value,
    choice: { ...payType, value: byPlan ? INSTALLMENT : payType.value, onChange: choose },
    amount,
    isTyped: payType.value !== payTypes.full && !byPlan,
    error: amount.error ?? liveError,
    extraCents: hasExtra ? (amount.value ?? 0) - payableCents : 0,
    enter,
    leave,
  }
}

/** Returns the amount choices that this checkout offers. */
function useAmountOptions(checkout: Checkout, chosen: PayType) {
  const { t } = useLingui()
  const { limits, payableCents } = checkout
  const fullRefusal = amountRefusal(payTypes.full, payableCents, payableCents, limits)
  // If an item must be paid in full, only one amount is possible.
  const isWhole = payableCents > 0 && limits.minCents >= payableCents && limits.maxCents <= payableCents
  // If the item does not accept a credit, the payer cannot pay more than the amount due. The full and partial choices
  // then cover every possible amount.
  const offersOther = fullRefusal !== null || chosen === payTypes.other || checkout.payables[0]?.takesCredit === true
  const installment = installmentOf(checkout)
  const [minText, maxText] = [formatCents(limits.minCents), formatCents(limits.maxCents)]
  return [
    ...(installment
      ? [
          {
            value: INSTALLMENT,
            label: t`Installment due`,
            aside: formatCents(installment.cents),
            note: t`Part of your payment arrangement, due on ${formatDate(installment.on)}`,
          },
        ]
      : []),
    {
      value: payTypes.full,
      label: t`Full amount`,
      ...(payableCents > 0 && { aside: formatCents(payableCents) }),
      note: payableCents <= 0 ? t`No amount due` : (fullRefusal ?? t`The entire amount due`),
      disabled: fullRefusal !== null,
    },
    {
      value: payTypes.partial,
      label: t`Partial amount`,
      note: canPayPartially(checkout)
        ? t`At least ${minText}, but less than the amount due`
        : t`Not available: the minimum payment is ${minText}`,
      disabled: !canPayPartially(checkout),
    },
    {
      value: payTypes.other,
      label: t`Other amount`,
      note: t`From ${minText} to ${maxText}. Any extra stays as a credit.`,
    },
  ].filter(({ value }) => (isWhole ? value === payTypes.full : value !== payTypes.other || offersOther))
}
