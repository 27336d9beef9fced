import { useEffect, useRef } from 'react'

const GROWTH = 1.4

/**
 * Asks again and again while the page is looked at, with growing pauses; what fails is simply asked again.
 * @param pauses the first and the longest pause in milliseconds; null or undefined does not ask
 */
export function usePolling(pauses: readonly [number, number] | null | undefined, ask: () => Promise<void>): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    if (!pauses) return
    const [first, longest] = pauses
    let pause = first
    let ended = false
    let asking = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = async () => {
      timer = undefined
      if (document.hidden) return // goes on when it is looked at again
      asking = true
      await latest.current().catch(() => {})
      asking = false
      if (ended) return
      pause = Math.min(longest, pause * GROWTH)
      timer = setTimeout(turn, pause)
    }
    const seen = () => {
      if (!document.hidden && !asking && timer === undefined) void turn()
    }
    timer = setTimeout(turn, pause)
    document.addEventListener('visibilitychange', seen)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [pauses])
}
