import type { Page } from '@playwright/test'
import type { Rules } from './axe.ts'
import { painted, expect } from './fixtures.ts'

/** Widths of the narrowest phones and a typical desktop. Nightly runs add a width between them. */
export const WIDTHS = process.env['NIGHTLY'] ? [320, 768, 1280] : [320, 1280]

/** Checks that the page fits the window and each list fits its container. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const overflow = () =>
    page.evaluate(() =>
      Math.max(
        ...[document.documentElement, ...document.querySelectorAll('.list-table')].map(
          ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
        ),
      ),
    )
  // The page needs one frame after a change of the width to choose the columns that fit.
  await expect.poll(overflow, { message: `${what} scrolls sideways` }).toBeLessThanOrEqual(0)
}

/** Checks that no cell of a list breaks a word of at most 12 characters, as a column that is too narrow does. */
export async function expectWholeText(page: Page, what: string): Promise<void> {
  const brokenText = () =>
    page.evaluate(() => {
      const range = document.createRange()
      const linesOf = (text: Text, start: number, end: number) => {
        range.setStart(text, start)
        range.setEnd(text, end)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      }
      const brokenIn = (cell: Element) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const broken: string[] = []
        for (let text = walker.nextNode() as Text | null; text; text = walker.nextNode() as Text | null)
          for (const { 0: word, index } of text.data.matchAll(/(?<!\S)\S{2,12}(?!\S)/gu))
            if (!word.includes('-') && linesOf(text, index, index + word.length) > 1) broken.push(word)
        return broken
      }
      return [...document.querySelectorAll('.list-table :is(td, th), dd, dt')].flatMap(brokenIn)
    })
  await expect.poll(brokenText, { message: `${what} breaks words` }).toEqual([])
}

/** Runs a check at each width and returns to the desktop width. */
async function atEachWidth(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // Tables become cards one frame after the width changes.
    await painted(page)
    await check(width)
  }
}

/** Check that fails if a page violates one of the rules. */
export type ScreenCheck = (page: Page, what: string, rules: Rules) => Promise<void>

/**
 * Returns the rules to check at a width. A desktop checks all rules. In a normal run, a phone checks none, except in
 * `screens.e2e.ts`, which checks the rules that layout affects.
 */
function rulesAt(width: number, { phone = null, audience = 'all' }: CheckWidths): Rules | null {
  if (process.env['NIGHTLY']) return 'all'
  return width === WIDTHS.at(-1) ? audience : phone
}

interface CheckWidths {
  /** Resolves when the page has loaded all content. */
  ready?: (page: Page) => Promise<void>
  /** Rules for a phone in a normal run. */
  phone?: Rules | null
  /** Rules for a desktop in a normal run. All rules if absent. */
  audience?: Rules | null
}

/** Waits until the page is `ready` and checks it at each width for sideways scrolling and accessibility violations. */
export async function expectGood(
  page: Page,
  accessible: ScreenCheck,
  what: string,
  { ready, ...options }: CheckWidths = {},
): Promise<void> {
  // Every screen has its own heading. Until the heading appears, the page is still loading.
  await page.locator('h1').filter({ visible: true }).first().waitFor()
  await atEachWidth(page, async (width) => {
    await ready?.(page)
    await expectNoSideways(page, `${what} at ${width}`)
    const rules = rulesAt(width, options)
    if (rules) await accessible(page, `${what} at ${width}`, rules)
  })
}

/** Returns the Cumulative Layout Shift of the page so far. */
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
        // Buffered entries arrive in a separate task. After two frames all have arrived.
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
