import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { cancelMySeries, type mySeries } from '../contract-series.ts'
import { rentalStates } from '../states.ts'
import { spanText } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

interface SeriesProps {
  reservationId: number
  of: NonNullable<ResponseOf<typeof mySeries>['series']>
  refresh: () => Promise<unknown>
}

/** All dates of the series that a resident's reservation belongs to. */
export function SeriesCard({ reservationId, of: { dates, toCome }, refresh }: SeriesProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { act, busy, refusal } = useAct(refresh)
  return (
    <Card>
      <h2 className="mb-3 text-h3">
        <Plural value={dates.length} one="# date booked" other="# dates booked together" />
      </h2>
      <Refusal>{refusal}</Refusal>
      <ol className="border-line border-t">
        {dates.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2 text-table"
          >
            <div className="min-w-0 flex-1 basis-52">
              {one.id === reservationId ? (
                <strong>{spanText(one)}</strong>
              ) : (
                <Link className="link" to={`/resource-rentals/reservation/${one.id}`}>
                  {spanText(one)}
                </Link>
              )}
              <p className="text-muted">
                <Text>{one.number}</Text>, <Money cents={one.totalCents} />
              </p>
            </div>
            <StateBadge of={rentalStates} state={one.status} />
          </li>
        ))}
      </ol>
      {toCome.dates > 1 && (
        <Button className="mt-4" onClick={() => setIsConfirming(true)}>
          <Trans>Cancel upcoming dates</Trans>
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={<Trans>Cancel {toCome.dates} dates?</Trans>}
          confirmLabel={<Trans>Cancel upcoming dates</Trans>}
          danger
          busy={busy}
          onClose={() => setIsConfirming(false)}
          onConfirm={() => void act(() => call(cancelMySeries, { reservationId })).then(() => setIsConfirming(false))}
        >
          {toCome.refundCents > 0 ? (
            <Trans>
              Others can then reserve these times. We will refund {formatCents(toCome.refundCents)}. If you paid a fee,
              we will also refund the corresponding share of it.
            </Trans>
          ) : (
            <Trans>Others can then reserve these times. You will not get a refund.</Trans>
          )}
        </ConfirmDialog>
      )}
    </Card>
  )
}
