import { findAddresses } from '../shared/places.ts'
import { callOn, newResident, openAs } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { expect, PHONE, test, unique } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'
import { expectGood } from './screen-checks.ts'
import { workbookOfSheets } from '../test/workbooks.ts'

const ADMIN = 'admin@maplegrove.example'
// All tests import into one municipality, which runs one import of a kind at a time.
test.describe.configure({ mode: 'default' })

const csv = (name: string, lines: string[]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })

test('imports questions from a file with an error, corrects the file and undoes the import @whole', async ({
  page,
  accessible,
}) => {
  test.slow()
  const question = `Who feeds the ducks ${unique()}?`
  const head = 'Question,Answer,Topic,Published'
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'FAQs' })
  const file = panel.locator('input[type=file]')
  await file.setInputFiles(csv('wrong.csv', [head, `${question},The park office.,Parks,yes`, 'Why,Because.,Parks,yes']))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  // "Topic" is an alias, so the preview needs no choice of columns.
  await expect(panel.getByText('Line 3:')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  await accessible(page, 'the preview with an error')
  await file.setInputFiles(csv('right.csv', [head, `${question},The park office.,Parks,yes`]))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
  await panel.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByText('Import undone.').first()).toBeVisible()
  await expectGood(page, accessible, 'the imports')
})

test('lists new, changed and unchanged rows before an import @whole', async ({ page, accessible }) => {
  const [meter, hydrant, corner] = ['M', 'H', 'C'].map((start) => `${start}${unique()}`.toUpperCase())
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'Violation codes' })
  const head = 'Code,Description,Fine'
  const file = panel.locator('input[type=file]')
  await file.setInputFiles(csv('codes.csv', [head, `${meter},Expired meter,25.00`, `${hydrant},At a hydrant,40.00`]))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await panel.getByText('New rows: 2').click()
  await expect(panel.getByText('At a hydrant', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
  const lines = [head, `${meter},Expired meter,30.00`, `${hydrant},At a hydrant,40.00`, `${corner},At a corner,50.00`]
  await file.setInputFiles(csv('codes.csv', lines))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  const changed = panel.getByRole('group').filter({ hasText: 'Changed rows: 1' })
  await expect(changed.getByRole('definition').filter({ hasText: '$25.00' })).toHaveText('$25.00$30.00')
  await panel.getByText('Unchanged rows: 1').click()
  await expect(panel.getByText('New rows: 1')).toBeVisible()
  await accessible(page, 'the rows of a preview')
  await page.setViewportSize(PHONE)
  await expectGood(page, accessible, 'the rows of a preview')
})

