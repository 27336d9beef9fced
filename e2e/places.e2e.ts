import type { Page } from '@playwright/test'
import { aMapFile } from '../test/map-file.ts'
import { openAs } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const PLACES = '/municipality/manage/places'
const open = (page: Page, host = 'maplegrove') => openAs(page, host, `admin@${host}.example`, PLACES)
const field = (page: Page) => page.getByRole('combobox', { name: 'Address' })
const sycamore = '214 Sycamore Lane, Maple Grove, PA 17011'
const storedAddress = (page: Page) => page.getByRole('definition').filter({ hasText: sycamore })

test('types, selects or pins a place by keyboard only', async ({ page, accessible }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await open(page)
  await field(page).focus()
  await page.keyboard.type('214 sicamore ln')
  await expect(page.getByRole('option', { name: sycamore })).toBeVisible()
  await expectGood(page, accessible, 'the list of addresses')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue(sycamore)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(page.getByText('We found this address.')).toBeVisible()
  await expect(storedAddress(page)).toBeVisible()

  await field(page).fill('')
  await page.keyboard.type('Behind the old mill')
  await expect(page.getByRole('option', { name: 'My address is not in the list' })).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('We could not find this address. We will keep the address that you entered.'),
  ).toBeVisible()
  await expect(field(page)).toHaveValue('Behind the old mill')

  expect(scripts.filter((url) => /LeafletMap|protomaps/.test(url))).toEqual([])
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show on the map' })).toBeFocused()
  await page.keyboard.press('Enter')
  const map = page.getByRole('application', { name: 'Map for placing a pin' })
  await expect(map.getByRole('button', { name: 'Zoom in' })).toBeVisible()
  await map.focus()
  for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
  const middle = page.getByRole('button', { name: 'Place pin in the center' })
  await middle.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The pin on the map marks the location.')).toBeVisible()
  // The typed text stays next to the pin.
  await expect(field(page)).toHaveValue('Behind the old mill')
  await page.getByLabel('Zones on the map').selectOption('Ward')
  await expect(map.getByText('Ward 2')).toBeVisible()
  await expectGood(page, accessible, 'the map with a pin and zones')
  await page.getByRole('button', { name: 'Remove the pin' }).press('Enter')
  await expect(page.getByText('The pin on the map marks the location.')).toHaveCount(0)
})

test('names a pin without text by the nearest address @whole', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Show on the map' }).click()
  const map = page.getByRole('application')
  await expect(map.getByRole('button', { name: 'Zoom in' })).toBeVisible()
  await map.click({ position: { x: 300, y: 160 } })
  await expect(field(page)).toHaveValue(/(?:Near )?\d+ [\w ]+, Maple Grove, PA 17011$/)
})

test('reports errors of each row of an import until they are fixed @whole', async ({ page, accessible }) => {
  await open(page)
  await page.getByRole('button', { name: 'Import' }).click()
  const panel = page.getByRole('dialog')
  const file = (...rows: string[]) => ({
    name: 'addresses.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['number,street,zip,lat,lon', ...rows].join('\n')),
  })
  const send = panel.getByRole('button', { name: 'Preview changes' })
  await send.click()
  await expect(panel.getByText('Choose a file first.')).toBeVisible()
  const street = `Newcomer ${Date.now()} Lane`
  const good = `12,${street},17011,40.2412,-76.9237`
  await panel.locator('input[type=file]').setInputFiles(file(good, `14,${street},1701,40.2412,-76.9237`))
  await send.click()
  await expect(panel.getByText('Rows with errors: 1 of 2. Nothing has changed yet.')).toBeVisible()
  await expect(panel.getByText('Line 3: The ZIP code "1701" is not five digits.')).toBeVisible()
  await expectGood(page, accessible, 'an import with wrong rows')
  await panel.getByLabel('Skip rows with errors').check()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('Skipped rows:')).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).last().click()
  await field(page).pressSequentially(`12 ${street.slice(0, -5).toLowerCase()}`)
  await expect(page.getByRole('option', { name: `12 ${street}` })).toBeVisible()
})

test('finds a parcel by owner, maps it and changes it @whole', async ({ page, accessible }) => {
  await open(page)
  await page.getByLabel('Parcel, address or owner').fill('dorothy abernathy')
  await page
    .getByRole('row', { name: /214 Sycamore Lane/ })
    .getByRole('button', { name: /^View/ })
    .click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByLabel('Owner')).toHaveValue('Dorothy Abernathy')
  await expect(
    panel.getByRole('application', { name: /^Map of parcel/ }).getByRole('button', { name: 'Zoom in' }),
  ).toBeVisible()
  await expectGood(page, accessible, 'a parcel')
  await panel.getByLabel('Land use').fill('Two families')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Two families/ })).toBeVisible()
})

test('renders a company’s own map file in parts and removes it @whole', async ({ page, accessible }) => {
  await open(page, 'harborcity')
  const file = {
    name: 'harbor.pmtiles',
    mimeType: 'application/octet-stream',
    buffer: aMapFile({ lat: 39.1379, lon: -76.2351 }),
  }
  await page.getByLabel(/Map file/).setInputFiles(file)
  await page.getByRole('button', { name: 'Use map file' }).click()
  await expect(page.getByText('The map is now in use.')).toBeVisible()
  const part = page.waitForResponse((response) => response.url().includes('/maps/') && response.status() === 206)
  await page.getByRole('button', { name: 'Show on the map' }).click()
  await part
  await expect(page.getByText('© OpenStreetMap')).toBeVisible()
  // Leaflet renders the only road of the file on canvas tiles.
  await expect(page.locator('.leaflet-tile-pane canvas').first()).toBeVisible()
  await expectGood(page, accessible, 'a map file')
  await page.getByRole('button', { name: 'Remove the map file' }).click()
  await page.getByRole('button', { name: 'Remove map file' }).click()
  await expect(page.getByText('The map shows the imported streets.', { exact: false })).toBeVisible()
})
