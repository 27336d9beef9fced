import { clockText } from '../../../shared/dates.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Amounts, Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import {
  reservationForm,
  bookRental,
  type SubmittedAnswers,
  payRental,
  type rental,
  rentalDays,
  rentalPrice,
  rentals,
} from '../contract.ts'
import { waitForRental } from '../contract-waitlist.ts'
import { AgreementQuestionsForm } from './AgreementQuestions.tsx'
import { guestsOf } from './guests.ts'
import { AddonFields, RenterFields } from './RenterFields.tsx'
import type { ChosenTime } from './time-choice.ts'
import { dayText } from '../../../web/time-text.ts'

const formFor = (capacity: number) => z.extend(reservationForm, { guests: guestsOf(capacity) })

interface BookProps {
  of: ResponseOf<typeof rental>
  spaceId: number
  pieces: number
  chosen: ChosenTime
  /** True if the time is reserved. The form then joins the waitlist instead. */
  isTaken: boolean
  heading: RefObject<HTMLHeadingElement | null>
  onGone: () => void
  /** Called with the reason if the time cannot be reserved. */
  onRefused: (mistake: string) => void
}

/** Price, renter details and agreement. Submitting the form puts the time on hold or joins the waitlist. */
export function BookCard(props: BookProps) {
  const { of, chosen, isTaken, heading, onGone } = props
  const { form, price, isPriced, addons, setAddons, filled, next, goBack, submit } = useReservation(props)
  const total = price?.totalCents ?? 0
  const submitLabel = isTaken ? (
    <Trans>Join waitlist</Trans>
  ) : of.needsApproval ? (
    <Trans>Request this time</Trans>
  ) : total > 0 ? (
    <Trans>Hold this time and pay {formatCents(total)}</Trans>
  ) : (
    <Trans>Reserve this time</Trans>
  )
  return (
    <Card className="mt-6">
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-h3">
        <Text>{dayText(chosen.day)}</Text>, <Text>{clockText(chosen.from)}</Text> –{' '}
        <Text>{clockText(chosen.until)}</Text>
      </h2>
      {isTaken && (
        <Notice className="mb-4" title={<Trans>This time is taken, but you can join the waitlist</Trans>}>
          <Trans>
            If the time becomes available, we will hold it for the person who has waited the longest and email that
            person. You pay nothing until then.
          </Trans>
        </Notice>
      )}
      {!isPriced ? (
        <LoadingState rows={4}>
          <Trans>Loading the price</Trans>
        </LoadingState>
      ) : filled ? (
        <>
          <AgreementQuestionsForm
            resourceId={of.id}
            doneLabel={submitLabel}
            onDone={(input) => submit(filled, input)}
          />
          <Button className="mt-4" variant="quiet" onClick={goBack}>
            <Trans>Back to purpose and group size</Trans>
          </Button>
        </>
      ) : (
        <Form form={form} keepDraft onSubmit={next}>
          <AddonFields legend={<Trans>Add-ons</Trans>} of={of.addons} chosen={addons} onChange={setAddons} />
          {price && <PriceLines of={price} />}
          <RenterFields form={form} agreement={of.agreement} />
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              variant="primary"
              busy={form.formState.isSubmitting}
              busyLabel={<Trans>Reserving...</Trans>}
            >
              {of.hasQuestions ? <Trans>Continue to the questions</Trans> : submitLabel}
            </Button>
            <Button onClick={onGone}>
              <Trans>Choose another time</Trans>
            </Button>
          </div>
          {!isTaken && !of.needsApproval && total > 0 && (
            <p className="text-muted">
              <Trans>We will hold the time for 15 minutes so that you can pay.</Trans>
            </p>
          )}
        </Form>
      )}
    </Card>
  )
}

/**
 * Manages a new reservation: price, form and step. After the form, the renter answers the questions of the resource.
 */
function useReservation({ of, spaceId, pieces, chosen, isTaken, heading, onRefused }: BookProps) {
  const { t } = useLingui()
  const [addons, setAddons] = useState<readonly string[]>([])
  const selection = { resourceId: of.id, spaceId, pieces, ...chosen, addons: [...addons] }
  const { data: price } = useResponse(rentalPrice, selection)
  // Shows the form only after the first price has loaded. Otherwise the form would move while the renter types.
  const [isPriced, setPriced] = useState(false)
  if (price && !isPriced) setPriced(true)
  const schema = useMemo(() => formFor(of.capacity), [of.capacity])
  const draft = `rental-${of.id}`
  const form = useZodForm(schema, {
    defaultValues: { purpose: '', guests: '', phone: of.phone, agrees: false },
    draft: { name: draft, leaveOut: ['agrees'] },
  })
  const total = price?.totalCents ?? 0
  // Residents may join the waitlist for a time during a closure, so the form does not report the closure as an error.
  // The server checks the other rules.
  const mistake = isTaken ? '' : (price?.mistake ?? '')
  useEffect(() => {
    if (mistake) onRefused(mistake)
  }, [mistake, onRefused])
  /** Validated form values. Set while the renter answers the questions of the resource. */
  const [filled, setFilled] = useState<z.output<typeof schema> | null>(null)
  const [moves, setMoves] = useState(0)
  // The button that the renter pressed disappears, so the focus moves to the heading of the next step.
  useEffect(() => {
    if (moves > 0) heading.current?.focus()
  }, [moves, heading])
  const goToStep = (values: z.output<typeof schema> | null) => {
    setFilled(values)
    setMoves((n) => n + 1)
  }
  const next = async (values: z.output<typeof schema>) => (of.hasQuestions ? goToStep(values) : submit(values, null))
  const submit = async (values: z.output<typeof schema>, agreement: SubmittedAnswers | null) => {
    if (!price || mistake) throw new FormRefused(mistake || t`The price has not loaded yet. Try again in a moment.`)
    const request = { ...selection, ...values, guests: Number(values.guests), quotedCents: total, agreement }
    const taking = isTaken
      ? call(waitForRental, request).then((done) => ({ ...done, next: 'wait' as const }))
      : call(bookRental, request)
    const { reservationId, next: onward } = await taking.catch(async (error: unknown) => {
      await Promise.all([reload(rentalDays), reload(rentalPrice)])
      throw error
    })
    dropDraft(draft)
    await Promise.all([reload(rentals), reload(rentalDays)])
    // After this navigation, the browser's Back button leads to the reservation, not to the submitted form.
    const back = `/resource-rentals/reservation/${reservationId}`
    if (onward !== 'pay') return go(back, { back: '/resource-rentals' })
    const { token } = await call(payRental, { reservationId })
    go(`/guest/payment/${token}`, { back })
  }
  return { form, price, isPriced, addons, setAddons, filled, next, goBack: () => goToStep(null), submit }
}

const PriceLines = ({ of }: { of: ResponseOf<typeof rentalPrice> }) => {
  const { t } = useLingui()
  return (
    <Amounts
      lines={of.items.map(({ text, note, amountCents }) => ({
        id: text,
        label: note ? (
          <>
            <Text>{text}</Text>
            <span className="block text-muted text-sm">{note}</span>
          </>
        ) : (
          text
        ),
        amount: formatCents(amountCents),
      }))}
      total={{ label: t`Total`, amount: formatCents(of.totalCents) }}
    />
  )
}
