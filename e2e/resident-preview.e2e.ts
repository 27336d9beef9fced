import type { Page } from '@playwright/test'
import { openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { fillCard, findBill, pay, payButton, paymentsOf } from './pay.ts'
import { expectGood } from './screen-checks.ts'

/** Tests the preview of the portal by staff, before the municipality goes online. */

const SCREEN = '/municipality/manage/resident-preview'

async function startPreview(page: Page): Promise<Page> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: 'Start the preview' }).press('Enter'),
  ])
  return opened
}

test('lets staff pay a bill as a resident without a charge, then removes the records', async ({
  page,
  account,
  accessible,
}) => {
  test.slow()
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', SCREEN)
  const step = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(step('Open a form')).toBeVisible()
  await expectGood(page, accessible, 'the steps of a preview')
  const before = await paymentsOf(account)

  const preview = await startPreview(page)
  await expect(preview).toHaveURL(at('maplegrove', '/home'))
  const bar = preview.getByRole('complementary', { name: 'Preview as a resident' })
  await expect(bar).toContainText('Nothing is charged, and only you get the emails.')
  await expectGood(preview, accessible, 'the home page of a preview')
  const act = (name: string) => bar.getByRole('listitem').filter({ hasText: name })
  await act('Find a bill').getByRole('link').click()
  await findBill(preview, account)
  await fillCard(preview)
  await expect(payButton(preview)).toBeEnabled()
  await pay(preview)
  await expect(preview.getByText('This is a preview. A resident would now pay $153.72.')).toBeVisible()
  await expectGood(preview, accessible, 'a payment of a preview')
  await expect(act('Pay the bill').getByRole('img', { name: 'Done' })).toBeVisible()
  expect(await paymentsOf(account), 'nothing was charged').toEqual(before)

  const [phone] = await Promise.all([
    preview.waitForEvent('popup'),
    act('View a page at the width of a phone').getByRole('button').press('Enter'),
  ])
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.reload()
  await expect(phone.getByRole('complementary', { name: 'Preview as a resident' })).toBeVisible()
  await expectGood(phone, accessible, 'a preview at the width of a phone')
  await expect(act('View a page at the width of a phone').getByRole('img', { name: 'Done' })).toBeVisible()
  await phone.close()

  await Promise.all([
    preview.waitForEvent('close'),
    bar.getByRole('button', { name: 'End the preview' }).press('Enter'),
  ])
  await page.bringToFront()
  await expect(step('Pay the bill')).toContainText('Done')
  await expect(step('View a page at the width of a phone')).toContainText('Done')
})
