import type { Page } from '@playwright/test'
import { calendarEvents, eventTypes, scheduledItems } from '../features/calendar/contract.ts'
import { openAs } from './calls.ts'
import { allOrFirst, at, expect, signIn, test } from './fixtures.ts'
import { expectGood, expectNoSideways } from './screen-checks.ts'

const HOST = 'maplegrove'
const ITEMS = `**/api/v2/${scheduledItems.path}`
const staff = (role: string) => `${role}@maplegrove.example`

const events = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('list')
    .getByRole('button')
    .filter({ has: page.locator('svg') })

test('lists upcoming items of all four kinds and opens their details', async ({ page, accessible }) => {
  await openAs(page, HOST, staff('staff'), '/municipality')
  for (const kind of ['Billing Tasks', 'Rental Reservations', 'Work Orders', 'Inspections']) {
    const panel = page.getByRole('region', { name: `Upcoming ${kind}` })
    await expect(panel.getByRole('button').first()).toBeVisible()
    await expect(panel.getByText(/\d:\d\d [AP]M - \d+:\d\d [AP]M/).first()).toBeVisible()
    await expect(panel.getByText(/^(?:Scheduled|Confirmed|Not Started|In Progress)$/).first()).toBeVisible()
  }
  const opener = page.getByRole('region', { name: 'Upcoming Inspections' }).getByRole('button').first()
  const title = await opener.innerText()
  await opener.press('Enter')
  const details = page.getByRole('dialog', { name: 'Event Details' })
  await expect(details.getByRole('heading', { name: title })).toBeVisible()
  for (const fact of ['Start Date', 'End Date', 'Status', 'Description'])
    await expect(details.getByText(fact, { exact: true })).toBeVisible()
  await expectGood(page, accessible, 'an event')
  await details.getByRole('button', { name: 'Close' }).last().click()
  await expect(opener).toBeFocused()

  const days = page.getByRole('region', { name: 'Municipality Calendar' }).locator('ol > li')
  await expect(days).toHaveCount(14)
  await expect(page.locator('[aria-current=date]')).toContainText('Today')
  await page.getByRole('link', { name: 'View Full Calendar' }).click()
  await expect(page).toHaveURL(at(HOST, '/municipality/schedule?view=month'))
  await expect(page.getByRole('combobox', { name: 'View' })).toHaveValue('month')
  expect(await days.count()).toBeGreaterThanOrEqual(28)
})

test('starts, completes and reopens an item by keyboard and updates the calendar', async ({
  page,
  accessible,
  context,
}) => {
  await page.route(`**/api/v2/${calendarEvents.path}`, (route) => route.abort())
  await openAs(page, HOST, staff('admin'), '/municipality')
  const opener = page.getByRole('region', { name: 'Upcoming Billing Tasks' }).getByRole('button').first()
  const title = await opener.innerText()
  const first = page.getByRole('region', { name: 'Upcoming Billing Tasks' }).getByRole('listitem').first()
  const when = await first.getByRole('paragraph').innerText()
  const coworker = await context.newPage()
  await openAs(coworker, HOST, staff('manager'), '/municipality')
  const panel = coworker.getByRole('region', { name: 'Upcoming Billing Tasks' })
  // Shows all items, because completed items are last in the list.
  await panel.getByRole('button', { name: /^Show all/ }).press('Enter')
  const matchingItem = panel.getByRole('listitem').filter({ hasText: title }).filter({ hasText: when })
  await expect(matchingItem).toContainText(title)

  await opener.press('Enter')
  const details = page.getByRole('dialog', { name: 'Event Details' })
  const clickStep = async (step: string, status: string) => {
    await details.getByRole('button', { name: step }).press('Enter')
    await expect(details.getByText(status, { exact: true })).toBeVisible()
    await expect(details.getByRole('button', { name: step })).toHaveCount(0)
  }
  // Sets the item to In Progress. In the demo data, the item can be in any of several states.
  if (await details.getByRole('button', { name: 'Reopen' }).isVisible()) await clickStep('Reopen', 'In Progress')
  if (await details.getByRole('button', { name: 'Start' }).isVisible()) await clickStep('Start', 'In Progress')
  await expectGood(page, accessible, 'an event in progress')
  await clickStep('Complete', 'Completed')
  await expect(matchingItem).toContainText('Completed')
  // The button of the next step is the next tab stop.
  await page.keyboard.press('Tab')
  await expect(details.getByRole('button', { name: 'Reopen' })).toBeFocused()

  // Another staff member changed the item first, and this page has not received the change.
  await matchingItem.getByRole('button').press('Enter')
  await coworker.getByRole('dialog').getByRole('button', { name: 'Reopen' }).press('Enter')
  await expect(matchingItem).toContainText('In Progress')
  await details.getByRole('button', { name: 'Reopen' }).press('Enter')
  await expect(details.getByRole('alert')).toContainText(
    'has the status “In Progress”, so you cannot do this. Available actions: Complete.',
  )
  await expect(details.getByText('In Progress', { exact: true })).toBeVisible()
  await expectGood(page, accessible, 'an event whose step was refused')
})

