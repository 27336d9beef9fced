import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { freePort } from '../server/ports.ts'
import { call } from '../test/portals.ts'
import { root } from '../test/processes.ts'
import { fullBrowser } from '../e2e/browser.ts'
import { type Row, timeRow } from './measure.ts'
import { start, waitForOutput } from './portal-process.ts'

const HOST = 'maplegrove.localhost'
/** Loads of each page. They alternate with the loads of its copies. */
const LOADS = Number(process.env['LOADS'] ?? 15)
/** Slow 4G and a slow phone: bits per second, milliseconds, and the factor of the processor. */
const SLOW = { download: 1_600_000, upload: 750_000, latency: 150, processor: 4 }
/** Maximum ratio of a page's LCP to that of its static copy. */
const GOAL = 1.1

/** One load of a page. Times are in milliseconds, sizes in bytes. */
interface Load {
  lcp: number
  fcp: number
  shift: number
  maxTask: number
  script: number
}

/**
 * Compares the loads of residents' pages with those of static copies. `copy` has the same HTML and style without
 * script. `model` is the copy that requests the page's script after `load`, when the browser is idle.
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
    const paths = {
      'the landing page': '/',
      'find a bill': '/guest-utility-payment',
      'the FAQ page': '/frequently-asked-questions',
      'the payment page': `/guest/payment/${bill.body.token as string}`,
    }
    const origin = `http://${HOST}:${port}`
    const files = new Map<string, Buffer>()
    for (const path of Object.values(paths)) {
      const { copy, model } = await copiesOf(browser, origin + path)
      files.set(`/copy${path}`, copy).set(`/model${path}`, model)
    }
    copies = await serveCopies(files, copiesPort)
    const copiesAt = `http://${HOST}:${copiesPort}`
    const rows: Row[] = []
    for (const [name, path] of Object.entries(paths))
      rows.push(
        ...(await rowsOf(browser, name, [origin + path, `${copiesAt}/copy${path}`, `${copiesAt}/model${path}`])),
      )
    return rows
  } finally {
    await browser.close()
    copies?.close()
    portal.kill('SIGTERM')
    await once(portal, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rowsOf(browser: Browser, name: string, urls: [string, string, string]): Promise<Row[]> {
  const loads: Load[][] = urls.map(() => [])
  for (let n = 0; n <= LOADS; n += 1)
    for (const [at, url] of urls.entries()) {
      const load = await loadOf(browser, url)
      // The first load warms the caches of the servers.
      if (n > 0) loads[at]?.push(load)
    }
  const [ours, copy, model] = loads.map((all) => ({
    lcp: middle(all, 'lcp'),
    fcp: middle(all, 'fcp'),
    shift: Math.max(...all.map(({ shift }) => shift)),
    maxTask: middle(all, 'maxTask'),
    script: middle(all, 'script'),
  })) as [Load, Load, Load]
  const about = ({ fcp, shift, maxTask, script }: Load) =>
    `FCP ${Math.round(fcp)} ms, CLS ${shift.toFixed(4)}, longest task ${Math.round(maxTask)} ms, script ${(script / 1000).toFixed(1)} kB`
  return [
    timeRow(`LCP of ${name}, against a static copy (${about(ours)})`, { ours: ours.lcp, baseline: copy.lcp }, GOAL),
    timeRow(`LCP of the model of ${name}, against it (${about(model)})`, { ours: model.lcp, baseline: copy.lcp }, null),
  ]
}

function middle(loads: readonly Load[], of: keyof Load): number {
  const sorted = loads.map((load) => load[of]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

declare global {
  interface Window {
    measured: Omit<Load, 'script'> & { lastAt: number }
  }
}

/** Loads a page without any cache, on a slow phone with a slow connection. */
async function loadOf(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
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
  await page.goto(url, { waitUntil: 'load' })
  // The page is still when nothing was painted, moved or computed for a while.
  await page.waitForFunction(() => performance.now() - window.measured.lastAt > 2500, null, { polling: 250 })
  const { lcp, fcp, shift, maxTask } = await page.evaluate(() => window.measured)
  await context.close()
  return { lcp, fcp, shift, maxTask, script }
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

/** Returns two copies of the rendered page: one without script, and one that requests the script late. */
async function copiesOf(browser: Browser, url: string): Promise<{ copy: Buffer; model: Buffer }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const { html, boot, script } = await page.evaluate(() => {
    const boot = document.getElementById('boot')?.outerHTML ?? ''
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
    for (const one of document.querySelectorAll('script, link[rel=modulepreload]')) one.remove()
    return { html: document.documentElement.outerHTML, boot, script }
  })
  await context.close()
  const late = `addEventListener('load',()=>requestIdleCallback(()=>{const s=document.createElement('script');s.type='module';s.src='${script}';document.body.append(s)}))`
  const compressed = (text: string) => brotliCompressSync(`<!doctype html>${text}`)
  return {
    copy: compressed(html),
    model: compressed(html.replace('</body>', () => `${boot}<script>${late}</script></body>`)),
  }
}

/** Serves the copies, and the files of the build as the portal does. */
async function serveCopies(copies: ReadonlyMap<string, Buffer>, port: number): Promise<Server> {
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const copy = copies.get(path)
    if (copy) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(copy)
      return
    }
    const [, name, extension = ''] = /^\/assets\/([\w-]+\.(\w+))$/.exec(path) ?? []
    const file = root(`dist/web/assets/${name ?? ''}`)
    const head = { 'content-type': types[extension] ?? 'application/octet-stream' }
    void readFile(`${file}.br`)
      .then((content) => response.writeHead(200, { ...head, 'content-encoding': 'br' }).end(content))
      .catch(async () => response.writeHead(200, head).end(await readFile(file)))
      .catch(() => response.writeHead(404).end())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
