import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { ResponseSlideOut } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { FormDialog } from '../../../web/ui/FormDialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice, Refusal } from '../../../web/ui/Notice.tsx'
import { History } from '../../../web/ui/office/History.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { cancelSeries, staffRental, refundRental, inspectForm, inspectRental, transitionRental } from '../contract.ts'
import { seriesPath, numberOf } from '../rules.ts'
import { rentalStates } from '../states.ts'
import { reloadRentals } from './parts/fresh.ts'
import { staffConditions, staffDoorCode } from './parts/page-parts.ts'
import { Waitlist } from './parts/Waitlist.tsx'
import { spanText } from '../../../web/time-text.ts'

type Details = ResponseOf<typeof staffRental>

/** Reservation as staff see it: renter, time, payments and available actions. */
export function ReservationSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(staffRental, { reservationId: id })
  return (
    <ResponseSlideOut
      title={<Trans>Reservation {numberOf(id)}</Trans>}
      loading={<Trans>Loading the reservation</Trans>}
      failed={<Trans>Could not load the reservation</Trans>}
      response={response}
      onClose={onClose}
    >
      {(data) => <ReservationContent of={data} />}
    </ResponseSlideOut>
  )
}

function ReservationContent({ of }: { of: Details }) {
  const { t } = useLingui()
  const { id, number, can, refundCents, retainedCents } = of
  const [inspects, setInspects] = useState(false)
  const { act, busy, refusal } = useAct(reloadRentals)
  const details: (readonly [string, string])[] = [
    [t`Time`, spanText(of)],
    [t`Name`, of.isResident ? t`${of.name}, resident` : of.name],
    [t`Email`, of.email],
    [t`Phone`, of.phone && formatPhone(of.phone)],
    [t`Purpose`, of.purpose],
    [t`People`, of.guests > 0 ? String(of.guests) : ''],
    [t`Quantity`, of.pieces > 1 ? String(of.pieces) : ''],
    ...of.items.map(({ text, amountCents }) => [text, formatCents(amountCents)] as const),
    [t`Total`, formatCents(of.totalCents)],
    [t`Paid`, of.paidCents > 0 ? formatCents(of.paidCents) : ''],
    [t`On hold until`, of.heldUntil ? longInstant(of.heldUntil) : ''],
    [t`Deposit retained`, retainedCents > 0 ? t`${formatCents(retainedCents)}: ${of.retainedReason}` : ''],
    [t`Agreed`, of.agreedAt ? longInstant(of.agreedAt) : of.byStaff ? t`Booked by phone` : ''],
  ]
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{of.title}</p>
        <StateBadge of={rentalStates} state={of.status} />
      </div>
      <DetailList className="text-table" details={details.filter(([, value]) => value !== '')} />
      {refundCents > 0 && (
        <Notice className="mt-5" tone="warning" title={<Trans>Refund due: {formatCents(refundCents)}</Trans>}>
          <Refusal>{refusal}</Refusal>
          {can.refund ? (
            <Button
              size="small"
              busy={busy}
              onClick={() => void act(() => call(refundRental, { reservationId: id, basis: { refundCents } }))}
            >
              <Trans>Refund to payment method</Trans>
            </Button>
          ) : (
            <Trans>Only staff with the refund privilege can issue this refund.</Trans>
          )}
        </Notice>
      )}
      {(of.status === 'confirmed' || of.status === 'in_use') && (
        <Suspense>
          <staffDoorCode.Part reservationId={id} />
        </Suspense>
      )}
      {of.status === 'held' && may('counter', 'create') && (
        <p className="mt-5">
          <Link className="link" to={`/municipality/manage/counter?find=${encodeURIComponent(number)}`}>
            <Trans>Take a payment at the counter</Trans>
          </Link>
        </p>
      )}
      <MoveButtons
        of={rentalStates}
        can={can.steps as never}
        dialog={{ draft: `rental-${id}`, text: () => <DeclineHint series={of.series} /> }}
        effect={(event) =>
          (event === 'cancel' || event === 'miss') &&
          of.paidCents > 0 && (
            <p className="mt-2">
              <Trans>
                The renter paid {formatCents(of.paidCents)}. After you confirm, the refund due will appear here.
              </Trans>
            </p>
          )
        }
        onPress={async (event, reason) => {
          toast((await call(transitionRental, { reservationId: id, event, ...(reason && { reason }) })).message)
          await reloadRentals()
        }}
      />
      {of.checkInFrom && !can.steps.check_in && (
        <p className="mt-3 text-muted text-table">
          <Trans>Check-in opens on {longInstant(of.checkInFrom)}.</Trans>
        </p>
      )}
      {of.series && <Series of={of.series} mayCancel={can.steps.cancel} waits={of.status === 'requested'} />}
      {can.inspect && (
        <Button className="mt-5" size="small" variant="primary" onClick={() => setInspects(true)}>
          <Trans>Inspect and complete</Trans>
        </Button>
      )}
      {inspects && <Inspect of={of} name={number} onClose={() => setInspects(false)} />}
      <Suspense>
        <staffConditions.Part reservationId={id} hasEnded={!rentalStates.states[of.status].open} />
      </Suspense>
      <Waitlist resourceId={of.resourceId} reservationId={id} />
      <History history={of.history} />
    </>
  )
}

