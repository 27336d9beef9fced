import { newResident, openAs } from './calls.ts'
import { expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { emailTo } from './mail.ts'

const HARBOR = 'harborcity'

test('verifies a household registered on a phone over a reload', async ({ page, browser, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const email = await newResident(HARBOR)
  await openAs(page, HARBOR, email, '/register-property?new=1')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByText('Choose the address.').first()).toBeVisible()
  const address = page.getByRole('combobox', { name: 'Address' })
  await address.fill('nowhere at all')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByText('Choose an address from the list').first()).toBeVisible()
  await address.fill('Wharf Street')
  await expect(page.getByRole('option').first()).toContainText('Wharf Street')
  await address.press('ArrowDown')
  await address.press('Enter')
  const chosen = await address.inputValue()
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByLabel('Household name').fill('Whitaker-Okonkwo')
  await page.getByRole('radio', { name: 'Owned' }).press('Space')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByText(/^Saved at /)).toBeVisible()
  await page.reload()
  await expect(page.getByText('You started this form earlier.')).toBeVisible()
  await expectGood(page, accessible, 'a registration that was begun')
  await page.setViewportSize(PHONE)
  const on = page.getByRole('button', { name: 'Continue' })
  await expect(page.getByRole('combobox', { name: 'Address' })).toHaveValue(chosen)
  await on.press('Enter')
  await expect(page.getByLabel('Household name')).toHaveValue('Whitaker-Okonkwo')
  await on.press('Enter')
  // The first household member is the registrant.
  await expect(page.getByLabel('First name')).not.toHaveValue('')
  await expect(page.getByLabel('Last name')).not.toHaveValue('')
  await expect(page.getByLabel('Relation to you')).toHaveValue('1')
  await on.press('Enter')
  await page.getByLabel('uses oxygen').check()
  await on.press('Enter')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your entries' })).toBeFocused()
  await expectGood(page, accessible, 'a registration before it is sent')
  await page.setViewportSize(PHONE)
  // The browser's Back button leads through the steps.
  for (const step of [4, 3, 2, 1]) {
    await page.goBack()
    await expect(page.getByText(`Step ${step} of 4`)).toBeVisible()
  }
  for (let step = 0; step < 4; step += 1) await page.goForward()
  await expect(page.getByRole('heading', { name: 'Check your entries' })).toBeFocused()
  // The review has a button for each answer, which leads back to its question.
  await page.getByRole('button', { name: 'Change Household name' }).press('Enter')
  await expect(page.getByLabel('Household name')).toBeFocused()
  for (let step = 0; step < 3; step += 1) await on.press('Enter')
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByRole('button', { name: 'Submit registration' }).press('Enter')
  await expect(page.getByText('Pending review').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  const number = /H-1\d{5}/.exec(await page.getByRole('main').innerText())?.[0] ?? ''

  const office = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openAs(office, HARBOR, 'admin@harborcity.example', `/municipality/reports/registration?search=${number}`)
  await office.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /View/ }).press('Enter')
  const panel = office.getByRole('dialog')
  await expect(panel.getByText('Parcel')).toBeVisible()
  await panel.getByRole('button', { name: 'Verify registration' }).press('Enter')
  await expect(panel.getByText('Registered', { exact: true }).first()).toBeVisible()
  await emailTo(email, /^Your registration .* is valid$/)
})
