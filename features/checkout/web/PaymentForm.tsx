import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { go } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { EmailField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type Brand, brandNamed } from '../../payments/rules-fees.ts'
import { type Method, methods, payTypeOf } from '../../payments/rules.ts'
import { AddMore } from './AddMore.tsx'
import { AutopayLine } from './AutopayLine.tsx'
import { AmountChoice } from './AmountChoice.tsx'
import { CartAmounts, Changed } from './CartAmounts.tsx'
import { type Checkout, type Payment, usualAmount } from './checkout.ts'
import { CostSummary } from './CostSummary.tsx'
import { Declined } from './Declined.tsx'
import { FieldsRefused } from '../../../web/ui/fields-channel.ts'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { PaymentFields } from '../../../web/ui/PaymentFields.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { StoreMethodField, StoredMethodChoice, OutageChoice } from './parts.ts'
import type { DeferredAction } from '../../outages/web/parts/OutageChoice.tsx'
import type { Order } from './use-payment.ts'
import {
  ANOTHER,
  ANY_CARD,
  separateFeeOf,
  storedCard,
  type PagePaysBy,
  quoteOfRequest,
  refusalOfCart,
  termsOfLine,
  defaultMethodId,
  type PaymentRequest,
  wishedLines,
  requestForm,
} from './payment-request.ts'

interface PaymentFormProps {
  token: string
  checkout: Checkout
  /** Declined payment, if any. */
  declined: Payment | null
  /** True if the payer returned to the form. The focus moves to the card or bank account fields. */
  again: boolean
  /** Payment method just saved at the payer's bank. The form selects it. */
  newMethodId: number | null
  /** Card type reported by the payment service, if the page did not know it. */
  reportedCard: Omit<PagePaysBy, 'method'> | null
  onPay: (order: Order) => Promise<void>
  /** Saves a deferred payment in an outage. Returns the confirmation message. */
  onPromise: (order: Order, way: DeferredAction) => Promise<string>
  /** Called after an item was added, to reload the checkout. */
  onAdded: () => Promise<unknown>
  onStored: () => Promise<unknown>
  onRemove: (no: number) => Promise<void>
}

/** Name of the draft. Choices survive a reload and a declined payment, but never the input of the hosted fields. */
export const draftOf = (token: string): string => `guest-payment:${token}`

