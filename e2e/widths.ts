import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

type Check = (page: Page, what: string) => Promise<void>

const WIDTHS = [320, 1280]

/** The page as it stands: no findings and no scrolling to the side, on the smallest screen and on a wide one. */
export async function expectGood(page: Page, accessible: Check, what: string): Promise<void> {
  const before = page.viewportSize()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => tooWide(page), `${what}, ${width} px: reaches beyond the side`).toEqual([])
    await accessible(page, `${what}, ${width} px`)
  }
  if (before) await page.setViewportSize(before)
}

/** What makes the page scroll to the side; nothing on a page that fits. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const room = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= room) return []
    const beyond = [...document.querySelectorAll('body *')].filter((it) => it.getBoundingClientRect().right > room + 1)
    return ['the page', ...beyond.slice(0, 3).map((it) => it.outerHTML.slice(0, 120))]
  })
