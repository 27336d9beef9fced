/** Path at which the server provides the worker (`server/pages.ts`). */
const WORKER = '/municipality/field-worker.js'
const SCOPE = '/municipality/field'

/**
 * Installs this screen on the device. A new release that arrived while the screen was closed is activated immediately.
 * If a release arrives while the screen is open, `onRelease` receives a function that activates it.
 */
export async function installWorker(onRelease: (takeOver: () => void) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  const takeOver = (worker: ServiceWorker) => worker.postMessage('take over')
  if (registration.waiting) takeOver(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      if (next.state !== 'installed' || !navigator.serviceWorker.controller) return
      onRelease(() => {
        navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
        takeOver(next)
      })
    })
  })
}

/**
 * Asks the browser to keep stored data when storage space is low.
 * @returns false if the browser does not promise that
 */
export async function requestPersistence(): Promise<boolean> {
  if (!navigator.storage?.persist) return false
  return (await navigator.storage.persisted()) || navigator.storage.persist()
}
