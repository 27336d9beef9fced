import { newResident, openAs } from './calls.ts'
import { expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './looks.ts'
import { mailTo } from './mail.ts'

const HARBOR = 'harborcity'

test('a resident registers their household on a phone by the keyboard, over a reload, and a clerk verifies it', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const email = await newResident(HARBOR)
  await openAs(page, HARBOR, email, '/register-property?new=1')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(page.getByText('Choose the address.').first()).toBeVisible()
  const address = page.getByRole('combobox', { name: 'Address' })
  await address.fill('nowhere at all')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(page.getByText('Choose an address of the list').first()).toBeVisible()
  await address.fill('Wharf Street')
  await expect(page.getByRole('option').first()).toContainText('Wharf Street')
  await address.press('ArrowDown')
  await address.press('Enter')
  const chosen = await address.inputValue()
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await page.getByLabel('Name of the household').fill('Whitaker-Okonkwo')
  await page.getByRole('radio', { name: 'Owned' }).press('Space')
  await page.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(page.getByText(/^Saved at /)).toBeVisible()
  await page.reload()
  await expect(page.getByText('You began this before.')).toBeVisible()
  await expectGood(page, accessible, 'a registration that was begun')
  await page.setViewportSize(PHONE)
  const on = page.getByRole('button', { name: 'Go on' })
  await expect(page.getByRole('combobox', { name: 'Address' })).toHaveValue(chosen)
  await on.press('Enter')
  await expect(page.getByLabel('Name of the household')).toHaveValue('Whitaker-Okonkwo')
  await on.press('Enter')
  // The first person is the one who registers.
  await expect(page.getByLabel('First name')).not.toHaveValue('')
  await expect(page.getByLabel('Last name')).not.toHaveValue('')
  await expect(page.getByLabel('Relation to you')).toHaveValue('1')
  await on.press('Enter')
  await page.getByLabel('uses oxygen').check()
  await on.press('Enter')
  await page.getByRole('button', { name: 'Look through it' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Is everything right?' })).toBeFocused()
  await expectGood(page, accessible, 'a registration before it is sent')
  await page.setViewportSize(PHONE)
  // One answer is changed at its question.
  await page.getByRole('button', { name: 'Change Name of the household' }).press('Enter')
  await expect(page.getByLabel('Name of the household')).toBeFocused()
  for (let step = 0; step < 3; step += 1) await on.press('Enter')
  await page.getByRole('button', { name: 'Look through it' }).press('Enter')
  await page.getByRole('button', { name: 'Send it' }).press('Enter')
  await expect(page.getByText('Waiting for the town').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  const number = /H-1\d{5}/.exec(await page.getByRole('main').innerText())?.[0] ?? ''

  const office = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openAs(office, HARBOR, 'admin@harborcity.example', `/municipality/reports/registration?search=${number}`)
  await office.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /View/ }).press('Enter')
  const panel = office.getByRole('dialog')
  await expect(panel.getByText('Parcel')).toBeVisible()
  await panel.getByRole('button', { name: 'Verify' }).press('Enter')
  await expect(panel.getByText('Registered', { exact: true }).first()).toBeVisible()
  await mailTo(email, /registered/i)
})
