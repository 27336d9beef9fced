import type { Page } from '@playwright/test'
import type { Rules } from './axe.ts'
import { drawn, expect } from './fixtures.ts'

/** Phones at their narrowest and a usual desk; in the night what lies between them, too. */
export const WIDTHS = process.env['NIGHTLY'] ? [320, 768, 1280] : [320, 1280]

/** The page is not wider than the window, and no list is wider than its place. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const over = () =>
    page.evaluate(() =>
      Math.max(
        ...[document.documentElement, ...document.querySelectorAll('.list-table')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      ),
    )
  // Which columns have room is known in the frame after the one that knows the width.
  await expect.poll(over, { message: `${what} scrolls sideways` }).toBeLessThanOrEqual(0)
}

/** Runs a look at each width, and comes back to the desk. */
async function atEachWidth(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // Tables become cards in the frame after the one that knows the width.
    await drawn(page)
    await look(width)
  }
}

/** The fixture that finds nothing against the rules, or fails. */
export type Look = (page: Page, what: string, rules: Rules) => Promise<void>

/**
 * Every rule at the desk's width. By day on a phone none, but where the screen is looked at as such (`screens.e2e.ts`):
 * there those that a layout can change.
 */
function rulesAt(width: number, { phone = null, desk = 'all' }: Ways): Rules | null {
  if (process.env['NIGHTLY']) return 'all'
  return width === WIDTHS.at(-1) ? desk : phone
}

interface Ways {
  /** Resolves when everything is there that the page loads. */
  ready?: (page: Page) => Promise<void>
  /** What is looked for on a phone by day. */
  phone?: Rules | null
  /** The same at a desk: everything, where nothing else is said. */
  desk?: Rules | null
}

/** This state of a page at each width, once it is `ready` there: nothing sideways, no findings. */
export async function expectGood(
  page: Page,
  accessible: Look,
  what: string,
  { ready, ...ways }: Ways = {},
): Promise<void> {
  // Every screen has a heading of its own: before it is shown the page is still on its way.
  await page.locator('h1').filter({ visible: true }).first().waitFor()
  await atEachWidth(page, async (width) => {
    await ready?.(page)
    await expectNoSideways(page, `${what} at ${width}`)
    const rules = rulesAt(width, ways)
    if (rules) await accessible(page, `${what} at ${width}`, rules)
  })
}

/** How far the page has moved by itself while it was looked at (Cumulative Layout Shift). */
export const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const add = (list: PerformanceEntryList) => {
          for (const entry of list as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value
        }
        const observer = new PerformanceObserver((list) => add(list.getEntries()))
        observer.observe({ type: 'layout-shift', buffered: true })
        // Entries that are buffered come in a task of their own; two frames later they all have come.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            setTimeout(() => {
              add(observer.takeRecords())
              resolve(sum)
            })
          }),
        )
      }),
  )
