import { openAs } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { expectGood } from './looks.ts'
import { findBill } from './pay.ts'

const SCREEN = '/municipality/manage/fee-rules'

test('staff add a fee rule at the keyboard, a forbidden one is refused with the rule named, and a resident sees the fee', async ({
  page,
  account,
  accessible,
}) => {
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', SCREEN)
  await expect(page.getByRole('table')).toContainText('Against Visa')
  await expectGood(page, accessible, 'the fee rules')
  // Rules that begin on one day differ in what they are for, and so do the buttons that open them.
  const names = await page.getByRole('button', { name: /^View / }).evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(new Set(names).size).toBe(names.length)
  await page.getByRole('button', { name: 'Add a rule' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Add a fee rule' })
  await panel.getByLabel('Holds from').fill('2099-01-01')
  await panel.getByLabel('Percentage').fill('2.75')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel).toContainText('Visa asks that a convenience fee is a flat amount')
  await expectGood(page, accessible, 'a rule that Visa forbids')
  await panel.getByLabel('Percentage').fill('0')
  await panel.getByLabel('Amount', { exact: true }).fill('3.95')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('table')).toContainText('$3.95')
  await page.getByRole('button', { name: 'Try an amount' }).press('Enter')
  const trial = page.getByRole('dialog', { name: 'Try an amount' })
  await trial.getByLabel('On', { exact: true }).fill('2099-02-01')
  await expect(trial.getByRole('status')).toContainText('$103.95')
  await expectGood(page, accessible, 'the trial of an amount')
  // Today the resident pays what is in force today, and sees it before.
  await findBill(page, account)
  await expect(page.getByText('Convenience fee')).toBeVisible()
  await expect(page.getByText('$4.41').first()).toBeVisible()
})
