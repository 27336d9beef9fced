import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAct } from '../../../web/act.ts'
import { call, messageOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { cancelRental, myRental, payRental, rentalDays, rentals } from '../contract.ts'
import { mySeries } from '../contract-series.ts'
import { myWaitlistPosition } from '../contract-waitlist.ts'
import { seeAllRentals } from './parts/AllRentals.tsx'
import { ChangeTime } from './ChangeTime.tsx'
import { type ConditionSections, conditions } from './parts/page-parts.ts'
import { CancelReservation, PayHold, ReservationActions, ReservationDetails } from './ReservationDetails.tsx'
import { SeriesCard } from './SeriesCard.tsx'
import { WaitlistPosition } from './WaitlistPosition.tsx'
import { spanText } from '../../../web/time-text.ts'

type MyRentalResponse = ResponseOf<typeof myRental>
const SOON = 10_000

/** The resident's own reservation: status, price and actions. */
export default function ReservationScreen() {
  const reservationId = Number(useParam('reservationId'))
  // Reloads regularly, so that a person on the waitlist sees an offer.
  const response = useResponse(
    myRental,
    { reservationId },
    { refetchInterval: (loaded) => loaded?.status === 'waitlisted' && SOON },
  )
  const waitlistPosition = useResponse(myWaitlistPosition, { reservationId })
  const series = useResponse(mySeries, { reservationId })
  const texts = {
    loading: <Trans>Loading your reservation</Trans>,
    failed: <Trans>Could not load your reservation</Trans>,
    instead: seeAllRentals,
  }
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        {/* Loads all data before it renders, so that the content does not move while the resident reads. */}
        <Suspense fallback={<LoadingState shape="lines">{texts.loading}</LoadingState>}>
          <conditions.Part reservationId={reservationId} texts={texts}>
            {(sections) => (
              <ResponseView response={response} shape="lines" {...texts}>
                {(data) => (
                  <ResponseView response={waitlistPosition} shape="lines" {...texts}>
                    {(position) => (
                      <ResponseView response={series} shape="lines" {...texts}>
                        {(together) => (
                          <Reservation
                            of={data}
                            waitlistPosition={position}
                            series={together.series}
                            sections={sections}
                          />
                        )}
                      </ResponseView>
                    )}
                  </ResponseView>
                )}
              </ResponseView>
            )}
          </conditions.Part>
        </Suspense>
      </div>
    </Measure>
  )
}

interface ReservationProps {
  of: MyRentalResponse
  waitlistPosition: ResponseOf<typeof myWaitlistPosition>
  series: ResponseOf<typeof mySeries>['series']
  sections: ConditionSections
}

function Reservation({ of, waitlistPosition, series, sections }: ReservationProps) {
  const { id, status, refundCents } = of
  const [openDialog, setOpenDialog] = useState<'cancel' | 'change' | null>(null)
  const refresh = () =>
    Promise.all([...[myRental, rentals, rentalDays, myWaitlistPosition, mySeries].map(reload), sections.reload()])
  const { act, busy, refusal } = useAct(refresh)
  const { pay, isPaying, unpaid } = usePayment(id)
  return (
    <>
      <PageHead title={<Trans>Your Reservation</Trans>}>
        <span className="block font-bold">{of.title}</span>
        <Text>{spanText(of)}</Text>
      </PageHead>
      <div className="flex flex-col gap-5">
        <Refusal>{refusal || unpaid}</Refusal>
        {of.can.pay && <PayHold of={of} series={series} busy={isPaying} onPay={(together) => void pay(together)} />}
        {status === 'waitlisted' && <WaitlistPosition reservationId={id} of={waitlistPosition} />}
        {status === 'requested' && (
          <Notice>
            <Trans>
              The office will review your request and email you. Until then, no one else can reserve this time.
            </Trans>
          </Notice>
        )}
        {of.reason && (
          <Notice tone="warning" title={<Trans>Reservation declined</Trans>}>
            {of.reason}
          </Notice>
        )}
        {refundCents > 0 && (
          <Notice>
            <Trans>We will refund {formatCents(refundCents)} to your payment method.</Trans>
          </Notice>
        )}
        <ReservationDetails of={of}>
          <ReservationActions
            of={of}
            isChanging={openDialog === 'change'}
            onChange={() => setOpenDialog(openDialog === 'change' ? null : 'change')}
            onCancel={() => setOpenDialog('cancel')}
          />
        </ReservationDetails>
        {openDialog === 'change' && <ChangeTime of={of} refresh={refresh} onDone={() => setOpenDialog(null)} />}
        <Text>{sections.agreement(of.resourceId)}</Text>
        {series && <SeriesCard reservationId={id} of={series} refresh={refresh} />}
        <Text>{sections.certificate}</Text>
        <Text>{(status === 'confirmed' || status === 'in_use') && sections.doorCode}</Text>
      </div>
      {openDialog === 'cancel' && (
        <CancelReservation
          of={of}
          busy={busy}
          onConfirm={() => void act(() => call(cancelRental, { reservationId: id })).then(() => setOpenDialog(null))}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </>
  )
}

/** Returns a function that opens the payment of a hold, or of all holds of its series. */
function usePayment(reservationId: number) {
  const [isPaying, setPaying] = useState(false)
  const [unpaid, setUnpaid] = useState<string | null>(null)
  const pay = async (together: boolean) => {
    setPaying(true)
    try {
      go(`/guest/payment/${(await call(payRental, { reservationId, together })).token}`)
    } catch (error) {
      setUnpaid(messageOf(error))
      setPaying(false)
    }
  }
  return { pay, isPaying, unpaid }
}
