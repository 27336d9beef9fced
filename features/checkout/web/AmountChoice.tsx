import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { ZodForm } from '../../../web/ui/form.ts'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { useLeft } from '../../../web/ui/use-left.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { type PayType, payTypes, refuseAmount } from '../../payments/rules.ts'
import { type Checkout, installmentOf, partIsPossible } from './checkout.ts'
import { isPastMending, refusalOf, type PaymentRequest } from './payment-request.ts'

/** Additional choice next to those of the specification. It is sent as a partial amount. */
const INSTALLMENT = 0 as const

/** Full, partial or other amount with their limits. An error appears as soon as further typing cannot fix it. */
export function AmountChoice({
  form,
  checkout,
}: {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
}) {
  const { t } = useLingui()
  const { limits } = checkout
  const payable = checkout.payableCents
  const [left, leave, enter] = useLeft()
  const choice = form.choice('payType')
  const amount = form.money('amountCents')
  const fullRefusal = refuseAmount(payTypes.full, payable, payable, limits)
  const request = { payType: choice.value, amountCents: amount.value }
  const certain = isPastMending(amount.value, limits) || (left && amount.value !== null)
  const live = certain ? (refusalOf(request, payable, limits) ?? undefined) : undefined
  const extra =
    request.payType === payTypes.other && payable >= 0 && amount.value !== null && !live ? amount.value - payable : 0
  // An item that must be paid in full offers no choice.
  const isWhole = payable > 0 && limits.minCents >= payable && limits.maxCents <= payable
  // Without credit, the payer cannot pay more than the amount due. The choices full and partial already cover that.
  const offersOther =
    fullRefusal !== null || choice.value === payTypes.other || checkout.payables[0]?.takesCredit === true
  // Installment as a partial amount that the payer need not type.
  const installment = installmentOf(checkout)
  const [byPlan, setByPlan] = useState(
    installment !== null && choice.value === payTypes.partial && amount.value === installment.cents,
  )
  const choose = (value: PayType | typeof INSTALLMENT) => {
    setByPlan(value === INSTALLMENT)
    choice.onChange(value === INSTALLMENT ? payTypes.partial : value)
    if (value === INSTALLMENT || byPlan) amount.onChange(value === INSTALLMENT ? (installment?.cents ?? null) : null)
  }
  const [minText, maxText] = [formatCents(limits.minCents), formatCents(limits.maxCents)]

  return (
    <div>
      {payable <= 0 && (
        <Notice className="mb-4">
          {payable < 0 ? (
            <Trans>This account has a credit of {formatCents(-payable)}. Nothing has to be paid.</Trans>
          ) : (
            <Trans>Nothing is owed on this account at the moment.</Trans>
          )}
        </Notice>
      )}
      <RadioCards
        label={t`How much do you want to pay?`}
        {...choice}
        value={byPlan ? INSTALLMENT : choice.value}
        onChange={choose}
        options={[
          ...(installment
            ? [
                {
                  value: INSTALLMENT,
                  label: t`Due installment`,
                  aside: formatCents(installment.cents),
                  note: t`By your payment arrangement, due on ${formatDate(installment.on)}`,
                },
              ]
            : []),
          {
            value: payTypes.full,
            label: t`Full amount`,
            ...(payable > 0 && { aside: formatCents(payable) }),
            note: payable <= 0 ? t`Nothing is owed` : (fullRefusal ?? t`Everything that is owed`),
            disabled: fullRefusal !== null,
          },
          {
            value: payTypes.partial,
            label: t`Partial amount`,
            note: partIsPossible(checkout)
              ? t`At least ${minText}, less than what is owed`
              : t`Not possible: the smallest payment is ${minText}`,
            disabled: !partIsPossible(checkout),
          },
          {
            value: payTypes.other,
            label: t`Other amount`,
            note: t`From ${minText} to ${maxText}; more than is owed stays as a credit`,
          },
        ].filter(({ value }) => (isWhole ? value === payTypes.full : value !== payTypes.other || offersOther))}
      />
      {request.payType !== payTypes.full && !byPlan && (
        <MoneyField
          label={t`Amount to pay`}
          className="mt-4 max-w-60"
          {...amount}
          error={amount.error ?? live}
          onChange={(cents) => {
            enter()
            amount.onChange(cents)
          }}
          onBlur={leave}
        />
      )}
      <div role="status">
        {extra > 0 && (
          <Notice className="mt-4">
            <Trans>
              This is <strong>{formatCents(extra)} more</strong> than is owed. It stays on the account as a credit.
            </Trans>
          </Notice>
        )}
      </div>
    </div>
  )
}
