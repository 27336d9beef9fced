import type { Locator, Page } from '@playwright/test'
import { rentals } from '../features/rentals/contract.ts'
import { reservations } from '../features/rentals/list.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { allOrFirst, DESKTOP, expect, PHONE, tabTo, test } from './fixtures.ts'
import { fillCard } from './pay.ts'
import { openMore } from './more.ts'

test('leads a resident from reserving a pavilion by keyboard to its payment @whole', async ({ page, accessible }) => {
  const email = await newResident('maplegrove')
  const { token } = await sessionOf('maplegrove', email)
  const { resources } = await callOn('maplegrove', rentals, {}, token)
  const pavilion = resources.find(({ name }) => name === 'Memorial Park pavilion')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', email, `/resource-rentals/${pavilion?.id}`)
  const { keyboard } = page
  const click = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await keyboard.press('Enter')
  }
  for (let week = 0; week < 3; week += 1) await click('Later')
  // The whole grid is one tab stop. Arrow keys move inside it.
  const grid = page.getByRole('table', { name: 'Times for the week' })
  await expect(grid).toBeVisible()
  const first = grid.locator('button[tabindex="0"]')
  await expect(first).toHaveAccessibleName(/available$/)
  await tabTo(page, first)
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Choose another time' })).toBeVisible()
  await accessible(page, 'a time of a pavilion')
  // The form is below the times. A visible message announces the form, and one button leads to it.
  await expect(
    page.getByRole('status').filter({ hasText: 'is selected. The price and the form are below.' }),
  ).toBeInViewport()
  await click('Go to form')
  await expect(page.getByRole('heading', { level: 2, name: /AM|PM/ })).toBeFocused()
  await tabTo(page, page.getByLabel('Purpose'))
  await keyboard.type('Family reunion')
  // A reload clears only the consent to the agreement.
  await page.reload()
  await expect(page.getByLabel('Purpose')).toHaveValue('Family reunion')
  await tabTo(page, page.getByLabel('Group size'))
  await keyboard.type('30')
  await tabTo(page, page.getByLabel(/^I agree/))
  await keyboard.press('Space')
  await click(/^Hold this time and pay/)
  await expect(page).toHaveURL(/\/guest\/payment\//)
  await expect(page.getByText('Memorial Park pavilion').first()).toBeVisible()
  // Going back leads to the held reservation, not to the submitted form.
  await page.goBack()
  await expect(page.getByText('We are holding this reservation for you until')).toBeVisible()
  await expect(page).toHaveURL(/\/resource-rentals\/reservation\/\d+$/)
})

/** Returns the first free time of the visible grid. */
const firstFree = (page: Page): Locator =>
  page.getByRole('table', { name: 'Times for the week' }).locator('button[tabindex="0"]')

