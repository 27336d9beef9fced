import { Trans, useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { call } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { go, setQuery } from '../../../web/go.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam, useQueryText } from '../../../web/routes.tsx'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Amounts, Card, DetailList } from '../../../web/ui/Card.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { bookingForm, bookRental, payRental, rental, rentalDays, rentalPrice, rentals } from '../contract.ts'
import { waitForRental } from '../contract-waitlist.ts'
import type { GivenAnswers } from '../contract-agreements.ts'
import { kindLabels, lengthOf, rateText } from '../rules.ts'
import { AllRentals, seeAllRentals } from './AllRentals.tsx'
import { Gallery } from './Gallery.tsx'
import { guestsOf } from './guests.ts'
import { Questions } from './Questions.tsx'
import { type ChosenTime, Times } from './Times.tsx'
import { clockText, dayText } from './words.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Rental = ResponseOf<typeof rental>

/** Page of one resource: description, availability and reservation form. */
export default function RentalScreen() {
  const resourceId = Number(useParam('resourceId'))
  const answer = useAnswer(rental, { resourceId })
  return (
    <Measure className="py-10 md:py-14">
      <AllRentals />
      <Answered
        answer={answer}
        shape="lines"
        loading={<Trans>Loading what can be rented</Trans>}
        failed={<Trans>This could not be loaded</Trans>}
        instead={seeAllRentals}
      >
        {(data) => <One of={data} />}
      </Answered>
    </Measure>
  )
}

function One({ of }: { of: Rental }) {
  const { t } = useLingui()
  const { id, spaces, pieces: maxPieces, chargedBy, today, lastDay } = of
  const query = new URLSearchParams(useQueryText())
  const spaceId = (spaces.find((one) => String(one.id) === query.get('space')) ?? spaces[0])?.id ?? 0
  const pieces = Math.min(maxPieces, Math.max(1, Math.floor(Number(query.get('pieces'))) || 1))
  const chosen = chosenIn(query)
  const isWaitlist = query.get('wait') !== null
  const book = useRef<HTMLHeadingElement>(null)
  // After a reload, the chosen time appears only after the calendar above it has loaded.
  const [isVisible, setVisible] = useState(false)
  const show = useCallback(() => setVisible(true), [])
  // Clears a time that cannot be reserved, even if a link named it.
  const [refused, setRefused] = useState('')
  const refuse = useCallback((mistake: string) => {
    setRefused(mistake)
    setQuery(NOTHING)
  }, [])
  const rate = of.isResident ? of.residentCents : of.otherCents
  const details = [
    [t`Place`, of.place],
    [t`Room for`, of.capacity > 0 ? t`${of.capacity} people` : ''],
    [t`Price`, rateText(rate, chargedBy)],
    [t`Deposit`, of.depositCents > 0 ? t`${formatCents(of.depositCents)}, back after the inspection` : ''],
    [t`For how long`, t`${lengthOf(of.leastMinutes)} to ${lengthOf(of.mostMinutes)}`],
    [t`There is`, of.amenities],
    [t`Accessibility`, of.accessibility],
    [
      t`Insurance`,
      of.certificateFrom === null
        ? ''
        : of.certificateFrom === 0
          ? t`A certificate is needed before you come`
          : t`A certificate is needed from ${of.certificateFrom} people on`,
    ],
    [t`To be reserved`, of.notice],
    [t`Cancelling`, of.refund],
  ] as const
  return (
    <>
      <PageHead title={of.name}>{of.description || translated(kindLabels[of.kind])}</PageHead>
      <Gallery photos={of.photos} />
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_24rem]">
        <section className="min-w-0 lg:order-1">
          <h2 className="mb-3 text-h3">
            <Trans>When it is free</Trans>
          </h2>
          {of.seriesDates > 0 && (
            <p className="mb-4">
              <Link className="link" to={`/resource-rentals/${id}/series`}>
                <Trans>Ask for several dates at once, such as each Tuesday</Trans>
              </Link>
            </p>
          )}
          <div className="mb-4 grid gap-4 empty:hidden md:grid-cols-2">
            {spaces.length > 1 && (
              <Select
                label={t`What of it`}
                value={spaceId}
                options={spaces.map(({ id: value, name }) => ({ value, label: name }))}
                onChange={({ target }) => setQuery({ ...NOTHING, space: target.value })}
              />
            )}
            {maxPieces > 1 && (
              <Select
                label={t`How many`}
                value={pieces}
                options={Array.from({ length: maxPieces }, (_, n) => ({ value: n + 1, label: String(n + 1) }))}
                onChange={({ target }) => setQuery({ ...NOTHING, pieces: target.value })}
              />
            )}
          </div>
          <Times
            {...{ resourceId: id, spaceId, pieces, today, lastDay, chosen }}
            mayWait
            waits={isWaitlist}
            onShown={show}
            onChoose={(next, waits) => setQuery({ ...NOTHING, ...next, ...(next && waits && { wait: '1' }) })}
          />
          <WhatIsChosen chosen={isVisible ? chosen : null} onGoOn={() => book.current?.focus()} />
          {chosen && isVisible && (
            <OwnOnly>
              <Book
                key={`${spaceId} ${pieces}`}
                of={of}
                isTaken={isWaitlist}
                spaceId={spaceId}
                pieces={pieces}
                chosen={chosen}
                heading={book}
                onGone={() => setQuery(NOTHING)}
                onRefused={refuse}
              />
            </OwnOnly>
          )}
          {refused && !chosen && (
            <Notice tone="warning" className="mt-6" focusable title={<Trans>Choose another time</Trans>}>
              {refused}
            </Notice>
          )}
        </section>
        <aside className="order-first min-w-0 lg:order-2">
          <Card as="div">
            <DetailList details={details.filter(([, value]) => value !== '')} />
            {of.houseRules && (
              <>
                <h2 className="mt-5 mb-1 text-base font-bold">
                  <Trans>Rules</Trans>
                </h2>
                <p className="whitespace-pre-line">{of.houseRules}</p>
              </>
            )}
            <p className="mt-5">
              <a className="link" href={of.takenPath}>
                <Trans>When it is taken, for your calendar program</Trans>
              </a>
            </p>
          </Card>
        </aside>
      </div>
    </>
  )
}

