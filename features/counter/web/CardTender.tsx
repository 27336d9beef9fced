import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, messageOf } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { RadioCards } from '../../../web/ui/Choice.tsx'
import { FieldsRefused } from '../../../web/ui/fields-channel.ts'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import type { HostedFieldsHandle } from '../../../web/ui/HostedFields.tsx'
import { PaymentFields } from '../../../web/ui/PaymentFields.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { cancelCardPayment, cardPayment, type cardReaders, takeCardPayment, tenderForm } from '../contract.ts'
import { arriveAt } from '../../../web/ui/step-heading.ts'

export type CardState = ResponseOf<typeof cardPayment>
type CardReadersResponse = ResponseOf<typeof cardReaders>

interface Props {
  provided: CardReadersResponse
  /** True for a paper check charged as an eCheck, false for a card reader. */
  isCheck: boolean
  totalCents: number
  payment: {
    drawerId: number
    pays: { kind: string; id: number; amountCents: number; seenCents: number }[]
    /** Error about the amounts. Null if they are correct. */
    refusal: string | null
  }
  onStale: (error: unknown) => never
  onStarted: (started: CardState) => void
}

const emailForm = z.object({ email: tenderForm.shape.email })

/**
 * Sends a payment to a card reader, or charges a check's account. Only the payment provider's own fields receive the
 * check's numbers.
 */
export function CardTender({
  provided: { readers, gateway },
  isCheck,
  totalCents,
  payment,
  onStale,
  onStarted,
}: Props) {
  const { t } = useLingui()
  const form = useZodForm(emailForm, { defaultValues: { email: '' } })
  const [chosen, setChosen] = useState<string | null>(null)
  const fields = useRef<HostedFieldsHandle>(null)
  const containerRef = useRef<HTMLDivElement>(null)
  const reader = chosen ?? readers[0]?.id
  if (!isCheck && readers.length === 0)
    return (
      <Notice tone="warning">
        <Trans>No card reader is paired, or the payment provider is unavailable. You can pair a reader below.</Trans>
      </Notice>
    )
  return (
    <div ref={containerRef}>
      <Form
        form={form}
        onSubmit={async ({ email }) => {
          const { drawerId, pays, refusal } = payment
          if (refusal) throw new FormRefused(refusal)
          try {
            const by = isCheck ? { methodToken: (await fields.current?.tokenize()) ?? '' } : { reader: reader ?? '' }
            onStarted(await call(takeCardPayment, { drawerId, pays, email, by }).catch(onStale))
          } catch (error) {
            // The fields have already shown their own errors.
            if (!(error instanceof FieldsRefused)) throw error
          }
        }}
      >
        {isCheck ? (
          <PaymentFields
            ref={fields}
            gateway={gateway}
            cents={totalCents}
            kind="bank"
            onEnter={() => containerRef.current?.querySelector('form')?.requestSubmit()}
          />
        ) : (
          readers.length > 1 && (
            <RadioCards
              label={t`Card reader`}
              name="reader"
              options={readers.map(({ id, label }) => ({ value: id, label }))}
              value={reader ?? null}
              onChange={setChosen}
            />
          )
        )}
        <TextField label={t`Email for the receipt`} optional type="email" autoComplete="off" {...form.field('email')} />
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            busyLabel={isCheck ? <Trans>Charging...</Trans> : <Trans>Sending to reader...</Trans>}
          >
            {isCheck ? (
              <Trans>Charge {formatCents(totalCents)}</Trans>
            ) : (
              <Trans>Charge {formatCents(totalCents)} to card</Trans>
            )}
          </Button>
        </div>
      </Form>
    </div>
  )
}

const POLL_MS = 1200
const FINAL_STATES: readonly CardState['state'][] = ['paid', 'processing', 'declined', 'cancelled']

interface CardWaitProps {
  paymentId: number
  initial: CardState | null
  readers: CardReadersResponse['readers']
  onEnded: (ended: CardState) => void
}

/** Polls a payment on a reader until it is paid, declined or cancelled. */
export function CardWaits({ paymentId, initial, readers, onEnded }: CardWaitProps) {
  const panelRef = useRef<HTMLDivElement>(null)
  const hasReported = useRef(false)
  const [cancelling, setCancelling] = useState(false)
  const [refusal, setRefusal] = useState('')
  const { data } = useResponse(cardPayment, { paymentId }, { refetchInterval: POLL_MS })
  const now = data ?? initial
  const end = (state: CardState) => {
    if (hasReported.current || !FINAL_STATES.includes(state.state)) return
    hasReported.current = true
    onEnded(state)
  }
  // The page has removed the button that started the payment, so the focus moves here.
  useEffect(() => arriveAt(panelRef.current), [])
  useEffect(() => {
    if (now) end(now)
  })
  const cancel = async () => {
    setCancelling(true)
    setRefusal('')
    try {
      end(await call(cancelCardPayment, { paymentId }))
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setCancelling(false)
  }
  const played = readers.filter(({ testUrl }) => testUrl !== null)
  return (
    <div ref={panelRef} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Refusal>{refusal}</Refusal>
      <p role="status" className="text-lg">
        <strong>{now?.message ?? <Trans>Checking the card reader</Trans>}</strong>
      </p>
      <p>
        <Trans>
          Ask the payer to tap, insert or swipe the card. If you leave this screen, the payment will continue.
        </Trans>
      </p>
      {played.map(({ id, label, testUrl }) => (
        <p key={id}>
          <Link className="link" to={testUrl ?? ''} target="_blank">
            <Trans>TEST: Simulate reader {label} in a new window</Trans>
          </Link>
        </p>
      ))}
      <div>
        <Button busy={cancelling} busyLabel={<Trans>Cancelling...</Trans>} onClick={() => void cancel()}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </div>
  )
}
