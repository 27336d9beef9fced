/** Where the server gives out the worker (`server/pages.ts`). */
const WORKER = '/municipality/field-worker.js'
const SCOPE = '/municipality/field'

/**
 * Keeps this screen on the device. A release that came while the screen was closed takes over at once; of one that comes
 * while it is open, `onNews` is told, with what puts it in place.
 */
export async function installWorker(onNews: (takeOver: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  const takeOver = (worker: ServiceWorker) => worker.postMessage('take over')
  if (registration.waiting) takeOver(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state !== 'installed' || !navigator.serviceWorker.controller) return
      onNews(() => {
        navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
        takeOver(next)
      })
    })
  })
}

/** Asks the browser to keep what is on this device also when space is short. @returns false where it does not promise to */
export async function askToKeep(): Promise<boolean> {
  if (!navigator.storage?.persist) return false
  return (await navigator.storage.persisted()) || navigator.storage.persist()
}
