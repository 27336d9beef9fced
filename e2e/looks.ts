import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Phones at their narrowest and a usual desk; in the night what lies between them, too. */
export const WIDTHS = process.env['NIGHTLY'] ? [320, 768, 1280] : [320, 1280]

/** The page is not wider than the window. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** Runs a look at each width, and comes back to the desk. */
export async function atEachWidth(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await look(width)
  }
}

/** This state of a page at each width: nothing sideways, no findings. */
export const expectGood = (
  page: Page,
  accessible: (page: Page, what: string) => Promise<void>,
  what: string,
): Promise<void> =>
  atEachWidth(page, async (width) => {
    await expectNoSideways(page, `${what} at ${width}`)
    await accessible(page, `${what} at ${width}`)
  })

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
