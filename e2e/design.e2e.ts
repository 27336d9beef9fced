import type { Page } from '@playwright/test'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { allOrFirst, at, expect, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

/** Opens one part of the page, because checking one part is faster than checking all. */
const open = async (page: Page, part: string | null, { theme } = mapleGrove) => {
  const query = new URLSearchParams({ background: theme.theme_background, ...(part !== null && { part }) })
  await page.goto(at('', `/design?${query}`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

for (const site of allOrFirst([mapleGrove, harborCity]))
  test(`keeps every part accessible at every width in the colors of ${site.company.companyName}`, async ({
    page,
    accessible,
  }) => {
    await open(page, null, site)
    await expectGood(page, accessible, `/design in the colors of ${site.company.companyName}`)
  })

test('closes accessible dialogs, slide-outs and messages by Escape and restores focus @whole', async ({
  page,
  accessible,
}) => {
  await open(page, 'overlays', harborCity)
  for (const [opener, role] of [
    ['Open the dialog', 'dialog'],
    ['Open the confirmation', 'alertdialog'],
    ['Open the slide-out', 'dialog'],
  ] as const) {
    const button = page.getByRole('button', { name: opener })
    await button.press('Enter')
    await expect(page.getByRole(role)).toBeVisible()
    await expectGood(page, accessible, `${opener}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole(role)).toBeHidden()
    await expect(button).toBeFocused()
  }
  await page.getByRole('button', { name: 'Toast: done' }).click()
  const failing = page.getByRole('button', { name: 'Toast: error' })
  await failing.click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages).toContainText('Done: Profile saved.')
  await expect(messages).toContainText('Error: The line was lost.')
  // Messages do not move the focus.
  await expect(failing).toBeFocused()
  await expectGood(page, accessible, 'messages')
  await messages.getByRole('button', { name: 'Dismiss' }).last().click()
  await expect(messages).not.toContainText('The line was lost.')
})

test('filters a choice of five hundred during typing by keyboard only @whole', async ({ page, accessible }) => {
  await open(page, 'fields')
  const company = page.getByRole('button', { name: /Company \(500\)/ })
  await company.press('ArrowDown')
  const search = page.getByRole('combobox', { name: 'Search the list' })
  await expect(search).toBeFocused()
  await page.keyboard.type('ashford')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await expectGood(page, accessible, 'the open list')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(company).toContainText('Ashford')
  await expect(company).toBeFocused()
  await company.press('Enter')
  await page.keyboard.type('nowhere')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await expect(company).toContainText('Ashford')
  await expect(company).toBeFocused()
})

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('selects, drops and removes images and ignores wrong files @whole', async ({ page, accessible }) => {
  const sent: string[] = []
  // The server does not implement the design page's upload call, so the test responds to it.
  await page.route('**/api/v2/upload', async (route) => {
    sent.push(/filename="([^"]+)"/.exec(route.request().postData() ?? '')?.[1] ?? '')
    await route.fulfill({ json: { file_id: sent.length, path: `/uploads/${sent.length}.png` } })
  })
  await page.route('**/uploads/*.png', (route) => route.fulfill({ contentType: 'image/png', body: PNG }))
  await open(page, 'fields')
  const picker = page.getByLabel(/Logo/)
  const area = page.locator('label').filter({ hasText: 'Click to upload' })
  await expect(area).toContainText('PNG or JPG (MAX 800x400px)')

  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), picker.press('Enter')])
  await chooser.setFiles([{ name: 'seal.png', mimeType: 'image/png', buffer: PNG }])
  await expect(page.getByText('Upload Complete')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Uploaded image 1' })).toBeVisible()

  const drop = async (files: { name: string; type: string }[]) => {
    const dataTransfer = await page.evaluateHandle((all) => {
      const transfer = new DataTransfer()
      for (const { name, type } of all) transfer.items.add(new File(['x'], name, { type }))
      return transfer
    }, files)
    await area.dispatchEvent('drop', { dataTransfer })
  }
  await drop([
    { name: 'notes.txt', type: 'text/plain' },
    { name: 'map.gif', type: 'image/gif' },
  ])
  await drop([
    { name: 'bill.pdf', type: 'application/pdf' },
    { name: 'hall.jpg', type: 'image/jpeg' },
  ])
  await expect(page.getByRole('img', { name: /^Uploaded image/ })).toHaveCount(2)
  expect(sent).toEqual(['seal.png', 'hall.jpg'])
  // The widget ignores wrong files without an error message.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await accessible(page, 'uploaded pictures')

  await page.getByRole('button', { name: 'Delete image 1' }).press('Enter')
  await expect(page.getByRole('img', { name: /^Uploaded image/ })).toHaveCount(1)
  await expect(picker).toBeFocused()

  // A large file is sent in parts. The connection fails and returns while the person waits.
  const parts: string[] = []
  await page.route('**/api/v2/start/upload/image', (route) =>
    route.fulfill({ json: { success: true, offset: parts.length > 1 ? 262_144 : 0 } }),
  )
  await page.route('**/api/v2/send/upload/part/image', async (route) => {
    parts.push(route.request().url())
    if (parts.length === 2) await route.abort()
    else await route.fulfill({ json: { success: true, offset: parts.length === 1 ? 262_144 : 300_000 } })
  })
  const [largeChooser] = await Promise.all([page.waitForEvent('filechooser'), picker.press('Enter')])
  await largeChooser.setFiles([{ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(300_000, PNG) }])
  const sending = page.getByRole('progressbar', { name: 'Upload' })
  await expect(sending).toHaveCount(4)
  await expect(sending.first()).toHaveAttribute('value', '87')
  await accessible(page, 'an upload that was cut')
  await expect(page.getByRole('img', { name: /^Uploaded image/ })).toHaveCount(2)
  expect(parts).toHaveLength(3)
  await expect(page.getByText('Upload Complete')).toBeVisible()

  await page.unroute('**/api/v2/upload')
  await page.route('**/api/v2/upload', (route) =>
    route.fulfill({
      status: 415,
      json: { success: false, message: 'Only pictures, please.', msg: 'Only pictures, please.', code: 'unsupported' },
    }),
  )
  await picker.setInputFiles([{ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') }])
  await expect(picker).toHaveAccessibleDescription(/Only pictures, please\./)
  await accessible(page, 'a refused picture')
})

test('keeps the shape of a loading, empty or failed table @whole', async ({ page, accessible }) => {
  await open(page, 'tables')
  const server = page.getByRole('combobox', { name: 'The server is' })
  for (const [mode, expectedText] of [
    ['Empty', 'No payments to show'],
    ['Broken', 'The report is not available right now.'],
  ] as const) {
    await server.selectOption(mode)
    await expect(page.getByText(expectedText)).toBeVisible()
    await accessible(page, `a table whose server is ${mode}`)
  }
  await server.selectOption('Working')
  await openMore(page, 'the list')
  await page
    .getByRole('region', { name: 'Payment Transaction Report' })
    .getByRole('button', { name: 'Export CSV' })
    .click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('We could not reach the server.')
})
