import type { Page } from '@playwright/test'
import { deskRound, rentalRounds } from '../features/rentals/contract-seasons.ts'
import { rounds } from '../features/rentals/list-seasons.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, tabTo, test } from './fixtures.ts'

/** Applying for times of a season, and drawing them, by the keyboard. */

const press = async (page: Page, name: string | RegExp, role: 'button' | 'link' = 'button') => {
  await tabTo(page, page.getByRole(role, { name }))
  await page.keyboard.press('Enter')
}

test('a resident applies on a phone by the keyboard, orders the wishes, and sees how it is drawn', async ({
  page,
  accessible,
}) => {
  const { token } = await sessionOf('maplegrove', 'resident@maplegrove.example')
  const { rounds: open } = await callOn('maplegrove', rentalRounds, {}, token)
  const round = open.find(({ status }) => status === 'open')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', `/resource-rentals/season/${round?.id}`)
  await expect(page.getByRole('heading', { name: 'Ball field, this season' })).toBeVisible()
  await accessible(page, 'an own application')
  await press(page, 'Change the application')
  await press(page, 'Add a wish')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await accessible(page, 'a wish')
  await tabTo(page, dialog.getByRole('checkbox', { name: 'Sun' }))
  await page.keyboard.press('Space')
  await press(page, 'Take this wish')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('3. Ball Field 2')).toBeVisible()
  await press(page, 'Wish 3 further up')
  await expect(page.getByText('Sundays')).toBeVisible()
  await tabTo(page, page.getByLabel(/^I agree to the rules/))
  await page.keyboard.press('Space')
  await press(page, 'Save the changes')
  await expect(page.getByText(/Application A-\d+ is changed/)).toBeVisible()
})

test('a resident who has no account with the town is told why they can not apply', async ({ page, accessible }) => {
  const email = await newResident('maplegrove')
  await openAs(page, 'maplegrove', email, '/resource-rentals')
  await page.getByRole('link', { name: /Apply ?, Ball field, this season/ }).click()
  await expect(page.getByText(/Link your utility account first/)).toBeVisible()
  await accessible(page, 'a round that is not for everybody')
})

test('anybody draws a round of last season again in their own browser, and the same comes out', async ({
  page,
  accessible,
}) => {
  const email = await newResident('maplegrove')
  await openAs(page, 'maplegrove', email, '/resource-rentals')
  await page.getByRole('link', { name: /See the round ?, Ball field, last season/ }).click()
  await press(page, 'Draw it again in this browser')
  await expect(page.getByText(/the same order and wishes come out/)).toBeVisible()
  await accessible(page, 'a draw that was repeated')
})

test('staff draw a round by the keyboard, look it over, and confirm it', async ({ page, accessible }) => {
  test.slow()
  const who = 'admin@harborcity.example'
  const { token } = await sessionOf('harborcity', who)
  const { rows } = await callOn('harborcity', rounds.call, {}, token)
  const roundId = rows[0]?.id ?? 0
  await openAs(page, 'harborcity', who, '/municipality/manage/manage-resource-rentals?of=seasons')
  await expect(page.getByRole('row', { name: /Evenings on the turf/ })).toBeVisible()
  await accessible(page, 'the rounds of applications')
  await page.getByRole('button', { name: 'Plan a round' }).press('Enter')
  await expect(page.getByLabel('Hours a week at most')).toBeVisible()
  await accessible(page, 'a round that is planned')
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /Evenings on the turf/ })
    .getByRole('button')
    .first()
    .press('Enter')
  await press(page, 'Draw it')
  await accessible(page, 'the question before a draw')
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Draw it' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'What was drawn' })).toBeVisible()
  await press(page, 'Repeat the draw')
  await expect(page.getByText(/The same comes out/)).toBeVisible()
  await page.locator('summary').first().press('Enter')
  await accessible(page, 'what was drawn')
  await press(page, 'Confirm what was drawn')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm it' }).press('Enter')
  // A job gives each applicant their dates, one after the other: on a busy machine that takes its time.
  const left = async () => {
    const { decided, applications } = await callOn('harborcity', deskRound, { roundId }, token)
    return applications - decided
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
  await expect(page.getByRole('main').getByText('Given', { exact: true }).first()).toBeVisible()
  // So says the list below as well.
  await expect(page.getByRole('table', { name: 'Applications' }).getByText('Given', { exact: true })).toHaveCount(3)
})