/** Form for the amount, the method and the receipt's address, with the total and the pay button. */
export function PaymentForm({
  token,
  checkout,
  declined,
  again,
  newMethodId: keptNow,
  reportedCard: toldCard,
  onPay,
  onPromise,
  onAdded,
  onStored: onKept,
  onRemove,
}: PaymentFormProps) {
  const { t } = useLingui()
  const session = useSession()
  const { fees, gateway, outage } = checkout
  /** Start of the outage. Null if payments can be charged. */
  const outSince = outage.second ? null : outage.since
  const [way, setWay] = useState<DeferredAction | null>(null)
  // A ref, so that the submit handler reads the clicked action immediately.
  const pressed = useRef<DeferredAction>('remind')
  const mayPay = !session?.impersonating
  const byPlan = useQueryParam('pay') === 'installment'
  // The saved choice may be outdated after a sign-out or a removal, so the default follows the current methods.
  const first = defaultMethodId(checkout.kept)
  const schema = useMemo(() => requestForm(checkout), [checkout])
  const form = useZodForm<PaymentRequest, PaymentRequest>(schema, {
    defaultValues: {
      ...usualAmount(checkout, byPlan),
      amounts: {},
      storedMethodId: first,
      keep: false,
      method: checkout.kept.find(({ id }) => id === first)?.method ?? methods.card,
      email: session?.email ?? '',
    },
    // Consent is never restored from a draft. The payer must agree each time.
    draft: { name: draftOf(token), leaveOut: ['keep'] },
  })
  const fields = useRef<HostedFieldsHandle>(null)
  const button = useRef<HTMLButtonElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (keptNow !== null) form.setValue('storedMethodId', keptNow, { shouldDirty: true })
    // Runs once for each saved method.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [keptNow])
  const watched = form.watch()
  const chosen = checkout.kept.find(({ id, isGood }) => id === watched.storedMethodId && isGood)
  const request: PaymentRequest = chosen
    ? { ...watched, method: chosen.method }
    : { ...watched, storedMethodId: ANOTHER }
  const lines = wishedLines(checkout, request)
  const several = lines.length > 1
  const paysNow = refusalOfCart(checkout, lines, request) === null
  // The hosted fields report the card brand if they know it. Otherwise the payment service reports it on payment.
  const [typed, setTyped] = useState<Brand | null>(null)
  const entered = typed === null && toldCard ? toldCard : { ...ANY_CARD, brand: typed }
  const by: PagePaysBy = { ...(chosen ? storedCard(chosen.means) : entered), method: request.method }
  const quote = paysNow ? quoteOfRequest(fees, by, lines) : null
  const busy = form.formState.isSubmitting
  // Disables the form after sending. Before that, the hosted fields must be able to take the focus.
  const [sent, setSent] = useState(false)

  async function pay({ email, keep, ...wished }: PaymentRequest) {
    const { method } = request
    try {
      const using = outSince === null ? await payBy(keep) : chosen ? { storedMethodId: chosen.id } : {}
      if (using === null) return
      setSent(true)
      const paid = wishedLines(checkout, wished).flatMap(({ no, payType, billCents }) =>
        billCents ? [{ no, payType, billCents }] : [],
      )
      const { billCents = 0, totalCents = 0 } = quoteOfRequest(fees, by, wishedLines(checkout, wished)) ?? {}
      const payType = several ? payTypeOf(billCents, checkout.payableCents) : wished.payType
      const amount = { payType, billCents, expectedTotalCents: totalCents, lines: paid }
      const order = { token, method, email, ...using, ...amount }
      if (outSince === null) await onPay(order)
      else toast(await onPromise(order, pressed.current))
    } catch (failure) {
      // The hosted fields have already shown their errors.
      if (!(failure instanceof FieldsRefused)) throw failure
    } finally {
      setSent(false)
      setWay(null)
    }
  }

  /** Resolves the payment source. Null if the bank must authenticate the owner of a card before it is saved. */
  async function payBy(storesMethod: boolean) {
    if (chosen) return { storedMethodId: chosen.id }
    const methodToken = (await fields.current?.tokenize()) ?? ''
    if (!storesMethod || !session) return { methodToken }
    setSent(true)
    const { storeMethod: keepMethod } = await import('./save-method.ts')
    const added = await keepMethod({ method: request.method, methodToken, checkout: token })
    if (added.actionUrl) {
      go(added.actionUrl)
      return null
    }
    // An unconfirmed bank account cannot pay yet. The payer can use another method, or enter the account for this
    // payment only.
    if (added.id === 0) {
      form.setValue('keep', false, { shouldDirty: true })
      throw new FormRefused(added.message)
    }
    // The method stays saved even if the payment is declined, and the next try uses it.
    form.setValue('storedMethodId', added.id, { shouldDirty: true })
    form.setValue('keep', false, { shouldDirty: true })
    await onKept()
    return { storedMethodId: added.id }
  }

  const [toFields, setToFields] = useState(again ? 1 : 0)
  useEffect(() => {
    if (toFields === 0) return
    // A saved method has no fields to enter, so the focus moves to the method choice.
    if (fields.current) fields.current.focus()
    else document.getElementById('method')?.focus()
  }, [toFields])
  const resume = (method?: Method) => {
    if (method) {
      form.setValue('method', method, { shouldDirty: true })
      form.setValue('storedMethodId', ANOTHER, { shouldDirty: true })
    }
    setToFields(toFields + 1)
  }

  const impersonating = session?.impersonating ?? false
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {declined && (
        <Declined
          payment={declined}
          onAgain={outSince === null ? resume : null}
          onChoices={() => choices.current?.querySelector('button')?.focus()}
        />
      )}
      <Form
        form={form}
        onSubmit={pay}
        onInvalid={() => {
          setWay(null)
          return chosen ? undefined : fields.current?.check()
        }}
        keepDraft
        // The draft belongs to the payment, so leaving the page loses no work.
        draftIsMarked
        aria-label={t`Payment`}
      >
        <div className="flex flex-col gap-5" inert={sent}>
          <Card as="div">
            <h2 id="amount" tabIndex={-1} className="mb-3 text-h3">
              <Trans>Amount</Trans>
            </h2>
            {several ? (
              <CartAmounts form={form} checkout={checkout} lines={lines} by={by} onRemove={onRemove} />
            ) : (
              <>
                <AmountChoice form={form} checkout={checkout} />
                {checkout.payables[0] && <Changed payable={checkout.payables[0]} />}
              </>
            )}
            {checkout.payables.map((payable) => (
              <AutopayLine key={payable.no} payable={payable} several={several} />
            ))}
            <AddMore token={token} inCart={checkout.payables.map(({ no }) => no).join()} onAdded={onAdded} />
          </Card>
          <Card as="div">
            <h2 id="method" tabIndex={-1} className="mb-3 text-h3">
              <Trans>Payment method</Trans>
            </h2>
            {mayPay && checkout.kept.length > 0 && (
              <div className={cx(!chosen && 'mb-5')}>
                <StoredMethodChoice form={form} storedMethods={checkout.kept} />
              </div>
            )}
            {!chosen && <MethodChoice form={form} checkout={checkout} lines={paysNow ? lines : null} card={entered} />}
            {!chosen && outSince !== null && (
              <p className="mt-5 text-muted">
                <Trans>Your card or bank account is entered when payments work again.</Trans>
              </p>
            )}
            {!chosen && outSince === null && (
              <div className="mt-5">
                <PaymentFields
                  ref={fields}
                  gateway={gateway}
                  cents={quote?.totalCents ?? null}
                  onBrand={(brand) => setTyped(brandNamed(brand))}
                  onEnter={() => button.current?.form?.requestSubmit()}
                  kind={request.method === methods.card ? 'card' : 'bank'}
                />
                {session && mayPay && outage.since === null && <StoreMethodField form={form} />}
              </div>
            )}
          </Card>
          <Card as="div">
            <h2 className="mb-3 text-h3">
              <Trans>Receipt</Trans>
            </h2>
            <EmailField hint={t`The receipt goes here, and nothing else.`} {...form.field('email')} />
          </Card>
        </div>
        <p
          aria-hidden
          data-sticky-end
          className={cx(
            'sticky bottom-0 z-10 -mx-5 border-line border-t bg-surface px-10 py-2.5 text-end shadow-overlay',
            several ? 'lg:mx-0 lg:rounded-sm lg:border lg:px-7' : 'lg:hidden',
          )}
        >
          {quote ? (
            <Trans>
              You pay <strong className="tabular-nums">{formatCents(quote.totalCents)}</strong>
            </Trans>
          ) : (
            <Trans>No amount chosen yet</Trans>
          )}
        </p>
        <Card as="div">
          <h2 className="mb-3 text-h3">
            <Trans>Review and pay</Trans>
          </h2>
          <CostSummary
            quote={quote}
            separateFeeCents={quote ? separateFeeOf(fees, by, lines) : 0}
            terms={lines.filter(({ billCents }) => billCents).map(({ feeKind }) => termsOfLine(fees, by, feeKind))}
            method={request.method}
            isOut={outSince !== null}
          />
          {outSince !== null && (
            <div ref={choices} className="mt-5">
              <OutageChoice
                since={outSince}
                charges={chosen && quote ? { methodLabel: chosen.means, total: formatCents(quote.totalCents) } : null}
                busy={busy ? way : null}
                disabled={impersonating}
                onChoose={(chosenWay) => {
                  setWay(chosenWay)
                  pressed.current = chosenWay
                  choices.current?.closest('form')?.requestSubmit()
                }}
              />
            </div>
          )}
          {outSince === null && (
            <Button
              ref={button}
              type="submit"
              look="primary"
              wide
              className="mt-5"
              busy={busy}
              disabled={impersonating}
              busyLabel={quote ? <Trans>Paying {formatCents(quote.totalCents)}…</Trans> : <Trans>Paying…</Trans>}
            >
              {quote ? <Trans>Pay {formatCents(quote.totalCents)}</Trans> : <Trans>Pay</Trans>}
            </Button>
          )}
          {impersonating && (
            <p className="mt-3 text-muted text-sm">
              <Trans>You cannot pay while impersonating.</Trans>
            </p>
          )}
        </Card>
      </Form>
    </div>
  )
}
