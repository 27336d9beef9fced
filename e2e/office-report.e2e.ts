import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { openAs, payAsGuest } from './calls.ts'
import { reveal } from './filters.ts'
import { dayFromNow } from './clock.ts'
import { expect, PHONE, signIn, test } from './fixtures.ts'
import { expectGood, expectNoSideways } from './screen-checks.ts'
import { openMore } from './more.ts'

const REPORT = '/municipality/reports/payments'
const STAFF_EMAIL = 'manager@maplegrove.example'
const CALL = '**/api/v2/muni/return/payment/transactions'

const open = (page: Page, query = '') => openAs(page, 'maplegrove', STAFF_EMAIL, REPORT + query)

/** Returns the visible rows, with cell texts by column heading. */
async function rowsOf(page: Page): Promise<Record<string, string>[]> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const [heads, rows] = await page.getByRole('table').evaluate((table) => {
    // The tooltip of a time has its day.
    const dayOf = (cell: Element) => cell.querySelector('time')?.title.replace(/, \d+:\d\d [AP]M$/, '')
    const texts = (cells: Iterable<Element>) =>
      [...cells].map((cell) => dayOf(cell) ?? (cell as HTMLElement).innerText.trim())
    return [
      texts(table.querySelectorAll('thead th')),
      [...table.querySelectorAll('tbody tr')].map((row) => texts(row.children)),
    ] as const
  })
  return rows.map((cells) => Object.fromEntries(heads.map((head, i) => [head, cells[i] ?? ''])))
}

const choose = async (page: Page, filter: string, option: string) =>
  (await reveal(page, page.getByRole('combobox', { name: filter, exact: true }))).selectOption(option)

const centsOf = (text: string | undefined) => Math.round(Number(text?.replaceAll(/[$,]/g, '')) * 100)

/** Returns the totals under the table: amount, fees and payment, in cents. */
async function totalsOf(page: Page): Promise<number[]> {
  const cells = await page.locator('tfoot .bookkeeper').allInnerTexts()
  return cells.map(centsOf)
}

/** Returns the content of a download. */
const contentOf = async (download: Download) => readFileSync(await download.path())

async function savedBy(page: Page, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return download
}

/** Returns the total of an export: captured amounts minus refunds. */
function sumOf(rows: Record<string, string>[]): number {
  const moved = rows.filter(({ Status }) => Status === 'Successful' || Status === 'Refunded')
  return moved.reduce((sum, row) => sum + centsOf(row['Total']) - centsOf(row['Refunded']), 0)
}

test('adds a guest’s new payment to the open report, totals and CSV', async ({ page, account, accessible }) => {
  await signIn(page, 'maplegrove', STAFF_EMAIL)
  await page.getByRole('link', { name: 'Payment Transaction Report' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Transaction Report')
  await expect(page.getByRole('row').nth(9)).toBeVisible()
  // A reload would clear this marker.
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }))
  const [, , before = 0] = await totalsOf(page)

  const { receipt, totalCents } = await payAsGuest(account)
  const row = page.getByRole('row').filter({ hasText: receipt })
  await expect(row).toContainText('Successful')
  await expect(row.getByText('New', { exact: true })).toBeVisible()
  // The message names the newest payment, which can belong to a later test.
  await expect(page.getByRole('status').filter({ hasText: /New payment P\d+: \$/ })).toHaveCount(1)
  expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true)
  // Other tests pay at the same time, so the total may grow by more than this payment.
  await expect.poll(async () => (await totalsOf(page))[2]).toBeGreaterThanOrEqual(before + totalCents)
  await accessible(page, 'the report with a new payment')

  await page.getByRole('searchbox', { name: 'Search' }).fill(account)
  await expect(page.getByText('1 payment', { exact: true })).toBeVisible()
  expect(await totalsOf(page)).toEqual([149_31, totalCents - 149_31, totalCents])
  await openMore(page, 'the list')
  const file = await savedBy(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
  expect(file.suggestedFilename()).toMatch(/^payments-maplegrove-\d{4}-\d\d-\d\d\.csv$/)
  const rows = parse<Record<string, string>>(await contentOf(file), { columns: true, bom: true })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    Receipt: receipt,
    Account: account,
    Status: 'Successful',
    Amount: '149.31',
    Location: 'Guest quick-pay',
  })
  expect(sumOf(rows)).toBe(totalCents)
})

