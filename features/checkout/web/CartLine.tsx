import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { Money } from '../../../web/ui/Money.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { useLeft } from '../../../web/ui/use-left.ts'
import { type FeeProgram, quoteBy } from '../../payments/rules-fees.ts'
import { hasOneAmount, lineRefusal } from '../../payments/rules.ts'
import { detailsText } from '../../payments/web/parts/lines.tsx'
import type { Checkout } from './checkout.ts'
import { amountName, type PagePaysBy, termsOfLine, type PaymentRequest, type RequestedLine } from './payment-request.ts'

interface CartLineProps {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
  line: RequestedLine
  by: PagePaysBy
  payable: Checkout['payables'][number]
  onRemove: () => Promise<void>
}

/** Shows a cart item with its amount and fee, and the buttons to change or remove it. */
export function CartLine({ form, checkout, line, by, payable, onRemove }: CartLineProps) {
  const { t } = useLingui()
  const { limits, fees } = checkout
  const [hasLeft, leave, enter] = useLeft()
  const amount = useLineAmount(form, line.no)
  const isTyped = amount.typed !== undefined
  const { title, details } = payable
  // Several bills can have the same title. Their first detail distinguishes them.
  const called = [title, details[0]?.value].filter(Boolean).join(' ')
  const canBePaid = payable.closed === null && (line.owedCents > 0 || line.takesCredit)
  const cents = line.billCents
  const terms = termsOfLine(fees, by, line.feeKind)
  const error = cents === 0 ? null : lineRefusal(line, limits)
  const field = form.money(amount.name)
  return (
    <li className="py-4">
      <div className="flex items-baseline justify-between gap-4">
        <div className="min-w-0">
          <h3 className="text-lg">{title}</h3>
          <p className="wrap-anywhere text-muted text-sm">{detailsText(details)}</p>
        </div>
        {!isTyped && canBePaid && (
          <p className="shrink-0 font-bold tabular-nums">
            <Money cents={cents ?? 0} />
          </p>
        )}
      </div>
      {!canBePaid && (
        <p className="mt-2">
          <UnpayableReason payable={payable} /> <Trans>This item is not included in this payment.</Trans>
        </p>
      )}
      {canBePaid && !isTyped && cents === 0 && (
        <p className="mt-2">
          <Trans>
            This item has no amount due right now. To pay ahead, enter an amount. Otherwise, the item is not included in
            this payment.
          </Trans>
        </p>
      )}
      {canBePaid && <AmountChanged payable={payable} />}
      {isTyped && canBePaid && (
        <MoneyField
          ref={amount.field}
          label={t`Amount to pay for ${called}`}
          hint={line.owedCents > 0 ? t`Amount due: ${formatCents(line.owedCents)}` : t`No amount due.`}
          className="mt-3 max-w-60"
          {...field}
          error={field.error ?? (hasLeft && error ? error : undefined)}
          onChange={(to) => {
            enter()
            amount.change(to)
          }}
          onBlur={leave}
        />
      )}
      {canBePaid && cents !== null && cents > 0 && !error && terms.program !== 'none' && (
        <p className="mt-1 text-muted text-sm tabular-nums">
          <LineFee program={terms.program} feeCents={quoteBy(terms, cents).feeCents} />
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-x-3 gap-y-1">
        {canBePaid && <AmountButtons amount={amount} line={line} payable={payable} limits={limits} called={called} />}
        <RemoveButton called={called} onRemove={onRemove} />
      </div>
    </li>
  )
}

type LineAmount = ReturnType<typeof useLineAmount>

/**
 * Returns the amount typed for an item, with functions that change the amount. These functions move the focus, because
 * the clicked button disappears.
 */
function useLineAmount(form: CartLineProps['form'], no: number) {
  const name = `amounts.${amountName(no)}` as const
  const field = useRef<HTMLInputElement>(null)
  const changeButton = useRef<HTMLButtonElement>(null)
  const change = (cents: number | null) =>
    form.setValue(name, cents, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return {
    name,
    field,
    changeButton,
    /** Typed amount in cents. Undefined if the item is paid in full. */
    typed: form.watch(name),
    change,
    edit: (cents: number) => {
      change(cents)
      requestAnimationFrame(() => field.current?.select())
    },
    // Removes the amount from the form. Its field is no longer visible, so the payer could not correct the amount.
    payAll: () => {
      const { [amountName(no)]: _, ...others } = form.getValues('amounts')
      form.unregister(name, { keepValue: true })
      form.setValue('amounts', others, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
      requestAnimationFrame(() => changeButton.current?.focus())
    },
  }
}

interface AmountButtonsProps extends Pick<CartLineProps, 'line' | 'payable'> {
  amount: LineAmount
  limits: Checkout['limits']
  /** Name of the item. */
  called: string
}

/** Shows the buttons that change the amount of an item. */
function AmountButtons({ amount, line, payable: { installment }, limits, called }: AmountButtonsProps) {
  const { t } = useLingui()
  const { typed, edit, payAll, changeButton } = amount
  return (
    <>
      {typed === undefined && !hasOneAmount(line, limits) && (
        <Button
          size="small"
          ref={changeButton}
          onClick={() => edit(line.billCents ?? 0)}
          aria-label={t`Change amount for ${called}`}
        >
          <Trans>Change amount</Trans>
        </Button>
      )}
      {typed !== undefined && (
        <Button size="small" onClick={payAll} aria-label={t`Pay in full: ${called}`}>
          <Trans>Pay in full</Trans>
        </Button>
      )}
      {installment && installment.cents >= limits.minCents && typed !== installment.cents && (
        <Button
          size="small"
          onClick={() => edit(installment.cents)}
          aria-label={t`Pay installment of ${formatCents(installment.cents)}: ${called}`}
        >
          <Trans>Pay installment of {formatCents(installment.cents)}</Trans>
        </Button>
      )}
    </>
  )
}

function RemoveButton({ called, onRemove }: { called: string; onRemove: () => Promise<void> }) {
  const { t } = useLingui()
  const [removing, setRemoving] = useState(false)
  const remove = () => {
    setRemoving(true)
    onRemove().then(
      () => toast(t`${called} was removed from your payment.`),
      (error: unknown) => {
        setRemoving(false)
        toast(messageOf(error), 'danger')
      },
    )
  }
  return (
    <Button size="small" busy={removing} onClick={remove} aria-label={t`Remove ${called} from this payment`}>
      <Trans>Remove</Trans>
    </Button>
  )
}

const LineFee = ({ program, feeCents }: { program: FeeProgram; feeCents: number }): ReactNode =>
  feeCents === 0 ? (
    <Trans>No fee</Trans>
  ) : program === 'service' ? (
    <Trans>plus {formatCents(feeCents)} service fee</Trans>
  ) : (
    <Trans>plus {formatCents(feeCents)} convenience fee</Trans>
  )

/** If the amount due has changed since the item was added to the cart, shows the earlier amount. */
export const AmountChanged = ({ payable: { beforeCents } }: { payable: Checkout['payables'][number] }): ReactNode =>
  beforeCents !== null && (
    <p className="mt-2">
      <Trans>
        The amount due has changed. It was {formatCents(Math.max(beforeCents, 0))} when you added this item.
      </Trans>
    </p>
  )

const UnpayableReason = ({ payable: { closed, pendingCents } }: { payable: Checkout['payables'][number] }): ReactNode =>
  closed ??
  (pendingCents > 0 ? <Trans>A payment for this item is pending.</Trans> : <Trans>This item is already paid.</Trans>)