/** Stored in the address, so that a reload or a sign-in loses nothing. */
const NOTHING = { day: null, from: null, until: null, wait: null }

function chosenIn(query: URLSearchParams): ChosenTime | null {
  const [day = '', from = '', until = ''] = ['day', 'from', 'until'].map((name) => query.get(name) ?? '')
  return /^\d{4}-\d\d-\d\d$/.test(day) && [from, until].every((time) => /^\d\d:\d\d$/.test(time))
    ? { day, from, until }
    : null
}

/** Stays visible until the form below the calendar scrolls into view. Screen readers announce it. */
const WhatIsChosen = ({ chosen, onGoOn }: { chosen: ChosenTime | null; onGoOn: () => void }) => (
  <div
    data-sticky-end={chosen ? true : undefined}
    className={
      chosen
        ? 'sticky bottom-0 mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-sm border border-line bg-surface px-4 py-3'
        : undefined
    }
  >
    <p role="status" className="min-w-0 flex-1 basis-52">
      {chosen && (
        <Trans>
          <strong>
            {dayText(chosen.day)}, {clockText(chosen.from)} – {clockText(chosen.until)}
          </strong>{' '}
          is chosen. Its price and the form stand below.
        </Trans>
      )}
    </p>
    {chosen && (
      <Button size="small" onClick={onGoOn}>
        <Trans>Go to the form</Trans>
      </Button>
    )}
  </div>
)

const bookingOf = (capacity: number) => z.extend(bookingForm, { guests: guestsOf(capacity) })

interface BookProps {
  of: Rental
  spaceId: number
  pieces: number
  chosen: ChosenTime
  /** True if the time is reserved, so that the form joins the waitlist. */
  isTaken: boolean
  heading: RefObject<HTMLHeadingElement | null>
  onGone: () => void
  /** Called with the reason if the time cannot be reserved. */
  onRefused: (mistake: string) => void
}

