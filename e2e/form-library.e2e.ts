import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { assignForm } from '../features/form-library/contract.ts'
import { formCompanies, forms } from '../features/form-library/list.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { reveal } from './filters.ts'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const LIBRARY = '/admin/manage/manage-forms-and-docs'
const open = (page: Page, query = '', email = SUPER) => openAs(page, 'admin', email, LIBRARY + query)
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const expectText = (page: Page, message: string | RegExp) => expect(page.getByText(message).first()).toBeVisible()

/** Returns a minimal complete PDF with this text. */
const pdf = (text: string): Buffer =>
  Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >> endobj
4 0 obj << /Length ${text.length + 20} >>
stream
BT (${text}) Tj ET
endstream
endobj
trailer << /Root 1 0 R >>
%%EOF`)
const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/pdf', buffer: pdf(text) })

async function drop(page: Page, name: string, content: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ([called, bytes]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], called, { type: 'application/pdf' }))
      return transfer
    },
    [name, [...content]] as const,
  )
  await page.locator('label:has(input[type=file])').dispatchEvent('drop', { dataTransfer: data })
}

test('adds, edits, replaces, downloads in each version and retires a form @whole', async ({ page, accessible }) => {
  test.slow()
  const stamp = Date.now()
  await open(page)
  await expect(row(page, 'Dog License Application')).toBeVisible()
  await expectGood(page, accessible, 'the library')

  await page.getByRole('button', { name: 'Add form' }).click()
  const panel = page.getByRole('dialog', { name: 'Add form' })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Choose a file.').last()).toBeVisible()
  await expectGood(page, accessible, 'a form without anything')
  await panel.locator('input[type=file]').setInputFiles(fileOf(`tree_removal-permit ${stamp}.pdf`, 'one'))
  await expect(panel.getByLabel('Title')).toHaveValue(`Tree removal permit ${stamp}`)
  await panel.getByLabel('Category').selectOption('Permits')
  await panel.getByLabel(/Description/).fill('For trees on the street.')
  await expectGood(page, accessible, 'a form that is filled in')
  // Typed text survives a reload. A file must be chosen again.
  await page.reload()
  await expect(panel.getByLabel('Title')).toHaveValue(`Tree removal permit ${stamp}`)
  await panel.locator('input[type=file]').setInputFiles(fileOf('tree.pdf', 'one'))
  await expect(panel.getByLabel('Title')).toHaveValue(`Tree removal permit ${stamp}`)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expectText(page, `Tree removal permit ${stamp} added to the library.`)
  // Waits until the panel closes, because content behind an open panel accepts no text.
  await expect(panel).toHaveCount(0)

  await page.getByRole('searchbox', { name: 'Search' }).fill(String(stamp))
  await expect(row(page, String(stamp))).toHaveCount(1)
  await openMore(row(page, String(stamp)))
  await row(page, String(stamp)).getByRole('button', { name: /^Edit/ }).click()
  const edit = page.getByRole('dialog', { name: /^Edit/ })
  await edit.getByLabel('Title').fill('')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit.getByText('Enter a title.')).toBeVisible()
  await expectGood(page, accessible, 'a form that is edited')
  await edit.getByLabel('Title').fill(`Street tree ${stamp}`)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expectText(page, `Street tree ${stamp} saved.`)

  await page.getByRole('button', { name: `Street tree ${stamp}`, exact: true }).click()
  const form = page.getByRole('dialog', { name: `Street tree ${stamp}` })
  await drop(page, 'bill.pdf', Buffer.from('MZ this starts a program'))
  await form.getByRole('button', { name: 'Save as new version' }).click()
  await expect(form.getByText('Upload a PDF, a Word document (.docx), a PNG or a JPG.')).toBeVisible()
  await expectGood(page, accessible, 'a file that was refused')
  await drop(page, 'tree-2.pdf', pdf('two'))
  await expect(form.getByText('tree-2.pdf')).toBeVisible()
  await form.getByRole('button', { name: 'Save as new version' }).click()
  await expectText(page, `Street tree ${stamp} is now at version 2.`)
  await expect(form.getByText('Version 2', { exact: true })).toBeVisible()
  await expectGood(page, accessible, 'a form with two versions')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: /^Download version 1/ }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('tree.pdf')
  await form.getByRole('button', { name: 'Close' }).last().click()

  await openMore(row(page, String(stamp)))
  await row(page, String(stamp))
    .getByRole('button', { name: /^Deactivate/ })
    .click()
  await expectText(page, `Street tree ${stamp} is now inactive.`)
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Active')
  await expect(page.getByText('No forms to show')).toBeVisible()
  await expectGood(page, accessible, 'a library in which nothing matches')
  await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Inactive')
  await openMore(row(page, String(stamp)))
  await row(page, String(stamp))
    .getByRole('button', { name: /^Remove/ })
    .click()
  const sure = page.getByRole('alertdialog')
  await expectGood(page, accessible, 'the question before a form is removed')
  await sure.getByRole('button', { name: 'Remove form' }).click()
  await expectText(page, `Street tree ${stamp} removed.`)
})

test('removes camera metadata from an uploaded photo @whole', async ({ page }) => {
  const stamp = Date.now()
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0b7f5b' } })
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer()
  await open(page, '?add=1')
  const panel = page.getByRole('dialog', { name: 'Add form' })
  await panel
    .locator('input[type=file]')
    .setInputFiles({ name: `map ${stamp}.jpg`, mimeType: 'image/jpeg', buffer: photo })
  await panel.getByLabel('Category').selectOption('Other')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expectText(page, 'added to the library.')
  await expect(panel).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Search' }).fill(String(stamp))
  await expect(row(page, String(stamp))).toHaveCount(1)
  await openMore(row(page, String(stamp)))
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    row(page, String(stamp))
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  const parts: Buffer[] = []
  for await (const part of await saved.createReadStream()) parts.push(part as Buffer)
  const { width, exif } = await sharp(Buffer.concat(parts)).metadata()
  expect([width, exif]).toEqual([40, undefined])
  await page.getByRole('button', { name: `Map ${stamp}`, exact: true }).click()
  const preview = page.getByRole('dialog').locator('img[src^="data:image/jpeg"]')
  await expect(preview).toBeVisible()
  expect(await preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
})

test('resumes a large upload automatically and from its offset after a reload @whole', async ({
  page,
  accessible,
}, testInfo) => {
  test.slow()
  const stamp = Date.now()
  // Uses a file on disk, so that choosing it again selects the same file.
  const file = testInfo.outputPath(`zoning map ${stamp}.pdf`)
  const content = pdf(randomBytes(400_000).toString('hex'))
  writeFileSync(file, content)
  await open(page, '?add=1')
  const panel = page.getByRole('dialog', { name: 'Add form' })
  const bar = panel.getByRole('progressbar', { name: 'Upload' })
  const save = panel.getByRole('button', { name: 'Save' })
  await panel.locator('input[type=file]').setInputFiles(file)
  await panel.getByLabel('Category').selectOption('Permits')

  const offsets: number[] = []
  await page.route('**/api/v2/send/upload/part/form', async (route) => {
    const offset = Number(/name="offset"\s+(\d+)/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1])
    offsets.push(offset)
    await (offset === 0 ? route.continue() : route.abort())
  })
  await save.press('Enter')
  await expect(
    panel.getByText('The connection was lost. The upload will resume automatically when you are back online.'),
  ).toBeVisible()
  await page.route('**/api/v2/start/upload/form', (route) => route.abort())
  await expect(bar).toHaveAttribute('value', '32')
  await expectGood(page, accessible, 'an upload that is cut')
  const stop = panel.getByRole('button', { name: 'Stop upload' })
  await stop.focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByText(/^The upload was stopped\./).first()).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expectGood(page, accessible, 'an upload that was stopped')

  await page.reload()
  await page.unroute('**/api/v2/start/upload/form')
  await page.unroute('**/api/v2/send/upload/part/form')
  const released = Promise.withResolvers<void>()
  await page.route('**/api/v2/send/upload/part/form', async (route) => {
    const offset = Number(/name="offset"\s+(\d+)/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '')?.[1])
    offsets.push(offset)
    await released.promise
    await route.continue()
  })
  offsets.length = 0
  await panel.locator('input[type=file]').setInputFiles(file)
  await expect(panel.getByLabel('Category')).toHaveValue('Permits')
  await save.click()
  await expect(panel.getByText('The upload resumed where it stopped.')).toBeVisible()
  await expect(bar).toHaveAttribute('value', '32')
  await expectGood(page, accessible, 'an upload that goes on')
  released.resolve()
  await expectText(page, 'added to the library.')
  // The panel closes when the list behind it reloads. Until then, the list accepts no typing.
  await expect(panel).toHaveCount(0)
  expect(offsets[0]).toBe(256 * 1024)
  await page.getByRole('searchbox', { name: 'Search' }).fill(String(stamp))
  await openMore(row(page, String(stamp)))
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    row(page, String(stamp))
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  expect(readFileSync(await saved.path()).equals(content)).toBe(true)
})

/** Removes the form from all companies, so that repeated runs start from the same state. */
async function takeFromAll(search: string, token: string): Promise<number> {
  const { rows } = await callOn('admin', forms.call, { search, filters: {} }, token)
  const templateId = rows[0]?.id ?? 0
  const having = { pageSize: 100, filters: { templateId, has: 'yes' as const } }
  const remove = (await callOn('admin', formCompanies.call, having, token)).rows.map(({ id }) => id)
  if (remove.length > 0) await callOn('admin', assignForm, { templateId, remove }, token)
  return templateId
}

test('previews a form assignment and applies it to all found companies together @whole', async ({
  page,
  accessible,
}) => {
  test.slow()
  const { token } = await sessionOf('admin', SUPER)
  await takeFromAll('driveway', token)
  await open(page, '?search=driveway')
  await openMore(row(page, 'Driveway'))
  await row(page, 'Driveway')
    .getByRole('button', { name: /^Assign/ })
    .click()
  const panel = page.getByRole('dialog', { name: /^Assign Driveway/ })
  await expect(panel.getByText(/^Companies that have this form: 0 of \d+/)).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled()
  await panel.getByRole('searchbox', { name: 'Find companies' }).fill('no such town')
  await expect(panel.getByText('No matching companies')).toBeVisible()
  await expectGood(page, accessible, 'a company that is not there')
  await panel.getByRole('searchbox', { name: 'Find companies' }).fill('mill')
  await panel.getByRole('checkbox', { name: /^Old Mill/ }).check()
  await panel.getByRole('searchbox', { name: 'Find companies' }).fill('ha')
  await panel.getByRole('checkbox', { name: /^Harbor City/ }).check()
  await expect(panel.getByRole('region', { name: 'Companies to add' }).getByRole('listitem')).toHaveText([
    /Harbor City/,
    /Old Mill/,
  ])
  await expectGood(page, accessible, 'companies that were chosen')
  // The selection survives a reload.
  await page.reload()
  await panel.getByRole('button', { name: 'Undo the change for Harbor City' }).click()
  await panel.getByRole('button', { name: 'Save 1 change' }).click()
  await expectText(page, /1 company added, 0 removed/)

  await openMore(row(page, 'Driveway'))
  await row(page, 'Driveway')
    .getByRole('button', { name: /^Assign/ })
    .click()
  await panel.getByLabel('Show').selectOption('Assigned')
  await panel.getByRole('checkbox', { name: /^Old Mill/ }).uncheck()
  await expect(panel.getByRole('region', { name: 'Companies to remove' })).toContainText('Old Mill')
  await expectGood(page, accessible, 'a company that loses a form')
  await panel.getByRole('button', { name: 'Undo the change for Old Mill' }).click()
  await panel.getByRole('button', { name: 'Assign to all companies' }).click()
  const sure = page.getByRole('alertdialog')
  await expect(sure).toContainText(/The form will be assigned to \d+ companies that do not have it yet/)
  await expectGood(page, accessible, 'the question before all get a form')
  await sure.getByRole('button', { name: /^Assign to \d+ companies$/ }).click()
  await expectText(page, /\d+ companies added, 0 removed/)

  const { rows } = await callOn('admin', forms.call, { search: 'driveway', filters: {} }, token)
  expect(rows[0]?.can.remove).toBe(false)
})

test('shows the forms of a company, and assigns and removes them @whole', async ({ page, accessible }) => {
  const { token } = await sessionOf('admin', SUPER)
  const templateId = await takeFromAll('homestead', token)
  await openAs(page, 'admin', SUPER, '/admin/101/company/information')
  await page.getByRole('link', { name: 'Forms and documents' }).click()
  await expect(page).toHaveURL(at('admin', `${LIBRARY}?company=101`))
  await page.getByRole('searchbox', { name: 'Search' }).fill('homestead')
  const homestead = row(page, 'Homestead')
  await expect(homestead).toContainText('Not assigned')
  await openMore(homestead)
  await homestead.getByRole('button', { name: /^Assign/ }).click()
  await expectText(page, /1 company added/)
  await expect(homestead).not.toContainText('Not assigned')
  await expectGood(page, accessible, 'what a company has')
  await (
    await reveal(page, page.getByRole('combobox', { name: 'Assigned to this company' }))
  ).selectOption('Not assigned')
  await expect(page.getByText('No forms to show')).toBeVisible()
  await page.getByRole('combobox', { name: 'Assigned to this company' }).selectOption('Assigned')
  await openMore(homestead)
  await homestead.getByRole('button', { name: /^Unassign/ }).click()
  await expectText(page, /0 companies added, 1 removed/)
  await page.getByRole('link', { name: 'Back to company information' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company Information')
  await expect(callOn('admin', assignForm, { templateId, remove: [101] }, token)).resolves.toMatchObject({ removed: 0 })
})

test('adds and assigns a form by keyboard only @whole', async ({ page }) => {
  const stamp = Date.now()
  await open(page)
  await page.getByRole('button', { name: 'Add form' }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Add form' })
  // Waits until the dialog has the focus, so that it can't take the focus from the next key press.
  await expect(panel.locator(':focus')).toHaveCount(1)
  const picker = panel.locator('input[type=file]')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), picker.press('Enter')])
  await chooser.setFiles(fileOf(`keys ${stamp}.pdf`, 'keys'))
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: /^Remove/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(panel.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Tax')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Typed, not clicked.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectText(page, `Keys ${stamp} added to the library.`)
  await expect(page.getByRole('button', { name: 'Add form' })).toBeFocused()
  await page.getByRole('searchbox', { name: 'Search' }).fill(String(stamp))
  await openMore(row(page, String(stamp)))
  await row(page, String(stamp))
    .getByRole('button', { name: /^Assign/ })
    .press('Enter')
  const assign = page.getByRole('dialog', { name: /^Assign/ })
  await assign.getByRole('checkbox', { name: /^Maple Grove/ }).press('Space')
  await assign.getByRole('button', { name: 'Save 1 change' }).press('Enter')
  await expectText(page, /1 company added/)
  await expect(row(page, String(stamp)).getByRole('cell').filter({ hasText: /^1$/ }).first()).toBeVisible()
})

test('reports a library that fails to load or a missing privilege @whole', async ({ page, browser }) => {
  const path = '**/api/v2/admin/return/forms'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await open(page)
  await expectText(page, 'The server is being restarted.')
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, 'Dog License Application')).toBeVisible()
  const otherPage = await browser.newPage()
  await open(otherPage, '', 'callcenter@mainstreet.example')
  await expectText(otherPage, "This page requires the privilege “View” in “Manage others' forms”")
  await otherPage.close()
})

test('copies questions and settings from the library to a form of a municipality @whole', async ({
  page,
  context,
  accessible,
}) => {
  const title = 'Dog License Application'
  await open(page)
  await page.getByRole('rowheader', { name: title }).getByRole('button').press('Enter')
  await expect(page.getByText(/gets 7 questions/)).toBeVisible()
  await expectGood(page, accessible, 'the questions of a form template')

  const office = await context.newPage()
  await openAs(office, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/manage-forms-and-docs')
  await office.getByRole('button', { name: 'Add form' }).press('Enter')
  const panel = office.getByRole('dialog', { name: 'Add form' })
  await panel.getByLabel('Library form').selectOption({ label: title })
  const name = `Dogs ${Date.now()}`
  await panel.getByLabel('Title').fill(name)
  await expect(panel.getByLabel('Text')).toHaveValue(/every January/)
  await expectGood(office, accessible, 'a new form from the library')
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await office.getByRole('dialog', { name }).getByRole('link', { name: 'Fields' }).press('Enter')
  await expect(office.getByText('Last rabies vaccination').first()).toBeVisible()
})
