import type { Page } from '@playwright/test'
import { isBuilt, screens } from '../shared/all-screens.ts'
import { personSettings } from '../shared/person-settings.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { openMore } from './more.ts'
import { expectGood, expectNoSideways } from './screen-checks.ts'

const REPORT = '/municipality/reports/login'
const ADMIN = 'admin@maplegrove.example'
const CALL = '**/api/v2/muni/return/login/report'

/** Waits until the count next to the title is known and no request is pending. */
async function waitUntilIdle(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /sign-ins?/ })).not.toContainText('Loading')
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
}

async function open(page: Page, query = ''): Promise<void> {
  await openAs(page, 'maplegrove', ADMIN, REPORT + query)
  await waitUntilIdle(page)
}

const choose = async (page: Page, name: string, option: string) => {
  await page.getByRole('combobox', { name, exact: true }).selectOption(option)
  await waitUntilIdle(page)
}

const countOf = async (page: Page): Promise<number> =>
  Number(
    (
      await page
        .getByRole('status')
        .filter({ hasText: /sign-ins?/ })
        .innerText()
    ).replaceAll(/\D/g, ''),
  )

/** Records the page's requests for the list from this point. */
function questionsOf(page: Page): { totals: boolean; pageSize: number; group?: { by: string; value?: string } }[] {
  const queries: { totals: boolean; pageSize: number }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/muni/return/login/report')) queries.push(request.postDataJSON())
  })
  return queries
}

test('limits header and row heights and never scrolls sideways', async ({ page }) => {
  // Uses a past month, because a sign-in during the test could add a row with a two-line address.
  await open(page, '?dates=last-month')
  const heights = () =>
    page.evaluate(() => {
      const top = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top ?? 0
      const table = document.querySelector('table')
      return {
        above: Math.round(top('tbody tr') - top('main h1')),
        row: Math.round(document.querySelector('tbody tr')?.getBoundingClientRect().height ?? 0),
        overflow: (table?.scrollWidth ?? 0) - (table?.parentElement?.clientWidth ?? 0),
        inView: [...document.querySelectorAll('tbody tr')].filter((row) => row.getBoundingClientRect().bottom < 900)
          .length,
      }
    })
  const plain = await heights()
  await choose(page, 'Outcome', 'Signed in')
  const withChips = await heights()
  const measured = `${plain.above} px above the first row, ${withChips.above} px with filters set`
  test.info().annotations.push({ type: 'measured', description: measured })
  expect(plain).toMatchObject({ row: 44, overflow: 0 })
  expect(plain.inView).toBeGreaterThanOrEqual(10)
  expect(plain.above, measured).toBeLessThanOrEqual(160)
  expect(withChips.above, measured).toBeLessThanOrEqual(160)
})

/** Paths of the screens that show a list on their first tab, by host. */
const pathsOf = (host: 'maplegrove' | 'admin') =>
  screens
    .map(({ path }) => path)
    .filter((path) => path.startsWith(host === 'admin' ? '/admin' : '/municipality') && !path.includes('{'))
    .filter((path) => isBuilt(path) && !path.includes('sign-in'))

/** Lists on the other tabs of a screen. */
const ON_TABS = [
  '/municipality/first-responder?tab=tests',
  '/municipality/first-responder?tab=notes',
  '/municipality/inspections?tab=templates',
  '/municipality/manage/alerts/sources?of=sources',
  '/municipality/manage/manage-resource-rentals?of=resources',
  '/municipality/manage/manage-staff?tab=roles',
  '/municipality/manage/manage-staff?tab=departments',
  '/municipality/manage/parking-tickets?tab=boot',
  '/municipality/manage/parking-tickets?tab=codes',
  '/municipality/work-orders?tab=plans',
  '/municipality/work-orders?tab=templates',
  '/municipality/work-orders?tab=crews',
]

/** Screens with other content above their list, or with several lists. */
const NOT_AT_THE_TOP = ['/municipality/manage/places']

