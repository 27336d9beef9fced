import type { Locator, Page } from '@playwright/test'
import { screens } from '../shared/all-screens.ts'
import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'

const TOWNS = ['maplegrove', 'harborcity']

async function isShown(page: Page): Promise<void> {
  await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1)
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText(/could not be loaded/)).toHaveCount(0)
}

/** Goes from each tab to each other one. Yields the pair before its second tab opens. */
async function* pairsOf(tabs: Locator): AsyncGenerator<string> {
  const names = await tabs.allInnerTexts()
  await tabs.first().click()
  for (let here = 0; here < names.length; here++) {
    for (let there = here + 1; there < names.length; there++)
      for (const to of [there, here]) {
        const from = to === there ? here : there
        yield `${names[from]} to ${names[to]}`
        await tabs.nth(to).click()
      }
    if (here + 1 < names.length) await tabs.nth(here + 1).click()
  }
}

for (const town of TOWNS)
  test(`opens each tab from each other tab of every screen of ${town}`, async ({ page }) => {
    test.setTimeout(300_000)
    const paths = screens
      .filter(
        ({ entry, built, path, byServer }) => entry === 'municipality' && built && !byServer && !path.includes('{'),
      )
      .map(({ path }) => path)
      .filter((path) => path !== '/municipality/initialize-impersonation')
    await openAs(page, town, `admin@${town}.example`, '/municipality')
    await isShown(page)
    const walked = new Map<string, number>()
    for (const path of paths) {
      await page.goto(at(town, path))
      await isShown(page)
      const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
      const group = (await tabs.allInnerTexts()).join(', ')
      if (group === '' || walked.has(group)) continue
      let pairs = 0
      for await (const pair of pairsOf(tabs))
        await test.step(`${path}: ${pair}`, async () => {
          await isShown(page)
          pairs += 1
        })
      await isShown(page)
      walked.set(group, pairs)
    }
    const total = [...walked.values()].reduce((sum, pairs) => sum + pairs, 0)
    test.info().annotations.push({ type: 'tabs', description: `${walked.size} screens, ${total} pairs` })
    expect(walked.get('List, Board, Calendar, Map, Plans, Crews')).toBe(30)
    expect(total).toBeGreaterThan(70)
  })
