import type { Locator, Page } from '@playwright/test'
import { rentals } from '../features/rentals/contract.ts'
import { reservations } from '../features/rentals/list.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { allOrFirst, DESK, expect, PHONE, tabTo, test } from './fixtures.ts'
import { fillCard } from './pay.ts'

test('a resident reserves a pavilion on a phone by the keyboard and is led to its payment @whole', async ({
  page,
  accessible,
}) => {
  const email = await newResident('maplegrove')
  const { token } = await sessionOf('maplegrove', email)
  const { resources } = await callOn('maplegrove', rentals, {}, token)
  const pavilion = resources.find(({ name }) => name === 'Memorial Park pavilion')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', email, `/resource-rentals/${pavilion?.id}`)
  const { keyboard } = page
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await keyboard.press('Enter')
  }
  for (let week = 0; week < 3; week += 1) await press('Later')
  // One stop of the tab key is the whole grid; the arrows lead on from there.
  const grid = page.getByRole('table', { name: 'Times of the week' })
  await expect(grid).toBeVisible()
  const first = grid.locator('button[tabindex="0"]')
  await expect(first).toHaveAccessibleName(/free$/)
  await tabTo(page, first)
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Choose another time' })).toBeVisible()
  await accessible(page, 'a time of a pavilion')
  // The form is below the times: it is said, in sight, that it is there, and one press leads to it.
  await expect(
    page.getByRole('status').filter({ hasText: 'is chosen. Its price and the form stand below.' }),
  ).toBeInViewport()
  await press('Go to the form')
  await expect(page.getByRole('heading', { level: 2, name: /AM|PM/ })).toBeFocused()
  await tabTo(page, page.getByLabel('What is it for?'))
  await keyboard.type('Family reunion')
  // A reload in the middle loses nothing but the agreement.
  await page.reload()
  await expect(page.getByLabel('What is it for?')).toHaveValue('Family reunion')
  await tabTo(page, page.getByLabel('How many people come?'))
  await keyboard.type('30')
  await tabTo(page, page.getByLabel(/^I agree/))
  await keyboard.press('Space')
  await press(/^Hold it and pay/)
  await expect(page).toHaveURL(/\/guest\/payment\//)
  await expect(page.getByText('Memorial Park pavilion').first()).toBeVisible()
  // The way back leads to what is held by now, not to the form that was sent.
  await page.goBack()
  await expect(page.getByText('It waits for its payment')).toBeVisible()
  await expect(page).toHaveURL(/\/resource-rentals\/reservation\/\d+$/)
})

/** The first free time of the grid that is shown. */
const firstFree = (page: Page): Locator =>
  page.getByRole('table', { name: 'Times of the week' }).locator('button[tabindex="0"]')

