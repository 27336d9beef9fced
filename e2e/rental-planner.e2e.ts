import type { Page } from '@playwright/test'
import { rentalPlanner } from '../features/rental-planner/contract.ts'
import { addResource, bookByPhone, showResource } from '../features/rentals/contract.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { DESKTOP, expect, PHONE, tabTo, test, unique } from './fixtures.ts'
import { addHall } from './halls.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'

/** Tests the planner, in which staff book a free time for a caller. */

const HOST = 'maplegrove'
const STAFF_EMAIL = 'admin@maplegrove.example'
const RENTALS = '/municipality/manage/manage-resource-rentals'
/** Maximum number of acts of a person who books a pavilion for a caller. */
const MAX_ACTS = 6

const gridOf = (page: Page) => page.getByRole('grid')
const openPlanner = async (page: Page, query: string) => {
  await openAs(page, HOST, STAFF_EMAIL, `${RENTALS}?of=planner${query}`)
  await expect(gridOf(page)).toBeVisible()
}

test(`books a pavilion by phone with at most ${MAX_ACTS} acts`, async ({ page, context, accessible }) => {
  const acts = await countActs(context)
  await openAs(page, HOST, STAFF_EMAIL, RENTALS)
  await expect(page.getByRole('heading', { name: 'Resource Rentals' })).toBeVisible()
  acts.list.length = 0
  await page.getByRole('link', { name: 'Book by phone' }).click()
  const today = await gridOf(page).getAttribute('aria-label')
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(gridOf(page)).not.toHaveAccessibleName(String(today))
  await gridOf(page)
    .getByRole('button', { name: /^Mill Race Pavilion, \d+:00 [AP]M, free, \$\d+$/ })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Book Mill Race Pavilion' })
  await panel.getByLabel('Name', { exact: true }).fill('Nora Caller')
  await panel.getByLabel('Purpose').fill('Birthday party')
  await expect(panel.getByText(/^Total: \$\d+\.00, including the security deposit\.$/)).toBeVisible()
  await accessible(page, 'the panel of a phone reservation')
  await panel.getByRole('button', { name: 'Book reservation' }).click()
  const record = page.getByRole('dialog', { name: /^Reservation R-/ })
  await expect(record.getByText('Nora Caller')).toBeVisible()
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(MAX_ACTS)
  test.info().annotations.push({ type: 'acts', description: String(acts.list.length) })
  await page.keyboard.press('Escape')
  await expect(gridOf(page).getByRole('button', { name: /taken, R-\d+, Nora Caller$/ })).toBeVisible()
})

