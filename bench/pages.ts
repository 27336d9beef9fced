import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { type StartedSession } from '../shared/accounts.ts'
import { freePort } from '../server/ports.ts'
import { call, callAs, PASSWORD } from '../test/portals.ts'
import { root } from '../test/processes.ts'
import { fullBrowser } from '../e2e/browser.ts'
import { storedSession } from '../e2e/stored-session.ts'
import { type Row, timeRow } from './measure.ts'
import { start, waitForOutput } from './portal-process.ts'

const HOST = 'maplegrove.localhost'
/** Loads of each page. They alternate with the loads of its copies. */
const LOADS = Number(process.env['LOADS'] ?? 15)
/** Slow 4G and a slow phone: bits per second, milliseconds, and the factor of the processor. */
const SLOW = { download: 1_600_000, upload: 750_000, latency: 150, processor: 4 }
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-US', isMobile: true, hasTouch: true }
/** Maximum ratio of the LCP to that of a static page, for a page from the server and for a page behind a sign-in. */
const MAX_LCP = { rendered: 1.1, signedIn: 1.5 }
/** Limits of the script and the longest task of a page, in bytes and milliseconds. */
const MAX_EARLY_SCRIPT = 5000
const MAX_TASK = 200
/** Folder in which `npm install govuk-frontend @uswds/uswds` ran. With it, their pages are compared, too. */
const PEERS = process.env['PEERS']

/** One load of a page and the start of its script. Times are in milliseconds, sizes in bytes. */
interface Load {
  lcp: number
  fcp: number
  shift: number
  maxTask: number
  /** Compressed script before the first input. */
  early: number
  /** Compressed script after the first input. */
  script: number
}

interface Page {
  name: string
  path: string
  /** Maximum compressed script after the first input, in bytes. */
  maxScript?: number
  /** True if the script starts without an input. */
  isUnprompted?: boolean
}

/**
 * Compares the loads of residents' pages on a phone with those of other forms of them. `copy` has the same HTML and style
 * without script. `model` is the copy that requests the page's script after `load`, when the browser is idle. `shell` has
 * no content, so that the browser renders it. With `PEERS`, also compares pages with the landing page's content in the
 * styles of GOV.UK and USWDS.
 */