/** Price, renter details and agreement. Submitting holds the time or joins the waitlist. */
function Book({ of, spaceId, pieces, chosen, isTaken, heading, onGone, onRefused }: BookProps) {
  const { t } = useLingui()
  const [addons, setAddons] = useState<readonly string[]>([])
  const selection = { resourceId: of.id, spaceId, pieces, ...chosen, addons: [...addons] }
  const { data: price } = useAnswer(rentalPrice, selection)
  // The form appears together with its first price, so that nothing moves while the renter types.
  const [isPriced, setPriced] = useState(false)
  if (price && !isPriced) setPriced(true)
  const schema = useMemo(() => bookingOf(of.capacity), [of.capacity])
  const draft = `rental-${of.id}`
  const form = useZodForm(schema, {
    defaultValues: { purpose: '', guests: '', phone: of.phone, agrees: false },
    draft: { name: draft, leaveOut: ['agrees'] },
  })
  const total = price?.totalCents ?? 0
  // A waitlist request may cover closures. The server checks the other rules.
  const mistake = isTaken ? '' : (price?.mistake ?? '')
  useEffect(() => {
    if (mistake) onRefused(mistake)
  }, [mistake, onRefused])
  /** The valid form values. Set when the questions of the resource follow. */
  const [filled, setFilled] = useState<z.output<typeof schema> | null>(null)
  const [moves, setMoves] = useState(0)
  // The pressed button is gone, so focus moves to the heading of the next step.
  useEffect(() => {
    if (moves > 0) heading.current?.focus()
  }, [moves, heading])
  const goToStep = (values: z.output<typeof schema> | null) => {
    setFilled(values)
    setMoves((n) => n + 1)
  }
  const next = async (values: z.output<typeof schema>) => (of.asks ? goToStep(values) : submit(values, null))
  const submit = async (values: z.output<typeof schema>, agreement: GivenAnswers | null) => {
    if (!price || mistake) throw new FormRefused(mistake || t`The price is not there yet. Try again in a moment.`)
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
    // The Back button then leads to the reservation, not to the submitted form.
    const back = `/resource-rentals/reservation/${reservationId}`
    if (onward !== 'pay') return go(back, { back: '/resource-rentals' })
    const { token } = await call(payRental, { reservationId })
    go(`/guest/payment/${token}`, { back })
  }
  const submitLabel = isTaken ? (
    <Trans>Wait for it</Trans>
  ) : of.needsApproval ? (
    <Trans>Ask for it</Trans>
  ) : total > 0 ? (
    <Trans>Hold it and pay {formatCents(total)}</Trans>
  ) : (
    <Trans>Reserve it</Trans>
  )
  return (
    <Card className="mt-6">
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-h3">
        <Text>{dayText(chosen.day)}</Text>, <Text>{clockText(chosen.from)}</Text> –{' '}
        <Text>{clockText(chosen.until)}</Text>
      </h2>
      {isTaken && (
        <Notice className="mb-4" title={<Trans>This time is taken. You can wait for it</Trans>}>
          <Trans>
            Once it is free, it is held for whoever has waited longest, and we write to you. You pay nothing until then.
          </Trans>
        </Notice>
      )}
      {!isPriced ? (
        <LoadingState rows={4}>
          <Trans>Loading what it costs</Trans>
        </LoadingState>
      ) : filled ? (
        <>
          <Questions resourceId={of.id} doneLabel={submitLabel} onDone={(input) => submit(filled, input)} />
          <Button className="mt-4" look="quiet" onClick={() => goToStep(null)}>
            <Trans>Back to purpose and people</Trans>
          </Button>
        </>
      ) : (
        <Form form={form} keepDraft onSubmit={next}>
          {of.addons.length > 0 && (
            <fieldset className="flex flex-col gap-1">
              <legend className="mb-1 font-bold">
                <Trans>Besides</Trans>
              </legend>
              {of.addons.map(({ name, cents }) => (
                <Checkbox
                  key={name}
                  label={`${name}, ${formatCents(cents)}`}
                  checked={addons.includes(name)}
                  onChange={(event) =>
                    setAddons(event.target.checked ? [...addons, name] : addons.filter((one) => one !== name))
                  }
                />
              ))}
            </fieldset>
          )}
          {price && (
            <Amounts
              lines={price.items.map(({ text, note, amountCents }) => ({
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
              total={{ label: t`Total`, amount: formatCents(total) }}
            />
          )}
          <TextField label={t`What is it for?`} autoComplete="off" {...form.field('purpose')} />
          <div className="grid gap-4 md:grid-cols-2">
            <TextField
              label={t`How many people come?`}
              inputMode="numeric"
              autoComplete="off"
              {...form.field('guests')}
            />
            <PhoneField optional {...form.field('phone')} />
          </div>
          {of.agreement && <div className="rounded-sm bg-tint p-4 whitespace-pre-line">{of.agreement}</div>}
          <Checkbox
            label={t`I agree to the rules and the agreement, and to how cancelling works.`}
            {...form.field('agrees')}
          />
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              look="primary"
              busy={form.formState.isSubmitting}
              busyLabel={<Trans>Reserving...</Trans>}
            >
              {of.asks ? <Trans>Go on to the questions</Trans> : submitLabel}
            </Button>
            <Button onClick={onGone}>
              <Trans>Choose another time</Trans>
            </Button>
          </div>
          {!isTaken && !of.needsApproval && total > 0 && (
            <p className="text-muted">
              <Trans>When you press this button, we hold the time for 15 minutes. Pay within them.</Trans>
            </p>
          )}
        </Form>
      )}
    </Card>
  )
}
