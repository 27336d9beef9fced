import { openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test, unique } from './fixtures.ts'
import { emailTo } from './mail.ts'

/**
 * Tests a request from report to completion, with three people on separate devices: a guest, office staff and a crew
 * member.
 */

const HOST = 'maplegrove'
const CREW = 'staff@maplegrove.example'
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('leads a pothole from a guest’s report to the crew’s photo @whole', async ({ page, browser, accessible }) => {
  test.slow()
  const email = `pothole-${unique().toLowerCase()}@example.org`
  const locationText = `Beside barn ${unique()}`
  const guest = await (await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })).newPage()
  await guest.goto(at(HOST, '/communication/new'))
  await guest.getByLabel('What kind of problem is it?').selectOption('Pothole')
  await guest.getByRole('combobox', { name: /Where is the problem/ }).pressSequentially(locationText)
  await guest.keyboard.press('Tab')
  await guest.getByRole('button', { name: 'Continue' }).press('Enter')
  await guest.getByRole('radio', { name: 'A wheel' }).check()
  await guest.getByRole('button', { name: 'Continue' }).press('Enter')
  await guest.getByLabel('What is wrong?').fill('A hole as wide as a wheel, in the right lane.')
  await guest.getByLabel('Name', { exact: true }).fill('Gus Guest')
  await guest.getByLabel('Email').fill(email)
  await guest.getByRole('button', { name: 'Review' }).press('Enter')
  await guest.getByRole('button', { name: 'Submit the request' }).press('Enter')
  const received = guest.getByRole('heading', { name: /was received$/ })
  await expect(received).toBeVisible()
  const number = /R-\d{4}-\d{6}/.exec((await received.textContent()) ?? '')?.[0] ?? ''

  await openAs(page, HOST, 'admin@maplegrove.example', `/municipality/manage/customer-communication?search=${number}`)
  await page.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /View/ }).press('Enter')
  const staffDialog = page.getByRole('dialog', { name: `Request ${number}` })
  await staffDialog.getByRole('button', { name: 'Work order' }).press('Enter')
  const workOrderDialog = page.getByRole('dialog', { name: `Open a work order from ${number}` })
  const title = await workOrderDialog.getByLabel('Task').inputValue()
  expect(title).toContain(locationText)
  await workOrderDialog.getByLabel('Description').fill('Cold patch. Mind the school bus at 3.')
  await workOrderDialog.getByRole('button', { name: 'Open work order' }).press('Enter')
  await expect(workOrderDialog).toHaveCount(0)
  await staffDialog.getByRole('link', { name: /^WO-/ }).press('Enter')
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await order.getByRole('button', { name: 'Edit' }).press('Enter')
  const edit = page.getByRole('dialog', { name: /^Edit work order WO-/ })
  const { user } = await sessionOf(HOST, CREW)
  await edit.getByLabel('Assigned to').selectOption(String(user.id))
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(order.getByText(`${user.first_name} ${user.last_name}`).first()).toBeVisible()

  const context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })
  const crew = await context.newPage()
  await openAs(crew, HOST, CREW, '/municipality/field')
  await expect(crew.getByText(/^As of /)).toBeVisible()
  await crew.evaluate(async () => void (await navigator.serviceWorker.ready))
  await context.setOffline(true)
  await crew.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Work orders' }).click()
  await crew.getByLabel('Search').fill(locationText)
  await crew.getByRole('list', { name: 'Work orders' }).getByRole('link', { name: locationText }).click()
  await expect(crew.getByText('Cold patch. Mind the school bus at 3.')).toBeVisible()
  await crew.getByRole('button', { name: 'Start' }).click()
  await crew.getByLabel('Add “after” photo').setInputFiles({ name: 'after.png', mimeType: 'image/png', buffer: PHOTO })
  await crew.getByRole('button', { name: 'Complete' }).click()
  await expect(crew.getByText('3 changes not sent')).toBeVisible()
  await accessible(crew, 'work that is done without a connection')
  await context.setOffline(false)
  await expect(crew.getByText('All changes sent')).toBeVisible()

  await expect(order.getByText('Completed', { exact: true }).first()).toBeVisible()
  const message = await emailTo(email, new RegExp(`${number}.* has been completed`, 'i'))
  await guest.goto(at(HOST, /\/communication\/request\/[\w-]{43}/.exec(message)?.[0] ?? ''))
  await expect(guest.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(guest.getByRole('img', { name: 'Completed work, photo 1' })).toBeVisible()
  await expect(guest.getByText('Mind the school bus')).toHaveCount(0)
  await accessible(guest, 'a request that was mended, with its photo')
  await guest.getByRole('button', { name: 'Yes, it was fixed' }).press('Enter')
  await guest.getByRole('button', { name: 'Send feedback' }).press('Enter')
  await expect(guest.getByText('Problem fixed').first()).toBeVisible()
})