export async function pages(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mainstreet-pages-'))
  const [port, gatewayPort, copiesPort] = [await freePort(), await freePort(), await freePort()]
  const portal = start('portal/main.ts', ['start'], {
    ...{ PORT: String(port), GATEWAY_PORT: String(gatewayPort), DATA_DIR: folder, DEMO: '1' },
    GATEWAY_FRAME_ANCESTORS: `http://*.localhost:${port} http://*.localhost:${copiesPort}`,
  })
  const browser = await chromium.launch({
    executablePath: fullBrowser() ?? '',
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  let copies: Server | undefined
  try {
    await waitForOutput(portal, 'Mainstreet is ready')
    const bill = await call(port, findGuestBill.path, { accountNumber: '100001', zip: '17011' }, { host: HOST })
    const payment = `/guest/payment/${bill.body.token as string}`
    const rendered: Page[] = [
      { name: 'the landing page', path: '/', maxScript: 80_000 },
      { name: 'find a bill', path: '/guest-utility-payment' },
      { name: 'the FAQ page', path: '/frequently-asked-questions' },
      { name: 'the payment page', path: payment, maxScript: 120_000, isUnprompted: true },
    ]
    const origin = `http://${HOST}:${port}`
    const files = new Map<string, Buffer>()
    const { body: shell } = await callAs(port, 'GET', '/sign-in', { host: HOST })
    for (const { path } of rendered) {
      const { copy, model } = await copiesOf(browser, origin + path)
      files.set(`/copy${path}`, compressed(copy)).set(`/model${path}`, compressed(model))
    }
    for (const [path, file] of PEERS ? peerFiles(PEERS) : []) files.set(path, file)
    copies = await serveCopies(files, port, compressed(shell), copiesPort)
    const copiesAt = `http://${HOST}:${copiesPort}`
    const rows: Row[] = []
    for (const page of rendered) rows.push(...(await renderedRows(browser, page, origin, copiesAt)))
    const { body: session } = await call(
      port,
      'login',
      { email: 'resident@maplegrove.example', password: PASSWORD },
      { host: HOST },
    )
    rows.push(...(await signedInRows(browser, origin, copiesAt, storedSession(session as StartedSession))))
    if (PEERS) rows.push(...(await peerRows(browser, copiesAt)))
    return rows
  } finally {
    await browser.close()
    copies?.close()
    portal.kill('SIGTERM')
    await once(portal, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares a page from the server with its other forms. */
async function renderedRows(browser: Browser, page: Page, origin: string, copiesAt: string): Promise<Row[]> {
  const { name, path, maxScript, isUnprompted } = page
  const { ours, copy, model, shell } = await loadsOf(browser, {
    ...{ ours: origin + path, copy: `${copiesAt}/copy${path}` },
    ...{ model: `${copiesAt}/model${path}`, shell: copiesAt + path },
  })
  const limitRow = (what: string, value: number, limit: number, unit: string): Row => ({
    ...{ what: `${what} of ${name}, against its limit`, ours: `${value.toFixed(1)} ${unit}` },
    ...{ baseline: `${limit.toFixed(1)} ${unit}`, ratio: value / limit, goal: { max: 1 } },
  })
  const scriptRow = (what: string, bytes: number, limit: number) => limitRow(what, bytes / 1000, limit / 1000, 'kB')
  return [
    lcpRow(name, ours, copy, MAX_LCP.rendered),
    lcpRow(`the model of ${name}`, model, copy, null),
    lcpRow(`${name} without rendering`, shell, copy, null),
    ...(isUnprompted ? [] : [scriptRow('script before an input', ours.early, MAX_EARLY_SCRIPT)]),
    ...(maxScript ? [scriptRow('script after an input', ours.script, maxScript)] : []),
    limitRow('longest task', ours.maxTask, MAX_TASK, 'ms'),
  ]
}

/** Compares pages behind a sign-in with the static landing page. */
async function signedInRows(
  browser: Browser,
  origin: string,
  copiesAt: string,
  session: Record<string, string>,
): Promise<Row[]> {
  const { copy, ...pages } = await loadsOf(
    browser,
    {
      ...{ forms: `${origin}/forms-documents`, rentals: `${origin}/resource-rentals` },
      ...{ utilities: `${origin}/utility-portal`, copy: `${copiesAt}/copy/` },
    },
    session,
  )
  return Object.entries(pages).map(([name, load]) => lcpRow(`${name}, signed in`, load, copy, MAX_LCP.signedIn))
}

/** Compares pages in the styles of other design systems with the static landing page. */
async function peerRows(browser: Browser, copiesAt: string): Promise<Row[]> {
  const { copy, ...peers } = await loadsOf(browser, {
    ...{ govuk: `${copiesAt}/govuk/`, uswds: `${copiesAt}/uswds/`, copy: `${copiesAt}/copy/` },
  })
  return Object.entries(peers).map(([name, load]) => lcpRow(`a landing page in the style of ${name}`, load, copy, null))
}

function lcpRow(name: string, { lcp, fcp, shift, maxTask, script }: Load, copy: Load, max: number | null): Row {
  const about = `FCP ${Math.round(fcp)} ms, CLS ${shift.toFixed(4)}, longest task ${Math.round(maxTask)} ms, script ${(script / 1000).toFixed(1)} kB`
  return timeRow(`LCP of ${name}, against a static copy (${about})`, { ours: lcp, baseline: copy.lcp }, max)
}

/** Loads the pages in turns. Returns the medians of each page, and its largest layout shift. */
async function loadsOf<Name extends string>(
  browser: Browser,
  urls: Record<Name, string>,
  session?: Record<string, string>,
): Promise<Record<Name, Load>> {
  const pages = Object.entries<string>(urls).map(([name, url]) => ({ name, url, loads: [] as Load[] }))
  for (let n = 0; n <= LOADS; n += 1)
    for (const { url, loads } of pages) {
      const load = await loadOf(browser, url, session)
      // The first load warms the caches of the servers.
      if (n > 0) loads.push(load)
    }
  const summaryOf = (loads: readonly Load[]): Load => ({
    lcp: middle(loads, 'lcp'),
    fcp: middle(loads, 'fcp'),
    shift: Math.max(...loads.map(({ shift }) => shift)),
    maxTask: middle(loads, 'maxTask'),
    early: middle(loads, 'early'),
    script: middle(loads, 'script'),
  })
  return Object.fromEntries(pages.map(({ name, loads }) => [name, summaryOf(loads)])) as Record<Name, Load>
}

function middle(loads: readonly Load[], of: keyof Load): number {
  const sorted = loads.map((load) => load[of]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

declare global {
  interface Window {
    measured: Pick<Load, 'lcp' | 'fcp' | 'shift' | 'maxTask'> & { lastAt: number }
  }
}

/** Loads a page without any cache, on a slow phone with a slow connection. Then touches it. */
async function loadOf(browser: Browser, url: string, session: Record<string, string> = {}): Promise<Load> {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  const tools = await context.newCDPSession(page)
  const scripts = new Set<string>()
  let script = 0
  tools.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) script += encodedDataLength
  })
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: SLOW.latency },
    ...{ downloadThroughput: SLOW.download / 8, uploadThroughput: SLOW.upload / 8 },
  })
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOW.processor })
  await page.addInitScript(observe)
  await page.addInitScript((entries) => Object.assign(sessionStorage, entries), session)
  // The page is still when nothing was painted, moved or computed for a while.
  const isStill = () =>
    page.waitForFunction(() => performance.now() - window.measured.lastAt > 1000, null, { polling: 250 })
  await page.goto(url, { waitUntil: 'load' })
  await isStill()
  const inline = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src], [type])')].reduce(
      (sum, { textContent }) => sum + textContent.length,
      0,
    ),
  )
  const early = script + inline
  // The browser reports no LCP after an input.
  const { lcp } = await page.evaluate(() => window.measured)
  // The left edge of the page has no control.
  await page.touchscreen.tap(2, 400)
  await page.evaluate(() => (window.measured.lastAt = performance.now()))
  await isStill()
  const { fcp, shift, maxTask } = await page.evaluate(() => window.measured)
  await context.close()
  return { lcp, fcp, shift, maxTask, early, script: script + inline }
}

