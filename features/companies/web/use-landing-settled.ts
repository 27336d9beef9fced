import { useEffect, useState } from 'react'

/** However slow something is, nobody waits longer for it (specification 9.1). */
const MAX_WAIT_MS = 3000
/** After a failed image, so that its second try has been made (specification 9.1). */
const AFTER_ERROR_MS = 500

/**
 * Becomes true when every image of the page has loaded or failed and the parts that come by themselves are there, at the
 * latest after three seconds.
 * @param hasImages without any, none is waited for.
 * @param partsThere false as long as a part is on its way.
 */
export function useLandingSettled(hasImages: boolean, partsThere: boolean): boolean {
  const [imagesDone, setImagesDone] = useState(!hasImages)
  const [longEnough, setLongEnough] = useState(false)
  const settled = longEnough || (imagesDone && partsThere)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => setLongEnough(true), MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [settled])
  useEffect(() => {
    if (imagesDone) return
    const timers: ReturnType<typeof setTimeout>[] = []
    const waiting = new Set([...document.images].filter((image) => !image.complete))
    const done = (event: Event) => {
      if (event.type === 'error') timers.push(setTimeout(() => setImagesDone(true), AFTER_ERROR_MS))
      else waiting.delete(event.target as HTMLImageElement)
      if (waiting.size === 0) setImagesDone(true)
    }
    if (waiting.size === 0) setImagesDone(true)
    // Neither event bubbles, but both can be caught on their way down.
    document.addEventListener('load', done, true)
    document.addEventListener('error', done, true)
    return () => {
      timers.forEach(clearTimeout)
      document.removeEventListener('load', done, true)
      document.removeEventListener('error', done, true)
    }
  }, [imagesDone])
  return settled
}
