import { useEffect, useState } from 'react'
import { useWasRendered } from '../../../web/was-rendered.ts'

/** Maximum wait for images and parts that load late, in milliseconds (spec 9.1). */
const MAX_WAIT_MS = 3000
/** Wait after an image fails to load, in milliseconds. It leaves time for a second attempt (spec 9.1). */
const AFTER_ERROR_MS = 500

/**
 * Becomes true when all images have loaded or failed and the late parts are ready. The limit is three seconds.
 * @param hasImages false if the page has no images
 * @param partsThere false until the late parts are ready
 */
export function useLandingLoaded(hasImages: boolean, partsThere: boolean): boolean {
  // A page from the server is complete when it arrives, so nothing covers it.
  const [imagesDone, setImagesDone] = useState(useWasRendered() || !hasImages)
  const [longEnough, setLongEnough] = useState(false)
  const isLoaded = longEnough || (imagesDone && partsThere)
  useEffect(() => {
    if (isLoaded) return
    const timer = setTimeout(() => setLongEnough(true), MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isLoaded])
  useEffect(() => {
    if (imagesDone) return
    const timers: ReturnType<typeof setTimeout>[] = []
    const pendingImages = new Set([...document.images].filter((image) => !image.complete))
    const done = (event: Event) => {
      if (event.type === 'error') timers.push(setTimeout(() => setImagesDone(true), AFTER_ERROR_MS))
      else pendingImages.delete(event.target as HTMLImageElement)
      if (pendingImages.size === 0) setImagesDone(true)
    }
    if (pendingImages.size === 0) setImagesDone(true)
    // These events do not bubble, but a capturing listener receives them.
    document.addEventListener('load', done, true)
    document.addEventListener('error', done, true)
    return () => {
      timers.forEach(clearTimeout)
      document.removeEventListener('load', done, true)
      document.removeEventListener('error', done, true)
    }
  }, [imagesDone])
  return isLoaded
}