/** Records the paints, shifts and long tasks of a page. Runs in the page. */
function observe(): void {
  window.measured = { lcp: 0, fcp: 0, shift: 0, maxTask: 0, lastAt: performance.now() }
  const { measured } = window
  const on = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry)
      measured.lastAt = performance.now()
    }).observe({ type, buffered: true })
  on('largest-contentful-paint', ({ startTime }) => (measured.lcp = startTime))
  on('paint', ({ name, startTime }) => name === 'first-contentful-paint' && (measured.fcp = startTime))
  on('layout-shift', (entry) => (measured.shift += (entry as PerformanceEntry & { value: number }).value))
  on('longtask', ({ duration }) => (measured.maxTask = Math.max(measured.maxTask, duration)))
  addEventListener('load', () => (measured.lastAt = performance.now()))
}

const compressed = (html: string): Buffer => brotliCompressSync(html)

/** Returns two copies of the rendered page: one without script, and one that requests the script late. */
async function copiesOf(browser: Browser, url: string): Promise<{ copy: string; model: string }> {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.touchscreen.tap(2, 400)
  await page.locator('script[type=module]').waitFor({ state: 'attached' })
  const { html, boot, script } = await page.evaluate(() => {
    const boot = document.getElementById('boot')?.outerHTML ?? ''
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
    for (const one of document.querySelectorAll('script, link[rel=modulepreload]')) one.remove()
    return { html: document.documentElement.outerHTML, boot, script }
  })
  await context.close()
  const late = `addEventListener('load',()=>requestIdleCallback(()=>{const s=document.createElement('script');s.type='module';s.src='${script}';document.body.append(s)}))`
  return {
    copy: `<!doctype html>${html}`,
    model: `<!doctype html>${html.replace('</body>', () => `${boot}<script>${late}</script></body>`)}`,
  }
}

