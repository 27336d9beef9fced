import sharp from 'sharp'
import { openAs } from './calls.ts'
import { allOrFirst, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const SUPER = 'super@mainstreet.example'

// Both widths change the onboarding of one company, so they run one after the other.
test.describe.configure({ mode: 'default' })

for (const width of allOrFirst([1280, 390])) {
  test(`verifies a company with the sandbox and puts another on hold by keyboard at ${width} px`, async ({
    page,
    accessible,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'admin', SUPER, '/admin/manage/all/onboarding')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Provider Onboarding')
    const main = page.locator('main')
    await expect(main.getByText(/^\d+ onboardings$/)).toBeVisible()
    await expectGood(page, accessible, 'the list of all providers')
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Sandbox' }).press('Enter')
    await expect(page).toHaveURL(/manage\/sandbox\/onboarding/)
    const tab = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Sandbox' })
    await expect(tab).toHaveAttribute('aria-current', 'page')
    await expect(main.getByText(/^\d+ onboardings?$|No status changes/).first()).toBeVisible()
    await page.getByRole('link', { name: /from all dates/ }).press('Enter')
    await expect(page).toHaveURL(/fromDate=-/)
    // Searches by name, because other tests add municipalities, which are first in the list.
    const search = page.getByRole('searchbox', { name: 'Municipality' })
    await search.fill('Maple Grove')
    await expect(main.getByText('Success').filter({ visible: true }).first()).toBeVisible()
    await search.fill('Old Mill')

    await page
      .getByRole('button', { name: /Old Mill, onboarding with Sandbox/ })
      .first()
      .press('Enter')
    const panel = page.getByRole('dialog')
    await expect(panel.getByRole('heading', { level: 2 })).toContainText('Onboarding for Old Mill with Sandbox')
    await accessible(page, 'an onboarding in full')
    const go = panel.getByRole('button', { name: /Start onboarding with Sandbox|Open Sandbox’s page/ })
    await go.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Who is the municipality?')
    await accessible(page, 'the sandbox’s page')
    await page.getByLabel('Tax ID').fill('23-123')
    await page.getByLabel('Who answers for it').fill('Ada Miller')
    await page.getByLabel('What the sandbox shall find').selectOption('document')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(page.getByRole('alert')).toHaveText('A tax ID has nine digits, such as 23-1234567.')
    await page.getByLabel('Tax ID').fill('23-1234567')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(panel.getByText('Information is missing')).toBeVisible()
    await expect(panel.getByText('A document that proves the municipality’s identity.')).toBeVisible()
    await go.press('Enter')
    await page.getByLabel('What the sandbox shall find').selectOption('ready')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(panel.getByText('Sandbox accepts payments and pays them out', { exact: true })).toBeVisible()

    await page.goto(
      new URL('/admin/manage/bankfile/onboarding?fromDate=-&toDate=-&provider=bankfile&search=Old%20Mill', page.url())
        .href,
    )
    await page
      .getByRole('button', { name: /Old Mill, onboarding with Bank file/ })
      .first()
      .press('Enter')
    await panel.getByRole('button', { name: 'Put on hold' }).press('Enter')
    const why = page.getByRole('dialog', { name: 'Put on hold' })
    await why.getByRole('textbox').fill('The bank has to confirm who signs.')
    await why.getByRole('button', { name: 'Put on hold' }).press('Enter')
    await expect(panel.getByText('The platform has put the onboarding on hold')).toBeVisible()
    await expect(panel.getByText('The bank has to confirm who signs.').first()).toBeVisible()
    await expectGood(page, accessible, 'on hold')
    await page.setViewportSize({ width, height: 900 })
    await panel.getByRole('button', { name: 'Resume' }).press('Enter')
    const again = page.getByRole('dialog', { name: 'Resume' })
    await again.getByRole('textbox').fill('It has confirmed.')
    await again.getByRole('button', { name: 'Resume' }).press('Enter')
    await expect(panel.getByText('Onboarding with Bank file is in progress')).toBeVisible()
  })
}

for (const width of allOrFirst([390, 1280])) {
  test(`shows a company its steps and uploads a document at ${width} px @whole`, async ({ page, accessible }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality/processor/onboarding')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Provider Onboarding')
    const stripe = page.getByRole('region', { name: 'Stripe' })
    await expect(stripe.getByText('The bank account for payouts.')).toBeVisible()
    await expect(stripe.getByText('Information missing').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Sandbox' }).getByText('Success').first()).toBeVisible()
    await expectGood(page, accessible, 'the steps of a town')
    await page.setViewportSize({ width, height: 900 })
    await stripe.getByRole('button', { name: 'Upload document' }).press('Enter')
    await stripe.getByLabel('Document type').selectOption('tax_form')
    const image = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer()
    await stripe.locator('input[type=file]').setInputFiles({ name: 'w9.jpg', mimeType: 'image/jpeg', buffer: image })
    await expect(stripe.getByText('Pending review')).toBeVisible()
    await expect(stripe.getByText('w9.jpg')).toBeVisible()
    await accessible(page, 'a document that was sent')
    const sandbox = page.getByRole('region', { name: 'Sandbox' })
    await sandbox.getByRole('link', { name: 'Open payment test' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment Test')
    await page.getByRole('button', { name: /test payment$/ }).press('Enter')
    await expect(page.getByText('The test payment succeeded and was refunded.')).toBeVisible()
  })
}
