import { clockText } from '../../../shared/dates.ts'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError, messageOf } from '../../../web/call.ts'
import { dayOf } from '../../../web/clock.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { changeRental, type myRental, rental, rentalDays } from '../contract.ts'
import { takesFocus } from './focus.ts'
import type { ChosenTime } from './time-choice.ts'
import { Times } from './Times.tsx'
import { dayText } from '../../../web/time-text.ts'

interface ChangeProps {
  of: ResponseOf<typeof myRental>
  refresh: () => Promise<unknown>
  onDone: () => void
}

/** Form that moves a reservation to another time with the same price. */
export function ChangeTime({ of, refresh, onDone }: ChangeProps) {
  const [chosen, setChosen] = useState<ChosenTime | null>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const response = useResponse(rental, { resourceId: of.resourceId })
  /** Refund for a later cancellation. Set only if the move would reduce this refund. */
  const [less, setLess] = useState<{ cents: number; text: string } | null>(null)
  const save = async (agreed: { refundIfCancelledCents?: number } = {}) => {
    if (!chosen) return
    setBusy(true)
    setRefusal(null)
    try {
      toast((await call(changeRental, { reservationId: of.id, ...chosen, ...agreed })).message)
      await refresh()
      onDone()
    } catch (error) {
      setBusy(false)
      const cents = error instanceof CallError ? error.details['refundIfCancelledCents'] : undefined
      if (typeof cents === 'number') return setLess({ cents, text: messageOf(error) })
      setLess(null)
      setRefusal(messageOf(error))
      await reload(rentalDays)
    }
  }
  return (
    <Card>
      <h2 ref={takesFocus} tabIndex={-1} className="mb-3 text-h3">
        <Trans>Choose another time at the same price</Trans>
      </h2>
      <ResponseView response={response} loading={<Trans>Loading the available times</Trans>}>
        {({ id, today, lastDay }) => (
          <Times
            {...{ resourceId: id, spaceId: of.spaceId, pieces: of.pieces, today, lastDay, except: of.id }}
            chosen={chosen}
            opensOn={dayOf(of.startsAt)}
            onChoose={(next) => setChosen(next)}
          />
        )}
      </ResponseView>
      <Refusal className="mt-4">{refusal}</Refusal>
      {chosen && (
        <Button className="mt-4" variant="primary" busy={busy} onClick={() => void save()}>
          <Trans>
            Change to {dayText(chosen.day)}, {clockText(chosen.from)} – {clockText(chosen.until)}
          </Trans>
        </Button>
      )}
      {less && (
        <ConfirmDialog
          title={<Trans>Change reservation?</Trans>}
          confirmLabel={<Trans>Change reservation</Trans>}
          busy={busy}
          onConfirm={() => void save({ refundIfCancelledCents: less.cents })}
          onClose={() => setLess(null)}
        >
          {less.text}
        </ConfirmDialog>
      )}
    </Card>
  )
}
