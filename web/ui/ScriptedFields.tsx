import { useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { PaymentFields } from '../../shared/payment-fields.ts'
import { FieldError } from './Field.tsx'
import { FieldsRefused } from './fields-channel.ts'
import type { HostedFieldsHandle } from './HostedFields.tsx'
import { appearanceOf, type Elements, loadStripe, type StripeElement } from './stripe-script.ts'
import { FieldsUnreachable, FieldsLoading } from './FieldsStates.tsx'

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

/** Time limit for loading Stripe's fields, in milliseconds. Stripe sends no event for a frame that never loads. */
const TIMEOUT_MS = 20_000

/** Returns the purpose of the fields: a payment with its amount for the wallet, or a saved payment method. */
const purpose = (cents: number | null) => (cents ? { mode: 'payment', amount: cents } : { mode: 'setup' })

/** Card or bank fields in frames of Stripe's script, with wallets if the browser supports any. */
export default function ScriptedFields(props: ScriptedFieldsProps) {
  const { kind, ref } = props
  const { t } = useLingui()
  const notice = useRef<HTMLDivElement>(null)
  const [error, setError] = useState('')
  const { container, made, stage, focus, retry } = useElement(props, setError)

  /** Shows and returns an error. `isVisible` is true if Stripe's fields already show it. */
  function refused(message: string, isVisible = false): FieldsRefused {
    setError(isVisible ? '' : message)
    if (!isVisible) notice.current?.focus()
    return new FieldsRefused(message)
  }
  async function tokenize(): Promise<string> {
    if (!made.current || stage !== 'ready')
      throw refused(t`The card or bank fields have not loaded yet. Nothing was charged. Wait a moment, then try again.`)
    const { stripe, elements, element } = made.current
    const incomplete = t`Check the card or bank details.`
    const { error: submitError } = await elements.submit()
    if (submitError) {
      element.focus()
      throw refused(submitError.message ?? incomplete, submitError.type === 'validation_error')
    }
    const { paymentMethod, error: refusal } = await stripe.createPaymentMethod({ elements })
    if (!paymentMethod) throw refused(refusal?.message ?? incomplete)
    setError('')
    return paymentMethod.id
  }
  useImperativeHandle(ref, () => ({
    tokenize,
    focus,
    // Makes Stripe show missing details in its own fields.
    check: async () => void (stage === 'ready' && (await made.current?.elements.submit())),
  }))

  return (
    <div>
      {stage === 'unreachable' ? (
        <FieldsUnreachable onRetry={retry} />
      ) : (
        <div className="relative min-h-80">
          {stage === 'loading' && (
            <p role="status" className="absolute inset-x-0 text-muted text-sm">
              <FieldsLoading kind={kind} />
            </p>
          )}
          <div ref={container} />
        </div>
      )}
      {/* Takes up space only when it shows an error, so that the page does not shift when these fields load. */}
      <div ref={notice} role="alert" tabIndex={-1} className="not-empty:mt-2">
        <FieldError id="hosted-fields">{error || undefined}</FieldError>
      </div>
    </div>
  )
}

/** Loads Stripe's script and mounts its fields. */
function useElement({ script, kind, cents }: ScriptedFieldsProps, onError: (message: string) => void) {
  const container = useRef<HTMLDivElement>(null)
  const made = useRef<MountedElement>(null)
  const wantsFocus = useRef(false)
  const toPay = useRef(cents)
  const [stage, setStage] = useState<'loading' | 'ready' | 'unreachable'>('loading')
  const [round, setRound] = useState(0)
  const { url, key } = script

  useEffect(() => {
    const into = container.current
    let isGone = false
    if (!into) return
    const timer = setTimeout(() => setStage('unreachable'), TIMEOUT_MS)
    loadStripe({ url, key })
      .then((stripe) => {
        if (isGone) return
        const elements = stripe.elements({
          ...purpose(toPay.current),
          currency: 'usd',
          paymentMethodCreation: 'manual',
          paymentMethodTypes: [kind === 'card' ? 'card' : 'us_bank_account'],
          appearance: appearanceOf(into),
        })
        const element = elements.create('payment', { layout: 'tabs' })
        element.on('ready', () => {
          clearTimeout(timer)
          setStage('ready')
          if (wantsFocus.current) element.focus()
          wantsFocus.current = false
        })
        element.on('change', () => onError(''))
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
  }, [url, key, kind, round, onError])
  useEffect(() => {
    // Stores the amount for later, because the script may still be loading.
    toPay.current = cents
    made.current?.elements.update(purpose(cents))
  }, [cents])
  return {
    container,
    made,
    stage,
    focus: () => {
      if (stage === 'ready') made.current?.element.focus()
      else wantsFocus.current = true
    },
    retry: () => {
      setStage('loading')
      setRound(round + 1)
    },
  }
}
