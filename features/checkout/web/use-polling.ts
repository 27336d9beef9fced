import { useEffect, useRef } from 'react'

const GROWTH = 1.4

/**
 * Polls while the page is visible, with growing pauses. Errors lead to another try.
 * @param pauses the first and the longest pause in milliseconds, or null or undefined to stop
 */
export function usePolling(pauses: readonly [number, number] | null | undefined, poll: () => Promise<void>): void {
  const latest = useRef(poll)
  useEffect(() => {
    latest.current = poll
  })
  useEffect(() => {
    if (!pauses) return
    const [first, maxPause] = pauses
    let pause = first
    let ended = false
    let isPolling = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = async () => {
      timer = undefined
      if (document.hidden) return // Polling resumes when the page is visible again.
      isPolling = true
      await latest.current().catch(() => {})
      isPolling = false
      if (ended) return
      pause = Math.min(maxPause, pause * GROWTH)
      timer = setTimeout(tick, pause)
    }
    const seen = () => {
      if (!document.hidden && !isPolling && timer === undefined) void tick()
    }
    timer = setTimeout(tick, pause)
    document.addEventListener('visibilitychange', seen)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [pauses])
}
