import { test as base, type ConsoleMessage, expect, type Locator, type Page, type Route } from '@playwright/test'
import { findingsOf, type Rules } from './axe.ts'
import { accountFor } from './bills.ts'
import { shiftClock } from './clock.ts'
import { translateTexts } from './translate.ts'

export const PASSWORD = 'Maple-Grove#2026'

export const PHONE = { width: 390, height: 844 }

export const DESKTOP = { width: 1280, height: 900 }

/** Returns a string of letters and digits that no other test uses. */
export const unique = (): string =>
  `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`.toUpperCase()

/**
 * Returns the URL of a path on a host: `maplegrove`, `admin`, or '' for the bare host. Chromium resolves `*.localhost`.
 */
export const at = (host: string, path = ''): string =>
  `http://${host && `${host}.`}localhost:${process.env['E2E_PORT']}${path}`

/**
 * Returns the first choice in a normal run and all choices in a nightly run. For tests with the same steps for all
 * companies, roles or widths.
 */
export const allOrFirst = <T>(choices: readonly T[]): readonly T[] =>
  process.env['NIGHTLY'] ? choices : choices.slice(0, 1)

/** Waits until the page has drawn its last change and sent the scroll events of that change. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/** Presses Tab until the control has the focus and is visible. */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(control).toBeVisible()
  for (let n = 0; n < 150; n++) {
    if (await control.evaluate((one) => one === document.activeElement)) {
      await expect(control).toBeInViewport()
      return
    }
    await page.keyboard.press(key)
  }
  throw new Error(`the Tab key does not come to ${String(control)}`)
}

export interface Options {
  /**
   * True if the response to each call is delayed. Any movement that the response causes then counts as a layout shift.
   */
  late: boolean
  /**
   * True if each text node is replaced, as a browser's translator does. Amounts and sentences must still update, and
   * screens must work.
   */
  translated: boolean
}

interface Fixtures {
  /** Number of a utility account that no other test uses. Its amount due is `BILL.owedCents`. */
  account: string
  /** Number of a second utility account that no other test uses. */
  secondAccount: string
  /** Checks that the current page meets WCAG 2.2 AA. `what` names the state in the report. */
  accessible: (page: Page, what: string, rules?: Rules) => Promise<void>
  /** Console errors of the pages of this test. Must be empty at the end. */
  complaints: string[]
  /** Requests of this test to the portal that contain a card or bank account number. Must be empty at the end. */
  leaks: string[]
}

let sequence = 0
let journeys = 0

/**
 * Response delay in milliseconds. Cumulative Layout Shift ignores shifts within 500 ms of user input, so a longer delay
 * makes the shifts count.
 */
const LATE_MS = 700

const isOurCall = (url: URL): boolean => url.port === process.env['E2E_PORT']

async function delayResponse(route: Route): Promise<void> {
  if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, LATE_MS))
  await route.fallback().catch(() => {})
}

export const test = base.extend<Fixtures & Options>({
  // All pages use the clock of the run (`clock.ts`).
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        await context.addInitScript(shiftClock, Number(process.env['CLOCK_SHIFT_MS']))
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  late: [false, { option: true }],
  translated: [false, { option: true }],
  extraHTTPHeaders: async ({}, use, { workerIndex }) =>
    use({ 'x-forwarded-for': `10.${workerIndex}.${journeys >> 8}.${journeys++ & 255}` }),
  account: async ({}, use, { workerIndex }) => use(accountFor(workerIndex, sequence++)),
  secondAccount: async ({}, use, { workerIndex }) => use(accountFor(workerIndex, sequence++)),
  accessible: async ({}, use) =>
    use(async (page, what, rules = 'all') => expect(await findingsOf(page, rules), `axe on ${what}`).toEqual([])),
  complaints: [
    async ({ context, late, translated }, use) => {
      const complaints: string[] = []
      await context.addInitScript(reportShifts, { port: process.env['E2E_PORT'] ?? '', allowed: late ? 500 : 5000 })
      if (translated) await context.addInitScript(translateTexts, process.env['E2E_PORT'] ?? '')
      if (late) await context.route(isOurCall, delayResponse)
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('console', (message) => isComplaint(message) && complaints.push(message.text()))
      await use(complaints)
      expect(complaints, 'complaints of the pages').toEqual([])
    },
    { auto: true },
  ],
  leaks: [
    async ({ context }, use) => {
      const leaks: string[] = []
      context.on('request', (request) => {
        const { host, pathname } = new URL(request.url())
        const isOurs = host.endsWith(`localhost:${process.env['E2E_PORT']}`)
        if (
          isOurs &&
          hasPayNumber(`${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ''}`)
        )
          leaks.push(pathname)
      })
      await use(leaks)
      expect(leaks, 'requests to the portal with the number of a card or bank account').toEqual([])
    },
    { auto: true },
  ],
})

