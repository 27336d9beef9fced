import type { Page } from '@playwright/test'
import { bookRental, cancelRental, rental } from '../features/rentals/contract.ts'
import { addDays } from '../shared/dates.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { allOrFirst, DESKTOP, expect, PHONE, tabTo, test } from './fixtures.ts'
import { addHall } from './halls.ts'
import { expectPaid, fillCard, pay } from './pay.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
/** Creates a hall that no other test uses, reserved on one day by another resident. */
async function createBookedHall(from: number) {
  const { name, resourceId } = await addHall('10:00', {
    ...{ certificateFrom: 50, aheadDays: 60, residentCents: 1000, otherCents: 1000, depositCents: 5000 },
  })
  const owner = await newResident(HOST)
  const { token } = await sessionOf(HOST, owner)
  const { spaces, today } = await callOn(HOST, rental, { resourceId }, token)
  const reservationRequest = {
    resourceId,
    spaceId: spaces[0]?.id ?? 0,
    pieces: 1,
    addons: [],
    phone: '',
    agrees: true,
    guests: 10,
  }
  const when = { day: addDays(today, from), from: '10:00', until: '12:00', purpose: 'Choir', quotedCents: 7000 }
  const { reservationId } = await callOn(HOST, bookRental, { ...reservationRequest, ...when }, token)
  return { name, resourceId, giveUp: () => callOn(HOST, cancelRental, { reservationId }, token) }
}

const certificate = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Checks that the page fits its width and has no accessibility violations. */
async function expectGood(page: Page, accessible: (page: Page, what: string) => Promise<void>, what: string) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide, `${what}: nothing hangs out of the page`).toBeLessThanOrEqual(0)
  await accessible(page, what)
}

for (const viewport of allOrFirst([PHONE, DESKTOP]))
  test(`offers a waitlisted hall, takes the payment and an insurance certificate at ${viewport.width} px`, async ({
    page,
    browser,
    accessible,
  }) => {
    const { name, resourceId, giveUp } = await createBookedHall(9)
    const email = await newResident(HOST)
    await page.setViewportSize(viewport)
    await openAs(page, HOST, email, `/resource-rentals/${resourceId}`)
    const { keyboard } = page
    const click = async (of: string | RegExp) => {
      await tabTo(page, page.getByRole('button', { name: of }))
      await keyboard.press('Enter')
    }
    await click('Later')
    const grid = page.getByRole('table', { name: 'Times for the week' })
    const bookedSlot = grid.getByRole('button', { name: /taken, waitlist open$/ }).first()
    await expect(bookedSlot).toBeVisible()
    // The whole grid is one tab stop. Arrow keys move inside it.
    await tabTo(page, grid.locator('button[tabindex="0"]'))
    const columns = (await bookedSlot.getAttribute('data-at'))?.split(',').map(Number) ?? [0, 0]
    await keyboard.press('Home')
    for (let n = 0; n < (columns[0] ?? 0); n += 1) await keyboard.press('ArrowRight')
    await keyboard.press('ArrowUp')
    await expect(bookedSlot).toBeFocused()
    await keyboard.press('Enter')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await expect(page.getByText('This time is taken, but you can join the waitlist')).toBeVisible()
    await expectGood(page, accessible, 'a time that is waited for')
    await tabTo(page, page.getByLabel('Purpose'))
    await keyboard.type('Family reunion')
    await tabTo(page, page.getByLabel('Group size'))
    await keyboard.type('60')
    await tabTo(page, page.getByLabel(/^I agree/))
    await keyboard.press('Space')
    await click('Join waitlist')
    await expect(page.getByText('You are first on the waitlist.')).toBeVisible()
    await expectGood(page, accessible, 'a place on the waiting list')
    const reservation = new URL(page.url()).pathname

    await giveUp()
    // An open page shows the change within ten seconds. The phone test reloads the page, because a normal run has no
    // time for the wait.
    if (viewport === PHONE) await page.reload()
    else await expect(page.getByRole('button', { name: /^Pay \$70\.00/ })).toBeVisible({ timeout: 15_000 })
    // Delays all scripts. For some payments, the page loads additional scripts. Its content must not move when they
    // arrive.
    await page.route('**/assets/*.js', (route) =>
      new Promise((come) => setTimeout(come, 400)).then(() => route.fallback()),
    )
    await click(/^Pay \$70\.00/)
    await page.getByRole('heading', { name: 'Amount' }).waitFor()
    expect(await page.getByText('We are holding this item for you until').isVisible()).toBe(true)
    expect(await page.getByLabel('Save this payment method for later').isVisible()).toBe(true)
    await fillCard(page)
    await pay(page)
    await expectPaid(page)

    await page.goto(new URL(reservation, page.url()).href)
    await expect(page.getByText('Certificate missing')).toBeVisible()
    await page.getByLabel('Valid through').fill('2099-12-31')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'insurance.png', mimeType: 'image/png', buffer: certificate })
    await expect(page.getByText('Pending review')).toBeVisible()
    await expectGood(page, accessible, 'a certificate that was sent')

    const office = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
    await openAs(
      office,
      HOST,
      ADMIN,
      `/municipality/manage/manage-resource-rentals?reservation=${reservation.split('/').at(-1)}`,
    )
    const panel = office.getByRole('dialog')
    await expect(panel.getByText('insurance.png')).toBeVisible()
    await expectGood(office, accessible, 'a certificate as staff judge it')
    await tabTo(office, panel.getByRole('button', { name: 'Accept' }))
    await office.keyboard.press('Enter')
    await expect(panel.getByText('Accepted', { exact: true })).toBeVisible()
    expect(name).not.toBe('')
  })
