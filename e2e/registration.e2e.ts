import { newResident, openAs } from './calls.ts'
import { expect, test } from './fixtures.ts'

const TOWN = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'

test('a household is registered by the keyboard alone, gone on with after a reload, and seen by responders @nightly', async ({
  page,
  accessible,
  browser,
}) => {
  const email = await newResident(TOWN)
  await openAs(page, TOWN, email, '/register-property')
  await accessible(page, 'no registrations yet')
  await page.getByRole('link', { name: /Begin: Household/ }).press('Enter')
  const address = page.getByRole('combobox', { name: 'Address' })
  await address.fill('214 Sycamore')
  await page.getByRole('option', { name: /^214 Sycamore Lane/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await page.getByLabel('Name of the household').fill('Sparrow')
  await page.getByLabel('Owned').press('Space')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Who lives here' })).toBeVisible()
  await accessible(page, 'people are missing')
  await page.getByRole('button', { name: 'Add a row' }).first().press('Enter')
  await page.getByLabel('First name').fill('Ida')
  await page.getByLabel('Last name').fill('Sparrow')
  await page.getByLabel('Relation to you').selectOption('Self')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await page.getByLabel('uses oxygen').press('Space')
  await page.getByLabel(/^First responders may see/).press('Space')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await page.getByRole('button', { name: 'Look through it' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Is everything right?' })).toBeFocused()
  await accessible(page, 'a registration before it is sent')
  await page.getByRole('button', { name: 'Send it' }).press('Enter')
  await expect(page.getByText('Registered').first()).toBeVisible()
  await accessible(page, 'a registration')

  const office = await browser.newContext({ reducedMotion: 'reduce' })
  const staff = await office.newPage()
  await openAs(staff, TOWN, ADMIN, '/municipality/first-responder?tab=place')
  const call = staff.getByRole('combobox', { name: 'Address of the call' })
  await call.fill('214 Sycamore')
  await staff.getByRole('option', { name: /^214 Sycamore Lane/ }).waitFor()
  await staff.keyboard.press('ArrowDown')
  await staff.keyboard.press('Enter')
  await staff.getByRole('button', { name: 'Look at what people shared' }).press('Enter')
  await expect(staff.getByText('uses oxygen')).toBeVisible()
  await accessible(staff, 'what people shared')
  await staff.goto('/municipality/reports/registration?search=Sparrow')
  await staff
    .getByRole('button', { name: /^View / })
    .first()
    .press('Enter')
  await expect(staff.getByRole('dialog').getByText('Sparrow').first()).toBeVisible()
  await accessible(staff, 'a registration in the report')
  await office.close()
})
