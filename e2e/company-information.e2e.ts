import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { companiesInformation } from '../shared/companies.ts'
import { saveConfig, saveProcessor } from '../features/town-config/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, test, unique } from './fixtures.ts'
import { setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'

const information = (page: Page, companyId: number, section: string) =>
  openAs(page, 'admin', SUPER, `/admin/${companyId}/company/information?section=${section}`)
const chosen = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click()
const saved = (page: Page, message: string) => expect(page.getByText(message).first()).toBeVisible()

test('creates a company, sets modules, colors and logo, and resets its colors', async ({
  page,
  context,
  accessible,
}) => {
  test.slow()
  const stamp = unique().toLowerCase()
  const name = `Willow Bend ${stamp}`
  const subdomain = `willow-${stamp}`
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('button', { name: 'Add Company' }).click()
  const panel = page.getByRole('dialog', { name: 'Create Company' })
  await panel.getByLabel('Company Name').fill(name)
  // The subdomain follows the name until staff type another one.
  await expect(panel.getByLabel('SubDomain')).toHaveValue(`willowbend${stamp}`)
  await panel.getByLabel('SubDomain').fill(subdomain)
  await panel.getByLabel('Company Address').fill('3 Bridge Street')
  await panel.getByLabel('City', { exact: true }).fill('Willow Bend')
  await panel.getByLabel('State').fill('PA')
  await panel.getByLabel('Zip Code').fill('17044')
  await panel.getByLabel('Phone').fill('717-555-0144')
  await panel.getByLabel('Company Website').fill('www.willowbend.example.org')
  for (const field of ['Is Online', 'Integrates with Billing System', 'Managed Services Client'])
    await panel.getByLabel(field).selectOption('Yes')
  await panel.getByRole('button', { name: 'Save' }).click()
  const success = page.getByRole('dialog', { name: 'Success' })
  await expect(success).toContainText(`${name} was created.`)
  await success.getByRole('button', { name: 'Set up municipality' }).click()
  await expect(page).toHaveURL(/\/admin\/\d+\/company\/information$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company Information')

  await chosen(page, 'Modules')
  await page.getByLabel('Utility Portal', { exact: true }).uncheck()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page, 'Modules saved.')

  await chosen(page, 'Colors and logo')
  await page.getByLabel('Background color', { exact: true }).fill('#ffd200')
  await page.getByLabel('Text color', { exact: true }).fill('#999999')
  await expect(page.getByText(/The text color #999999 is darkened to #/)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page, 'Colors and logo saved.')
  const image = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#0b7f5b' } })
    .jpeg()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'seal.jpg', mimeType: 'image/jpeg', buffer: image })
  await saved(page, 'The municipality now shows its new logo.')
  await expect(page.getByText('Upload Complete')).toBeVisible()
  await expect(page.getByRole('img', { name: `${name} logo` })).toBeVisible()
  await expectGood(page, accessible, 'a town with a logo')
  // The thumbnail shows the logo. After confirmation, deleting the thumbnail removes the logo.
  await page.getByRole('button', { name: 'Delete image 1' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Use the seal instead of the logo?' })
  await confirmation.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByRole('img', { name: `${name} logo` })).toBeVisible()
  await page.getByRole('button', { name: 'Delete image 1' }).click()
  await confirmation.getByRole('button', { name: 'Use seal' }).click()
  await saved(page, 'The municipality now shows its seal again.')
  await expect(page.getByRole('img', { name: `${name} logo` })).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'Uploaded image 1' })).toHaveCount(0)
  await page.locator('input[type=file]').setInputFiles({ name: 'seal.jpg', mimeType: 'image/jpeg', buffer: image })
  await expect(page.getByRole('img', { name: `${name} logo` })).toBeVisible()

  const sitePage = await context.newPage()
  await sitePage.goto(at(subdomain, '/'))
  await expect(sitePage.getByText(name).first()).toBeVisible()
  await expect(sitePage.locator('section img').first()).toHaveJSProperty('naturalWidth', 533)
  expect(await sitePage.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))).toBe(
    '#ffd200',
  )
  await expect(sitePage.getByRole('navigation').getByRole('link', { name: 'Utility Portal' })).toHaveCount(0)

  await chosen(page, 'History')
  await page.getByLabel('Show', { exact: true }).selectOption('Colors and logo')
  await expect(page.getByText('#324c96')).toBeVisible()
  await page
    .getByRole('listitem')
    .filter({ hasText: '#324c96' })
    .getByRole('button', { name: /^Restore/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Restore Colors and logo' })
  await expect(dialog.getByText('#324c96')).toBeVisible()
  await expectGood(page, accessible, 'the changes of an old state')
  await dialog.getByRole('button', { name: 'Restore version' }).click()
  await saved(page, 'Colors and logo restored.')
  await expect(page.getByText('· restored')).toBeVisible()
  await sitePage.reload()
  expect(await sitePage.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'))).toBe(
    '#324c96',
  )

  await chosen(page, 'Details')
  const online = page.getByLabel('Is Online')
  await online.selectOption('No')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep municipality online' }).click()
  await expect(online).toHaveValue('1')
  await online.selectOption('No')
  await expectGood(page, accessible, 'going offline is asked for')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take municipality offline' }).click()
  await page.getByLabel(/Offline message/).fill('We move house. Back on Monday.')
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page, 'Details saved.')
  await expect(page.getByText('Offline', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Get Started' })).toContainText('Address, hours and contacts')
  await sitePage.goto(at(subdomain, '/'))
  await expect(sitePage).toHaveURL(at(subdomain, '/offline'))
  await expect(sitePage.getByText('We move house. Back on Monday.')).toBeVisible()
  await sitePage.getByRole('link', { name: 'Staff sign-in' }).click()
  await expect(sitePage.getByRole('heading', { level: 1 })).toHaveText('Sign In')
  await sitePage.close()
})

for (const [index, some] of [
  ['details', 'hours', 'modules', 'tiles', 'theme', 'message', 'payments'],
  ['processors', 'alerts', 'texts', 'announcements', 'contacts', 'sharing', 'history', 'transfer'],
].entries())
  test(`passes the screen checks in sections ${some.join(', ')} @whole`, async ({ page, accessible }) => {
    test.slow()
    const { companyId, token } = await setUpCompany(`Larch${index}`)
    const list = {
      announcements: [{ location: 'landing' as const, message: 'Leaves are collected.', until: '2090-11-30' }],
    }
    await callOn('admin', saveConfig, { companyId, section: 'announcements', values: list }, token)
    for (const section of some) {
      await information(page, companyId, section)
      await expect(page.locator('#section-title')).toBeVisible()
      if (section === 'tiles') await page.locator('summary').first().click()
      if (section === 'contacts') await page.getByRole('button', { name: 'Add a contact' }).click()
      if (section === 'alerts') {
        await page.getByRole('button', { name: 'Add a service' }).first().click()
        await page.getByRole('button', { name: 'Save' }).click()
        await expect(page.getByText('Enter at least 3 characters.')).toBeVisible()
      }
      if (section === 'transfer') {
        await page.getByLabel('Import settings from', { exact: true }).selectOption('Settings for Maple Grove')
        await page.getByRole('button', { name: 'Preview changes' }).click()
        await expect(page.getByText(/An import from Maple Grove would make these changes/)).toBeVisible()
      }
      await expectGood(page, accessible, section)
    }
  })

test('moves and adds tiles by keyboard and shows residents the new order @whole', async ({ page }) => {
  const { companyId, subdomain } = await setUpCompany('Tilbury')
  await information(page, companyId, 'tiles')
  const down = page.getByRole('button', { name: 'Move Utility Customer Portal down' })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Utility Customer Portal is now number 2 of 6.')).toBeAttached()
  await expect(down).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Utility Customer Portal is now number 1 of 6.')).toBeAttached()
  await down.press('Enter')
  await page.getByRole('button', { name: 'Add a tile' }).press('Enter')
  await expect(page.getByLabel('Name of tile 7')).toBeFocused()
  await page.keyboard.press('Tab')
  const save = page.getByRole('button', { name: 'Save' })
  await save.press('Enter')
  await expect(page.getByText('Enter the name of the tile.').first()).toBeVisible()
  await expect(page.getByLabel('Name of tile 7')).toBeFocused()
  await page.keyboard.type('Town Hall Hours')
  // Typed text survives a reload.
  await page.reload()
  await expect(page.getByLabel('Name of tile 7')).toHaveValue('Town Hall Hours')
  await save.press('Enter')
  await saved(page, 'Landing page saved.')
  await expect(save).toBeFocused()
  await page.goto(at(subdomain, '/'))
  const titles = page.locator('h3')
  await expect(titles.first()).toHaveText('Pay a Bill')
  await expect(titles.nth(1)).toHaveText('Utility Customer Portal')
  await expect(titles.filter({ hasText: 'Town Hall Hours' })).toHaveCount(1)
})

test('formats a message, previews it and shows it on the landing page @whole', async ({ page }) => {
  const { companyId, subdomain } = await setUpCompany('Marsh')
  await information(page, companyId, 'message')
  const editor = page.getByRole('textbox', { name: 'Site-wide message' })
  await editor.pressSequentially('Leaf pickup begins Monday.')
  for (const _ of 'begins Monday.') await editor.press('ArrowLeft')
  for (const _ of 'Leaf pickup ') await editor.press('Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Bold' }).click()
  await expect(page.locator('strong', { hasText: 'Leaf pickup' })).toHaveCount(2)
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page, 'Message to residents saved.')
  await page.goto(at(subdomain, '/'))
  await expect(page.locator('strong', { hasText: 'Leaf pickup' })).toBeVisible()
})

