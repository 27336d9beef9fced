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
