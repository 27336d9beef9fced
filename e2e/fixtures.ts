import { test as base, type ConsoleMessage, expect, type Locator, type Page, type Route } from '@playwright/test'
import { findingsOf, type Rules } from './axe.ts'
import { accountFor } from './bills.ts'
import { translateTexts } from './translate.ts'

export const PASSWORD = 'Maple-Grove#2026'

/** The window of a usual phone. */
export const PHONE = { width: 390, height: 844 }

/** That of a usual desk. */
export const DESK = { width: 1280, height: 900 }

/** Letters and digits that no other journey has. */
export const unique = (): string =>
  `${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`.toUpperCase()

/** The origin of a host: `maplegrove`, `admin`, or '' for the bare one. `*.localhost` resolves in Chromium. */
export const at = (host: string, path = ''): string =>
  `http://${host && `${host}.`}localhost:${process.env['E2E_PORT']}${path}`

/** Towns, roles or widths for which a journey is the same: by day it is made for the first of them, in the night for all. */
export const allOrFirst = <T>(choices: readonly T[]): readonly T[] =>
  process.env['NIGHTLY'] ? choices : choices.slice(0, 1)

/** Waits until the page has drawn its last change and sent the scroll events of that change. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/** Goes on by the Tab key until that control has the focus, in sight. */
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
  /** Each call is answered so late that whatever its answer moves counts as moved by itself. */
  late: boolean
  /** Each text node is replaced as the translator of a browser does. No amount or sentence stays old, and no screen breaks. */
  translated: boolean
}

interface Fixtures {
  /** The number of a utility account that nobody else has: it owes `BILL.owedCents`. */
  account: string
  /** Another one. */
  secondAccount: string
  /** Finds nothing against WCAG 2.2 AA on the page as it stands. `what` names the state in the report. */
  accessible: (page: Page, what: string, rules?: Rules) => Promise<void>
  /** What the pages of this test complained about: must be empty in the end. */
  complaints: string[]
  /** Requests of this test to the portal that carry the number of a card or of a bank account: must be empty in the end. */
  leaks: string[]
}

let nth = 0
let journeys = 0

/** So late an answer is no longer what somebody's press did, as Cumulative Layout Shift has it. */
const LATE_MS = 700

const isOurCall = (url: URL): boolean => url.port === process.env['E2E_PORT']

async function answerLate(route: Route): Promise<void> {
  if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, LATE_MS))
  await route.fallback().catch(() => {})
}

export const test = base.extend<Fixtures & Options>({
  late: [false, { option: true }],
  translated: [false, { option: true }],
  extraHTTPHeaders: async ({}, use, { workerIndex }) =>
    use({ 'x-forwarded-for': `10.${workerIndex}.${journeys >> 8}.${journeys++ & 255}` }),
  account: async ({}, use, { workerIndex }) => use(accountFor(workerIndex, nth++)),
  secondAccount: async ({}, use, { workerIndex }) => use(accountFor(workerIndex, nth++)),
  accessible: async ({}, use) =>
    use(async (page, what, rules = 'all') => expect(await findingsOf(page, rules), `axe on ${what}`).toEqual([])),
  complaints: [
    async ({ context, late, translated }, use) => {
      const complaints: string[] = []
      await context.addInitScript(tellShifts, { port: process.env['E2E_PORT'] ?? '', allowed: late ? 500 : 5000 })
      if (translated) await context.addInitScript(translateTexts, process.env['E2E_PORT'] ?? '')
      if (late) await context.route(isOurCall, answerLate)
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

/** The published test numbers that the journeys type into the gateway's fields, however they are spaced. */
const hasPayNumber = (text: string): boolean =>
  /(?<!\d)(?:4242424242424242|4000000000\d{6}|000(?:123456789|111111116|222222227))(?!\d)/.test(
    text.replaceAll(/(?<=\d)(?:[\s+-]|%20)(?=\d)/g, ''),
  )

/**
 * On a resident's page whatever moves by itself, to four digits, is told as an error of the page. What answers somebody's press
 * or a new width may move within the half second that Cumulative Layout Shift allows; by day within five, since many journeys
 * share a processor.
 */
function tellShifts({ port, allowed }: { port: string; allowed: number }): void {
  if (window !== window.top || location.port !== port || location.hostname.startsWith('admin.')) return
  if (/^\/(?:municipality|design)/.test(location.pathname)) return
  let pressed = -Infinity
  // What a page looks like in print moves nothing on the screen.
  matchMedia('print').addEventListener('change', () => (pressed = performance.now()))
  for (const press of ['pointerdown', 'keydown', 'input', 'resize'])
    addEventListener(press, () => (pressed = performance.now()), { capture: true })
  const nameOf = (node: Node | null) =>
    node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? 'what is gone').slice(0, 60)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    })[])
      // Where staff stand for somebody, the bar that says so comes with the session of their other window.
      if (
        entry.value >= 0.00005 &&
        !entry.hadRecentInput &&
        entry.startTime - pressed > allowed &&
        !sessionStorage.getItem('impersonation')
      )
        // What a page's console says against it is what `complaints` gathers.
        // eslint-disable-next-line no-console
        console.error(
          `moved by itself on ${location.pathname} at ${innerWidth} px by ${entry.value.toFixed(4)}, ${Math.round(entry.startTime)} ms after it began: ${entry.sources.map(({ node, previousRect: a, currentRect: b }) => `${nameOf(node)} from ${a.x},${a.y},${a.width}x${a.height} to ${b.x},${b.y},${b.width}x${b.height}`).join(' | ')}`,
        )
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What a page says in its console against itself: errors, and what the content policy refused. A refused call is told by the page. */
const isComplaint = (message: ConsoleMessage): boolean =>
  message.type() === 'error' &&
  !/the server responded with a status of (?:4\d\d|503)|net::ERR_(?:INTERNET_DISCONNECTED|FAILED|ABORTED|CONNECTION)/.test(
    message.text(),
  )

/** Below 1024 px the links of the header stand behind a button. */
export async function openMenu(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
}

/** Signs in by the screen of that host and waits until it is left. */
export async function signIn(page: Page, host: string, email: string): Promise<void> {
  await page.goto(at(host, host === 'admin' ? '/admin/sign-in' : '/sign-in'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: host === 'admin' ? 'Login' : 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !/sign-in/i.test(url.pathname))
}

/** A call to the sandbox gateway's controls: clock, faults, events (`gateway/app.ts`). They act on the whole run. */
export async function gateway(method: 'POST' | 'DELETE', path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${process.env['E2E_GATEWAY_PORT']}/v1/test/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${process.env['E2E_GATEWAY_KEY']}`,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`)
}

export { expect }
