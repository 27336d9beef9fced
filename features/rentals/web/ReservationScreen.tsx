import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAct } from '../../../web/act.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { dayOf, longInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { go } from '../../../web/go.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { cancelRental, changeRental, myRental, payRental, rental, rentalDays, rentalIcs, rentals } from '../contract.ts'
import { myAgreement } from '../contract-agreements.ts'
import { myCertificate } from '../contract-certificates.ts'
import { mySeries } from '../contract-series.ts'
import { myWaiting } from '../contract-waitlist.ts'
import { rentalStates } from '../states.ts'
import { seeAllRentals } from './AllRentals.tsx'
import { Agreement } from './Agreement.tsx'
import { Certificate } from './Certificate.tsx'
import { DoorCode } from './DoorCode.tsx'
import { takesFocus } from './focus.ts'
import { SeriesCard } from './SeriesCard.tsx'
import { type ChosenTime, Times } from './Times.tsx'
import { WaitingPlace } from './WaitingPlace.tsx'
import { clockText, dayText, spanText } from './words.ts'
import { Text } from '../../../web/ui/Text.tsx'

type MyRentalResponse = ResponseOf<typeof myRental>
const SOON = 10_000
const refresh = () =>
  Promise.all([myRental, rentals, rentalDays, myCertificate, myWaiting, myAgreement, mySeries].map(reload))

/** The resident's own reservation: status, price and actions. */
export default function ReservationScreen() {
  const reservationId = Number(useParam('reservationId'))
  // Refreshes while the page is open, so that a waitlisted person sees the offer.
  const answer = useAnswer(
    myRental,
    { reservationId },
    { refetchInterval: (loaded) => loaded?.status === 'waitlisted' && SOON },
  )
  const insurance = useAnswer(myCertificate, { reservationId })
  const waiting = useAnswer(myWaiting, { reservationId })
  const agreement = useAnswer(myAgreement, { reservationId })
  const series = useAnswer(mySeries, { reservationId })
  const texts = {
    loading: <Trans>Loading your reservation</Trans>,
    failed: <Trans>Your reservation could not be loaded</Trans>,
    instead: seeAllRentals,
  }
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        {/* Loads everything together, so that nothing moves while the resident reads. */}
        <Answered answer={answer} shape="lines" {...texts}>
          {(data) => (
            <Answered answer={insurance} shape="lines" {...texts}>
              {(insured) => (
                <Answered answer={waiting} shape="lines" {...texts}>
                  {(position) => (
                    <Answered answer={agreement} shape="lines" {...texts}>
                      {(signing) => (
                        <Answered answer={series} shape="lines" {...texts}>
                          {(together) => (
                            <One
                              of={data}
                              insurance={insured}
                              waiting={position}
                              agreement={signing}
                              series={together.series}
                            />
                          )}
                        </Answered>
                      )}
                    </Answered>
                  )}
                </Answered>
              )}
            </Answered>
          )}
        </Answered>
      </div>
    </Measure>
  )
}

