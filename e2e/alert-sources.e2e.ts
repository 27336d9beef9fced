import { openAs } from './calls.ts'
import { expect, tabTo, test } from './fixtures.ts'
import { openMore } from './more.ts'
import { expectGood } from './screen-checks.ts'

const PATH = '/municipality/manage/alerts/sources'

test('adds an alert source by keyboard and creates an alert from another @whole', async ({ page, accessible }) => {
  await openAs(page, 'harborcity', 'admin@harborcity.example', `${PATH}?of=sources`)
  const { keyboard } = page
  await tabTo(page, page.getByRole('button', { name: 'Add source' }))
  await keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Add source' })
  await expectGood(page, accessible, 'a new source of alerts')
  await panel.getByLabel('Name').fill('County')
  await panel.getByLabel('Feed address').fill('county')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel.getByLabel('Feed address')).toHaveAccessibleDescription(/Enter the feed address/)
  await panel.getByLabel('Feed address').fill('https://county.example/alerts.atom')
  await panel.getByLabel('Read this source every minute').uncheck()
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'https://county.example/alerts.atom' })).toContainText('Paused')
  // The focus returns to the button that opened the panel.
  await expect(page.getByRole('button', { name: 'Add source' })).toBeFocused()

  await page.getByRole('link', { name: 'Messages' }).press('Enter')
  const row = page.getByRole('row').filter({ hasText: 'Pending review' }).first()
  await openMore(row)
  await row.getByRole('button', { name: /^Release/ }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: /^Create an alert from “/ })
  await expectGood(page, accessible, 'taking a message over')
  await dialog.getByRole('button', { name: 'Create alert' }).press('Enter')
  await expect(page).toHaveURL(/manage\/alerts\?alert=\d+/)
  await expect(page.getByRole('dialog').getByText('Draft', { exact: true }).first()).toBeVisible()
})
