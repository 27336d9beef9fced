import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { addDays } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormRefused, useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { RepeatFields } from '../../../web/ui/RepeatFields.tsx'
import { TimeRangeFields } from '../../../web/ui/TimeRangeFields.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { type SubmittedAnswers, payRental, rental, rentalDays, rentals } from '../contract.ts'
import { bookMySeries, mySeriesForm, previewMySeries } from '../contract-series.ts'
import { seeAllRentals } from './parts/AllRentals.tsx'
import { AgreementQuestionsForm } from './AgreementQuestions.tsx'
import { takesFocus } from './focus.ts'
import { guestsOf } from './guests.ts'
import { AddonFields, RenterFields, WhatFields } from './RenterFields.tsx'
import { type Choices, choicesOf, countOf, type OneDate, OtherTime, SeriesDates, FinishFirst } from './SeriesDates.tsx'

type Rental = ResponseOf<typeof rental>

/** Screen to request recurring dates. Shows each date with its conflict, price and alternative. */
export default function RequestSeriesScreen() {
  const resourceId = Number(useParam('resourceId'))
  const response = useResponse(rental, { resourceId })
  return (
    <Measure className="min-h-dvh py-10 md:py-14">
      <div className="mx-auto max-w-180">
        <ResponseView
          response={response}
          shape="lines"
          loading={<Trans>Loading the resources</Trans>}
          failed={<Trans>This information could not be loaded</Trans>}
          instead={seeAllRentals}
        >
          {(data) => (
            <>
              <p className="mb-3">
                <Link className="link" to={`/resource-rentals/${data.id}`}>
                  <Trans>Back to {data.name}</Trans>
                </Link>
              </p>
              <PageHead title={<Trans>Multiple Dates</Trans>}>{data.name}</PageHead>
              {data.seriesDates === 0 ? (
                <Notice>
                  <Trans>
                    You can reserve this resource for only one date at a time. Contact the office to reserve multiple
                    dates.
                  </Trans>
                </Notice>
              ) : (
                <OwnOnly>
                  <SeriesForm of={data} />
                </OwnOnly>
              )}
            </>
          )}
        </ResponseView>
      </div>
    </Measure>
  )
}

function SeriesForm({ of }: { of: Rental }) {
  const { hasQuestions, seriesDates: maxDates, seriesWaits } = of
  const [other, setOther] = useState<OneDate | null>(null)
  const request = useSeriesRequest(of)
  const { form, what, addons, setAddons, instead, setInstead, query, isWhole, data, filled, submit } = request
  const { count, invalidCount } = countOf(data)
  const total = data?.totalCents ?? 0
  const submitLabel = seriesWaits ? (
    <Plural value={count} one="Request # date" other="Request # dates" />
  ) : total > 0 ? (
    <Trans>
      Hold <Plural value={count} one="# date" other="# dates" /> and pay {formatCents(total)}
    </Trans>
  ) : (
    <Plural value={count} one="Reserve # date" other="Reserve # dates" />
  )
  if (filled)
    return (
      <Card>
        <p ref={takesFocus} tabIndex={-1} className="mb-4 font-bold">
          <Trans>
            <Plural value={count} one="# date" other="# dates" />, {formatCents(total)}
          </Trans>
        </p>
        <AgreementQuestionsForm resourceId={of.id} doneLabel={submitLabel} onDone={(input) => submit(filled, input)} />
        <Button className="mt-4" variant="quiet" onClick={() => request.setFilled(null)}>
          <Trans>Back to the dates</Trans>
        </Button>
      </Card>
    )
  return (
    <Card as="div">
      <Form form={form} keepDraft onSubmit={request.next}>
        <p className="text-muted">
          <Trans>
            You can choose up to <Plural value={maxDates} one="# date" other="# dates" />. You will get either all of
            the dates that you select here or none of them.
          </Trans>{' '}
          {seriesWaits && <Trans>The office will review all of the dates together and email you.</Trans>}
        </p>
        <WhatFields {...what} />
        <TimeRangeFields form={form} />
        <RepeatFields form={form} />
        <AddonFields
          legend={<Trans>Add-ons for each date</Trans>}
          of={of.addons}
          chosen={addons}
          onChange={setAddons}
        />
        <SeriesDates as="h2" {...{ data, isWhole, instead }} max={maxDates} onChange={setInstead} onOther={setOther} />
        <RenterFields form={form} agreement={of.agreement} />
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={!isWhole || !data || invalidCount > 0 || count === 0}
            busy={form.formState.isSubmitting}
            busyLabel={<Trans>Reserving...</Trans>}
          >
            {invalidCount > 0 ? (
              <FinishFirst count={invalidCount} />
            ) : hasQuestions ? (
              <Trans>Continue to the questions</Trans>
            ) : (
              submitLabel
            )}
          </Button>
        </div>
      </Form>
      {other && (
        <OtherTime
          {...{ of: other, selection: query }}
          days={rentalDays}
          onClose={() => setOther(null)}
          onChoose={(to) => setInstead({ ...instead, [other.of]: to })}
        />
      )}
    </Card>
  )
}

