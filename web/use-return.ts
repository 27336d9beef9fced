import { useEffect } from 'react'

/** Reloads data when the person returns to the page, because another tab or device may have changed the data. */
export function useReturn(active: boolean, load: () => Promise<unknown>): void {
  useEffect(() => {
    if (!active) return
    const seen = () => void (document.hidden || load().catch(() => {}))
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [active, load])
}