test('announces a new payment on another page and shows it on demand @whole', async ({ page, account }) => {
  await open(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  const read = await rowsOf(page)
  const { receipt } = await payAsGuest(account)
  await expect(page.getByText(/new payments? received\./i)).toBeVisible()
  expect((await rowsOf(page)).map((row) => row['Receipt'])).toEqual(read.map((row) => row['Receipt']))
  await page.getByRole('button', { name: 'Show newest first' }).click()
  await expect(page.getByRole('row').filter({ hasText: receipt })).toBeVisible()
})

test('shows the totals of weeks of payments equal to their CSV @whole', async ({ page }) => {
  // Uses a period of about three weeks in the past, which receives no new payments.
  await open(page, `?fromDate=${dayFromNow(-30)}&toDate=${dayFromNow(-10)}`)
  await rowsOf(page)
  const [amount = 0, fees = 0, total] = await totalsOf(page)
  await openMore(page, 'the list')
  const file = await savedBy(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
  const rows = parse<Record<string, string>>(await contentOf(file), { columns: true, bom: true })
  expect(rows.length).toBeGreaterThan(100)
  await expect(page.getByText(`${rows.length.toLocaleString('en-US')} payments`, { exact: true })).toBeVisible()
  expect(amount + fees).toBe(total)
  expect(sumOf(rows)).toBe(total)
  // Below the totals are separate sums of the payments that the totals exclude. All sums together equal the sum of all
  // rows.
  const below = page.locator('tfoot tr').filter({ has: page.getByRole('rowheader') })
  const [refunded, ...others] = (await below.locator('td:last-child').allInnerTexts()).map(centsOf)
  await expect(below.getByRole('rowheader')).toHaveText(['Refunded:', 'Returned:', 'Voided:', 'Declined or pending:'])
  expect(refunded).toBe(rows.reduce((sum, row) => sum + centsOf(row['Refunded']), 0))
  expect([total, refunded, ...others].reduce((sum = 0, part = 0) => sum + part, 0)).toBe(
    rows.reduce((sum, row) => sum + centsOf(row['Total']), 0),
  )
})

test('chooses rows by filters, sorting and search @whole', async ({ page }) => {
  await open(page)
  await rowsOf(page)
  await choose(page, 'Status', 'Declined')
  await expect(page).toHaveURL(/status=2/)
  // An eCheck that the bank returned counts as declined, and its row shows the return.
  for (const row of await rowsOf(page)) expect(row['Status']).toMatch(/^(?:Declined|Returned R\d\d)$/)
  // Either no money moved, or the money was returned.
  expect(await totalsOf(page)).toEqual([0, 0, 0])
  await choose(page, 'Status', 'All statuses')

  await choose(page, 'Method', 'eCheck')
  await expect(page).toHaveURL(/method=2/)
  expect(new Set((await rowsOf(page)).map((row) => row['Method']))).toEqual(new Set(['eCheck']))
  await choose(page, 'Method', 'All methods')

  await choose(page, 'Location', 'Autopay')
  await expect(page).toHaveURL(/location=6/)
  const [first] = await rowsOf(page)
  await page.getByRole('button', { name: `View ${first?.['Receipt']}` }).click()
  await expect(page.getByRole('dialog').getByText('Autopay')).toBeVisible()
  await page.keyboard.press('Escape')
  await choose(page, 'Location', 'All locations')

  await page.getByRole('button', { name: 'Payment', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Payment' })).toHaveAttribute('aria-sort', 'descending')
  const sums = (await rowsOf(page)).map((row) => centsOf(row['Payment']))
  expect(sums).toEqual(sums.toSorted((a, b) => b - a))
  await page.getByRole('button', { name: 'Payment', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Payment' })).toHaveAttribute('aria-sort', 'ascending')
  const rising = (await rowsOf(page)).map((row) => centsOf(row['Payment']))
  expect(rising).toEqual(rising.toSorted((a, b) => a - b))
  expect(rising[0]).toBeLessThan(sums.at(-1) ?? 0)

  const payer = (await rowsOf(page))[0]?.['Payer'] ?? ''
  await page.getByRole('searchbox', { name: 'Search' }).fill(payer)
  await expect(page).toHaveURL(/search=/)
  const matches = await rowsOf(page)
  expect(matches.length).toBeGreaterThan(0)
  expect(new Set(matches.map((row) => row['Payer']))).toEqual(new Set([payer]))
  // The URL contains the search, so a reload repeats it.
  await page.reload()
  expect(await rowsOf(page)).toEqual(matches)
})

test('filters by dates typed or selected by keyboard @whole', async ({ page, accessible }) => {
  await open(page)
  await rowsOf(page)
  const range = page.getByRole('group', { name: 'Date range' })
  await range.getByRole('button', { name: /calendar/i }).press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Choose the first and last day' })
  await expect(calendar).toBeVisible()
  await accessible(page, 'the open calendar')
  // Selects two days in the middle of the previous month.
  await calendar.getByRole('button', { name: 'Previous' }).click()
  await calendar.getByRole('button', { name: / 12(?:th)?,/ }).click()
  await calendar.getByRole('button', { name: / 13(?:th)?,/ }).click()
  await expect(calendar).toBeHidden()
  const { searchParams } = new URL(page.url())
  const [from, to] = [searchParams.get('fromDate') ?? '', searchParams.get('toDate') ?? '']
  expect([from.slice(8), to.slice(8)]).toEqual(['12', '13'])
  const days = new Set((await rowsOf(page)).map((row) => new Date(`${row['Date']} 12:00Z`).toISOString().slice(0, 10)))
  expect([...days].every((day) => day >= from && day <= to)).toBe(true)
  expect(days.size).toBeGreaterThan(0)

  await range.getByRole('spinbutton', { name: /day, end/i }).focus()
  await page.keyboard.type('15')
  await expect(page).toHaveURL(new RegExp(`toDate=${to.slice(0, 8)}15`))
})

test('pages forward and back over the same rows @whole', async ({ page }) => {
  await open(page)
  const receipts = async () => (await rowsOf(page)).map((row) => row['Receipt'] ?? '')
  const [next, previous] = [
    page.getByRole('button', { name: 'Next' }),
    page.getByRole('button', { name: 'Previous', exact: true }),
  ]
  // Sorts the oldest payments first, so that payments of other tests appear on the last page.
  await page.getByRole('button', { name: 'Date', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'ascending')
  const pages = [await receipts()]
  await expect(previous).toBeDisabled()
  for (const number of [2, 3]) {
    await next.click()
    await expect(page.getByText(`Page ${number} of`)).toBeVisible()
    pages.push(await receipts())
  }
  expect(pages.map((page_) => page_.length)).toEqual([10, 10, 10])
  expect(new Set(pages.flat()).size).toBe(30)
  await previous.click()
  await expect(page.getByText('Page 2 of')).toBeVisible()
  expect(await receipts()).toEqual(pages[1])
  await previous.click()
  await expect(page.getByText('Page 1 of')).toBeVisible()
  expect(await receipts()).toEqual(pages[0])
})

test('groups rows with totals and remembers the chosen columns @whole', async ({ page, accessible }) => {
  const weeksAgo = dayFromNow(-15)
  await open(page, `?fromDate=${weeksAgo}`)
  await rowsOf(page)
  const [, , whole = 0] = await totalsOf(page)
  await choose(page, 'Group by', 'Method')
  const groups = page.getByRole('button', { name: /^(?:Card|eCheck) \d/ })
  await expect(groups).toHaveCount(2)
  const heads = await page.locator('th[scope=rowgroup]').allInnerTexts()
  const counted = heads.reduce(
    (sum, text) => sum + Number(/([\d,]+) payments?/.exec(text)?.[1]?.replaceAll(',', '')),
    0,
  )
  await expect(page.getByText(`${counted} payments`)).toBeVisible()
  // The group totals add up to the grand total.
  const sums = await page.locator('tbody tr', { has: page.locator('th[scope=rowgroup]') }).allInnerTexts()
  expect(sums.reduce((sum, text) => sum + centsOf(text.match(/\$[\d,.]+/g)?.at(-1)), 0)).toBe(whole)
  await groups.first().click()
  await expect(page.getByRole('button', { name: /^View P/ })).toHaveCount(10)
  await choose(page, 'Group by', 'Date by month')
  await expect(page.locator('th[scope=rowgroup]').first()).toHaveText(/^[A-Z][a-z]+ \d{4} /)
  await expect(page).toHaveURL(/group=date%3Amonth/)
  await choose(page, 'Group by', 'No grouping')

  const columns = page.getByRole('button', { name: 'More actions for the list' })
  await columns.press('Enter')
  await accessible(page, 'the open choice of columns')
  await page.getByRole('checkbox', { name: 'Fee' }).uncheck()
  await page.getByRole('checkbox', { name: 'Email' }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('checkbox', { name: 'Email' })).toBeHidden()
  await expect(columns).toBeFocused()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Email' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Fee' })).toHaveCount(0)
})

test('keeps the focus in the payment slide-out and restores it on close', async ({ page, accessible }) => {
  await open(page, '?status=1')
  const [row] = await rowsOf(page)
  const receipt = row?.['Receipt']?.replace(/\s.*/s, '') ?? ''
  const opener = page.getByRole('button', { name: receipt, exact: true })
  await opener.press('Enter')
  const panel = page.getByRole('dialog', { name: `Payment ${receipt}` })
  await expect(panel.getByRole('heading', { name: 'Ledger' })).toBeVisible()
  await expect(panel.getByText(row?.['Payment'] ?? '', { exact: true }).first()).toBeVisible()
  await expect(panel.getByText('Created', { exact: true })).toBeVisible()
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press('Tab')
    // The browser's own toolbar is the only other tab stop.
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      ),
    ).toBe(true)
  }
  const file = await savedBy(page, () => panel.getByRole('button', { name: 'Print Receipt' }).click())
  expect((await contentOf(file)).subarray(0, 5).toString()).toBe('%PDF-')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await expect(panel.getByRole('heading', { name: 'Ledger' })).toBeVisible()
  await expectGood(page, accessible, 'a payment')
  // At a phone's width, the table becomes cards, so the button that opened the panel no longer exists. The focus must
  // not be lost.
  await page.setViewportSize({ width: 390, height: 900 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

for (const list of [
  REPORT,
  '/municipality/reports/parking-ticket',
  '/municipality/work-orders',
  '/municipality/manage/parking-tickets',
])
  test(`prints each number and the municipality: ${list}`, async ({ page }) => {
    await openAs(page, 'maplegrove', STAFF_EMAIL, list)
    const row = page.locator('tbody tr').first()
    const number = row.locator('button.link').first()
    await expect(number).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(number).toBeVisible()
    await expect(page.locator('.list-screen').getByText('Maple Grove', { exact: true })).toBeVisible()
    await expect(page.locator('thead').getByText('Actions', { exact: true })).toBeHidden()
    // All printed pages use landscape, including the first one, which already has rows.
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf).toMatch(/\/MediaBox\s*\[\s*0 0 792 612\s*\]/)
    expect(pdf).not.toMatch(/\/MediaBox\s*\[\s*0 0 612 792\s*\]/)
  })

test('prints the municipality above a screen without a list', async ({ page }) => {
  await openAs(page, 'maplegrove', STAFF_EMAIL, '/municipality/reports/reconciliation')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const owner = page.getByRole('main').getByText('Maple Grove', { exact: true })
  await expect(owner).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(owner).toBeVisible()
})

test('prints a receipt only for a successful payment @whole', async ({ page }) => {
  await open(page, '?status=1')
  const [row] = await rowsOf(page)
  const receipt = row?.['Receipt']?.replace(/\s.*/s, '') ?? ''
  await openMore(page, receipt)
  const file = await savedBy(page, () => page.getByRole('button', { name: `Print Receipt ${receipt}` }).click())
  expect(file.suggestedFilename()).toContain(receipt)
  expect((await contentOf(file)).subarray(0, 5).toString()).toBe('%PDF-')
  await choose(page, 'Status', 'Declined')
  await expect(page).toHaveURL(/status=2/)
  await rowsOf(page)
  await expect(page.getByRole('button', { name: /^View P/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Print Receipt/ })).toHaveCount(0)
})

test('adds up all payments of a long search on request', async ({ page, accessible }) => {
  await open(page, '?search=p&fromDate=2020-01-01')
  const click = page.getByRole('button', { name: 'Add up all payments' })
  await expect(page.getByText('This search found 1,000 or more payments.')).toBeVisible()
  await expect(page.locator('tfoot')).toHaveCount(0)
  await accessible(page, 'a search without totals')
  await click.click()
  await expect(page.locator('tfoot .bookkeeper').first()).toBeVisible()
  expect((await totalsOf(page)).slice(0, 3).every((cents) => cents > 0)).toBe(true)
  await expect(click).toHaveCount(0)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('button', { name: 'Previous' })).toBeEnabled()
  await expect(page.locator('tfoot .bookkeeper').first()).toBeVisible()
})

test('reports an empty result and retries a failed call @whole', async ({ page, accessible }) => {
  await open(page, '?search=zzqxv')
  await expect(page.getByRole('heading', { name: 'No payments to show' })).toBeVisible()
  await expectGood(page, accessible, 'an empty report')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('row').nth(9)).toBeVisible()

  await page.route(CALL, (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Back soon.', msg: 'Back soon.', code: 'busy' } }),
  )
  await choose(page, 'Method', 'Card')
  const failure = page.getByRole('alert').filter({ hasText: 'Back soon.' })
  await expect(failure).toBeVisible()
  await expectGood(page, accessible, 'a failed report')
  await page.unroute(CALL)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toBeHidden()
  expect(new Set((await rowsOf(page)).map((row) => row['Method']))).toEqual(new Set(['Card']))
})

test('shows the rows as cards with totals on a phone @whole', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await open(page, '?status=1')
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^View P/ }) })
  await expect(cards).toHaveCount(10)
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByText('Total Payment:')).toBeVisible()
  await expectNoSideways(page, 'the cards')
  await accessible(page, 'the cards')
  await cards.first().getByRole('button', { name: /^P\d+/ }).click()
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Ledger' })).toBeVisible()
})

test('skips menu and filters to the results by keyboard @whole', async ({ page }) => {
  await open(page)
  await rowsOf(page)
  await page.getByRole('heading', { level: 1 }).focus()
  const skip = page.getByRole('link', { name: 'Skip to results' })
  await skip.focus()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const inTable = await page.evaluate(() => document.activeElement?.closest('table') !== null)
  expect(inTable).toBe(true)
})