test('shows the HTML of a message that the editor lacks @whole', async ({ page, accessible }) => {
  const { companyId, token } = await setUpCompany('Reed')
  const values = { tagline: '', site_wide_message: '<p>Closed Friday.<br>Open <u>Monday</u>.</p>' }
  await callOn('admin', saveConfig, { companyId, section: 'message', values }, token)
  await information(page, companyId, 'message')
  const source = page.getByRole('textbox', { name: 'Site-wide message' })
  await expect(source).toHaveValue(values.site_wide_message.replace('<br>', '<br />'))
  await expectGood(page, accessible, 'a message as HTML')
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await expect(source.locator('u')).toHaveText('Monday')
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(source).toHaveValue(values.site_wide_message.replace('<br>', '<br />'))
})

test('prevents overwrites if two people save together @whole', async ({ page, accessible }) => {
  const { companyId, token } = await setUpCompany('Twinfield')
  await information(page, companyId, 'hours')
  await expect(page.getByLabel('Office opens')).toHaveValue('08:00')
  const day = { office_hours_open: '09:00', office_hours_closed: '17:00' }
  await callOn('admin', saveConfig, { companyId, section: 'hours', values: day }, token)
  await page.getByLabel('Office opens').fill('10:00')
  await page.getByRole('button', { name: 'Save' }).click()
  const choice = page.getByRole('group', { name: 'Office opens' })
  await expect(choice.getByRole('radio')).toHaveCount(2)
  await expect(choice).toContainText('09:00')
  await expect(choice).toContainText('10:00')
  await expect(page.getByLabel('Office opens', { exact: true })).toHaveValue('10:00')
  // The page already shows the fields that only the other person changed. It saves only after the user chooses.
  await expect(page.getByLabel('Office closes')).toHaveValue('17:00')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(choice.getByText('Choose which value to use.')).toBeVisible()
  await expectGood(page, accessible, 'two who changed the same')
  await choice.getByRole('radio').first().check()
  await expect(page.getByLabel('Office opens', { exact: true })).toHaveValue('09:00')
  await choice.getByRole('radio', { name: /^You/ }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await saved(page, 'Office hours saved.')
  await expect(page.getByLabel('Office opens')).toHaveValue('10:00')
  await expect(page.getByLabel('Office closes')).toHaveValue('17:00')
})

test('exports settings and imports them to another company after a preview @whole', async ({ page, accessible }) => {
  const source = await setUpCompany('Oakley')
  const target = await setUpCompany('Pinehurst')
  const day = { office_hours_open: '07:15', office_hours_closed: '15:45' }
  await callOn('admin', saveConfig, { companyId: source.companyId, section: 'hours', values: day }, source.token)
  await information(page, source.companyId, 'transfer')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export settings' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${source.subdomain}-configuration.json`)
  const path = await file.path()

  await page.goto(at('admin', `/admin/${target.companyId}/company/information?section=transfer&from=file`))
  const compare = page.getByRole('button', { name: 'Preview changes' })
  const picker = page.getByLabel('Settings file')
  await picker.setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') })
  await compare.click()
  await expect(page.getByText('This file has no municipality settings.')).toBeVisible()
  await expectGood(page, accessible, 'a refused file')
  await picker.setInputFiles(path)
  await compare.click()
  await expect(page.getByText('An import from the file would make these changes:')).toBeVisible()
  await expect(page.getByText('07:15')).toBeVisible()
  await page.getByRole('button', { name: 'Import settings' }).click()
  await saved(page, 'Imported settings from the file.')
  await chosen(page, 'Office hours')
  await expect(page.getByLabel('Office opens')).toHaveValue('07:15')
})

test('sets the processor of a company, with each message in its place @whole', async ({ page, accessible }) => {
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('searchbox').fill('Harbor City')
  await openMore(page, 'Harbor City')
  await page.getByRole('button', { name: 'Set Utility Processor Harbor City' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Harbor City' })
  const save = panel.getByRole('button', { name: 'Save' })
  for (const field of ['Select a processor', 'Primary Staff', 'Secondary Staff'])
    await panel.getByLabel(field).selectOption('')
  await save.click()
  for (const message of ['A processor is required.', 'Primary Staff is required.', 'Secondary Staff is required.'])
    await expect(panel.getByText(message)).toHaveCount(2)
  await expect(panel.getByLabel('Select a processor')).toBeFocused()
  await expectGood(page, accessible, 'a refused processor')
  await expect(panel.getByLabel('Select a processor').getByRole('option')).toHaveText([
    'Choose one',
    'Sandbox',
    'Stripe',
    'Bank file',
  ])
  await panel.getByLabel('Select a processor').selectOption('Sandbox')
  await panel.getByLabel('Primary Staff').selectOption({ index: 1 })
  await panel.getByLabel('Secondary Staff').selectOption({ index: 1 })
  await save.click()
  await expect(panel.getByText('Choose two different people.').first()).toBeVisible()
  await panel.getByLabel('Secondary Staff').selectOption({ index: 2 })
  const saving = `**/api/v2/${saveProcessor.path}`
  const message = 'Company is required - if you see this something bad happened.'
  await page.route(saving, (route) =>
    route.fulfill({ status: 422, json: { success: false, message, msg: message, code: 'rejected' } }),
  )
  await save.click()
  const oops = page.getByRole('dialog', { name: 'Oops...' })
  await expect(oops).toContainText(message)
  await oops.getByRole('button', { name: 'Back to the form' }).click()
  await page.unroute(saving)
  await save.click()
  const success = page.getByRole('dialog', { name: 'Success' })
  await expect(success).toContainText('The processor for Harbor City was saved.')
  await success.getByRole('button', { name: 'Close' }).last().click()
})

test('edits a company next to the list and accepts its current name @whole', async ({ page, accessible }) => {
  const { name } = await setUpCompany('Foxglove')
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('searchbox').fill(name)
  await openMore(page, name)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const panel = page.getByRole('dialog', { name: `Edit ${name}` })
  await expect(panel.getByLabel('Company Name')).toHaveValue(name)
  await expect(panel.getByLabel('Phone')).toHaveValue('717-555-0133')
  await panel.getByLabel('Company Name').fill('Maple Grove')
  await expect(panel.getByText('Company Name already exists.')).toBeVisible()
  await panel.getByLabel('City', { exact: true }).fill('')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('City is Required.').first()).toBeVisible()
  await expectGood(page, accessible, 'a refused edit')
  await panel.getByLabel('Company Name').fill(name)
  await panel.getByLabel('City', { exact: true }).fill('Foxglove Hill')
  await panel.getByRole('button', { name: 'Save' }).click()
  const success = page.getByRole('dialog', { name: 'Success' })
  await expect(success).toContainText(`The changes to ${name} were saved.`)
  await success.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Foxglove Hill')
  await page.getByRole('button', { name: `View ${name}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Company Information')
})

test('shows the settings to the call center read-only @whole', async ({ page }) => {
  await openAs(page, 'admin', 'callcenter@mainstreet.example', '/admin/101/company/information?section=hours')
  await expect(page.getByLabel('Office opens')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expect(page.getByText(/you need the privilege “Edit” in “Company setup”/)).toBeVisible()
})

test('reports a missing company and leaves other pages unchanged @whole', async ({ page, accessible }) => {
  await information(page, 999_999, 'details')
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await expect(page.getByText('Specify the municipality.')).toBeVisible()
  await expectGood(page, accessible, 'a company that is not there')
})

test('sets the fiscal year start and updates the dates of reports @whole', async ({ page }) => {
  test.slow()
  const { token } = await sessionOf('admin', SUPER)
  const { companies } = await callOn('admin', companiesInformation, {}, token)
  const harbor = companies.find(({ name }) => name.startsWith('Harbor City'))?.id ?? 0
  const begins = async (month: string, year: RegExp) => {
    await information(page, harbor, 'details')
    const field = page.getByLabel('First month of the fiscal year')
    // An earlier attempt may have saved this month, and the portal saves only changes.
    const current = await field.locator('option:checked').textContent()
    if (current !== month) {
      await field.selectOption(month)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(/saved\.$/).first()).toBeVisible()
    }
    await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality/reports/payments?dates=fiscal-year')
    await expect(page.getByText(year).filter({ visible: true }).first()).toBeVisible()
  }
  await begins('July', /0?7\/0?1\/\d{4} – 0?6\/30\/\d{4}|Jul 1, \d{4} – Jun 30, \d{4}/)
  await begins('January', /0?1\/0?1\/\d{4} – 12\/31\/\d{4}|Jan 1, \d{4} – Dec 31, \d{4}/)
})
