import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { longInstant } from '../../../../web/clock.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'

/** Somebody who has longer than that reads until when, and is not hurried. */
const COUNTED_SECONDS = 3600
/** When those who listen are told how long is left. */
const TOLD_MINUTES = [10, 5, 2, 1]

interface HeldProps {
  /** So many are left. */
  seconds: number
  /** The time is over: what is held is looked at again. */
  onOver: () => void
}

/** How long something is still held for whoever pays. */
export default function Held({ seconds, onOver }: HeldProps) {
  const left = useLeft(seconds, onOver)
  const minutes = TOLD_MINUTES.findLast((most) => left <= most * 60)
  if (left === 0)
    return (
      <Notice tone="warning">
        <Trans>The time for which it was held for you is over. Somebody else can take it until you have paid.</Trans>
      </Notice>
    )
  if (left > COUNTED_SECONDS)
    return (
      <Notice>
        <Trans>It is held for you until {longInstant(new Date(Date.now() + left * 1000).toISOString())}.</Trans>
      </Notice>
    )
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return (
    <Notice tone={left <= 120 ? 'warning' : 'info'}>
      <p role="timer">
        <Trans>
          It is held for you for another <strong className="tabular-nums">{clock}</strong> minutes.
        </Trans>
      </p>
      <p className="sr-only" aria-live="polite">
        {minutes !== undefined && (
          <Plural value={minutes} one="One minute is left to pay." other="# minutes are left to pay." />
        )}
      </p>
    </Notice>
  )
}

/** Counts down by how long the page has stood there, whatever the clock of its computer says. */
function useLeft(seconds: number, onOver: () => void): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === 0) return
    const over = performance.now() + seconds * 1000
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((over - performance.now()) / 1000))
      setLeft(now)
      if (now > 0) return
      clearInterval(timer)
      onOver()
    }, 1000)
    return () => clearInterval(timer)
    // What is called when it is over may be another function each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [seconds])
  return left
}