/** Returns pages with about the content of the landing page in the styles of GOV.UK and USWDS, with their files. */
function peerFiles(folder: string): [string, Buffer][] {
  const file = (path: string) => compressed(readFileSync(join(folder, 'node_modules', path), 'utf8'))
  const page = (name: string, css: Record<'header' | 'input' | 'button' | 'tile', string>, script: string) =>
    compressed(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Maple Grove</title><link rel="stylesheet" href="/${name}.css"></head>
<body><header class="${css.header}"><a href="/">Maple Grove</a></header>
<main><h1>Pay your water bill</h1><p>All online services of the municipality in one place.</p>
<form><label for="number">Account number</label><input class="${css.input}" id="number">
<label for="zip">ZIP code</label><input class="${css.input}" id="zip"><button class="${css.button}">Continue</button></form>
<h2>Our Services</h2><ul>${SERVICES.map((service) => `<li class="${css.tile}"><a href="/">${service}</a></li>`).join('')}</ul>
</main><footer><p>100 Main Street, Maple Grove</p><p>(717) 555-0100</p></footer>${script}</body></html>`)
  const govuk = { header: 'govuk-header', input: 'govuk-input', button: 'govuk-button', tile: 'govuk-body' }
  const uswds = { header: 'usa-header', input: 'usa-input', button: 'usa-button', tile: 'usa-card' }
  return [
    ['/govuk.css', file('govuk-frontend/dist/govuk/govuk-frontend.min.css')],
    ['/govuk.js', file('govuk-frontend/dist/govuk/govuk-frontend.min.js')],
    ['/govuk/', page('govuk', govuk, '<script type="module">import{initAll}from"/govuk.js";initAll()</script>')],
    ['/uswds.css', file('@uswds/uswds/dist/css/uswds.min.css')],
    ['/uswds.js', file('@uswds/uswds/dist/js/uswds.min.js')],
    ['/uswds/', page('uswds', uswds, '<script src="/uswds.js" defer></script>')],
  ]
}

const SERVICES = [
  ...['Utility bills', 'Parking tickets', 'Forms and documents', 'Report a problem', 'Rentals'],
  ...['Moving in or out', 'Alerts', 'Questions and answers'],
]

/**
 * Serves the copies, and the files of the build as the portal does. Other paths are the page without content, and the
 * calls of that page go to the portal.
 */
async function serveCopies(
  copies: ReadonlyMap<string, Buffer>,
  portal: number,
  shell: Buffer,
  port: number,
): Promise<Server> {
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' }
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request
    const [, name, extension = ''] = /^\/(?:assets\/)?([\w-]+\.(\w+))$/.exec(url) ?? []
    const type = types[extension]
    const copy = copies.get(url) ?? (method === 'GET' && !type ? shell : null)
    if (copy) {
      const head = { 'content-type': type ?? 'text/html; charset=utf-8', 'content-encoding': 'br' }
      response.writeHead(200, head).end(copy)
    } else if (method === 'GET') {
      const file = root(`dist/web/assets/${name ?? ''}`)
      const head = { 'content-type': type ?? 'application/octet-stream' }
      void readFile(`${file}.br`)
        .then((content) => response.writeHead(200, { ...head, 'content-encoding': 'br' }).end(content))
        .catch(async () => response.writeHead(200, head).end(await readFile(file)))
        .catch(() => response.writeHead(404).end())
    } else
      request.pipe(
        httpRequest({ host: '127.0.0.1', port: portal, path: url, method, headers }, (reply) =>
          reply.pipe(response.writeHead(reply.statusCode ?? 502, reply.headers)),
        ),
      )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
