import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { longInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { type myRental, rentalIcs } from '../contract.ts'
import type { mySeries } from '../contract-series.ts'
import { rentalStates } from '../states.ts'

type MyRentalResponse = ResponseOf<typeof myRental>

interface PayProps {
  of: MyRentalResponse
  series: ResponseOf<typeof mySeries>['series']
  busy: boolean
  onPay: (together: boolean) => void
}

/** Payment deadline of a hold, with buttons to pay for this date or for all dates of its series that are on hold. */
export function PayHold({ of, series, busy, onPay }: PayProps) {
  const { totalCents, paidCents } = of
  return (
    <Notice tone="warning" title={<Trans>Awaiting payment</Trans>}>
      <p className="mb-3">
        <Trans>We are holding this reservation for you until {longInstant(of.heldUntil ?? of.startsAt)}.</Trans>
      </p>
      <div className="flex flex-wrap gap-3">
        {series && series.held.dates > 1 && (
          <Button variant="primary" busy={busy} onClick={() => onPay(true)}>
            <Trans>
              Pay all {series.held.dates} dates: {formatCents(series.held.cents)}
            </Trans>
          </Button>
        )}
        <Button
          variant={series && series.held.dates > 1 ? 'secondary' : 'primary'}
          busy={busy}
          onClick={() => onPay(false)}
        >
          {series && series.held.dates > 1 ? (
            <Trans>Pay only this date: {formatCents(totalCents - paidCents)}</Trans>
          ) : (
            <Trans>Pay {formatCents(totalCents - paidCents)}</Trans>
          )}
        </Button>
      </div>
    </Notice>
  )
}

/** Purpose, price and status of a reservation, with its actions. */
export function ReservationDetails({ of, children }: { of: MyRentalResponse; children: ReactNode }) {
  const { t } = useLingui()
  const { number, status, items, totalCents, paidCents, retainedCents } = of
  return (
    <Card as="div">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{number}</p>
        <StateBadge of={rentalStates} state={status} />
      </div>
      <DetailList
        details={[
          [t`Purpose`, of.purpose],
          ...(of.guests > 0 ? ([[t`People`, of.guests]] as const) : []),
          ...(of.pieces > 1 ? ([[t`Quantity`, of.pieces]] as const) : []),
          ...items.map(({ text, amountCents }) => [text, formatCents(amountCents)] as const),
          [t`Total`, formatCents(totalCents)],
          ...(paidCents > 0 ? ([[t`Paid`, formatCents(paidCents)]] as const) : []),
          ...(retainedCents > 0
            ? ([[t`Deposit retained`, t`${formatCents(retainedCents)}: ${of.retainedReason}`]] as const)
            : []),
          [t`Cancellation`, of.refund],
        ]}
      />
      <Text>{children}</Text>
    </Card>
  )
}

interface ActionsProps {
  of: MyRentalResponse
  isChanging: boolean
  onChange: () => void
  onCancel: () => void
}

export const ReservationActions = ({ of: { id, can, status }, isChanging, onChange, onCancel }: ActionsProps) => (
  <div className="mt-5 flex flex-wrap gap-3">
    {can.change && (
      <Button onClick={onChange} aria-expanded={isChanging}>
        <Trans>Change time</Trans>
      </Button>
    )}
    {can.cancel && (
      <Button onClick={onCancel}>
        <Trans>Cancel reservation</Trans>
      </Button>
    )}
    {status === 'confirmed' && (
      <Button icon={CalendarPlus} onClick={() => void download(rentalIcs, { reservationId: id })}>
        <Trans>Add to my calendar</Trans>
      </Button>
    )}
    <LinkButton to="/resource-rentals">
      <Trans>All rentals</Trans>
    </LinkButton>
  </div>
)

interface CancelProps {
  of: MyRentalResponse
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Dialog that confirms a cancellation and shows the refund. */
export function CancelReservation({ of, busy, onConfirm, onClose }: CancelProps) {
  const { number, paidCents } = of
  return (
    <ConfirmDialog
      title={<Trans>Cancel reservation {number}?</Trans>}
      confirmLabel={<Trans>Cancel reservation</Trans>}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {paidCents === 0 ? (
        <Trans>Others can then reserve this time. You have not paid anything.</Trans>
      ) : (
        <Trans>
          Others can then reserve this time. We will refund {formatCents(of.refundIfCancelledCents)} of the{' '}
          {formatCents(paidCents)} that you paid for the reservation.
        </Trans>
      )}{' '}
      {of.feeRefundIfCancelledCents > 0 &&
        (of.refundIfCancelledCents < paidCents ? (
          <Trans>
            We will also refund {formatCents(of.feeRefundIfCancelledCents)} of the fee. We will not refund the rest of
            the fee.
          </Trans>
        ) : (
          <Trans>We will also refund the fee of {formatCents(of.feeRefundIfCancelledCents)}.</Trans>
        ))}
    </ConfirmDialog>
  )
}
