/**
 * The service worker of the screen for the field: it keeps that page and what it is made of on the device, and nothing
 * else. Its scope is that screen alone, and no call of the product goes through it.
 */

/** Written into it by the build (`web/build/field-worker.ts`). */
declare const FIELD_ASSETS: readonly string[]
declare const FIELD_VERSION: string

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
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
/** A server that says nothing for so long counts as not reached. */
const TIMEOUT_MS = 8000

worker.addEventListener('install', (event) => {
  const fill = async () => {
    const cache = await caches.open(NAME)
    await cache.addAll([...FIELD_ASSETS])
    await cache.add(new Request(PAGE, { cache: 'reload' }))
  }
  event.waitUntil(fill())
})

/** A release replaces the one before: what was kept for that goes away. */
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

/** The page of the server wherever that is reached; else the one that is kept, marked as such. */
async function pageFor(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (answer.status < 500) return answer
    return (await keptPage()) ?? answer
  } catch (error) {
    const page = await keptPage()
    if (!page) throw error
    return page
  }
}

async function keptPage(): Promise<Response | null> {
  const page = await (await caches.open(NAME)).match(PAGE)
  if (!page) return null
  const text = (await page.text()).replace('<html ', '<html data-from-device ')
  return new Response(text, { headers: page.headers })
}

/** Names of assets change with what is in them, so that one that is kept is right for good. */
async function assetFor(request: Request): Promise<Response> {
  const cache = await caches.open(NAME)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}
