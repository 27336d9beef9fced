import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { go } from '../../../../web/go.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { useSession } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { cx } from '../../../../web/ui/cx.ts'
import { Form } from '../../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../../web/ui/form.ts'
import { EmailField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { type Brand, brandNamed } from '../../rules-fees.ts'
import { type Method, methods, payTypeOf } from '../../rules.ts'
import { AddMore } from './AddMore.tsx'
import { AutopayLine } from './AutopayLine.tsx'
import { AmountChoice } from './AmountChoice.tsx'
import { CartAmounts, Changed } from './CartAmounts.tsx'
import { type Checkout, type Payment, usualAmount } from './checkout.ts'
import { CostSummary } from './CostSummary.tsx'
import { Declined } from './Declined.tsx'
import { FieldsRefused } from '../../../../web/ui/fields-channel.ts'
import type { HostedFieldsHandle } from '../../../../web/ui/HostedFields.tsx'
import { PaymentFields } from '../../../../web/ui/PaymentFields.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { KeepIt, KeptChoice, OutageChoice } from './parts.ts'
import type { PromiseWay } from '../outage/OutageChoice.tsx'
import type { Order } from './use-payment.ts'
import {
  ANOTHER,
  ANY_CARD,
  apartOfWish,
  keptCard,
  type PagePaysBy,
  quoteOfWish,
  refusalOfCart,
  termsOfLine,
  usualKept,
  type Wish,
  wishedLines,
  wishForm,
} from './wish.ts'

interface PaymentFormProps {
  token: string
  checkout: Checkout
  /** What was tried and declined, if anything. */
  declined: Payment | null
  /** The form was come back to: one goes on where card or bank account are entered. */
  again: boolean
  /** What was just kept, at their bank: it is what they pay by. */
  keptNow: number | null
  /** What the payment service said of a card that this page did not know. */
  toldCard: Omit<PagePaysBy, 'method'> | null
  onPay: (order: Order) => Promise<void>
  /** In an outage. Answers what was written down. */
  onPromise: (order: Order, way: PromiseWay) => Promise<string>
  /** Something was added, or a card is kept: the checkout is looked at again. */
  onAdded: () => Promise<unknown>
  onKept: () => Promise<unknown>
  onRemove: (no: number) => Promise<void>
}

/** What was chosen outlives a reload and a declined payment; never what is typed into the hosted fields. */
export const draftOf = (token: string): string => `guest-payment:${token}`

/** How much, how, and where the receipt goes; what it costs; and the one button that pays. */
export function PaymentForm({
  token,
  checkout,
  declined,
  again,
  keptNow,
  toldCard,
  onPay,
  onPromise,
  onAdded,
  onKept,
  onRemove,
}: PaymentFormProps) {
  const { t } = useLingui()
  const session = useSession()
  const { fees, gateway, outage } = checkout
  /** Since when nothing can be charged. */
  const outSince = outage.second ? null : outage.since
  const [way, setWay] = useState<PromiseWay | null>(null)
  // What was pressed is known at once to whatever it sends.
  const pressed = useRef<PromiseWay>('remind')
  const mayPay = !session?.impersonating
  const byPlan = useQueryParam('pay') === 'installment'
  // Somebody who signed out or removed one meanwhile is offered what is kept now.
  const first = usualKept(checkout.kept)
  const schema = useMemo(() => wishForm(checkout), [checkout])
  const form = useZodForm<Wish, Wish>(schema, {
    defaultValues: {
      ...usualAmount(checkout, byPlan),
      amounts: {},
      kept: first,
      keep: false,
      method: checkout.kept.find(({ id }) => id === first)?.method ?? methods.card,
      email: session?.email ?? '',
    },
    // What somebody agrees to they agree to each time.
    draft: { name: draftOf(token), leaveOut: ['keep'] },
  })
  const fields = useRef<HostedFieldsHandle>(null)
  const button = useRef<HTMLButtonElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (keptNow !== null) form.setValue('kept', keptNow, { shouldDirty: true })
    // Once for each.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [keptNow])
  const watched = form.watch()
  const chosen = checkout.kept.find(({ id, isGood }) => id === watched.kept && isGood)
  const wish: Wish = chosen ? { ...watched, method: chosen.method } : { ...watched, kept: ANOTHER }
  const lines = wishedLines(checkout, wish)
  const several = lines.length > 1
  const paysNow = refusalOfCart(checkout, lines, wish) === null
  // The fields tell the brand of what is typed where they know it; else the payment service does when it is paid.
  const [typed, setTyped] = useState<Brand | null>(null)
  const entered = typed === null && toldCard ? toldCard : { ...ANY_CARD, brand: typed }
  const by: PagePaysBy = { ...(chosen ? keptCard(chosen.means) : entered), method: wish.method }
  const quote = paysNow ? quoteOfWish(fees, by, lines) : null
  const busy = form.formState.isSubmitting
  // From the moment it is sent nothing can be changed; before that the fields must be free to take the focus.
  const [sent, setSent] = useState(false)

  async function pay({ email, keep, ...wished }: Wish) {
    const { method } = wish
    try {
      const using = outSince === null ? await payBy(keep) : chosen ? { storedMethodId: chosen.id } : {}
      if (using === null) return
      setSent(true)
      const paid = wishedLines(checkout, wished).flatMap(({ no, payType, billCents }) =>
        billCents ? [{ no, payType, billCents }] : [],
      )
      const { billCents = 0, totalCents = 0 } = quoteOfWish(fees, by, wishedLines(checkout, wished)) ?? {}
      const payType = several ? payTypeOf(billCents, checkout.payableCents) : wished.payType
      const amount = { payType, billCents, expectedTotalCents: totalCents, lines: paid }
      const order = { token, method, email, ...using, ...amount }
      if (outSince === null) await onPay(order)
      else toast(await onPromise(order, pressed.current))
    } catch (failure) {
      // The fields have said what is wrong with them, where it is.
      if (!(failure instanceof FieldsRefused)) throw failure
    } finally {
      setSent(false)
      setWay(null)
    }
  }

  /** By what it is paid; null where the bank wants to see the owner of a card first that is to be kept. */
  async function payBy(keep: boolean) {
    if (chosen) return { storedMethodId: chosen.id }
    const methodToken = (await fields.current?.tokenize()) ?? ''
    if (!keep || !session) return { methodToken }
    setSent(true)
    const { keepMethod } = await import('./keep-method.ts')
    const added = await keepMethod({ method: wish.method, methodToken, checkout: token })
    if (added.actionUrl) {
      go(added.actionUrl)
      return null
    }
    // A bank account that is to be confirmed pays nothing yet: its owner pays by something else, or enters it for this once.
    if (added.id === 0) {
      form.setValue('keep', false, { shouldDirty: true })
      throw new FormRefused(added.message)
    }
    // It is kept from now on, also where the payment is declined: another try pays by it.
    form.setValue('kept', added.id, { shouldDirty: true })
    form.setValue('keep', false, { shouldDirty: true })
    await onKept()
    return { storedMethodId: added.id }
  }

  const [toFields, setToFields] = useState(again ? 1 : 0)
  useEffect(() => {
    if (toFields === 0) return
    // Whoever pays by what is kept enters nothing: they go on where another one is chosen.
    if (fields.current) fields.current.focus()
    else document.getElementById('method')?.focus()
  }, [toFields])
  const goOn = (method?: Method) => {
    if (method) {
      form.setValue('method', method, { shouldDirty: true })
      form.setValue('kept', ANOTHER, { shouldDirty: true })
    }
    setToFields(toFields + 1)
  }

  const impersonating = session?.impersonating ?? false
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {declined && (
        <Declined
          payment={declined}
          onAgain={outSince === null ? goOn : null}
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
        // What was chosen stays with the payment, and nothing of it is to be saved.
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
                <KeptChoice form={form} kept={checkout.kept} />
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
                  kind={wish.method === methods.card ? 'card' : 'bank'}
                />
                {session && mayPay && outage.since === null && <KeepIt form={form} />}
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
            apartCents={quote ? apartOfWish(fees, by, lines) : 0}
            terms={lines.filter(({ billCents }) => billCents).map(({ feeKind }) => termsOfLine(fees, by, feeKind))}
            method={wish.method}
            isOut={outSince !== null}
          />
          {outSince !== null && (
            <div ref={choices} className="mt-5">
              <OutageChoice
                since={outSince}
                charges={chosen && quote ? { means: chosen.means, total: formatCents(quote.totalCents) } : null}
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