interface OneProps {
  of: MyRentalResponse
  insurance: ResponseOf<typeof myCertificate>
  waiting: ResponseOf<typeof myWaiting>
  agreement: ResponseOf<typeof myAgreement>
  series: ResponseOf<typeof mySeries>['series']
}
function One({ of, insurance, waiting, agreement, series }: OneProps) {
  const { t } = useLingui()
  const { id, number, status, items, totalCents, paidCents, backCents, keptCents, can } = of
  const [asks, setAsks] = useState<'cancel' | 'change' | null>(null)
  const [paying, setPaying] = useState(false)
  const [unpaid, setUnpaid] = useState<string | null>(null)
  const { act, busy, refusal } = useAct(refresh)
  const pay = async (together: boolean) => {
    setPaying(true)
    try {
      go(`/guest/payment/${(await call(payRental, { reservationId: id, together })).token}`)
    } catch (error) {
      setUnpaid(messageOf(error))
      setPaying(false)
    }
  }
  return (
    <>
      <PageHead title={<Trans>Your Reservation</Trans>}>
        <span className="block font-bold">{of.title}</span>
        <Text>{spanText(of)}</Text>
      </PageHead>
      <div className="flex flex-col gap-5">
        <Refusal>{refusal || unpaid}</Refusal>
        {can.pay && (
          <Notice tone="warning" title={<Trans>It waits for its payment</Trans>}>
            <p className="mb-3">
              <Trans>It is held for you until {longInstant(of.heldUntil ?? of.startsAt)}.</Trans>
            </p>
            <div className="flex flex-wrap gap-3">
              {series && series.held.dates > 1 && (
                <Button look="primary" busy={paying} onClick={() => void pay(true)}>
                  <Trans>
                    Pay all {series.held.dates} dates: {formatCents(series.held.cents)}
                  </Trans>
                </Button>
              )}
              <Button
                look={series && series.held.dates > 1 ? 'secondary' : 'primary'}
                busy={paying}
                onClick={() => void pay(false)}
              >
                {series && series.held.dates > 1 ? (
                  <Trans>Pay this date alone: {formatCents(totalCents - paidCents)}</Trans>
                ) : (
                  <Trans>Pay {formatCents(totalCents - paidCents)}</Trans>
                )}
              </Button>
            </div>
          </Notice>
        )}
        {status === 'waitlisted' && <WaitingPlace reservationId={id} of={waiting} />}
        {status === 'requested' && (
          <Notice>
            <Trans>The office looks at it and writes to you. Nobody else can have this time meanwhile.</Trans>
          </Notice>
        )}
        {of.reason && (
          <Notice tone="warning" title={<Trans>It was declined</Trans>}>
            {of.reason}
          </Notice>
        )}
        {backCents > 0 && (
          <Notice>
            <Trans>{formatCents(backCents)} go back to you. The office sends them by the way you paid.</Trans>
          </Notice>
        )}
        <Card as="div">
          <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
            <p className="font-bold">{number}</p>
            <StateBadge of={rentalStates} state={status} />
          </div>
          <DetailList
            details={[
              [t`For`, of.purpose],
              ...(of.guests > 0 ? ([[t`People`, of.guests]] as const) : []),
              ...(of.pieces > 1 ? ([[t`Pieces`, of.pieces]] as const) : []),
              ...items.map(({ text, amountCents }) => [text, formatCents(amountCents)] as const),
              [t`Total`, formatCents(totalCents)],
              ...(paidCents > 0 ? ([[t`Paid`, formatCents(paidCents)]] as const) : []),
              ...(keptCents > 0
                ? ([[t`Kept of the deposit`, t`${formatCents(keptCents)}: ${of.keptReason}`]] as const)
                : []),
              [t`Cancelling`, of.refund],
            ]}
          />
          <div className="mt-5 flex flex-wrap gap-3">
            {can.change && (
              <Button onClick={() => setAsks(asks === 'change' ? null : 'change')} aria-expanded={asks === 'change'}>
                <Trans>Change the time</Trans>
              </Button>
            )}
            {can.cancel && (
              <Button onClick={() => setAsks('cancel')}>
                <Trans>Cancel the reservation</Trans>
              </Button>
            )}
            {status === 'confirmed' && (
              <Button icon={CalendarPlus} onClick={() => void download(rentalIcs, { reservationId: id })}>
                <Trans>Into my calendar</Trans>
              </Button>
            )}
            <LinkButton to="/resource-rentals">
              <Trans>All rentals</Trans>
            </LinkButton>
          </div>
        </Card>
        {asks === 'change' && <Change of={of} onDone={() => setAsks(null)} />}
        <Agreement reservationId={id} resourceId={of.resourceId} of={agreement} />
        {series && <SeriesCard reservationId={id} of={series} renew={refresh} />}
        <Certificate reservationId={id} of={insurance} />
        {(status === 'confirmed' || status === 'in_use') && <DoorCode reservationId={id} />}
      </div>
      {asks === 'cancel' && (
        <ConfirmDialog
          title={<Trans>Cancel {number}?</Trans>}
          confirmLabel={<Trans>Cancel the reservation</Trans>}
          danger
          busy={busy}
          onClose={() => setAsks(null)}
          onConfirm={() => void act(() => call(cancelRental, { reservationId: id })).then(() => setAsks(null))}
        >
          {paidCents === 0 ? (
            <Trans>Others can have this time then. You have paid nothing.</Trans>
          ) : (
            <Trans>
              Others can have this time then. You get {formatCents(of.backIfCancelledCents)} of the{' '}
              {formatCents(paidCents)} for the reservation back.
            </Trans>
          )}{' '}
          {of.feeBackIfCancelledCents > 0 &&
            (of.backIfCancelledCents < paidCents ? (
              <Trans>
                {formatCents(of.feeBackIfCancelledCents)} of the fee comes back with it. The rest of the fee stays paid.
              </Trans>
            ) : (
              <Trans>The fee of {formatCents(of.feeBackIfCancelledCents)} comes back with it.</Trans>
            ))}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Changes a reservation to another time with the same price. */
function Change({ of, onDone }: { of: MyRentalResponse; onDone: () => void }) {
  const [chosen, setChosen] = useState<ChosenTime | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const answer = useAnswer(rental, { resourceId: of.resourceId })
  /** Set if a cancellation at the chosen time would refund less than now. */
  const [less, setLess] = useState<{ cents: number; says: string } | null>(null)
  const save = async (agreed: { backIfCancelledCents?: number } = {}) => {
    if (!chosen) return
    setBusy(true)
    setRefusal(null)
    try {
      toast((await call(changeRental, { reservationId: of.id, ...chosen, ...agreed })).message)
      await refresh()
      onDone()
    } catch (error) {
      setBusy(false)
      const cents = error instanceof CallError ? error.details['backIfCancelledCents'] : undefined
      if (typeof cents === 'number') return setLess({ cents, says: messageOf(error) })
      setLess(null)
      setRefusal(messageOf(error))
      await reload(rentalDays)
    }
  }
  return (
    <Card>
      <h2 ref={takesFocus} tabIndex={-1} className="mb-3 text-h3">
        <Trans>Choose another time of the same price</Trans>
      </h2>
      <Answered answer={answer} loading={<Trans>Loading when it is free</Trans>}>
        {({ id, today, lastDay }) => (
          <Times
            {...{ resourceId: id, spaceId: of.spaceId, pieces: of.pieces, today, lastDay, except: of.id }}
            chosen={chosen}
            opensOn={dayOf(of.startsAt)}
            onChoose={(next) => setChosen(next)}
          />
        )}
      </Answered>
      <Refusal className="mt-4">{refusal}</Refusal>
      {chosen && (
        <Button className="mt-4" look="primary" busy={busy} onClick={() => void save()}>
          <Trans>
            Change it to {dayText(chosen.day)}, {clockText(chosen.from)} – {clockText(chosen.until)}
          </Trans>
        </Button>
      )}
      {less && (
        <ConfirmDialog
          title={<Trans>Change the reservation?</Trans>}
          confirmLabel={<Trans>Change the reservation</Trans>}
          busy={busy}
          onConfirm={() => void save({ backIfCancelledCents: less.cents })}
          onClose={() => setLess(null)}
        >
          {less.says}
        </ConfirmDialog>
      )}
    </Card>
  )
}
