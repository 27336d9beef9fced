import { fileURLToPath } from 'node:url'
import { moveChoices } from '../features/moving/contract.ts'
import { addDays, formatShortDate } from '../shared/dates.ts'
import { callOn, newResident, openAs } from './calls.ts'
import { drawn, expect, PHONE, tabTo, test } from './fixtures.ts'

/** Returns the first available day. */
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
  const addressNotice = page.getByText('This is an address of the town.')
  const on = async (label: string) => {
    await tabTo(page, page.getByLabel(label))
    await keyboard.type(`${month}${dayOfMonth}${year}`)
  }
  const click = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  // A fully typed address needs no selection from the list. For an incomplete address, the person must choose one.
  await tabTo(page, page.getByRole('combobox', { name: 'Address that you leave' }))
  await keyboard.type('38 Linden Ave')
  await keyboard.press('Tab')
  await expect(addressNotice).toHaveCount(1)
  await on('Last day there')
  const enters = page.getByRole('combobox', { name: 'Address that you move to' })
  await tabTo(page, enters)
  await keyboard.type('214 Sycamore')
  await keyboard.press('Tab')
  await on('First day there')
  await click('Go on')
  await expect(enters).toBeFocused()
  await expect(enters).toHaveAccessibleDescription(/^Choose the address from the list/)
  // The focus scrolls the page. A scroll event closes an open list of addresses.
  await drawn(page)
  await expect(async () => {
    await keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: /^214 Sycamore Lane/ }).first()).toBeVisible({ timeout: 2000 })
  }).toPass()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(addressNotice).toHaveCount(2)
  await click('Go on')
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeFocused()
  await accessible(page, 'who moves')
  await click('Look at it once more')
  await expect(page.getByText('Attach the documents that are listed here.').first()).toBeVisible()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(fileURLToPath(new URL('../server/acroform/fixtures/qpdf-from-odt.pdf', import.meta.url)))
  await expect(page.getByText('Upload Complete')).toBeVisible()
  await click('Look at it once more')
  await expect(page.getByRole('heading', { name: 'Is everything right?' })).toBeFocused()
  await accessible(page, 'a last look at a move')
  await click('Send the move')
  const received = page.getByRole('heading', { name: /^Move M-\d+ was received$/ })
  await expect(received).toBeFocused()
  const number = /M-\d+/.exec((await received.textContent()) ?? '')?.[0] ?? ''

  const staffPage = await context.newPage()
  await openAs(
    staffPage,
    'maplegrove',
    'admin@maplegrove.example',
    `/municipality/reports/move-in-out?search=${number}`,
  )
  await staffPage.getByRole('button', { name: number }).first().click()
  const panel = staffPage.getByRole('dialog', { name: `Move ${number}` })
  await panel.getByRole('button', { name: 'Complete', exact: true }).click()
  const dialog = staffPage.getByRole('dialog', { name: `Complete ${number}?` })
  await dialog.getByLabel('Final read').fill('48211')
  await dialog.getByLabel('First read').fill('1200')
  await accessible(staffPage, 'completing a move')
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect(panel.getByText('48211')).toBeVisible()
  await expect(panel.getByText(`From ${formatShortDate(day)}: Ida Moss`)).toBeVisible()

  await page.bringToFront()
  await tabTo(page, page.getByRole('link', { name: 'See your move' }))
  await keyboard.press('Enter')
  await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible()
})