test('finds the caller, and keeps the caller for another time', async ({ page }) => {
  const { name } = await addHall('10:00', {})
  await openPlanner(page, `&kind=hall&day=${dayFromNow(12)}`)
  await gridOf(page)
    .getByRole('button', { name: `${name}, 10:00 AM, free, $0` })
    .click()
  const panel = page.getByRole('dialog', { name: `Book ${name}` })
  await panel.getByRole('combobox', { name: /Find the caller/ }).fill('resident')
  await panel.getByRole('listbox', { name: 'Callers' }).getByRole('option', { name: 'Naomi Whitaker' }).click()
  await expect(panel.getByLabel('Email')).not.toHaveValue('')
  await panel.getByLabel('Purpose').fill('Choir')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Booking for Naomi Whitaker. Choose a free time.')).toBeVisible()
  await page.getByRole('button', { name: 'Next day' }).click()
  await gridOf(page)
    .getByRole('button', { name: `${name}, 11:00 AM, free, $0` })
    .click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveValue('Naomi Whitaker')
  await expect(panel.getByLabel('From')).toHaveValue('11:00')
  await panel.getByRole('button', { name: 'Book reservation' }).click()
  await expect(
    page
      .getByRole('dialog', { name: /^Reservation R-/ })
      .getByText('Confirmed')
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Booking for Naomi Whitaker')).toBeHidden()
})

test('books two hours only by keyboard @whole', async ({ page, accessible }) => {
  const { name } = await addHall('13:00', {})
  await openAs(page, HOST, STAFF_EMAIL, `${RENTALS}?of=planner&kind=hall&day=${dayFromNow(13)}`)
  const first = gridOf(page).getByRole('button', { name: `${name}, 1:00 PM, free, $0` })
  await expect(first).toBeVisible()
  await expectGood(page, accessible, 'the planner')
  await page.setViewportSize(DESKTOP)
  const { keyboard } = page
  // The whole grid is one tab stop.
  await tabTo(page, gridOf(page).locator('[tabindex="0"]'))
  for (let n = 0; n < 100 && !(await first.evaluate((one) => one === document.activeElement)); n += 1) {
    await keyboard.press('Home')
    if (await first.evaluate((one) => one === document.activeElement)) break
    await keyboard.press('ArrowDown')
    if ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')).startsWith(name))
      await keyboard.press('Home')
  }
  await expect(first).toBeFocused()
  await keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('status').filter({ hasText: '1:00 PM to 3:00 PM selected' })).toHaveCount(1)
  await expect(gridOf(page).getByRole('gridcell', { selected: true })).toHaveCount(2)
  await keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: `Book ${name}` })
  await expect(panel.getByLabel('Until')).toHaveValue('15:00')
  await tabTo(page, panel.getByLabel('Name', { exact: true }))
  await keyboard.type('Kai Board')
  await tabTo(page, panel.getByLabel('Purpose'))
  await keyboard.type('Chess club')
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Reservation R-/ }).getByText('Kai Board')).toBeVisible()
  await keyboard.press('Escape')
  const taken = gridOf(page).getByRole('button', { name: new RegExp(`^${name}, 1:00 PM to 3:00 PM, taken, R-`) })
  await expect(taken).toBeVisible()
  // The taken time opens its reservation.
  await taken.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Reservation R-/ })).toBeVisible()
})

test('drags over hours, and says if another person was faster', async ({ page, accessible }) => {
  const { name, resourceId, admin } = await addHall('15:00', {})
  const { spaces } = await callOn(HOST, showResource, { resourceId }, admin)
  const day = dayFromNow(14)
  await openPlanner(page, `&kind=hall&day=${day}`)
  const at = (time: string) => gridOf(page).getByRole('button', { name: `${name}, ${time}, free, $0` })
  await at('3:00 PM').hover()
  await page.mouse.down()
  await at('4:00 PM').hover()
  await page.mouse.up()
  const panel = page.getByRole('dialog', { name: `Book ${name}` })
  await expect(panel.getByLabel('Until')).toHaveValue('17:00')
  const other = { name: 'Fay Faster', email: '', phone: '', purpose: 'Dance', guests: 0, isResident: true }
  const time = { resourceId, spaceId: spaces[0]?.id ?? 0, pieces: 1, day, from: '16:00', until: '17:00' }
  await callOn(HOST, bookByPhone, { ...time, ...other }, admin)
  await panel.getByLabel('Name', { exact: true }).fill('Sam Slower')
  await panel.getByLabel('Purpose').fill('Quilting')
  await panel.getByRole('button', { name: 'Book reservation' }).click()
  await expect(panel.getByText('Someone else has taken this time. Choose another one.')).toBeVisible()
  await accessible(page, 'a time that another person took')
  await page.keyboard.press('Escape')
  // The grid already shows the reservation of the other person.
  await expect(
    gridOf(page).getByRole('button', { name: /4:00 PM to 5:00 PM, taken, R-\d+, Fay Faster$/ }),
  ).toBeVisible()
  await at('3:00 PM').click()
  await expect(panel.getByLabel('Name', { exact: true })).toHaveValue('Sam Slower')
  await panel.getByRole('button', { name: 'Book reservation' }).click()
  await expect(page.getByRole('dialog', { name: /^Reservation R-/ }).getByText('Sam Slower')).toBeVisible()
})

