import { openAs } from './calls.ts'
import { at, expect, PHONE, tabTo, test, unique } from './fixtures.ts'

const TOWN = 'harborcity'

test('a clerk writes an alert by the keyboard and sends it, an open page shows it within ten seconds, and its all-clear', async ({
  page,
  context,
  accessible,
}) => {
  const headline = `Boil water in block ${unique()}`
  const guest = await context.newPage()
  await guest.setViewportSize(PHONE)
  await guest.goto(at(TOWN, '/frequently-asked-questions'))
  await openAs(page, TOWN, 'admin@harborcity.example', '/municipality/manage/alerts')
  const { keyboard } = page
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Write an alert' }).focus()
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Begin with'))
  await keyboard.type('Boil')
  await expect(page.getByLabel('What happens')).toHaveValue('Boil water advisory')
  const title = page.getByRole('dialog').getByLabel('Headline').first()
  await tabTo(page, title)
  await keyboard.press('Control+a')
  await keyboard.type(headline)
  for (const known of await page.getByRole('dialog').getByLabel('What is known').all())
    await known.fill('A main broke at Dock Street.')
  await accessible(page, 'an alert that is written')
  await press('Save the draft')
  const panel = page.getByRole('dialog', { name: headline })
  await expect(panel.getByText(/^It reaches \d+ people/)).toBeVisible()
  await accessible(page, 'whom an alert reaches')
  await press('Send')
  const asked = page.getByRole('alertdialog')
  await expect(asked.getByText(/mails,/)).toBeVisible()
  await press('Send the alert')
  await expect(guest.getByText(headline)).toBeVisible({ timeout: 10_000 })
  await accessible(guest, 'the banner of an alert')
  await guest.getByRole('link', { name: 'Read more' }).click()
  await expect(guest.getByRole('heading', { name: headline })).toBeVisible()
  await accessible(guest, 'an alert as everybody reads it')
  await expect(panel.getByText('In force', { exact: true }).first()).toBeVisible()
  await press('All-clear')
  await tabTo(page, page.getByRole('dialog').getByLabel('What is known').first())
  await keyboard.type('Two tests in a row were clean.')
  await press('Send the all-clear')
  await expect(page.getByText(/is being sent to those who got/)).toBeVisible()
  await expect(async () => {
    await guest.reload()
    await expect(guest.getByText('Two tests in a row were clean.')).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('an alert for areas that are drawn without a mouse: around an address, by corners, and with a hole', async ({
  page,
  accessible,
}) => {
  await page.setViewportSize(PHONE)
  const headline = `Gas smell near ${unique()}`
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/alerts')
  const { keyboard } = page
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Write an alert' }).focus()
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Begin with'))
  await keyboard.type('Boil')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByLabel('Headline').first())
  await keyboard.press('Control+a')
  await keyboard.type(headline)
  await tabTo(page, dialog.getByRole('radio', { name: /^Everybody/ }))
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^Areas on the map/ })).toBeChecked()
  // Nobody is in an area without corners.
  await press('Save the draft')
  await expect(dialog.getByText(/three corners|Draw an area/).first()).toBeVisible()
  await expect(dialog.getByLabel(/^Around an address/)).toBeFocused()
  await keyboard.type('214 sicamore ln')
  await expect(page.getByRole('option', { name: '214 Sycamore Lane, Maple Grove, PA 17011' })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await press('Add the area')
  await expect(dialog.getByRole('status').filter({ hasText: /corners$/ })).toBeVisible()
  await press('Leave a hole in this area')
  const map = dialog.locator('.leaflet-container')
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    await press('Put the pin in the middle')
    await tabTo(page, map, 'Shift+Tab')
    await keyboard.press(key)
  }
  await expect(dialog.getByText('3 corners', { exact: true })).toBeVisible()
  await accessible(page, 'areas that are drawn')
  await press('Remove this hole')
  await press('Save the draft')
  await expect(page.getByRole('dialog', { name: headline }).getByText(/^It reaches \d+ people/)).toBeVisible()
})