test('starts with the columns of a preset that the platform saved @whole', async ({ page, accessible }) => {
  const name = `Benchmark Books ${unique()}`
  const head = `${unique()} Ask,${unique()} Reply,${unique()} Theme`
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin/import-presets')
  await expectGood(page, accessible, 'the presets')
  await page.getByRole('button', { name: 'Add preset' }).click()
  const add = page.getByRole('dialog', { name: 'Add preset' })
  await add.getByLabel('Billing system').fill(name)
  await add.getByLabel('Content of the file', { exact: true }).selectOption({ label: 'FAQs' })
  await add.locator('input[type=file]').setInputFiles(csv('faqs.csv', [head]))
  await add.getByRole('button', { name: 'Read columns' }).click()
  const [first = '', reply = '', theme = ''] = head.split(',')
  await add.getByLabel(`Content of ${first}`).selectOption({ label: 'Question' })
  await add.getByLabel(`Content of ${reply}`).selectOption({ label: 'Answer' })
  await add.getByLabel(`Content of ${theme}`).selectOption({ label: 'Category' })
  await accessible(page, 'the columns of a preset')
  await add.getByRole('button', { name: 'Save preset' }).click()
  await expect(page.getByText(`Preset ${name} added.`).first()).toBeVisible()
  await page.getByRole('row').filter({ hasText: name }).getByText(name).click()
  const opened = page.getByRole('dialog', { name })
  await expect(opened.getByRole('definition')).toHaveText(['Question', 'Answer', 'Category'])
  await page.setViewportSize(PHONE)
  await expectGood(page, accessible, 'a preset')
  await opened.getByLabel('Billing system').fill(`${name} II`)
  await opened.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Preset ${name} II saved.`).first()).toBeVisible()

  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports?import=1')
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'FAQs' })
  const row = `Who winds the clock ${unique()}?,The mayor.,Parks`
  await panel.locator('input[type=file]').setInputFiles(csv('faqs.csv', [head, row]))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await expect(panel.getByText(`Columns of ${name} II`)).toBeVisible()
  await expectGood(page, accessible, 'the columns of a preset in an import')
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
})

test('corrects a row of a file in the panel, with the keyboard on a narrow phone @whole', async ({
  page,
  accessible,
}) => {
  const question = `Who paints the benches ${unique()}?`
  const head = 'Question,Answer,Topic,Published'
  const topic = `Parks ${unique()}`
  await page.setViewportSize({ width: 320, height: 700 })
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'FAQs' })
  const lines = [head, `${question},The park crew.,${topic},yes`, `Why,Because.,${topic},yes`]
  await panel.locator('input[type=file]').setInputFiles(csv('wrong.csv', lines))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await expect(panel.getByRole('heading', { name: 'Correct rows here' })).toBeVisible()
  const row = panel.getByRole('group', { name: 'Line 3' })
  await expectGood(page, accessible, 'the rows to correct')
  const field = row.getByLabel('Question')
  await field.focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(`Why ${unique()}?`)
  await expect(panel.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  const again = panel.getByRole('button', { name: 'Check again' })
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByText('Rows corrected here: 1.')).toBeVisible()
  await expect(row).toHaveCount(0)
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
})

test('imports the sheet of a workbook that staff choose @whole', async ({ page, accessible }) => {
  const head = ['Question', 'Answer', 'Topic']
  const row = (question: string) => [`${question} ${unique()}?`, 'In spring.', 'Parks']
  const sheets = { Old: [head, row('When did it open')], New: [head, row('When does it open'), row('When is it open')] }
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'FAQs' })
  const buffer = workbookOfSheets(sheets)
  await panel.locator('input[type=file]').setInputFiles({ name: 'faqs.xlsx', mimeType: '', buffer })
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  const choice = panel.getByLabel('Sheet', { exact: true })
  await expect(choice.locator('option')).toHaveText(['Old (rows: 2)', 'New (rows: 3)'])
  await accessible(page, 'the sheets of a workbook')
  await choice.selectOption({ label: 'New (rows: 3)' })
  await expect(panel.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await expect(panel.getByText(/New: 2/)).toBeVisible()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
})

test('imports customers and sends their invitations @whole', async ({ page, accessible }) => {
  const email = `ann-${unique()}@example.com`
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'Customers' })
  await expect(panel.getByText('Residents get no email from this import.')).toBeVisible()
  const lines = ['Customer Name,Email,Acct No,Phone', `Ann Lee,${email},100014,717-555-0100`]
  await panel.locator('input[type=file]').setInputFiles(csv('customers.csv', lines))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()
  await accessible(page, 'the import of customers')

  await page.goto(new URL('/municipality/reports/customers/citizen', page.url()).href)
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Send invitations?' })
  await expectGood(page, accessible, 'the question about invitations')
  await dialog.getByRole('button', { name: /^Send \d+ emails?$/ }).click()
  await expect(page.getByText(/The portal is sending \d+ invitations?/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send invitations' })).toHaveCount(0)
})

test('imports a license that its holder then renews @whole', async ({ page, browser, accessible }) => {
  test.slow()
  // Imported records belong to a resident only with a confirmed email.
  const email = await newResident('maplegrove')
  const phone = await (await browser.newContext({ reducedMotion: 'reduce', viewport: PHONE })).newPage()
  await openAs(phone, 'maplegrove', email, linkIn(await emailTo(email, /^Confirm your email/)))
  await phone.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(phone.getByRole('alert')).toContainText(`${email} is confirmed`)
  const number = `DL-${unique()}`
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  await page.getByRole('button', { name: 'Import records' }).click()
  const panel = page.getByRole('dialog', { name: 'Import records' })
  await panel.getByLabel('Content of the file').selectOption({ label: 'Permits and licenses' })
  await expect(panel.getByText('Each permit needs a published form')).toBeVisible()
  const head = 'License Number,License Type,Owner Name,Owner Email,Issue Date,Expiration Date,Description'
  const [issued, expires] = [dayFromNow(-330), dayFromNow(35)]
  const row = (type: string) => `${number},${type},Ann Lee,${email},${issued},${expires},"Juno, beagle"`
  const file = panel.locator('input[type=file]')
  await file.setInputFiles(csv('licenses.csv', [head, row('Cat license')]))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  const invalid = panel.getByRole('group', { name: 'Line 2' })
  await expect(panel.getByText('No form has the title “Cat license”').first()).toBeVisible()
  await expectGood(page, accessible, 'a license without a form')
  await invalid.getByLabel('Form').fill('Dog license')
  await panel.getByRole('button', { name: 'Check again' }).press('Enter')
  await panel.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(panel.getByText('File imported.')).toBeVisible()

  await page.goto(new URL(`/municipality/reports/forms-and-docs?status=3&search=${number}`, page.url()).href)
  await page.getByRole('row').filter({ hasText: 'Ann Lee' }).getByRole('button', { name: /View/ }).press('Enter')
  const submission = page.getByRole('dialog')
  await expect(submission.getByText(number)).toBeVisible()
  await expect(submission.getByText('Previous system', { exact: true })).toBeVisible()
  await expect(submission.getByText('Juno, beagle')).toBeVisible()
  await expectGood(page, accessible, 'an imported license')

  await phone.goto(new URL('/forms-documents', page.url()).href)
  const own = phone.getByRole('region', { name: 'Your forms' })
  await own.getByRole('link', { name: /Dog license/ }).press('Enter')
  await expect(phone.getByText(number)).toBeVisible()
  await expectGood(phone, accessible, 'the license of its holder')
  await phone.getByRole('button', { name: 'Renew', exact: true }).press('Enter')
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Dog license')
})

test('imports a rental property of a customer who was imported first @whole', async ({ page, accessible }) => {
  test.slow()
  const email = `owner-${unique().toLowerCase()}@example.com`
  const number = `RR-${unique()}`
  await openAs(page, 'maplegrove', ADMIN, '/municipality/manage/imports')
  const panel = page.getByRole('dialog', { name: 'Import records' })
  const importFile = async (content: string, lines: string[]) => {
    await page.getByRole('button', { name: 'Import records' }).click()
    await panel.getByLabel('Content of the file').selectOption({ label: content })
    await panel.locator('input[type=file]').setInputFiles(csv('records.csv', lines))
    await panel.getByRole('button', { name: 'Preview changes' }).press('Enter')
  }
  const { matches } = await callOn('maplegrove', findAddresses, { search: 'Linden Avenue' })
  const head = 'Registration Number,Type,Property Name,Owner Email,Address,Registered,Expires,Number of Units'
  const rental = `${number},Rental Property,Elm Court ${number},${email},"${matches[0]?.text}",${dayFromNow(-100)},${dayFromNow(265)},4`
  await importFile('Registrations', [head, rental])
  await expect(panel.getByText('Import the customers first.').first()).toBeVisible()
  await expect(panel.getByText(`No resident has the email “${email}”.`).first()).toBeVisible()
  await expectGood(page, accessible, 'a registration without a resident')
  await panel.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')

  await importFile('Customers', ['Name,Email', `Ann Lee,${email}`])
  await panel.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(panel.getByText('File imported.')).toBeVisible()
  await panel.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')

  await importFile('Registrations', [head, rental])
  await expect(panel.getByText(/New: 1/)).toBeVisible()
  await panel.getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(panel.getByText('File imported.')).toBeVisible()

  await page.goto(new URL(`/municipality/reports/registration?search=${number}`, page.url()).href)
  const row = page.getByRole('row').filter({ hasText: `Elm Court ${number}` })
  await row.getByRole('button', { name: /View/ }).press('Enter')
  const registration = page.getByRole('dialog')
  await expect(registration.getByText('Previous number')).toBeVisible()
  await expect(registration.getByText('Registered', { exact: true }).first()).toBeVisible()
  await expectGood(page, accessible, 'an imported registration')
})
