import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { longInstant } from '../../../web/clock.ts'
import { Notice } from '../../../web/ui/Notice.tsx'

/** Maximum time for a countdown, in seconds. For a longer hold, the timer shows the end time. */
const COUNTED_SECONDS = 3600
/** Remaining minutes that screen readers announce. */
const ANNOUNCED_MINUTES = [10, 5, 2, 1]

interface HoldTimerProps {
  /** Remaining seconds. */
  seconds: number
  /** Called when the hold ends, to reload the checkout. */
  onExpired: () => void
}

/** Shows how long an item is still held for the payer. */
export default function HoldTimer({ seconds, onExpired }: HoldTimerProps) {
  const left = useLeft(seconds, onExpired)
  const [until] = useState(() => longInstant(new Date(Date.now() + seconds * 1000).toISOString()))
  const minutes = ANNOUNCED_MINUTES.findLast((limit) => left <= limit * 60)
  if (left === 0)
    return (
      <Notice tone="warning">
        <Trans>Your hold on this item has ended. Someone else could take it before you pay.</Trans>
      </Notice>
    )
  if (left > COUNTED_SECONDS)
    return (
      <Notice>
        <Trans>We are holding this item for you until {until}.</Trans>
      </Notice>
    )
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <Notice tone={left <= 120 ? 'warning' : 'info'}>
      <p role="timer">
        <Trans>
          We are holding this item for you for another <strong className="tabular-nums">{clock}</strong> minutes.
        </Trans>
      </p>
      <p className="sr-only" aria-live="polite">
        {minutes !== undefined && (
          <Plural value={minutes} one="You have one minute left to pay." other="You have # minutes left to pay." />
        )}
      </p>
    </Notice>
  )
}

/** Counts down by elapsed time, so that a wrong computer clock has no effect. */
function useLeft(seconds: number, onExpired: () => void): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return
    const endsAt = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      onExpired()
    }, 1000)
    return () => clearInterval(timer)
    // `onExpired` may change with each render, so it is not a dependency.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [seconds])
  return left
}