test('shows each list in lines of 44 px, the first within 160 px of the top bar @whole', async ({ browser }) => {
  test.setTimeout(600_000)
  const problems: string[] = []
  let lists = 0
  for (const host of ['maplegrove', 'admin'] as const) {
    const page = await (await browser.newContext()).newPage()
    for (const path of [...pathsOf(host), ...(host === 'maplegrove' ? ON_TABS : [])]) {
      await openAs(page, host, host === 'admin' ? 'super@mainstreet.example' : ADMIN, path)
      await page.locator('h1').filter({ visible: true }).first().waitFor()
      await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
      const measured = await page.evaluate(() => {
        const table = document.querySelector('.list-table')
        const rows = [...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => row.getBoundingClientRect())
        return {
          top: (rows[0]?.top ?? 0) - (document.querySelector('main')?.getBoundingClientRect().top ?? 0),
          heights: rows.map(({ height }) => height),
          inView: rows.filter(({ bottom }) => bottom <= innerHeight).length,
          overflow: Math.max(
            document.documentElement.scrollWidth - innerWidth,
            (table?.scrollWidth ?? 0) - (table?.clientWidth ?? 0),
          ),
        }
      })
      if (measured.heights.length === 0) continue
      lists++
      const { top, heights, inView, overflow } = measured
      const isShort = inView < Math.min(10, heights.length)
      const isTall = heights.some((height) => Math.abs(height - 44) > 1)
      if (isTall || overflow > 0 || (!NOT_AT_THE_TOP.includes(path) && (top > 160 || isShort)))
        problems.push(
          `${path}: first row at ${top}, ${inView} rows in view, rows of ${[...new Set(heights)].join(', ')} px, ${overflow} px too wide`,
        )
    }
    await page.context().close()
  }
  expect(problems).toEqual([])
  expect(lists).toBeGreaterThan(55)
})

test('peeks at all columns of a record by keyboard', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/customer-communication')
  const name = page.getByRole('rowheader').first().getByRole('button')
  const number = /R-\d{4}-\d{6}/.exec(await name.innerText())?.[0] ?? ''
  await expect(page.getByRole('columnheader', { name: 'Received' })).toHaveCount(0)
  await name.press('Space')
  const peek = page.getByRole('dialog', { name: `All fields of ${number}` })
  await expect(peek.getByText('Received')).toBeVisible()
  await expect(peek.getByText('Followers')).toBeVisible()
  await expect(peek.locator('time').first()).toHaveText(/, 20\d\d, \d+:\d\d [AP]M/)
  await accessible(page, 'the preview of a request')
  await page.keyboard.press('Escape')
  await expect(peek).toHaveCount(0)
  await expect(name).toBeFocused()
  await page.getByRole('button', { name: `Show all fields of ${number}` }).click()
  await peek.getByRole('button', { name: `Open ${number}` }).click()
  await expect(page.getByRole('dialog', { name: number })).toBeVisible()
})

test('keeps the density of lists for a person', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'manager@maplegrove.example', '/municipality/manage/customer-communication')
  const name = page.getByRole('rowheader').first().getByRole('button')
  const heights = () =>
    page.locator('tbody tr').evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))])
  await openMore(page, 'the list')
  await accessible(page, 'the menu of a list')
  await page.getByRole('checkbox', { name: 'Compact rows' }).check()
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(33)
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(name).toBeVisible()
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(33)
  await openMore(page, 'the list')
  await page.getByRole('checkbox', { name: 'Compact rows' }).uncheck()
  await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThanOrEqual(43)
})

