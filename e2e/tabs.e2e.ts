import type { Locator, Page } from '@playwright/test'
import { screens } from '../shared/all-screens.ts'
import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'

const TOWNS = ['maplegrove', 'harborcity']

/** Screens of the back office that open by their path alone. */
const paths = screens
  .filter(({ entry, built, path, byServer }) => entry === 'municipality' && built && !byServer && !path.includes('{'))
  .map(({ path }) => path)
  .filter((path) => path !== '/municipality/initialize-impersonation')

async function isShown(page: Page): Promise<void> {
  await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1)
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText(/could not be loaded/)).toHaveCount(0)
}

/** Presses each tab after each other one. Returns the number of pairs. */
async function pressPairs(page: Page, tabs: Locator): Promise<number> {
  const names = await tabs.allInnerTexts()
  const current = () => tabs.evaluateAll((links) => links.map((link) => link.getAttribute('aria-current')))
  const press = async (nth: number) => {
    await tabs.nth(nth).click()
    // The tab is the current one, or its link led to a screen without these tabs.
    await expect.poll(async () => (await current())[nth]).not.toBeNull()
    await isShown(page)
    if ((await current()).length === names.length) return
    await page.goBack()
    await isShown(page)
  }
  const pairs = names.flatMap((_from, from) => names.flatMap((_to, to) => (from === to ? [] : [[from, to] as const])))
  for (const [from, to] of pairs)
    await test.step(`${names[from]} to ${names[to]}`, async () => {
      await press(from)
      await press(to)
    })
  return pairs.length
}

for (const town of TOWNS)
  test(`opens each tab from each other tab of every screen of ${town}`, async ({ page }) => {
    test.setTimeout(300_000)
    await openAs(page, town, `admin@${town}.example`, '/municipality')
    await isShown(page)
    const walked = new Map<string, number>()
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(at(town, path))
        await isShown(page)
        const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
        const group = (await tabs.allInnerTexts()).join(', ')
        if (group !== '' && !walked.has(group)) walked.set(group, await pressPairs(page, tabs))
      })
    const total = [...walked.values()].reduce((sum, pairs) => sum + pairs, 0)
    test.info().annotations.push({ type: 'tabs', description: `${walked.size} groups, ${total} pairs` })
    expect(walked.get('List, Board, Calendar, Map, Plans, Crews')).toBe(30)
    expect(total).toBeGreaterThan(70)
  })
