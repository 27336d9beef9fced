import { clockText } from '../../../shared/dates.ts'
import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useRef, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useParam, useQueryText } from '../../../web/routes.tsx'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { rental } from '../contract.ts'
import { kindLabels, lengthOf, rateText } from '../rules.ts'
import { AllRentals, seeAllRentals } from './parts/AllRentals.tsx'
import { BookCard } from './BookCard.tsx'
import { Gallery } from '../../../web/ui/Gallery.tsx'
import { WhatFields } from './RenterFields.tsx'
import type { ChosenTime } from './time-choice.ts'
import { Times } from './Times.tsx'
import { dayText } from '../../../web/time-text.ts'

type Rental = ResponseOf<typeof rental>

/** Screen of one resource: description, availability and reservation form. */
export default function RentalScreen() {
  const resourceId = Number(useParam('resourceId'))
  const response = useResponse(rental, { resourceId })
  return (
    <Measure className="py-10 md:py-14">
      <AllRentals />
      <ResponseView
        response={response}
        shape="lines"
        loading={<Trans>Loading the resources</Trans>}
        failed={<Trans>This information could not be loaded</Trans>}
        instead={seeAllRentals}
      >
        {(data) => <RentalPage of={data} />}
      </ResponseView>
    </Measure>
  )
}

function RentalPage({ of }: { of: Rental }) {
  const { id, spaces, pieces: maxPieces, today, lastDay } = of
  const query = new URLSearchParams(useQueryText())
  const spaceId = (spaces.find((one) => String(one.id) === query.get('space')) ?? spaces[0])?.id ?? 0
  const pieces = Math.min(maxPieces, Math.max(1, Math.floor(Number(query.get('pieces'))) || 1))
  const chosen = chosenIn(query)
  const isWaitlist = query.get('wait') !== null
  const book = useRef<HTMLHeadingElement>(null)
  // After a reload, the summary of the chosen time appears only when the calendar above has loaded.
  const [isVisible, setVisible] = useState(false)
  const show = useCallback(() => setVisible(true), [])
  // Reason that the chosen time cannot be reserved. The portal then clears the selection, even if the selection came
  // from a link.
  const [refused, setRefused] = useState('')
  const refuse = useCallback((mistake: string) => {
    setRefused(mistake)
    setQuery(NOTHING)
  }, [])
  return (
    <>
      <PageHead title={of.name}>{of.description || translated(kindLabels[of.kind])}</PageHead>
      <Gallery photos={of.photos} />
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_24rem]">
        <section className="min-w-0 lg:order-1">
          <h2 className="mb-3 text-h3">
            <Trans>Availability</Trans>
          </h2>
          {of.seriesDates > 0 && (
            <p className="mb-4">
              <Link className="link" to={`/resource-rentals/${id}/series`}>
                <Trans>Request recurring dates, for example every Tuesday</Trans>
              </Link>
            </p>
          )}
          <div className="mb-4 grid gap-4 empty:hidden md:grid-cols-2">
            <WhatFields
              {...{ of, spaceId, pieces }}
              onSpace={(space) => setQuery({ ...NOTHING, space })}
              onPieces={(count) => setQuery({ ...NOTHING, pieces: count })}
            />
          </div>
          <Times
            {...{ resourceId: id, spaceId, pieces, today, lastDay, chosen }}
            mayWait
            waits={isWaitlist}
            onVisible={show}
            onChoose={(next, waits) => setQuery({ ...NOTHING, ...next, ...(next && waits && { wait: '1' }) })}
          />
          <WhatIsChosen chosen={isVisible ? chosen : null} onGoOn={() => book.current?.focus()} />
          {chosen && isVisible && (
            <OwnOnly>
              <BookCard
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
        <RentalDetails of={of} />
      </div>
    </>
  )
}

/** Price, terms and rules of a resource. */
function RentalDetails({ of }: { of: Rental }) {
  const { t } = useLingui()
  const rate = of.isResident ? of.residentCents : of.otherCents
  const details = [
    [t`Location`, of.location],
    [t`Capacity`, of.capacity > 0 ? t`${plural(of.capacity, { one: '# person', other: '# people' })}` : ''],
    [t`Price`, rateText(rate, of.chargedBy)],
    [
      t`Security deposit`,
      of.depositCents > 0 ? t`${formatCents(of.depositCents)}, refundable after the inspection` : '',
    ],
    [t`Reservation length`, t`${lengthOf(of.minMinutes)} to ${lengthOf(of.maxMinutes)}`],
    [t`Included`, of.amenities],
    [t`Accessibility`, of.accessibility],
    [
      t`Insurance`,
      of.certificateFrom === null
        ? ''
        : of.certificateFrom === 0
          ? t`Certificate required before you arrive`
          : t`Certificate required for groups of ${of.certificateFrom} or more`,
    ],
    [t`Reservation deadline`, of.notice],
    [t`Cancellation`, of.refund],
  ] as const
  return (
    <aside className="order-first min-w-0 lg:order-2">
      <Card as="div">
        <DetailList details={details.filter(([, value]) => value !== '')} />
        {of.resourceRules && (
          <>
            <h2 className="mt-5 mb-1 text-base font-bold">
              <Trans>Rules</Trans>
            </h2>
            <p className="whitespace-pre-line">{of.resourceRules}</p>
          </>
        )}
        <p className="mt-5">
          <a className="link" href={of.occupancyFeedPath}>
            <Trans>Calendar feed of reservations</Trans>
          </a>
        </p>
      </Card>
    </aside>
  )
}

/** Empty selection. The selection is stored in the URL, so that it survives a reload or a sign-in. */
const NOTHING = { day: null, from: null, until: null, wait: null }

function chosenIn(query: URLSearchParams): ChosenTime | null {
  const [day = '', from = '', until = ''] = ['day', 'from', 'until'].map((name) => query.get(name) ?? '')
  return /^\d{4}-\d\d-\d\d$/.test(day) && [from, until].every((time) => /^\d\d:\d\d$/.test(time))
    ? { day, from, until }
    : null
}

/**
 * Summary of the chosen time. Stays visible until the form below the calendar scrolls into view. Screen readers
 * announce the summary.
 */
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
          is selected. The price and the form are below.
        </Trans>
      )}
    </p>
    {chosen && (
      <Button size="small" onClick={onGoOn}>
        <Trans>Go to form</Trans>
      </Button>
    )}
  </div>
)
