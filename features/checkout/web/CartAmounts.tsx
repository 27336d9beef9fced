import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import type { ZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { useLeft } from '../../../web/ui/use-left.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type FeeProgram, quoteBy } from '../../payments/rules-fees.ts'
import { hasOneAmount, refuseLine } from '../../payments/rules.ts'
import { detailsText } from '../../payments/web/parts/lines.tsx'
import type { Checkout } from './checkout.ts'
import { amountName, type PagePaysBy, termsOfLine, type PaymentRequest, type RequestedLine } from './payment-request.ts'
import { Money } from '../../../web/ui/Money.tsx'

interface CartAmountsProps {
  form: ZodForm<PaymentRequest, PaymentRequest>
  checkout: Checkout
  lines: readonly RequestedLine[]
  by: PagePaysBy
  onRemove: (no: number) => Promise<void>
}

/** Shows the amount and fee of each cart item, with buttons to change or remove it. */
export function CartAmounts({ form, checkout, lines, by, onRemove }: CartAmountsProps) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {lines.map((line, n) => {
        const payable = checkout.payables[n]
        return (
          payable && (
            <CartLine
              key={line.no}
              form={form}
              checkout={checkout}
              line={line}
              by={by}
              payable={payable}
              onRemove={() => onRemove(line.no)}
            />
          )
        )
      })}
    </ul>
  )
}

interface CartLineProps extends Omit<CartAmountsProps, 'lines' | 'onRemove'> {
  line: RequestedLine
  payable: Checkout['payables'][number]
  onRemove: () => Promise<void>
}

function CartLine({ form, checkout, line, by, payable, onRemove }: CartLineProps) {
  const { t } = useLingui()
  const { limits, fees } = checkout
  const name = `amounts.${amountName(line.no)}` as const
  const [removing, setRemoving] = useState(false)
  const [left, leave, enter] = useLeft()
  const field = useRef<HTMLInputElement>(null)
  const changer = useRef<HTMLButtonElement>(null)
  const typed = form.watch(name)
  const { title, facts, installment } = payable
  // Several bills have an equal title. Their first detail distinguishes them.
  const called = [title, facts[0]?.value].filter(Boolean).join(' ')
  const canBePaid = payable.closed === null && (line.owedCents > 0 || line.takesCredit)
  const cents = line.billCents
  const terms = termsOfLine(fees, by, line.feeKind)
  const against = cents === 0 ? null : refuseLine(line, limits)
  const change = (to: number | null) =>
    form.setValue(name, to, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  // An amount without a visible field must not stay in the form, because the payer could not correct it.
  const payAll = () => {
    const { [amountName(line.no)]: _, ...others } = form.getValues('amounts')
    form.unregister(name, { keepValue: true })
    form.setValue('amounts', others, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    requestAnimationFrame(() => changer.current?.focus())
  }
  // The pressed button disappears. The focus stays at this line.
  const changeTo = (to: number) => {
    change(to)
    requestAnimationFrame(() => field.current?.select())
  }
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
    <li className="py-4">
      <div className="flex items-baseline justify-between gap-4">
        <div className="min-w-0">
          <h3 className="text-lg">{title}</h3>
          <p className="wrap-anywhere text-muted text-sm">{detailsText(facts)}</p>
        </div>
        {typed === undefined && canBePaid && (
          <p className="shrink-0 font-bold tabular-nums">
            <Money cents={cents ?? 0} />
          </p>
        )}
      </div>
      {!canBePaid && (
        <p className="mt-2">
          <WhyNot payable={payable} /> <Trans>It is left out of this payment.</Trans>
        </p>
      )}
      {canBePaid && typed === undefined && cents === 0 && (
        <p className="mt-2">
          <Trans>Nothing is owed on it at the moment. It is left out, unless you enter an amount to pay ahead.</Trans>
        </p>
      )}
      {canBePaid && <Changed payable={payable} />}
      {typed !== undefined && canBePaid && (
        <MoneyField
          ref={field}
          label={t`Amount to pay for ${called}`}
          hint={line.owedCents > 0 ? t`${formatCents(line.owedCents)} is owed.` : t`Nothing is owed.`}
          className="mt-3 max-w-60"
          {...form.money(name)}
          error={form.money(name).error ?? (left && against ? against : undefined)}
          onChange={(to) => {
            enter()
            change(to)
          }}
          onBlur={leave}
        />
      )}
      {canBePaid && cents !== null && cents > 0 && !against && terms.program !== 'none' && (
        <p className="mt-1 text-muted text-sm tabular-nums">
          <LineFee program={terms.program} feeCents={quoteBy(terms, cents).feeCents} />
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-x-3 gap-y-1">
        {canBePaid && typed === undefined && !hasOneAmount(line, limits) && (
          <Button
            size="small"
            ref={changer}
            onClick={() => changeTo(cents ?? 0)}
            aria-label={t`Change amount for ${called}`}
          >
            <Trans>Change amount</Trans>
          </Button>
        )}
        {canBePaid && typed !== undefined && (
          <Button size="small" onClick={payAll} aria-label={t`Pay all of it: ${called}`}>
            <Trans>Pay all of it</Trans>
          </Button>
        )}
        {canBePaid && installment && installment.cents >= limits.minCents && typed !== installment.cents && (
          <Button
            size="small"
            onClick={() => changeTo(installment.cents)}
            aria-label={t`Pay the due installment: ${called}`}
          >
            <Trans>Pay the installment of {formatCents(installment.cents)}</Trans>
          </Button>
        )}
        <Button size="small" busy={removing} onClick={remove} aria-label={t`Remove ${called} from this payment`}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </li>
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

/** Shows the amount due when the item was added, if it has changed. */
export const Changed = ({ payable: { beforeCents } }: { payable: Checkout['payables'][number] }): ReactNode =>
  beforeCents !== null && (
    <p className="mt-2">
      <Trans>What is owed has changed: it was {formatCents(Math.max(beforeCents, 0))} when you chose to pay it.</Trans>
    </p>
  )

const WhyNot = ({ payable: { closed, pendingCents } }: { payable: Checkout['payables'][number] }): ReactNode =>
  closed ?? (pendingCents > 0 ? <Trans>A payment of it is under way.</Trans> : <Trans>It is paid already.</Trans>)