test('shows an item without a status equally in panel, calendar and details @whole', async ({ page }) => {
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  const item = { id: 1, title: 'Flow test', calendar_date: soon, end_datetime: soon, status: null }
  const data = [{ ...item, description: '', type: 'inspection' }]
  await page.route(ITEMS, (route) => route.fulfill({ json: { data } }))
  await openAs(page, HOST, staff('staff'), '/municipality')
  await expect(page.getByText('Scheduled', { exact: true })).toHaveCount(2)
  await page.getByRole('button', { name: 'Flow test' }).last().click()
  await expect(page.getByRole('dialog').getByText('Scheduled', { exact: true })).toBeVisible()
  await expect(page.getByText('Not Started', { exact: true })).toHaveCount(0)
})

test('opens the page in the URL, or the last existing one @whole', async ({ page }) => {
  await openAs(page, HOST, staff('admin'), '/municipality/reports/customers/citizen?page=3')
  await expect(page.getByText('Page 3 of 100 or more')).toBeVisible()
  await expect(page).toHaveURL(/cursor=/)
  await page.goto(at(HOST, '/municipality/reports/customers/citizen?accountNumber=1000&page=9999'))
  await expect(page.getByText(/^Page (\d+) of \1$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('reports reversed dates at the field without calling the server @whole', async ({ page }) => {
  await openAs(page, HOST, staff('admin'), '/municipality/reports/payments?fromDate=2026-11-10&toDate=2026-11-12')
  const days = page.getByRole('group', { name: 'Date range' })
  await days.getByRole('spinbutton', { name: /day/ }).first().click()
  await page.keyboard.type('20')
  await expect(page.getByText('The last day must be on or after the first day.')).toBeVisible()
  await expect(page).not.toHaveURL(/fromDate=2026-11-20/)
})

test('gives useful advice in an empty list @whole', async ({ page }) => {
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin/outbox?search=no%20such%20mail')
  await expect(page.getByText('No results match this search. Check the spelling, or shorten the search.')).toBeVisible()
})

test('prints plain lines about loaded data at startup @whole', () => {
  const lines = (process.env['E2E_PRINTED'] ?? '').split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^  Maple Grove, with \d+ utility accounts$/))
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([])
})

test('shows an empty state in each panel of the dashboard @whole', async ({ page }) => {
  await page.route(ITEMS, (route) => route.fulfill({ json: { data: [] } }))
  await openAs(page, HOST, staff('staff'), '/municipality')
  for (const kind of ['billing tasks', 'rental reservations', 'work orders', 'inspections'])
    await expect(page.getByText(`No upcoming ${kind}`)).toBeVisible()
  await expect(page.getByText('No events')).toHaveCount(14)
})

test('filters the schedule by status and kind and moves by two weeks @whole', async ({ page }) => {
  await openAs(page, HOST, staff('staff'), '/municipality/schedule')
  const all = page.getByText(/^\d+ events$/)
  await expect(all).toBeVisible()
  const count = Number.parseInt(await all.innerText(), 10)
  const [status, kind] = [
    page.getByRole('combobox', { name: 'Status' }),
    page.getByRole('combobox', { name: 'Event type' }),
  ]
  await status.selectOption('Completed')
  await expect(page.getByText(`${count} events`)).toHaveCount(0)
  await expect(page.getByText(/^\d+ events?$/)).toBeVisible()
  for (const event of await events(page).all()) await expect(event).toContainText('Completed')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText(`${count} events`)).toBeVisible()

  // The event types of this company together cover all events.
  const kinds = (await kind.locator('option').allInnerTexts()).filter((name) => name !== 'All')
  expect(kinds).toHaveLength(5)
  let sum = 0
  for (const name of kinds) {
    const response = page.waitForResponse(ITEMS)
    await kind.selectOption(name)
    const { data } = (await (await response).json()) as { data: { type: string }[] }
    expect(new Set(data.map(({ type }) => type)).size).toBeLessThanOrEqual(1)
    sum += data.length
  }
  expect(sum).toBe(count)
  await kind.selectOption('All')

  const title = page.getByText(/^[A-Z][a-z]{2} \d+ - (?:[A-Z][a-z]{2} )?\d+, \d{4}$/)
  const here = await title.innerText()
  await page.getByRole('button', { name: 'Next two weeks' }).press('Enter')
  await expect(title).not.toHaveText(here)
  await expect(page.locator('[aria-current=date]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(title).toHaveText(here)
})

test('reports a calendar that fails to load and retries it @whole', async ({ page, accessible }) => {
  await page.route(ITEMS, (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Back soon.', msg: 'Back soon.', code: 'busy' } }),
  )
  await page.route(`**/api/v2/${eventTypes.path}`, (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Back soon.', msg: 'Back soon.', code: 'busy' } }),
  )
  await openAs(page, HOST, staff('staff'), '/municipality/schedule')
  await expect(page.getByRole('alert')).toContainText('The calendar could not be loaded')
  await accessible(page, 'a failed calendar')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText(/^\d+ events$/)).toBeVisible()
})

for (const [host, email, path] of [
  [HOST, staff('staff'), '/municipality'],
  ['admin', 'super@mainstreet.example', '/admin'],
] as const)
  test(`serves the help guide of ${path} as a PDF @whole`, async ({ page }) => {
    await openAs(page, host, email, path)
    const href = await page.getByRole('link', { name: 'Help Guide' }).getAttribute('href')
    const guide = await page.evaluate(async (address) => {
      const response = await fetch(address)
      return [response.status, response.headers.get('content-type'), (await response.text()).slice(0, 5)]
    }, href ?? '')
    expect(guide).toEqual([200, 'application/pdf', '%PDF-'])
  })

test('opens, uses and closes the menu by keyboard on a small screen @whole', async ({ page, accessible }) => {
  await page.setViewportSize({ width: 1023, height: 800 })
  await openAs(page, HOST, staff('staff'), '/municipality')
  const menu = page.getByRole('button', { name: 'Menu' })
  const schedule = page.getByRole('link', { name: 'Schedule', exact: true })
  await expect(schedule).toBeHidden()
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  await menu.press('Enter')
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toHaveAttribute('aria-current', 'page')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSideways(page, 'the open menu')
  await accessible(page, 'the open menu')
  await page.keyboard.press('Escape')
  await expect(schedule).toBeHidden()
  await expect(menu).toBeFocused()
  await menu.press('Space')
  await schedule.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Schedule')
  await expect(schedule).toBeHidden()
  await page.setViewportSize({ width: 1024, height: 800 })
  await expect(menu).toBeHidden()
  await expect(schedule).toBeVisible()
})

for (const role of allOrFirst(['staff', 'manager', 'admin']))
  test(`signs the company’s ${role} in to the dashboard and payments, then out`, async ({ page }) => {
    await signIn(page, HOST, staff(role))
    await expect(page).toHaveURL(at(HOST, '/municipality'))
    await expect(page.getByText('Municipality Portal for Maple Grove')).toBeVisible()
    await page.goto(at(HOST, '/municipality/reports/payments'))
    await expect(page.getByRole('row').nth(5)).toBeVisible()
    const token = await page.evaluate(() => sessionStorage.getItem('tkn'))
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL(at(HOST, '/sign-in'))
    expect(
      await page.evaluate(() => ['tkn', 'userId', 'UN', 'privileges'].map((key) => sessionStorage.getItem(key))),
    ).toEqual([null, null, null, null])
    // The session has also ended on the server.
    const status = await page.evaluate(
      async (bearer) =>
        (
          await fetch('/api/v2/muni/return/event/types', {
            method: 'POST',
            headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
            body: '{}',
          })
        ).status,
      token,
    )
    expect(status).toBe(401)
    await page.goto(at(HOST, '/municipality/schedule'))
    await expect(page).toHaveURL(at(HOST, '/sign-in'))
  })

test('sends residents home from the back office and strangers to sign-in', async ({ page }) => {
  await page.goto(at(HOST, '/municipality/schedule'))
  await expect(page).toHaveURL(at(HOST, '/sign-in'))
  await page.getByLabel('Email').fill(staff('staff'))
  await page.getByLabel('Password', { exact: true }).fill('Maple-Grove#2026')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(at(HOST, '/municipality/schedule'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Schedule')

  const other = await page.context().browser()?.newContext()
  const home = await other?.newPage()
  if (!home) throw new Error('no page')
  await openAs(home, HOST, 'resident@maplegrove.example', '/municipality/reports/payments')
  await expect(home).toHaveURL(at(HOST, '/home'))
  await home.close()
})

test('sends an expired session to the sign-in with a message @whole', async ({ page }) => {
  await openAs(page, HOST, staff('staff'), '/municipality')
  await expect(page.getByRole('region', { name: 'Upcoming Inspections' })).toBeVisible()
  await page.route(ITEMS, (route) =>
    route.fulfill({
      status: 401,
      json: { success: false, message: 'Please sign in again.', msg: 'Please sign in again.', code: 'not_signed_in' },
    }),
  )
  await page.getByRole('button', { name: 'Next two weeks' }).click()
  await expect(page).toHaveURL(at(HOST, '/sign-in'))
  await expect(page.getByText('Your session has ended')).toBeVisible()
})
