import { openAs } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { findBill } from './pay.ts'

const SCREEN = '/municipality/manage/fee-rules'

test('adds an allowed fee rule by keyboard and shows residents the fee', async ({ page, account, accessible }) => {
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', SCREEN)
  await expect(page.getByRole('table')).toContainText('Not allowed by Visa')
  await expectGood(page, accessible, 'the fee rules')
  // Rules for different purposes can have the same start day. Their buttons must still have different names.
  const names = await page.getByRole('button', { name: /^View / }).evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(new Set(names).size).toBe(names.length)
  await page.getByRole('button', { name: 'Add rule' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Add fee rule' })
  await panel.getByLabel('Start date').fill('2099-01-01')
  await panel.getByLabel('Percentage').fill('2.75')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel).toContainText('Visa requires that a convenience fee is a flat amount')
  await expectGood(page, accessible, 'a rule that Visa forbids')
  await panel.getByLabel('Percentage').fill('0')
  await panel.getByLabel('Amount', { exact: true }).fill('3.95')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('table')).toContainText('$3.95')
  await page.getByRole('button', { name: 'Calculate a fee' }).press('Enter')
  const trial = page.getByRole('dialog', { name: 'Calculate a fee' })
  await trial.getByLabel('On', { exact: true }).fill('2099-02-01')
  await expect(trial.getByRole('status')).toContainText('$103.95')
  await expectGood(page, accessible, 'the trial of an amount')
  // The resident sees and pays the fee in force today.
  await findBill(page, account)
  await expect(page.getByText('Convenience fee')).toBeVisible()
  await expect(page.getByText('$4.41').first()).toBeVisible()
})
