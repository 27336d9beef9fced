import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { RadioCards } from '../../../../web/ui/Choice.tsx'
import { MoneyField } from '../../../../web/ui/MoneyField.tsx'
import { useLeft } from '../../../../web/ui/use-left.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { type PayType, payTypes, refuseAmount } from '../../rules.ts'
import { type Checkout, installmentOf, partIsPossible } from './checkout.ts'
import { isPastMending, refusalOf, type PaymentRequest } from './payment-request.ts'

/** The choice beside those of the specification: it is sent as a partial amount. */
const INSTALLMENT = 0 as const

/** Full, partial or another amount, each with its bounds, and what is wrong with it as soon as that is certain. */
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
  const wish = { payType: choice.value, amountCents: amount.value }
  const certain = isPastMending(amount.value, limits) || (left && amount.value !== null)
  const live = certain ? (refusalOf(wish, payable, limits) ?? undefined) : undefined
  const extra =
    wish.payType === payTypes.other && payable >= 0 && amount.value !== null && !live ? amount.value - payable : 0
  // What is paid whole or not at all leaves no choice.
  const isWhole = payable > 0 && limits.minCents >= payable && limits.maxCents <= payable
  // Of what keeps no credit no more than is owed can be paid, which the whole and a part say already.
  const offersOther =
    fullRefusal !== null || choice.value === payTypes.other || checkout.payables[0]?.takesCredit === true
  // A part of what is owed like any other, which needs no typing.
  const installment = installmentOf(checkout)
  const [byPlan, setByPlan] = useState(
    installment !== null && choice.value === payTypes.partial && amount.value === installment.cents,
  )
  const choose = (value: PayType | typeof INSTALLMENT) => {
    setByPlan(value === INSTALLMENT)
    choice.onChange(value === INSTALLMENT ? payTypes.partial : value)
    if (value === INSTALLMENT || byPlan) amount.onChange(value === INSTALLMENT ? (installment?.cents ?? null) : null)
  }
  const [least, most] = [formatCents(limits.minCents), formatCents(limits.maxCents)]

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
              ? t`At least ${least}, less than what is owed`
              : t`Not possible: the smallest payment is ${least}`,
            disabled: !partIsPossible(checkout),
          },
          {
            value: payTypes.other,
            label: t`Other amount`,
            note: t`From ${least} to ${most}; more than is owed stays as a credit`,
          },
        ].filter(({ value }) => (isWhole ? value === payTypes.full : value !== payTypes.other || offersOther))}
      />
      {wish.payType !== payTypes.full && !byPlan && (
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