for (const [device, size] of allOrFirst([
  ['on a phone', PHONE],
  ['at a desk', DESKTOP],
] as const))
  test(`finds a day, pays, changes the time and cancels by keyboard ${device}`, async ({ page, accessible }) => {
    const email = await newResident('maplegrove')
    const { token } = await sessionOf('maplegrove', email)
    const { resources } = await callOn('maplegrove', rentals, {}, token)
    const field = resources.find(({ name }) => name === 'Memorial Park pavilion')
    await page.setViewportSize(size)
    await openAs(page, 'maplegrove', email, `/resource-rentals/${field?.id}`)
    const click = async (name: string | RegExp) => {
      await tabTo(page, page.getByRole('button', { name }).first())
      await page.keyboard.press('Enter')
    }
    await click(/month/i)
    const month = page.getByRole('list', { name: 'Days of the month' })
    await expect(month).toBeVisible()
    await click('Later')
    await click('Later')
    await accessible(page, 'the days of a month')
    await click(/: [1-9]\d* of \d+ available$/)
    const first = firstFree(page)
    await expect(first).toHaveAccessibleName(/available$/)
    await expect(first).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('Purpose'))
    await page.keyboard.type('Choir rehearsal')
    await tabTo(page, page.getByLabel('Group size'))
    await page.keyboard.type('12')
    await tabTo(page, page.getByLabel(/^I agree/))
    await page.keyboard.press('Space')
    await click(/^Hold this time and pay/)
    await expect(page).toHaveURL(/\/guest\/payment\//)
    await fillCard(page)
    await click(/^Pay \$/)
    await expect(page.getByText(/is reserved for you/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('link', { name: 'View reservation' }).click()
    await click('Change time')
    await expect(page.getByRole('heading', { name: /^Choose another time/ })).toBeFocused()
    await accessible(page, 'another time of a reservation')
    await click('Cancel reservation')
    await accessible(page, 'the question before a reservation is cancelled')
    await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Cancel reservation' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(page.getByText(/We will refund \$[\d,.]+ to your payment method/).first()).toBeVisible()
  })

test('checks in a reservation and keeps part of its deposit by keyboard', async ({ page, accessible }) => {
  const adminEmail = 'admin@maplegrove.example'
  const { token } = await sessionOf('maplegrove', adminEmail)
  const filters = { status: 'confirmed' }
  const query = { filters, sort: 'startsAt', direction: 'asc' } as never
  const { rows } = await callOn('maplegrove', reservations.call, query, token)
  // Picks a reservation for today or yesterday, because staff can't check in future reservations.
  const paid = rows.find(({ depositCents }) => depositCents > 0)
  await openAs(page, 'maplegrove', adminEmail, `/municipality/manage/manage-resource-rentals?reservation=${paid?.id}`)
  const click = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await click('Check in')
  await click('Inspect and complete')
  const dialog = page.getByRole('dialog').last()
  await tabTo(page, dialog.getByLabel('Deposit retained'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('10')
  await tabTo(page, dialog.getByRole('button', { name: 'Complete' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter the reason for the deduction.')).toBeVisible()
  await accessible(page, 'a part of a deposit without a reason')
  await tabTo(page, dialog.getByLabel(/Reason for the deduction/), 'Shift+Tab')
  await page.keyboard.type('A bench is broken')
  await tabTo(page, dialog.getByRole('button', { name: 'Complete' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('$10.00: A bench is broken')).toBeVisible()
})

test('books a series and one time by phone on a small screen', async ({ page, accessible }) => {
  const adminEmail = 'admin@maplegrove.example'
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', adminEmail, '/municipality/manage/manage-resource-rentals')
  // The list starts with the next reservation.
  await expect(page).toHaveURL(/dates=ahead&sort=startsAt&direction=asc/)
  const click = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }).first())
    await page.keyboard.press('Enter')
  }
  await openMore(page, 'the list')
  await click('Book multiple dates')
  await expect(page.getByRole('heading', { name: 'Dates', exact: true })).toBeVisible()
  await page.getByRole('dialog').getByLabel('Resource', { exact: true }).selectOption({ label: 'Folding tables' })
  await page.getByRole('dialog').getByLabel('Name').fill('Phil Phone')
  await page.getByRole('dialog').getByLabel('Purpose').fill('Market')
  await page.getByRole('dialog').getByLabel('Last day').fill(dayFromNow(40))
  await expect(page.getByRole('button', { name: /^Skip / }).first()).toBeVisible()
  await click(/^Skip /)
  await expect(page.getByText('Skipped')).toBeVisible()
  // Also skips public holidays, if any fall on these dates.
  const closed = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'This day is not available' })
  while ((await closed.count()) > 0) {
    const count = await closed.count()
    await closed
      .first()
      .getByRole('button', { name: /^Skip / })
      .click()
    await expect(closed).toHaveCount(count - 1)
  }
  await accessible(page, 'the dates of a series')
  // The recurrence fields have accessible names for screen readers.
  for (const name of ['Every', 'Unit', 'First day', 'Last day'])
    await expect(page.getByRole('dialog').getByLabel(name)).toBeVisible()
  await expect(page.getByRole('group', { name: 'On' }).getByRole('checkbox')).toHaveCount(7)
  const bookAll = page.getByRole('button', { name: /^Book \d+ dates$/ })
  await expect(bookAll).toBeInViewport()
  await bookAll.press('Enter')
  // The list shows only this series and names the filter, which staff can reset. The print header repeats the text, but
  // is hidden on the screen.
  await expect(page.getByText('dates booked together').filter({ visible: true })).toBeVisible()

  await tabTo(page, page.getByRole('link', { name: 'Book by phone' }))
  await page.keyboard.press('Enter')
  await page.getByLabel('Day', { exact: true }).fill(dayFromNow(50))
  const grid = page.getByRole('grid')
  await grid.getByRole('button', { name: /^Folding tables, 8:00 AM, \d+ of 40 free, \$1$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Book Folding tables' })
  await expect(dialog.getByRole('button', { name: 'Book reservation' })).toBeInViewport()
  await expect(dialog.getByLabel('From')).toHaveValue('08:00')
  await dialog.getByLabel('Until').selectOption({ label: '9:00 AM' })
  await expect(dialog.getByText(/^Total: \$\d+\.\d\d, including the security deposit\.$/)).toBeVisible()
  await dialog.getByLabel('Name').fill('Phil Phone')
  await dialog.getByLabel('Purpose').fill('Market')
  await accessible(page, 'a time that is booked by phone')
  await click('Book reservation')
  const booked = page.getByRole('dialog', { name: /^Reservation R-/ })
  await expect(booked.getByText('Awaiting payment').first()).toBeVisible()
  await expect(booked.getByRole('link', { name: 'Take a payment at the counter' })).toBeVisible()
  await accessible(page, 'a reservation that was booked by phone')
})

test('expands later and earlier reservations by keyboard', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/resource-rentals')
  for (const name of [/^Later reservations \(\d+\)/, /^Earlier reservations \(\d+\)/]) {
    const fold = page.locator('summary').filter({ hasText: name })
    const first = page.locator('details').filter({ has: fold }).getByRole('listitem').first()
    await expect(first).toBeHidden()
    await tabTo(page, fold)
    await page.keyboard.press('Enter')
    await expect(first).toBeVisible()
  }
  await accessible(page, 'all reservations of a resident')
})
