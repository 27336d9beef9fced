import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { CloseAction, Dialog } from '../../../web/ui/Dialog.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { calendarFeeds, endCalendarFeed, makeCalendarFeed } from '../contract.ts'

/** The secret addresses by which a phone or another program reads a calendar. */
export function FeedsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const answer = useAnswer(calendarFeeds, {})
  const [made, setMade] = useState<{ departmentId: number | null; url: string } | null>(null)
  const { act, busy, refusal } = useAct(() => reload(calendarFeeds))
  const make = (departmentId: number | null) =>
    act(async () => {
      const { message, url } = await call(makeCalendarFeed, { departmentId })
      setMade({ departmentId, url })
      return { message }
    })
  const end = (departmentId: number | null) =>
    act(() => {
      setMade(null)
      return call(endCalendarFeed, { departmentId })
    })
  return (
    <Dialog title={<Trans>Calendar on your phone</Trans>} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <p className="mb-4">
        <Trans>
          A calendar program subscribes to a secret address. Whoever has it reads the calendar without signing in, so
          keep it to yourself. It is shown once; a new one ends the one before.
        </Trans>
      </p>
      <Refusal>{refusal}</Refusal>
      <Answered answer={answer} shape="lines" loading={<Trans>Loading the calendars</Trans>}>
        {({ feeds }) => (
          <ul>
            {feeds.map(({ departmentId, name, since }) => (
              <li key={departmentId ?? 'mine'} className="border-line border-t py-3">
                <div className="flex flex-wrap items-center justify-between gap-2">
                  <span>
                    <strong>{name}</strong>
                    <span className="block text-muted text-sm">
                      {since ? <Trans>Has an address since {shortDay(since)}</Trans> : <Trans>Has no address</Trans>}
                    </span>
                  </span>
                  <span className="flex flex-wrap gap-2">
                    <Button
                      size="small"
                      disabled={busy}
                      aria-label={since ? t`New address of ${name}` : t`Make an address of ${name}`}
                      onClick={() => void make(departmentId)}
                    >
                      {since ? <Trans>New address</Trans> : <Trans>Make an address</Trans>}
                    </Button>
                    {since && (
                      <Button
                        size="small"
                        disabled={busy}
                        aria-label={t`End the address of ${name}`}
                        onClick={() => void end(departmentId)}
                      >
                        <Trans>End</Trans>
                      </Button>
                    )}
                  </span>
                </div>
                {made?.departmentId === departmentId && (
                  <TextField
                    className="mt-2"
                    label={t`Secret address of ${name}`}
                    readOnly
                    value={made.url}
                    onFocus={({ target }) => target.select()}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Dialog>
  )
}
