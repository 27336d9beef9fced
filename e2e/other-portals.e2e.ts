import { openAs } from './calls.ts'
import { expect, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

test('adds another portal, loads its services, maps a category and removes it @whole', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/other-portals')
  const { port } = new URL(page.url())
  const name = `County ${unique()}`
  await page.getByRole('button', { name: 'Add a portal' }).first().click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name').fill(name)
  await panel.getByLabel('Address').fill('http://county.example')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText(/^Enter the address of the Open311 endpoint/).first()).toBeVisible()
  await panel.getByLabel('Address').fill(`http://harborcity.localhost:${port}/open311/v2`)
  // Pauses the other portal, so that it receives no requests from other tests.
  await panel.getByLabel('Send requests to this portal').uncheck()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('This portal’s services have not been loaded yet.')).toBeVisible()
  await panel.getByRole('button', { name: 'Test the connection' }).click()
  await expect(panel.getByText(/services were found\. The portal accepts and sends updates\.$/)).toBeVisible()
  const service = panel.getByRole('group', { name: 'Categories to send' }).locator('select:enabled').first()
  await service.selectOption({ index: 1 })
  await expectGood(page, accessible, 'another portal in full')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByText(name).first()).toBeVisible()
  await expectGood(page, accessible, 'the list of other portals')
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(panel.getByLabel('Publish photos of public requests')).not.toBeChecked()
  await expectGood(page, accessible, 'what everybody may read by Open311')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await openMore(page, name)
  await page
    .getByRole('button', { name: `Remove ${name}` })
    .first()
    .click()
  await page.getByRole('button', { name: 'Remove the portal' }).click()
  await expect(page.getByText(`“${name}” was removed. It will get no more requests.`)).toBeVisible()
})