test('moves, selects and searches with keys, but never in a field', async ({ page, browser, accessible }) => {
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/customer-communication')
  const names = page.getByRole('rowheader').getByRole('button')
  await names.first().focus()
  await page.keyboard.press('j')
  await expect(names.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  await expect(names.nth(1)).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await expect(names.nth(2)).toBeFocused()
  const selected = page.getByRole('region', { name: 'Selected rows' })
  await expect(selected).toContainText('2 requests selected')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys of lists' })
  await expect(help).toBeVisible()
  await accessible(page, 'the keys of lists')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('xj?')
  await expect(search).toHaveValue('xj?')
  await expect(help).toHaveCount(0)

  // Arrows still move if the person turned the letters off.
  const { token } = await sessionOf('maplegrove', 'manager@maplegrove.example')
  await callOn('maplegrove', personSettings.save, { name: 'keys', value: false }, token)
  const other = await (await browser.newContext()).newPage()
  await openAs(other, 'maplegrove', 'manager@maplegrove.example', '/municipality/manage/customer-communication')
  const otherNames = other.getByRole('rowheader').getByRole('button')
  await expect(otherNames.nth(1)).toBeVisible()
  await otherNames.first().focus()
  await other.keyboard.press('ArrowDown')
  await expect(otherNames.nth(1)).toBeFocused()
  await other.keyboard.press('j')
  await expect(otherNames.nth(1)).toBeFocused()
  await other.getByRole('button', { name: 'My Profile' }).click()
  await other.getByLabel('Single letters as keys in lists and records').check()
  await other.keyboard.press('Escape')
  await otherNames.first().focus()
  await other.keyboard.press('j')
  await expect(otherNames.nth(1)).toBeFocused()
  await other.context().close()
})

test('opens groups page by page and requests count and totals once', async ({ page, accessible }) => {
  // Uses a past month, because other tests sign in at the same time.
  await open(page, '?dates=last-month')
  const all = await countOf(page)
  const queries = questionsOf(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  expect(queries.map(({ totals }) => totals)).toEqual([false])
  expect(await countOf(page)).toBe(all)

  await choose(page, 'Group by', 'Outcome')
  const group = page.getByRole('button', { name: /^(?:Signed in|Denied) / })
  const counts = (await group.allInnerTexts()).map((text) =>
    Number(/([\d,]+) sign-in/.exec(text)?.[1]?.replace(',', '')),
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all)
  const refused = page.getByRole('button', { name: /^Denied / })
  await refused.press('Enter')
  await expect(refused).toHaveAttribute('aria-expanded', 'true')
  await waitUntilIdle(page)
  const denied = page
    .getByRole('rowgroup')
    .filter({ has: refused })
    .getByRole('button', { name: /^Show all fields of / })
  await denied.first().click()
  await expect(page.getByRole('dialog', { name: /^All fields of / })).toContainText('Reason')
  await page.keyboard.press('Escape')
  await expectGood(page, accessible, 'an open group, and filters that are set')
  await page.getByRole('button', { name: /^Signed in / }).press('Enter')
  const pages = page.getByRole('navigation', { name: 'Pages for Signed in' })
  await pages.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(pages.getByText(/^Page 2 of/)).toBeVisible()
  expect(queries.filter((question) => question.group?.value !== undefined).map(({ totals }) => totals)).toEqual([
    false,
    false,
    false,
  ])
  // The URL contains the state of the list, so that a shared link shows the same rows.
  await page.reload()
  await expect(refused).toBeVisible()
})

test('applies named date ranges and removes filters by their chips @whole', async ({ page }) => {
  await open(page)
  await choose(page, 'Dates', 'Last month')
  await choose(page, 'Outcome', 'Denied')
  await expect(page).toHaveURL(/dates=last-month/)
  const chips = page.getByRole('list', { name: 'Active filters' })
  await expect(chips.getByRole('listitem')).toHaveText([
    /Date range: Last month \(.* – .*\)/,
    /Outcome: Denied/,
    'Clear all',
  ])
  await chips.getByRole('button', { name: 'Remove the filter Outcome' }).press('Enter')
  await expect(chips.getByRole('listitem')).toHaveCount(1)
  await choose(page, 'Outcome', 'Denied')
  await chips.getByRole('button', { name: 'Clear all' }).click()
  await expect(chips).toHaveCount(0)
  await waitUntilIdle(page)
  await expect(page).toHaveURL(at('maplegrove', REPORT))
  for (const preset of ['Today', 'This week', 'This month', 'Fiscal year', 'Any date'])
    await choose(page, 'Dates', preset)
})

test('keeps the rows per page in the URL and for the person @whole', async ({ page }) => {
  await open(page)
  await choose(page, 'Rows', '25 per page')
  await expect(page).toHaveURL(/rows=25/)
  const thisYear = dayFromNow(0).slice(0, 4)
  await expect(page.getByRole('row').filter({ hasText: thisYear })).toHaveCount(25)
  await open(page)
  await expect(page.getByRole('combobox', { name: 'Rows' })).toHaveValue('25')
  await page.goto(at('maplegrove', `${REPORT}?rows=7000`))
  await expect(page.getByRole('combobox', { name: 'Rows' })).toHaveValue('25')
})

test('saves, opens, renames, shares and removes a view by keyboard @whole', async ({
  page,
  browser,
  context,
  accessible,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = `Refused ${Date.now()}`
  await open(page, '?outcome=refused&dates=last-month&page=1')
  const count = await countOf(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Saved views' })
  const field = dialog.getByLabel('Name for the current view')
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription('Enter a name.')
  await field.fill(name)
  await field.press('Enter')
  await expect(dialog.getByRole('link', { name })).toBeVisible()
  await field.fill(name.toUpperCase())
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription(/You already have a view with this name/)
  await expect(field).toHaveValue(name.toUpperCase())
  await expectGood(page, accessible, 'saved views')
  await dialog.getByRole('button', { name: `Rename ${name}` }).press('Enter')
  await dialog.getByLabel(`New name for ${name}`).fill(`${name} again`)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: `Copy link to ${name} again` }).press('Enter')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.keyboard.press('Escape')

  await open(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await dialog.getByRole('link', { name: `${name} again` }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toHaveValue('refused')
  await waitUntilIdle(page)
  expect(await countOf(page)).toBe(count)

  const coworker = await (await browser.newContext()).newPage()
  await openAs(coworker, 'maplegrove', 'manager@maplegrove.example', link.replace(at('maplegrove'), ''))
  await waitUntilIdle(coworker)
  expect(await countOf(coworker)).toBe(count)
  await coworker.getByRole('button', { name: 'Views' }).click()
  await expect(coworker.getByText('No saved views for this list yet.')).toBeVisible()
  await coworker.context().close()

  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await dialog.getByRole('button', { name: `Remove ${name} again` }).press('Enter')
  await expect(dialog.getByRole('link', { name: `${name} again` })).toHaveCount(0)
})

test('prints all rows with company and filters, or cancels the print @whole', async ({ page, accessible }) => {
  await page.addInitScript(() => Object.assign(globalThis, { print: () => {} }))
  await open(page, '?outcome=refused&dates=last-month')
  const all = await countOf(page)
  const queries = questionsOf(page)
  const more = page.getByRole('button', { name: 'More actions for the list' })
  const print = page.getByRole('button', { name: 'Print' })
  // Delays the response, so that the test can cancel the print.
  let response = () => {}
  const released = new Promise<void>((resolve) => (response = resolve))
  await page.route(CALL, async (route) => {
    await released
    await route.continue().catch(() => {})
  })
  await more.press('Enter')
  await print.press('Enter')
  await expect(page.getByText('Preparing to print')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.getByText('Preparing to print')).toHaveCount(0)
  response()
  await page.unroute(CALL)

  await more.press('Enter')
  await print.press('Enter')
  const sheet = page.getByRole('article')
  await expect(sheet).toContainText(`${all} sign-in`)
  await expect(page.getByRole('button', { name: `Print ${all} rows` })).toBeFocused()
  expect(queries.at(-1)?.pageSize).toBe(500)
  await expect(sheet).toContainText('Maple Grove')
  await expect(sheet).toContainText(/Outcome:\s*Denied/)
  await expect(sheet.getByRole('row')).toHaveCount(all + 1)
  await expectGood(page, accessible, 'what is printed')
  // The PDF has portrait pages with page numbers in the footer.
  const pdf = await page.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1')).toMatch(/\/MediaBox\s*\[\s*0 0 612 792\s*\]/)
  await page.getByRole('button', { name: 'Back to the list' }).press('Enter')
  await expect(more).toBeFocused()
})

test('folds filters behind a button with their count on a phone', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await open(page, '?outcome=refused')
  const button = page.getByRole('button', { name: 'Filters (1)' })
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toBeHidden()
  await button.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Outcome' })).toBeVisible()
  await page.getByRole('button', { name: 'Open the calendar' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Choose the first and last day' })).toBeVisible()
  await accessible(page, 'the open calendar on a phone', 'layout')
  await page.keyboard.press('Escape')
  await choose(page, 'Outcome', 'All outcomes')
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()
  await choose(page, 'Sort by', 'Date, ascending')
  await expect(page).toHaveURL(/direction=asc/)
  await expectNoSideways(page, 'the list on a phone')
  await page.setViewportSize({ width: 320, height: 844 })
  await expectNoSideways(page, 'filters at 320')
  await accessible(page, 'filters on a phone')
  await choose(page, 'Group by', 'Outcome')
  await page.getByRole('button', { name: /^Denied / }).press('Enter')
  await expect(page.getByRole('region', { name: 'Denied' }).getByRole('listitem').first()).toContainText('Reason')
  await accessible(page, 'an open group on a phone', 'layout')
})

test('selects rows by keyboard and explains the failed ones', async ({ page, accessible }) => {
  await page.goto(at('', '/design?part=tables'))
  const table = page.getByRole('table', { name: 'Payment Transaction Report' })
  await expect(table.getByRole('row').nth(5)).toBeVisible()
  const boxes = table.getByRole('checkbox', { name: /^Select P/ })
  await boxes.nth(0).press('Space')
  await expect(page.getByRole('status').filter({ hasText: '1 payment selected' })).toHaveCount(1)
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  await expect(page.getByRole('status').filter({ hasText: '4 payments selected' })).toHaveCount(1)
  // Selected rows of another page stay selected.
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await table.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('14 payments selected')
  await bar.getByRole('button', { name: 'Mail the receipts' }).press('Enter')
  await expect(page.getByText(/receipts were mailed\./)).toBeVisible()
  await expect(bar.getByText('It is Declined: there is no receipt to mail.').first()).toBeVisible()
  const failed = await bar.getByRole('listitem').count()
  await expect(bar).toContainText(`${failed} payments selected`)
  await expectGood(page, accessible, 'rows that failed')
  await bar.getByRole('button', { name: 'Void' }).press('Enter')
  const confirmation = page.getByRole('alertdialog', { name: `Void: ${failed} payments` })
  await accessible(page, 'the question before several rows')
  await confirmation.getByRole('button', { name: 'Void' }).press('Enter')
  await expect(bar).toHaveCount(0)
  // A new search clears the selection.
  await boxes.nth(0).press('Space')
  await page.getByRole('searchbox').fill('P1040')
  await expect(bar).toHaveCount(0)
})

test('fits groups, totals and long names at every width @whole', async ({ page, accessible }) => {
  await page.goto(at('', '/design?part=tables'))
  const region = page.getByRole('region', { name: 'Payment Transaction Report' })
  const total = await region.locator('tfoot .bookkeeper').first().innerText()
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('Type')
  const heads = region.getByRole('button', { name: /\d payments/ })
  await expect(heads).toHaveCount(4)
  const sums = await region.locator('tbody tr td:nth-of-type(1)').allInnerTexts()
  const cents = (text: string) => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100)
  expect(sums.reduce((sum, text) => sum + cents(text), 0)).toBe(cents(total))
  await heads.first().press('Enter')
  await expect(region.getByText(/Ladies Auxiliary/).first()).toBeVisible()
  for (const width of [1280, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSideways(page, `groups at ${width}`)
  }
  await expectGood(page, accessible, 'groups with totals')
})