/** Hint next to the reason field. Declining one date of a series declines all of them. */
const DeclineHint = ({ series }: { series: Details['series'] }) =>
  series ? (
    <Trans>All dates in this recurring reservation will be declined. The renter will see this reason.</Trans>
  ) : (
    <Trans>The renter will see this reason.</Trans>
  )

interface SeriesProps {
  of: NonNullable<Details['series']>
  mayCancel: boolean
  /** True if the reservation still awaits staff approval. */
  waits: boolean
}

/** Other dates of the same series. */
function Series({ of: { id, dates, toCome }, mayCancel, waits }: SeriesProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { act, busy, refusal } = useAct(reloadRentals)
  return (
    <section className="mt-5 rounded-sm bg-tint p-4">
      <p>
        {toCome === 0 ? (
          <Trans>
            This reservation belongs to a request for <Plural value={dates} one="# date" other="# dates" />.
          </Trans>
        ) : (
          <Trans>
            This reservation belongs to a recurring reservation for{' '}
            <Plural value={dates} one="# date" other="# dates" />. Upcoming dates: {toCome}.
          </Trans>
        )}{' '}
        {waits && (
          <Trans>
            All dates belong to one request. If you approve or decline one date, you approve or decline all of them.
          </Trans>
        )}
      </p>
      <Refusal>{refusal}</Refusal>
      <div className="mt-2 flex flex-wrap gap-3">
        <LinkButton size="small" to={seriesPath(id)}>
          <Trans>View all dates</Trans>
        </LinkButton>
        {mayCancel && toCome > 1 && (
          <Button size="small" onClick={() => setIsConfirming(true)}>
            <Trans>Cancel upcoming dates</Trans>
          </Button>
        )}
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Cancel {toCome} dates?</Trans>}
          confirmLabel={<Trans>Cancel upcoming dates</Trans>}
          danger
          busy={busy}
          onClose={() => setIsConfirming(false)}
          onConfirm={() => void act(() => call(cancelSeries, { seriesId: id })).then(() => setIsConfirming(false))}
        >
          <Trans>
            Others can then reserve these times. Any amounts already paid will be listed as refunds due. We will notify
            the renter.
          </Trans>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Inspect({ of, name, onClose }: { of: Details; name: string; onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(inspectForm, { defaultValues: { retainedCents: 0, reason: '' } })
  return (
    <FormDialog
      title={<Trans>Inspect and complete {name}</Trans>}
      form={form}
      submit={<Trans>Complete</Trans>}
      onClose={onClose}
      onSubmit={async (values) => {
        toast(
          (await call(inspectRental, { reservationId: of.id, ...values, basis: { paidCents: of.paidCents } })).message,
        )
        await reloadRentals()
      }}
    >
      {of.depositCents > 0 && (
        <>
          <p>
            <Trans>
              The security deposit is {formatCents(of.depositCents)}. Any amount that you do not keep will be listed as
              a refund due.
            </Trans>
          </p>
          <MoneyField label={t`Deposit retained`} {...form.money('retainedCents')} />
          <TextField label={t`Reason for the deduction`} optional autoComplete="off" {...form.field('reason')} />
        </>
      )}
    </FormDialog>
  )
}
