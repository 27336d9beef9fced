import AxeBuilder from '@axe-core/playwright'
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import { accountFor } from './bills.ts'

export const PASSWORD = 'Maple-Grove#2026'

/** The origin of a host: `maplegrove`, `admin`, or '' for the bare one. `*.localhost` resolves in Chromium. */
export const at = (host: string, path = ''): string =>
  `http://${host && `${host}.`}localhost:${process.env['E2E_PORT']}${path}`

interface Fixtures {
  /** Looks for findings within the frames of other origins, too: that takes its time. */
  deepLook: boolean
  /** The number of a utility account that nobody else has: it owes `BILL.owedCents`. */
  account: string
  /** Finds nothing against WCAG 2.2 AA on the page as it stands. `what` names the state in the report. */
  accessible: (page: Page, what: string) => Promise<void>
  /** What the pages of this test complained about: must be empty in the end. */
  complaints: string[]
}

let nth = 0
let journeys = 0

export const test = base.extend<Fixtures>({
  extraHTTPHeaders: async ({}, use, { workerIndex }) =>
    use({ 'x-forwarded-for': `10.${workerIndex}.${journeys >> 8}.${journeys++ & 255}` }),
  account: async ({}, use, { workerIndex }) => use(accountFor(workerIndex, nth++)),
  deepLook: [false, { option: true }],
  accessible: async ({ deepLook }, use) => use((page, what) => expectNoFindings(page, what, deepLook)),
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('console', (message) => isComplaint(message) && complaints.push(message.text()))
      await use(complaints)
      expect(complaints, 'complaints of the pages').toEqual([])
    },
    { auto: true },
  ],
})

/** What a page says in its console against itself: errors, and what the content policy refused. A refused call is told by the page. */
const isComplaint = (message: ConsoleMessage): boolean =>
  message.type() === 'error' &&
  !/the server responded with a status of (?:4\d\d|503)|net::ERR_(?:INTERNET_DISCONNECTED|FAILED|ABORTED|CONNECTION)/.test(
    message.text(),
  )

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function expectNoFindings(page: Page, what: string, deepLook: boolean): Promise<void> {
  // In forced colours the reader chose them, and axe sees ours.
  const forced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches)
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: RULES }, resultTypes: ['violations'] })
    .disableRules(forced ? ['color-contrast'] : [])
    // Three times as fast, but it does not look into the frames of other origins.
    .setLegacyMode(!deepLook)
    .analyze()
  // A look into frames ends on a page of its own, and takes the focus from this one.
  if (deepLook) await page.bringToFront()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
  expect(found, `axe on ${what}`).toEqual([])
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
