import type { Page } from '@playwright/test'
import { addDays } from '../shared/dates.ts'
import { newResident, openAs } from './calls.ts'
import { allOrFirst, at, DESKTOP, expect, PHONE, tabTo, test, unique } from './fixtures.ts'
import { createHall } from './halls.ts'
import { linkIn, emailTo } from './mail.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'

/** Checks that the page fits its width and has no accessibility violations. */
async function expectGood(page: Page, accessible: (page: Page, what: string) => Promise<void>, what: string) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${what}: nothing hangs out of the page`).toBeLessThanOrEqual(0)
  await accessible(page, what)
}

const keysOf = (page: Page) => ({
  click: async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }).first())
    await page.keyboard.press('Enter')
  },
  type: async (label: string | RegExp, text: string) => {
    await tabTo(page, page.getByLabel(label))
    await page.keyboard.type(text)
  },
  tick: async (label: string | RegExp) => {
    await tabTo(page, page.getByLabel(label))
    await page.keyboard.press('Space')
  },
})

async function answer(page: Page, accessible: (page: Page, what: string) => Promise<void>, signer = 'Ida Moss') {
  const { click, type } = keysOf(page)
  await expect(page.getByRole('heading', { name: 'Your event' })).toBeVisible()
  await page.getByRole('radio', { name: 'Yes' }).focus()
  await page.keyboard.press('Space')
  await type('Who serves it?', 'Corner Catering')
  await expectGood(page, accessible, 'questions about a hall')
  await click('Continue')
  await expect(page.getByText('I leave it as I found it.')).toBeVisible()
  await type(/Your full name/, signer)
  await expectGood(page, accessible, 'an agreement to sign')
}

for (const viewport of allOrFirst([PHONE, DESKTOP])) {
  test(`asks the questions and the signature before a resident gets a hall at ${viewport.width} px`, async ({
    page,
    accessible,
  }) => {
    const { resourceId } = await createHall()
    await page.setViewportSize(viewport)
    await openAs(page, HOST, await newResident(HOST), `/resource-rentals/${resourceId}`)
    const { click, type, tick } = keysOf(page)
    await click('Later')
    const first = page.getByRole('table', { name: 'Times for the week' }).locator('button[tabindex="0"]')
    await expect(first).toHaveAccessibleName(/available$/)
    await tabTo(page, first)
    await page.keyboard.press('Enter')
    await type('Purpose', 'Family reunion')
    await type('Group size', '30')
    await tick(/^I agree/)
    await click('Continue to the questions')
    // The clicked button no longer exists, so the focus moves to the top of the new content.
    await expect(page.getByRole('heading', { level: 2, name: /AM|PM/ })).toBeFocused()
    await answer(page, accessible)
    await click('Reserve this time')
    await expect(page.getByText(/^Signed .*, using version 1 of the questions$/)).toBeVisible()
    await expect(page.getByText('Corner Catering')).toBeVisible()
    await expectGood(page, accessible, 'a reservation with its agreement')
  })

  test(`resolves a date conflict and approves a series together at ${viewport.width} px @whole`, async ({
    page,
    browser,
    accessible,
  }) => {
    const { resourceId, today, byPhone } = await createHall()
    // Books the second of the initially shown dates, which creates a conflict in the series.
    await byPhone('', addDays(today, 14))
    await page.setViewportSize(viewport)
    await openAs(page, HOST, await newResident(HOST), `/resource-rentals/${resourceId}/series`)
    const { click, type, tick } = keysOf(page)
    await expect(page.getByText('Some dates are not available.')).toBeVisible()
    await expectGood(page, accessible, 'dates of a series with a conflict')
    const unavailable = page.getByRole('listitem').filter({ hasText: 'Not available' })
    await expect(unavailable).toHaveCount(1)
    await tabTo(page, unavailable.getByRole('button', { name: /^Skip / }))
    await page.keyboard.press('Enter')
    await expect(unavailable).toHaveCount(0)
    await type('Purpose', 'Choir rehearsal')
    await type('Group size', '20')
    await tick(/^I agree/)
    await click('Continue to the questions')
    await expect(page.locator('[tabindex="-1"]').filter({ hasText: /^4 dates, / })).toBeFocused()
    await answer(page, accessible)
    await click('Request 4 dates')
    await expect(page.getByRole('heading', { name: '4 dates booked together' })).toBeVisible()
    await expect(page.getByText('Requested', { exact: true })).toHaveCount(5)
    await expectGood(page, accessible, 'a series that was asked for')

    const office = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await openAs(office, HOST, ADMIN, `/municipality/manage/manage-resource-rentals?reservation=${id}`)
    const panel = office.getByRole('dialog')
    await expect(panel.getByText('Corner Catering')).toBeVisible()
    await expectGood(office, accessible, 'a series as staff judge it')
    await tabTo(office, panel.getByRole('button', { name: 'Approve' }))
    await office.keyboard.press('Enter')
    await office.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).press('Enter')
    await expect(office.getByText(/4 dates were approved/)).toBeVisible()
    await page.reload()
    await expect(page.getByText('Confirmed', { exact: true })).toHaveCount(5)
  })

  test(`lets the renter of a phone booking sign by emailed link at ${viewport.width} px`, async ({
    page,
    accessible,
  }) => {
    const { today, byPhone } = await createHall()
    const email = `ann-${unique()}@example.org`
    await byPhone(email, addDays(today, 9))
    const path = linkIn(await emailTo(email, /answer questions and sign agreement/))
    await page.setViewportSize(viewport)
    await page.goto(at(HOST, path))
    await answer(page, accessible, 'Ann Caller')
    await keysOf(page).click('Sign and submit agreement')
    await expect(page.getByText('The agreement has been signed. Thank you.')).toBeVisible()
  })
}