for (const [device, size] of allOrFirst([
  ['on a phone', PHONE],
  ['at a desk', DESK],
] as const))
  test(`a resident finds a day by the month, pays, changes the time and cancels, by the keyboard ${device}`, async ({
    page,
    accessible,
  }) => {
    const email = await newResident('maplegrove')
    const { token } = await sessionOf('maplegrove', email)
    const { resources } = await callOn('maplegrove', rentals, {}, token)
    const field = resources.find(({ name }) => name === 'Memorial Park pavilion')
    await page.setViewportSize(size)
    await openAs(page, 'maplegrove', email, `/resource-rentals/${field?.id}`)
    const press = async (name: string | RegExp) => {
      await tabTo(page, page.getByRole('button', { name }).first())
      await page.keyboard.press('Enter')
    }
    await press(/month/i)
    const month = page.getByRole('list', { name: 'Days of the month' })
    await expect(month).toBeVisible()
    await press('Later')
    await press('Later')
    await accessible(page, 'the days of a month')
    await press(/: [1-9]\d* of \d+ free$/)
    const first = firstFree(page)
    await expect(first).toHaveAccessibleName(/free$/)
    await expect(first).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel('What is it for?'))
    await page.keyboard.type('Choir rehearsal')
    await tabTo(page, page.getByLabel('How many people come?'))
    await page.keyboard.type('12')
    await tabTo(page, page.getByLabel(/^I agree/))
    await page.keyboard.press('Space')
    await press(/^Hold it and pay/)
    await expect(page).toHaveURL(/\/guest\/payment\//)
    await fillCard(page)
    await press(/^Pay \$/)
    await expect(page.getByText(/is reserved for you/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('link', { name: 'See the reservation' }).click()
    await press('Change the time')
    await expect(page.getByRole('heading', { name: /^Choose another time/ })).toBeFocused()
    await accessible(page, 'another time of a reservation')
    await press('Cancel the reservation')
    await accessible(page, 'the question before a reservation is cancelled')
    await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the reservation' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect(page.getByText(/go back to you/).first()).toBeVisible()
  })

test('staff check in a reservation and keep a part of its deposit with a reason, by the keyboard', async ({
  page,
  accessible,
}) => {
  const who = 'admin@maplegrove.example'
  const { token } = await sessionOf('maplegrove', who)
  const filters = { status: 'confirmed' }
  const asked = { filters, sort: 'startsAt', direction: 'asc' } as never
  const { rows } = await callOn('maplegrove', reservations.call, asked, token)
  // Whose time has come, or was yesterday: nobody is checked in days ahead.
  const paid = rows.find(({ depositCents }) => depositCents > 0)
  await openAs(page, 'maplegrove', who, `/municipality/manage/manage-resource-rentals?reservation=${paid?.id}`)
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await press('Check in')
  await press('Inspect and complete')
  const dialog = page.getByRole('dialog').last()
  await tabTo(page, dialog.getByLabel('Kept of the deposit'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('10')
  await tabTo(page, dialog.getByRole('button', { name: 'Complete' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Say why it is kept.')).toBeVisible()
  await accessible(page, 'a part of a deposit without a reason')
  await tabTo(page, dialog.getByLabel(/Why it is kept/), 'Shift+Tab')
  await page.keyboard.type('A bench is broken')
  await tabTo(page, dialog.getByRole('button', { name: 'Complete' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('$10.00: A bench is broken')).toBeVisible()
})

test('staff book by phone on a small screen: a series with each date’s price, of which one is left out, and one time, by the keyboard', async ({
  page,
  accessible,
}) => {
  const who = 'admin@maplegrove.example'
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', who, '/municipality/manage/manage-resource-rentals')
  // What is next stands first.
  await expect(page).toHaveURL(/dates=ahead&sort=startsAt&direction=asc/)
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }).first())
    await page.keyboard.press('Enter')
  }
  await press('Book several dates')
  await expect(page.getByRole('heading', { name: 'The dates' })).toBeVisible()
  await page.getByRole('dialog').getByLabel('What', { exact: true }).selectOption({ label: 'Folding tables' })
  await page.getByRole('dialog').getByLabel('Name').fill('Phil Phone')
  await page.getByRole('dialog').getByLabel('What is it for?').fill('Market')
  await page
    .getByRole('dialog')
    .getByLabel('Last day')
    .fill(new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10))
  await expect(page.getByRole('button', { name: /^Leave out/ }).first()).toBeVisible()
  await press(/^Leave out/)
  await expect(page.getByText('Left out')).toBeVisible()
  await accessible(page, 'the dates of a series')
  // How often it comes again, by the names that a screen reader says.
  for (const name of ['Every', 'Unit', 'First day', 'Last day'])
    await expect(page.getByRole('dialog').getByLabel(name)).toBeVisible()
  await expect(page.getByRole('group', { name: 'On' }).getByRole('checkbox')).toHaveCount(7)
  const bookAll = page.getByRole('button', { name: /^Book \d+ dates$/ })
  await expect(bookAll).toBeInViewport()
  await bookAll.press('Enter')
  // The list is of this series alone, says so, and can be of all again.
  // The prints of the list say it once more, hidden on the screen.
  await expect(page.getByText('dates that were booked together').filter({ visible: true })).toBeVisible()

  await press('Book by phone')
  const dialog = page.getByRole('dialog', { name: 'Book by phone' })
  await expect(dialog.getByRole('button', { name: 'Book it' })).toBeInViewport()
  await dialog.getByLabel('What', { exact: true }).selectOption({ label: 'Folding tables' })
  await dialog.getByLabel('Day').fill(new Date(Date.now() + 50 * 86_400_000).toISOString().slice(0, 10))
  await dialog.getByLabel('From').selectOption({ label: '8:00 AM' })
  await dialog.getByLabel('Until').selectOption({ label: '9:00 AM' })
  await expect(dialog.getByText(/^It costs \$\d+\.\d\d, with the deposit\.$/)).toBeVisible()
  await dialog.getByLabel('Name').fill('Phil Phone')
  await dialog.getByLabel('What is it for?').fill('Market')
  await accessible(page, 'a time that is booked by phone')
  await press('Book it')
  const booked = page.getByRole('dialog', { name: /^Reservation R-/ })
  await expect(booked.getByText('Waits for payment').first()).toBeVisible()
  await expect(booked.getByRole('link', { name: 'Take a payment at the counter' })).toBeVisible()
  await accessible(page, 'a reservation that was booked by phone')
})

test('a resident unfolds later and earlier reservations by the keyboard', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/resource-rentals')
  for (const name of [/^Later ones \(\d+\)/, /^Earlier reservations \(\d+\)/]) {
    const fold = page.locator('summary').filter({ hasText: name })
    const first = page.locator('details').filter({ has: fold }).getByRole('listitem').first()
    await expect(first).toBeHidden()
    await tabTo(page, fold)
    await page.keyboard.press('Enter')
    await expect(first).toBeVisible()
  }
  await accessible(page, 'all reservations of a resident')
})