/**
 * Manages the request for a series: form, choices, preview and step. After the form, the renter answers the questions
 * of the resource.
 */
function useSeriesRequest(of: Rental) {
  const { t } = useLingui()
  const { id: resourceId } = of
  const [spaceId, setSpace] = useState(of.spaces[0]?.id ?? 0)
  const [pieces, setPieces] = useState(1)
  const [addons, setAddons] = useState<readonly string[]>([])
  const [instead, setInstead] = useState<Choices>({})
  const typed = useMemo(() => z.extend(mySeriesForm, { guests: guestsOf(of.capacity) }), [of.capacity])
  const first = addDays(of.today, 7)
  const draft = `rental-series-${resourceId}`
  const form = useZodForm(typed, {
    defaultValues: {
      ...{ from: '18:00', until: '20:00', startsOn: first, purpose: '', guests: '', phone: of.phone, agrees: false },
      repeats: { unit: 'week', every: 1, weekdays: [], by: 'day', until: addDays(first, 28) },
    },
    draft: { name: draft, leaveOut: ['agrees'] },
  })
  /** Validated form values. Set while the renter answers the questions of the resource. */
  const [filled, setFilled] = useState<z.output<typeof typed> | null>(null)
  const values = form.watch()
  const query = {
    ...{ resourceId, spaceId, pieces, from: values.from, until: values.until, addons: [...addons] },
    ...{ guests: Number(values.guests) || 0, repeats: values.repeats, startsOn: values.startsOn },
    choices: choicesOf(instead),
  }
  const { repeats, startsOn, from, until } = mySeriesForm.shape
  const isWhole =
    repeats.safeParse(values.repeats).success &&
    startsOn.safeParse(values.startsOn).success &&
    from.safeParse(values.from).success &&
    until.safeParse(values.until).success
  const { data } = useResponse(previewMySeries, query, { enabled: isWhole, keepPrevious: true })
  const { count, invalidCount } = countOf(data)
  const total = data?.totalCents ?? 0
  const next = async (whole: z.output<typeof typed>) => {
    if (count === 0) throw new FormRefused(t`Choose at least one date.`)
    if (invalidCount > 0) throw new FormRefused(t`Choose another time for each marked date, or skip the date.`)
    if (of.hasQuestions) setFilled(whole)
    else await submit(whole, null)
  }
  const submit = async ({ guests, ...whole }: z.output<typeof typed>, agreement: SubmittedAnswers | null) => {
    const body = { ...query, ...whole, guests: Number(guests), quotedCents: total, agreement }
    const done = await call(bookMySeries, body).catch(async (error: unknown) => {
      await Promise.all([reload(previewMySeries), reload(rentalDays)])
      throw error
    })
    dropDraft(draft)
    await Promise.all([reload(rentals), reload(rentalDays)])
    if (done.next === 'pay') {
      const { token } = await call(payRental, { reservationId: done.reservationId, together: true })
      return go(`/guest/payment/${token}`, { back: `/resource-rentals/reservation/${done.reservationId}` })
    }
    toast(done.message)
    go(`/resource-rentals/reservation/${done.reservationId}`, { back: '/resource-rentals' })
  }
  return {
    form,
    what: {
      of,
      spaceId,
      pieces,
      onSpace: (id: string) => setSpace(Number(id)),
      onPieces: (n: string) => setPieces(Number(n)),
    },
    ...{ addons, setAddons, instead, setInstead, query, isWhole, data, filled, setFilled, next, submit },
  }
}
