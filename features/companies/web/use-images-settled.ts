import { useEffect, useState } from 'react'

/** However slow the images are, nobody waits longer for them (specification 9.1). */
const LONGEST_MS = 3000
/** After a failed image, so that its second try has been made (specification 9.1). */
const AFTER_ERROR_MS = 500

/**
 * Becomes true when every image of the page has loaded or failed, at the latest after three seconds.
 * @param expected are there images at all? Without any it is true from the start.
 */
export function useImagesSettled(expected: boolean): boolean {
  const [settled, setSettled] = useState(!expected)
  useEffect(() => {
    if (settled) return
    const timers = [setTimeout(() => setSettled(true), LONGEST_MS)]
    const waiting = new Set([...document.images].filter((image) => !image.complete))
    const done = (event: Event) => {
      if (event.type === 'error') timers.push(setTimeout(() => setSettled(true), AFTER_ERROR_MS))
      else waiting.delete(event.target as HTMLImageElement)
      if (waiting.size === 0) setSettled(true)
    }
    if (waiting.size === 0) setSettled(true)
    // Neither event bubbles, but both can be caught on their way down.
    document.addEventListener('load', done, true)
    document.addEventListener('error', done, true)
    return () => {
      timers.forEach(clearTimeout)
      document.removeEventListener('load', done, true)
      document.removeEventListener('error', done, true)
    }
  }, [settled])
  return settled
}
