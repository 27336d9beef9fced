import type { Locator, Page } from '@playwright/test'
import { screens } from '../shared/all-screens.ts'
import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'

const HOSTS = ['maplegrove', 'harborcity']

/** Back-office screens with a path that has no parameters. */
const paths = screens
  .filter(({ entry, built, path, byServer }) => entry === 'municipality' && built && !byServer && !path.includes('{'))
  .map(({ path }) => path)
  .filter((path) => path !== '/municipality/initialize-impersonation')

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1)
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
  await expect(page.getByText(/could not be loaded/)).toHaveCount(0)
}

/** Clicks every ordered pair of tabs. Returns the number of pairs. */
async function clickPairs(page: Page, tabs: Locator): Promise<number> {
  const names = await tabs.allInnerTexts()
  const current = () => tabs.evaluateAll((links) => links.map((link) => link.getAttribute('aria-current')))
  const clickTab = async (index: number) => {
    await tabs.nth(index).click()
    // The tab is current, or its link led to a screen without these tabs.
    await expect.poll(async () => (await current())[index]).not.toBeNull()
    await expectLoaded(page)
    if ((await current()).length === names.length) return
    await page.goBack()
    await expectLoaded(page)
  }
  const pairs = names.flatMap((_from, from) => names.flatMap((_to, to) => (from === to ? [] : [[from, to] as const])))
  for (const [from, to] of pairs)
    await test.step(`${names[from]} to ${names[to]}`, async () => {
      await clickTab(from)
      await clickTab(to)
    })
  return pairs.length
}

for (const host of HOSTS)
  test(`opens each tab from each other tab of every screen of ${host}`, async ({ page }) => {
    test.setTimeout(300_000)
    await openAs(page, host, `admin@${host}.example`, '/municipality')
    await expectLoaded(page)
    const walked = new Map<string, number>()
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(at(host, path))
        await expectLoaded(page)
        const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
        const group = (await tabs.allInnerTexts()).join(', ')
        if (group !== '' && !walked.has(group)) walked.set(group, await clickPairs(page, tabs))
      })
    const total = [...walked.values()].reduce((sum, pairs) => sum + pairs, 0)
    test.info().annotations.push({ type: 'tabs', description: `${walked.size} groups, ${total} pairs` })
    expect(walked.get('List, Board, Calendar, Map, Maintenance Plans, Templates, Crews')).toBe(42)
    expect(total).toBeGreaterThan(70)
  })