/** True if a text contains a published test number that tests type into the gateway's fields, with any spacing. */
const hasPayNumber = (text: string): boolean =>
  /(?<!\d)(?:4242424242424242|4000000000\d{6}|000(?:123456789|111111116|222222227))(?!\d)/.test(
    text.replaceAll(/(?<=\d)(?:[\s+-]|%20)(?=\d)/g, ''),
  )

/**
 * Reports unexpected layout shifts on residents' pages as page errors. Input and resizing may move content for half a
 * second, as in Cumulative Layout Shift. A normal run allows five seconds, because many tests share a processor.
 */
function reportShifts({ port, allowed }: { port: string; allowed: number }): void {
  if (window !== window.top || location.port !== port || location.hostname.startsWith('admin.')) return
  if (/^\/(?:municipality|design)/.test(location.pathname)) return
  let lastInputAt = -Infinity
  // Switching to the print layout does not move content on the screen.
  matchMedia('print').addEventListener('change', () => (lastInputAt = performance.now()))
  for (const eventType of ['pointerdown', 'keydown', 'input', 'resize'])
    addEventListener(eventType, () => (lastInputAt = performance.now()), { capture: true })
  // `repeatInput` repeats the press and the choice of a person before the script was loaded.
  for (const eventType of ['click', 'change'])
    addEventListener(eventType, ({ isTrusted }) => isTrusted || (lastInputAt = performance.now()), { capture: true })
  const nameOf = (node: Node | null) =>
    node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? 'what is gone').slice(0, 60)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    })[])
      // Skips impersonation. Its bar appears late, because the session comes from the other window.
      if (
        entry.value >= 0.00005 &&
        !entry.hadRecentInput &&
        entry.startTime - lastInputAt > allowed &&
        !sessionStorage.getItem('impersonation')
      )
        // Console errors are collected in `complaints`.
        // eslint-disable-next-line no-console
        console.error(
          `moved by itself on ${location.pathname} at ${innerWidth} px by ${entry.value.toFixed(4)}, ${Math.round(entry.startTime)} ms after it began: ${entry.sources.map(({ node, previousRect: a, currentRect: b }) => `${nameOf(node)} from ${a.x},${a.y},${a.width}x${a.height} to ${b.x},${b.y},${b.width}x${b.height}`).join(' | ')}`,
        )
  }).observe({ type: 'layout-shift', buffered: true })
}

/**
 * True for console errors, including content policy violations. Excludes refused calls, because the page itself reports
 * them.
 */
const isComplaint = (message: ConsoleMessage): boolean =>
  message.type() === 'error' &&
  !/the server responded with a status of (?:4\d\d|503)|net::ERR_(?:INTERNET_DISCONNECTED|FAILED|ABORTED|CONNECTION)/.test(
    message.text(),
  )

/** Opens the header menu. Below 1024 px, a button hides its links. */
export async function openMenu(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
}

/** Signs in on the sign-in screen of a host and waits until the screen closes. */
export async function signIn(page: Page, host: string, email: string): Promise<void> {
  await page.goto(at(host, host === 'admin' ? '/admin/sign-in' : '/sign-in'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: host === 'admin' ? 'Login' : 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !/sign-in/i.test(url.pathname))
}

/**
 * Calls the sandbox gateway's controls for clock, faults and events (`gateway/app.ts`). The controls affect the whole
 * test run.
 */
export async function gateway(method: 'POST' | 'DELETE', path: string, body: object = {}): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${process.env['E2E_GATEWAY_PORT']}/v1/test/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${process.env['E2E_GATEWAY_KEY']}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`the gateway answered ${response.status}`)
}

export { expect }
