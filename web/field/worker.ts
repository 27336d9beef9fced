/**
 * Service worker of the field screen. It stores only the field screen and its files on the device. Its scope is only
 * that screen, so it never handles API calls.
 */

/** Set by the build (`web/build/field-worker.ts`). */
declare const FIELD_ASSETS: readonly string[]
declare const FIELD_VERSION: string

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  location: Location
}
const worker = globalThis as unknown as Worker

const PAGE = '/municipality/field'
const PREFIX = 'field-'
const NAME = PREFIX + FIELD_VERSION
/** A server that does not respond within this time counts as unreachable. */
const TIMEOUT_MS = 8000

worker.addEventListener('install', (event) => {
  const fill = async () => {
    const cache = await caches.open(NAME)
    await cache.addAll([...FIELD_ASSETS])
    await cache.add(new Request(PAGE, { cache: 'reload' }))
  }
  event.waitUntil(fill())
})

/** A new release replaces the stored files of the previous release. */
worker.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name)
    await worker.clients.claim()
  }
  event.waitUntil(clean())
})

worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(pageFor(request))
  else if (/^\/(?:assets|languages)\//.test(pathname)) event.respondWith(assetFor(request))
})

/** Returns the server's page if the server is reachable. Otherwise, returns the stored page, marked as stored. */
async function pageFor(request: Request): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status < 500) return response
    return (await cachedPage()) ?? response
  } catch (error) {
    const page = await cachedPage()
    if (!page) throw error
    return page
  }
}

async function cachedPage(): Promise<Response | null> {
  const page = await (await caches.open(NAME)).match(PAGE)
  if (!page) return null
  const text = (await page.text()).replace('<html ', '<html data-from-device ')
  return new Response(text, { headers: page.headers })
}

/**
 * Returns an asset, from the cache if possible. Asset names change with their content, so a cached asset never becomes
 * stale.
 */
async function assetFor(request: Request): Promise<Response> {
  const cache = await caches.open(NAME)
  const cached = await cache.match(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
