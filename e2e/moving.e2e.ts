import { fileURLToPath } from 'node:url'
import { moveChoices } from '../features/moving/contract.ts'
import { addDays, formatShortDate } from '../shared/dates.ts'
import { callOn, newResident, openAs } from './calls.ts'
import { painted, expect, PHONE, tabTo, test } from './fixtures.ts'

/** Returns the first available day for a move. */
async function openDay(): Promise<string> {
  const { first, closed } = await callOn('maplegrove', moveChoices, {})
  let day = first
  while (closed.includes(day)) day = addDays(day, 1)
  return day
}

test('completes a move that a resident requested on a phone', async ({ page, context, accessible }) => {
  const day = await openDay()
  const [year, month, dayOfMonth] = day.split('-')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', await newResident('maplegrove'), '/relocate/move-within')
  const { keyboard } = page
  const addressNotice = page.getByText('We found this address.')
  const on = async (label: string) => {
    await tabTo(page, page.getByLabel(label))
    await keyboard.type(`${month}${dayOfMonth}${year}`)
  }
  const click = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  // A complete address needs no selection from the list. For an incomplete address, the person must choose one from the
  // list.
  await tabTo(page, page.getByRole('combobox', { name: 'Address that you are leaving' }))
  await keyboard.type('38 Linden Ave')
  await keyboard.press('Tab')
  await expect(addressNotice).toHaveCount(1)
  await on('Move-out date')
  const enters = page.getByRole('combobox', { name: 'Address that you are moving to' })
  await tabTo(page, enters)
  await keyboard.type('214 Sycamore')
  await keyboard.press('Tab')
  await on('Move-in date')
  await click('Continue')
  await expect(enters).toBeFocused()
  await expect(enters).toHaveAccessibleDescription(/^Choose the address from the list/)
  // Waits until the page has scrolled to the focused field, because a scroll event closes an open list of addresses.
  await painted(page)
  await expect(async () => {
    await keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: /^214 Sycamore Lane/ }).first()).toBeVisible({ timeout: 2000 })
  }).toPass()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(addressNotice).toHaveCount(2)
  await click('Continue')
  await expect(page.getByRole('heading', { name: 'Contact details' })).toBeFocused()
  await accessible(page, 'who moves')
  await click('Review')
  await expect(page.getByText('Attach the required documents.').first()).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(fileURLToPath(new URL('../server/acroform/fixtures/qpdf-from-odt.pdf', import.meta.url)))
  await expect(page.getByText('Upload Complete')).toBeVisible()
  await click('Review')
  const review = page.getByRole('heading', { name: 'Check your entries' })
  await expect(review).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Contact details' })).toBeFocused()
  await page.goBack()
  await expect(enters).toHaveValue(/Sycamore Lane/)
  for (let step = 0; step < 2; step += 1) await page.goForward()
  await expect(review).toBeFocused()
  await accessible(page, 'a last look at a move')
  await click('Submit move request')
  const received = page.getByRole('heading', { name: /^We received move request M-\d+$/ })
  await expect(received).toBeFocused()
  await page.reload()
  await expect(received).toBeVisible()
  const number = /M-\d+/.exec((await received.textContent()) ?? '')?.[0] ?? ''

  const staffPage = await context.newPage()
  await openAs(
    staffPage,
    'maplegrove',
    'admin@maplegrove.example',
    `/municipality/reports/move-in-out?search=${number}`,
  )
  await staffPage.getByRole('button', { name: number }).first().click()
  const panel = staffPage.getByRole('dialog', { name: `Move ${number}`, exact: true })
  await panel.getByRole('button', { name: 'Complete', exact: true }).click()
  const dialog = staffPage.getByRole('dialog', { name: `Complete move ${number}?` })
  await dialog.getByLabel('Final reading').fill('48211')
  await dialog.getByLabel('First reading').fill('1200')
  await accessible(staffPage, 'completing a move')
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect(panel.getByText('48211')).toBeVisible()
  await expect(panel.getByText(`From ${formatShortDate(day)}: Ida Moss`)).toBeVisible()

  await page.bringToFront()
  await tabTo(page, page.getByRole('link', { name: 'View your move request' }))
  await keyboard.press('Enter')
  await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible()
})