test('shows the week of a space on a phone @whole', async ({ page, accessible }) => {
  const { name } = await addHall('09:00', {})
  const day = dayFromNow(15)
  await page.setViewportSize(PHONE)
  await openPlanner(page, `&kind=hall&day=${day}`)
  await gridOf(page).getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name: new RegExp(`^${name}, week of Sunday, `) })).toBeVisible()
  await expect(gridOf(page).getByRole('rowheader')).toHaveCount(7)
  await expectGood(page, accessible, 'the week of a space')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Next week' }).click()
  await gridOf(page)
    .getByRole('button', { name: /^Sunday, .*, 9:00 AM, free, \$0$/ })
    .click()
  await expect(page.getByRole('dialog', { name: `Book ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'All spaces' }).click()
  await expect(gridOf(page).getByRole('rowheader').first()).toBeVisible()
})

const SPACES = 40
const DAYS = 8

test(`shows a day of ${SPACES} spaces @whole`, async ({ page, accessible }) => {
  const company = await setUpCompany('Pavilia', { fees: false })
  const email = await addStaff(company, { firstName: 'Rea', lastName: 'Creation', roleId: 5 })
  const { token } = await sessionOf(company.subdomain, email)
  const season = { from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7], opens: '08:00', closes: '22:00' }
  const form = {
    ...({ kind: 'pavilion', status: 'open', description: '', location: '', resourceRules: '', amenities: '' } as const),
    ...{ accessibility: '', capacity: 50, pieces: 1, needsApproval: false, seasons: [{ ...season, percent: 100 }] },
    ...{ closedOnHolidays: false, stepMinutes: 30 as const, minMinutes: 60, maxMinutes: 600, noticeHours: 0 },
    ...{ aheadDays: 90, beforeMinutes: 30, afterMinutes: 30, chargedBy: 'hour' as const, residentCents: 2000 },
    ...{ otherCents: 3000, depositCents: 0, addons: [], refundDays: 7, latePercent: 0, agreement: '', door: '' },
    glAccount: '400',
  }
  const stamp = unique()
  for (let n = 1; n <= SPACES; n += 1)
    await callOn(company.subdomain, addResource, { ...form, name: `Shelter ${stamp} ${n}` }, token)
  await openAs(page, company.subdomain, email, `${RENTALS}?of=planner&day=${dayFromNow(1)}`)
  await expect(gridOf(page).getByRole('rowheader')).toHaveCount(SPACES)
  await accessible(page, `a day of ${SPACES} spaces`)
  const { rows } = await callOn(company.subdomain, rentalPlanner, { day: dayFromNow(1) }, token)
  const { resourceId, spaceId, title } = rows[0] ?? { resourceId: 0, spaceId: 0, title: '' }
  await expectMinimumAndBuffer(page, title, async () => {
    const renter = { name: 'Bea Booked', email: '', phone: '', purpose: 'Picnic', guests: 0, isResident: true }
    const time = { resourceId, spaceId, pieces: 1, day: dayFromNow(1), from: '10:00', until: '12:00' }
    await callOn(company.subdomain, bookByPhone, { ...time, ...renter }, token)
  })
  const times: number[] = []
  for (let n = 1; n <= DAYS; n += 1) times.push(await nextDay(page))
  test.info().annotations.push({ type: 'milliseconds for each next day', description: times.join(' ') })
  process.stdout.write(`Milliseconds for each next day of ${SPACES} spaces: ${times.join(' ')}\n`)
})

/** Checks that a press selects the minimum length, and that a press on setup time states the reason. */
async function expectMinimumAndBuffer(page: Page, title: string, book: () => Promise<void>): Promise<void> {
  await gridOf(page)
    .getByRole('button', { name: `${title}, 8:30 AM, free, $10`, exact: true })
    .click()
  await expect(page.getByRole('dialog').getByLabel('Until')).toHaveValue('09:30')
  await page.keyboard.press('Escape')
  await book()
  await page.reload()
  await gridOf(page)
    .getByRole('button', { name: `${title}, 12:00 PM to 1:00 PM, setup or cleanup`, exact: true })
    .click()
  await expect(
    page.getByText(`${title} needs 12:00 PM to 1:00 PM for setup or cleanup. Choose another time.`),
  ).toBeVisible()
}

/** Opens the next day. Returns the time in milliseconds until the browser has rendered it. */
const nextDay = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const heading = () => document.querySelector('section > h2')?.textContent
    const before = heading()
    const from = performance.now()
    document.querySelector<HTMLElement>('button[aria-label="Next day"]')?.click()
    const rendered = () => new Promise((resolve) => requestAnimationFrame(resolve))
    while (heading() === before) await rendered()
    await rendered()
    return Math.round(performance.now() - from)
  })
