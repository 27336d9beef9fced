import type { Page } from '@playwright/test'
import type { ResponseOf } from '../shared/endpoint.ts'
import { pendingWork } from '../shared/pending-work.ts'
import { personSettings } from '../shared/person-settings.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, test } from './fixtures.ts'

/** The side menu of staff: the order of the specification, folds, pins, counts, and the folded rail. */

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const links = (page: Page) => menu(page).getByRole('link')

/** Entries of the specification (2.10), and Settings, which this portal adds. A pinned entry would be the fourth. */
const SPECIFIED = [
  ['Home', '/municipality'],
  ['Schedule', '/municipality/schedule'],
  ['Utility Customers', '/municipality/reports/customers/citizen'],
  ['Alerts', '/municipality/manage/alerts'],
  ['AutoPay', '/municipality/reports/Autopay'],
  ['AutoPay Removals', '/municipality/reports/autopay-removals'],
  ['Customer Communications', '/municipality/manage/customer-communication'],
  ['Forms and Documents', '/municipality/manage/manage-forms-and-docs'],
  ['General Payments', '/municipality/manage/manage-General-payments'],
  ['Manage Municipality', '/municipality/manage/manage-staff'],
  ['Settings', '/municipality/manage/settings'],
  ['Frequently Asked Questions', '/municipality/manage/faqs'],
  ['Move In and Out', '/municipality/reports/move-in-out'],
  ['Parking Tickets', '/municipality/manage/parking-tickets'],
  ['Payment Transaction Report', '/municipality/reports/payments'],
  ['Processor Reports', '/municipality/processor/reports'],
  ['Registration Reports', '/municipality/reports/registration'],
  ['Resource Rentals', '/municipality/manage/manage-resource-rentals'],
  ['Work Orders', '/municipality/work-orders'],
  ['First Responder', '/municipality/first-responder'],
] as const

async function resetMenu(): Promise<void> {
  const { token } = await sessionOf(HOST, ADMIN)
  const usual = { pins: [], 'menu-folds': {}, 'menu-folded': false, keys: true }
  for (const [name, value] of Object.entries(usual)) await callOn(HOST, personSettings.save, { name, value }, token)
}

// The tests change settings of the same person.
test.describe.configure({ mode: 'serial' })
test.beforeEach(resetMenu)
test.afterAll(resetMenu)

test('shows the entries of the specification, all in view', async ({ page, accessible }) => {
  await openAs(page, HOST, ADMIN, '/municipality')
  await expect(links(page)).toHaveText(SPECIFIED.map(([name]) => name))
  expect(await links(page).evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
    SPECIFIED.map(([, path]) => path),
  )
  for (const button of ['Money', 'Requests and inspections', 'Records'])
    await expect(menu(page).getByRole('button', { name: button })).toHaveAttribute('aria-expanded', 'false')
  const scroll = await menu(page).evaluate(({ parentElement }) => [
    parentElement?.scrollHeight,
    parentElement?.clientHeight,
  ])
  expect(scroll[0]).toBe(scroll[1])
  for (const height of await links(page).evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height)))
    expect(height).toBe(30)
  await expect(page.getByRole('button', { name: 'Log Out' })).toBeInViewport()
  await accessible(page, 'the side menu')
})

test('folds parts, remembers them, and opens the part of the screen', async ({ page, accessible }) => {
  await openAs(page, HOST, ADMIN, '/municipality')
  const records = menu(page).getByRole('button', { name: 'Records' })
  await records.click()
  await expect(menu(page).getByRole('link', { name: 'Audit Log' })).toBeVisible()
  await page.reload()
  await expect(records).toHaveAttribute('aria-expanded', 'true')
  await menu(page).getByRole('link', { name: 'Audit Log' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Audit Log/)
  await records.click()
  await expect(records).toHaveAttribute('aria-expanded', 'false')
  await page.reload()
  await expect(records).toHaveAttribute('aria-expanded', 'true')
  await accessible(page, 'the side menu with an open part')
})

test('pins the current screen in the blank entry', async ({ page, accessible }) => {
  await openAs(page, HOST, ADMIN, '/municipality/reports/exceptions')
  const pin = menu(page).getByRole('button', { name: 'Pin Exceptions' })
  await pin.click()
  await expect(links(page).nth(3)).toHaveText('Exceptions')
  await expect(links(page).nth(4)).toHaveText('Alerts')
  await expect(pin.first()).toHaveAttribute('aria-pressed', 'true')
  await accessible(page, 'the side menu with a pinned entry')
  // The settings of the person come from the server in another browser.
  await page.evaluate(() => localStorage.clear())
  await page.goto(page.url().replace('/reports/exceptions', '/schedule'))
  await expect(links(page).nth(3)).toHaveText('Exceptions')
  await links(page).nth(3).click()
  await pin.first().click()
  await expect(links(page).nth(3)).toHaveText('Alerts')
})

test('shows how many records await staff', async ({ page }) => {
  const response = page.waitForResponse(`**/api/v2/${pendingWork.path}`)
  await openAs(page, HOST, ADMIN, '/municipality/reports/exceptions')
  const { awaitingStaff } = (await (await response).json()) as ResponseOf<typeof pendingWork>
  const link = (name: string) => menu(page).getByRole('link', { name, exact: true })
  for (const name of ['Customer Communications', 'Forms and Documents', 'Move In and Out'])
    await expect(link(name)).toHaveAccessibleDescription(/^\d+ waiting$/)
  // Other journeys resolve exceptions, so the response has the number of the open ones.
  const left = awaitingStaff.find(({ to }) => to.startsWith('/municipality/reports/exceptions'))
  await expect(link('Exceptions')).toHaveAccessibleDescription(left?.count ? `${left.count} waiting` : '')
})

test('folds to icons with the key [, except in a field', async ({ page, accessible }) => {
  await openAs(page, HOST, ADMIN, '/municipality/reports/payments')
  const width = () => page.getByRole('complementary', { name: 'Side menu' }).evaluate((one) => one.clientWidth)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('[')
  await expect.poll(width).toBe(56)
  const orders = menu(page).getByRole('link', { name: 'Work Orders' })
  await orders.focus()
  await expect(page.getByText('Work Orders', { exact: true })).toBeVisible()
  await accessible(page, 'the folded menu')
  await page.reload()
  await expect.poll(width).toBe(56)
  await page.getByRole('main').getByRole('searchbox').first().focus()
  await page.keyboard.type('[')
  await expect.poll(width).toBe(56)
  await page.getByRole('button', { name: 'Show names' }).click()
  await expect.poll(width).toBe(264)
  // A person who turned single keys off folds the menu with the button only.
  const { token } = await sessionOf(HOST, ADMIN)
  await callOn(HOST, personSettings.save, { name: 'keys', value: false }, token)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('"keys":false'))))
    .toBe(true)
  await page.keyboard.press('[')
  await expect.poll(width).toBe(264)
})
