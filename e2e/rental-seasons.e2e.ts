import type { Page } from '@playwright/test'
import { staffRound, rentalRounds } from '../features/rental-seasons/contract.ts'
import { rounds } from '../features/rental-seasons/list.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, tabTo, test } from './fixtures.ts'

/** Tests applications and the lottery of an allocation round, by keyboard. */

const click = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
  await tabTo(page, page.getByRole(role, { name }))
  await page.keyboard.press('Enter')
}

test('changes an application on a phone and orders its choices by keyboard', async ({ page, accessible }) => {
  const { token } = await sessionOf('maplegrove', 'resident@maplegrove.example')
  const { rounds: open } = await callOn('maplegrove', rentalRounds, {}, token)
  const round = open.find(({ status }) => status === 'open')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', `/resource-rentals/season/${round?.id}`)
  await expect(page.getByRole('heading', { name: 'Ball field, this season' })).toBeVisible()
  await accessible(page, 'an own application')
  await click(page, 'Change application')
  await click(page, 'Add a choice')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await accessible(page, 'a wish')
  await tabTo(page, dialog.getByRole('checkbox', { name: 'Sun' }))
  await page.keyboard.press('Space')
  await click(page, 'Save choice')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('3. Ball Field 2')).toBeVisible()
  await click(page, 'Move choice 3 up')
  await expect(page.getByText('Sundays')).toBeVisible()
  await tabTo(page, page.getByLabel(/^I agree to the rules/))
  await page.keyboard.press('Space')
  await click(page, 'Save changes')
  await expect(page.getByText(/Application A-\d+ was updated/)).toBeVisible()
})

test('explains why a resident without a linked account can’t apply', async ({ page, accessible }) => {
  const email = await newResident('maplegrove')
  await openAs(page, 'maplegrove', email, '/resource-rentals')
  await page.getByRole('link', { name: /Apply ?, Ball field, this season/ }).click()
  await expect(page.getByText(/Link your utility account first/)).toBeVisible()
  await accessible(page, 'a round that is not for everybody')
})

test('repeats a past lottery in any resident’s browser with equal results', async ({ page, accessible }) => {
  const email = await newResident('maplegrove')
  await openAs(page, 'maplegrove', email, '/resource-rentals')
  await page.getByRole('link', { name: /View application round ?, Ball field, last season/ }).click()
  await click(page, 'Verify lottery in browser')
  await expect(page.getByText(/produced the same order and choices/)).toBeVisible()
  await accessible(page, 'a draw that was repeated')
})

test('runs, reviews and confirms a lottery by keyboard', async ({ page, accessible }) => {
  test.slow()
  const adminEmail = 'admin@harborcity.example'
  const { token } = await sessionOf('harborcity', adminEmail)
  const { rows } = await callOn('harborcity', rounds.call, {}, token)
  const roundId = rows[0]?.id ?? 0
  await openAs(page, 'harborcity', adminEmail, '/municipality/manage/manage-resource-rentals?of=seasons')
  await expect(page.getByRole('row', { name: /Evenings on the turf/ })).toBeVisible()
  await accessible(page, 'the rounds of applications')
  await page.getByRole('button', { name: 'Plan a round' }).press('Enter')
  await expect(page.getByLabel('Maximum hours a week')).toBeVisible()
  await accessible(page, 'a round that is planned')
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Evenings on the turf/ })
    .getByRole('button')
    .first()
    .press('Enter')
  await click(page, 'Run lottery')
  await accessible(page, 'the question before a draw')
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Run lottery' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Lottery results' })).toBeVisible()
  await click(page, 'Verify lottery')
  await expect(page.getByText(/produced the same result/)).toBeVisible()
  await page.locator('summary').first().press('Enter')
  await accessible(page, 'what was drawn')
  await click(page, 'Confirm results')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm results' }).press('Enter')
  // A job allocates the dates to one applicant after another, which can be slow on a busy machine.
  const left = async () => {
    const { decided, applications } = await callOn('harborcity', staffRound, { roundId }, token)
    return applications - decided
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  await expect(page.getByRole('main').getByText('Allocated', { exact: true }).first()).toBeVisible()
  // The list below shows the same status.
  await expect(page.getByRole('table', { name: 'Applications' }).getByText('Allocated', { exact: true })).toHaveCount(3)
})
