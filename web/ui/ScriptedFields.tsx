import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { PaymentFields } from '../../shared/payment-fields.ts'
import { Button } from './Button.tsx'
import { FieldError } from './Field.tsx'
import { FieldsRefused } from './fields-channel.ts'
import type { HostedFieldsHandle } from './HostedFields.tsx'
import { Notice } from './Notice.tsx'
import { appearanceOf, type Elements, loadStripe, type StripeElement } from './stripe-script.ts'

interface ScriptedFieldsProps {
  script: NonNullable<PaymentFields['script']>
  kind: 'card' | 'bank'
  cents: number | null
  ref: Ref<HostedFieldsHandle>
}

interface MountedElement {
  stripe: Awaited<ReturnType<typeof loadStripe>>
  elements: Elements
  element: StripeElement
}

/** For so long Stripe may take to show its fields: a frame that never comes is told by no event. */
const TIMEOUT_MS = 20_000

/** What the fields are for: a payment, of which a wallet shows the amount, or something that is kept. */
const purpose = (cents: number | null) => (cents ? { mode: 'payment', amount: cents } : { mode: 'setup' })

/** Card or bank fields that Stripe's script makes, in frames of its own; wallets beside them where the browser has some. */
export default function ScriptedFields({ script, kind, cents, ref }: ScriptedFieldsProps) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  const made = useRef<MountedElement>(null)
  const told = useRef<HTMLDivElement>(null)
  const wanted = useRef(false)
  const toPay = useRef(cents)
  const [stage, setStage] = useState<'loading' | 'ready' | 'unreachable'>('loading')
  const [round, setRound] = useState(0)
  const [error, setError] = useState('')
  const { url, key } = script

  useEffect(() => {
    const into = place.current
    let isGone = false
    if (!into) return
    const timer = setTimeout(() => setStage('unreachable'), TIMEOUT_MS)
    loadStripe({ url, key })
      .then((stripe) => {
        if (isGone) return
        const elements = stripe.elements({
          ...{ ...purpose(toPay.current), currency: 'usd', paymentMethodCreation: 'manual' },
          paymentMethodTypes: [kind === 'card' ? 'card' : 'us_bank_account'],
          appearance: appearanceOf(into),
        })
        const element = elements.create('payment', { layout: 'tabs' })
        element.on('ready', () => {
          clearTimeout(timer)
          setStage('ready')
          if (wanted.current) element.focus()
          wanted.current = false
        })
        element.on('change', () => setError(''))
        element.on('loaderror', () => setStage('unreachable'))
        element.mount(into)
        made.current = { stripe, elements, element }
      })
      .catch(() => isGone || setStage('unreachable'))
    return () => {
      isGone = true
      clearTimeout(timer)
      made.current?.element.destroy()
      made.current = null
    }
  }, [url, key, kind, round])
  useEffect(() => {
    // The script may still be on its way.
    toPay.current = cents
    made.current?.elements.update(purpose(cents))
  }, [cents])

  /** `isShown`: Stripe's own fields say it already, where it is. */
  function refused(sentence: string, isShown = false): FieldsRefused {
    setError(isShown ? '' : sentence)
    if (!isShown) told.current?.focus()
    return new FieldsRefused(sentence)
  }
  async function tokenize(): Promise<string> {
    if (!made.current || stage !== 'ready')
      throw refused(t`The card or bank fields are not there yet. Nothing was charged.`)
    const { stripe, elements, element } = made.current
    const incomplete = t`Check the card or bank details above.`
    const { error: wrong } = await elements.submit()
    if (wrong) {
      element.focus()
      throw refused(wrong.message ?? incomplete, wrong.type === 'validation_error')
    }
    const { paymentMethod, error: refusal } = await stripe.createPaymentMethod({ elements })
    if (!paymentMethod) throw refused(refusal?.message ?? incomplete)
    setError('')
    return paymentMethod.id
  }
  useImperativeHandle(ref, () => ({
    tokenize,
    focus: () => {
      if (stage === 'ready') made.current?.element.focus()
      else wanted.current = true
    },
    // Stripe shows what is missing, where it is.
    check: async () => void (stage === 'ready' && (await made.current?.elements.submit())),
  }))

  return (
    <div>
      {stage === 'unreachable' ? (
        <Notice tone="danger" title={<Trans>The secure payment fields cannot be reached</Trans>}>
          <p>
            <Trans>Nothing was charged. Check your connection, then load them again.</Trans>
          </p>
          <Button
            size="small"
            className="mt-2"
            onClick={() => {
              setStage('loading')
              setRound(round + 1)
            }}
          >
            <Trans>Load again</Trans>
          </Button>
        </Notice>
      ) : (
        <div className="relative min-h-80">
          {stage === 'loading' && (
            <p role="status" className="absolute inset-x-0 text-muted text-sm">
              {kind === 'card' ? (
                <Trans>Loading the secure card fields…</Trans>
              ) : (
                <Trans>Loading the secure bank fields…</Trans>
              )}
            </p>
          )}
          <div ref={place} />
        </div>
      )}
      {/* Room for a sentence where there is one: else the page would move when these fields come. */}
      <div ref={told} role="alert" tabIndex={-1} className="not-empty:mt-2">
        <FieldError id="hosted-fields">{error || undefined}</FieldError>
      </div>
    </div>
  )
}
