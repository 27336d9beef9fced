import type { Page } from '@playwright/test'
import { at, expect, test } from './fixtures.ts'
import { expectGood } from './looks.ts'

const open = async (page: Page) => {
  await page.goto(at('', '/design?part=field-sets'))
  await expect(page.getByRole('grid', { name: 'Steps and fields' })).toBeVisible()
}
const resident = (page: Page) => page.getByRole('region', { name: 'The same fields for a resident' })
const rows = (page: Page) => page.getByRole('grid', { name: 'Steps and fields' }).getByRole('row')
const labels = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => text.split('\n')[0])

test('staff add, condition, move and take back fields by keyboard alone, and a reload loses nothing', async ({
  page,
  accessible,
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Add a field', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a field' })
  await dialog.getByLabel('Type', { exact: true }).selectOption('Choice of one')
  await dialog.getByLabel('Answers to choose from').fill('By mail')
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  const told = dialog.getByRole('alert')
  await expect(told).toContainText('Give this field a label.')
  await expect(told).toBeFocused()
  await dialog.getByLabel('Show this').selectOption('Only when all of these are true')
  await expectGood(page, accessible, 'the field’s dialog with a mistake and a condition')

  // What is typed outlives a reload, as a field that is not done yet.
  await dialog.getByLabel('Label').fill('How do you want your tag?')
  await page.reload()
  await page.getByRole('button', { name: 'Add a field', exact: true }).press('Enter')
  await expect(dialog.getByLabel('Label')).toHaveValue('How do you want your tag?')
  await dialog.getByLabel('Question').selectOption('Do you live in town?')
  await dialog.getByLabel('Answers to choose from').press('Control+End')
  await page.keyboard.type('\nAt city hall')
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(dialog).toBeHidden()
  const row = rows(page).filter({ hasText: 'How do you want your tag?' })
  await expect(row).toContainText('Shown when “Do you live in town?” is “Yes”')

  // Above its question it cannot ask: the row says so, and so does publishing.
  const before = await labels(page)
  // Whoever comes by the Tab key stands on a row first.
  await rows(page).first().focus()
  const up = row.getByRole('button', { name: 'Move How do you want your tag? up' })
  await up.press('Enter')
  await expect(up).toBeFocused()
  expect((await labels(page)).indexOf('How do you want your tag?')).toBe(before.length - 2)
  // The handle, for those who drag by keyboard.
  const handle = rows(page).filter({ hasText: 'Do you live in town?' }).first().getByRole('button', { name: /^Drag/ })
  await handle.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Has to be mended')
  await page.getByRole('button', { name: 'Publish' }).press('Enter')
  await expect(page.getByText('“Do you live in town?” is asked later.').first()).toBeVisible()
  await expectGood(page, accessible, 'the builder with mistakes')
  await page.getByRole('button', { name: /^Undo: Moved “Do you live in town\?”/ }).press('Enter')
  await page.getByRole('button', { name: /^Undo: Moved “How do you want/ }).press('Enter')
  expect(await labels(page)).toEqual(before)
  await page.reload()
  await expect(rows(page)).toHaveCount(before.length)
  expect(await labels(page)).toEqual(before)
})

test('a field is dragged into another step by the mouse, and goes back by the keyboard @whole', async ({ page }) => {
  await open(page)
  const before = await labels(page)
  const rowOf = (label: string) =>
    rows(page)
      .filter({ has: page.getByText(label, { exact: true }) })
      .first()
  const drag = async (label: string, onto: string, part: number) => {
    // Both are in view at once: a page that scrolls while something is dragged would move the goal.
    await rowOf(onto).scrollIntoViewIfNeeded()
    const [from, to] = [await rowOf(label).boundingBox(), await rowOf(onto).boundingBox()]
    if (!from || !to) throw new Error('both rows are in view')
    await page.mouse.move(from.x + 60, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 60, to.y + to.height / 2, { steps: 8 })
    await page.mouse.move(to.x + 60, to.y + to.height * part, { steps: 4 })
    await page.mouse.up()
  }
  await page.setViewportSize({ width: 1280, height: 1200 })
  await drag('Phone', 'Name of the dog', 0.85)
  const moved = ['The dog', 'Name of the dog', 'Phone', 'Breed']
  await expect.poll(() => labels(page).then((all) => all.slice(5, 9))).toEqual(moved)
  await expect(page.getByRole('button', { name: 'Undo: Moved “Phone”' })).toBeVisible()
  // A whole step takes its fields with it.
  await drag('The dog', 'You', 0.15)
  const first = ['The dog', 'Name of the dog', 'Phone', 'Breed']
  await expect.poll(() => labels(page).then((all) => all.slice(0, 4))).toEqual(first)
  await rowOf('Phone').getByRole('button', { name: /^Drag/ }).press('Enter')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(() => labels(page).then((all) => all.slice(0, 3))).toEqual(['The dog', 'Phone', 'Name of the dog'])
  const undo = page.getByRole('button', { name: /^Undo/ })
  for (let taken = 0; taken < 3; taken++) await undo.press('Enter')
  expect(await labels(page)).toEqual(before)
})

test('two people change one set of fields: nothing is lost, and what both changed is chosen side by side @whole', async ({
  page,
  accessible,
}) => {
  await open(page)
  const relabel = async (from: string, to: string) => {
    await rows(page).first().focus()
    await page.getByRole('button', { name: `Change ${from}`, exact: true }).press('Enter')
    const editor = page.getByRole('dialog', { name: 'Change the field' })
    await editor.getByLabel('Label').fill(to)
    await editor.getByRole('button', { name: 'Done' }).press('Enter')
    await expect(editor).toBeHidden()
  }
  const dana = page.getByRole('button', { name: 'Dana asks for a mobile phone instead' })
  const save = page.getByRole('button', { name: 'Save as draft' })

  // Something else: both are kept, and what Dana changed is there.
  await relabel('Email', 'Your email')
  await dana.press('Enter')
  await save.press('Enter')
  await expect(page.getByText('The draft is saved. What others changed meanwhile is in it now.')).toBeVisible()
  expect(await labels(page)).toEqual(expect.arrayContaining(['Your email', 'Mobile phone']))
  await expect(page.getByText('Some of this is not saved yet.')).toBeHidden()

  // The same field: a reload and a save without a choice lose nothing either.
  await relabel('Mobile phone', 'Phone')
  await save.press('Enter')
  await expect(save).toBeDisabled()
  await relabel('Phone', 'Phone during the day')
  await dana.press('Enter')
  await page.reload()
  await save.press('Enter')
  const clash = page.getByRole('group', { name: 'What two people changed' })
  await expect(clash).toBeFocused()
  await expect(clash).toContainText('Field “Mobile phone”')
  await expect(clash.locator('label', { hasText: 'Dana Ruiz' })).toContainText('Label: Mobile phone')
  await expect(clash.locator('label', { hasText: 'You' })).toContainText('Label: Phone during the day')
  await clash.getByRole('button', { name: 'Save what I chose' }).press('Enter')
  await expect(clash.getByText('Choose one of the two.')).toBeVisible()
  await expectGood(page, accessible, 'what two people changed')
  await clash.getByRole('radio', { name: /^You/ }).press('Space')
  await clash.getByRole('button', { name: 'Save what I chose' }).press('Enter')
  await expect(clash).toBeHidden()
  expect(await labels(page)).toEqual(expect.arrayContaining(['Your email', 'Phone during the day']))
  await page.reload()
  await expect(rows(page).filter({ hasText: 'Phone during the day' })).toBeVisible()
  await expect(page.getByText('Some of this is not saved yet.')).toBeHidden()
})

test('a resident’s draft survives a new version, which says what changed, and is sent @whole', async ({
  page,
  accessible,
}) => {
  await open(page)
  const form = resident(page)
  await expect(form.getByLabel('Your name')).toHaveValue('Ann Lee')
  await form.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(form.getByText('2 things need another look')).toBeVisible()
  await expectGood(page, accessible, 'a step with errors')
  await form.getByLabel('Phone').fill('7175550199')
  await form.getByLabel('House number and street').fill('12 Oak St')
  await page.reload()
  await expect(form.getByLabel('House number and street')).toHaveValue('12 Oak St')

  // Staff take the phone away and rename a field, and publish.
  await rows(page).first().focus()
  await page.getByRole('button', { name: 'Remove Phone' }).press('Enter')
  await expect(rows(page).filter({ hasText: 'Phone' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Change Your name' }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Change the field' })
  await editor.getByLabel('Label').fill('Your full name')
  await editor.getByRole('button', { name: 'Done' }).press('Enter')
  await page.getByRole('button', { name: 'Publish' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).press('Enter')
  await expect(page.getByText('Version 2 is in use and stays as it is: your change makes version 3.')).toBeVisible()
  await expect(form.getByText('“Phone” is no longer asked. You had answered: (717) 555-0199.')).toBeVisible()
  await expect(form.getByText('“Your name” is now called “Your full name”.')).toBeVisible()
  await expect(form.getByLabel('House number and street')).toHaveValue('12 Oak St')
  await accessible(page, 'a draft that was carried over')
  await form.getByRole('button', { name: 'I have read this' }).press('Enter')

  await form.getByLabel('City').fill('Maple Grove')
  await form.getByLabel('State').fill('PA')
  await form.getByLabel('ZIP code').fill('17011')
  await form.getByRole('radio', { name: 'No' }).press('Space')
  await form.getByRole('button', { name: 'Go on' }).press('Enter')
  await expect(form.getByRole('heading', { name: 'The dog' })).toBeFocused()
  await form.getByLabel('Name of the dog').fill('Rex')
  await form.getByLabel('The dog has bitten somebody').press('Space')
  await form.getByLabel('What happened?').fill('It was asleep.')
  await form.getByRole('button', { name: 'Add a row' }).press('Enter')
  await expect(form.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Bella')
  await form
    .getByLabel('Picture of the dog')
    .setInputFiles({ name: 'rex.png', mimeType: 'image/png', buffer: Buffer.from('x') })
  await expect(form.getByText('rex.png')).toBeVisible()
  await expectGood(page, accessible, 'the second step')
  await form.getByRole('button', { name: 'Go on' }).press('Enter')

  await expect(form.getByText('$18.50')).toBeVisible()
  await form.getByLabel('A gift to the shelter').fill('5')
  await expect(form.getByText('$23.50')).toBeVisible()
  await form.getByRole('button', { name: 'Send the application' }).press('Enter')
  await expect(form.getByLabel('Your full name, as your signature')).toBeFocused()
  await form.getByRole('radio', { name: 'Draw my signature' }).check()
  const pad = form.getByRole('img', { name: 'A place to sign, empty' })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 60, { steps: 5 })
  await page.mouse.up()
  await expect(form.getByRole('img', { name: 'Your signature' })).toBeVisible()
  await accessible(page, 'a drawn signature')
  await form.getByRole('radio', { name: 'Type my name' }).check()
  await form.getByLabel('Your full name, as your signature').fill('Ann Lee')
  await form.getByRole('button', { name: 'Send the application' }).press('Enter')
  const sheet = page.getByRole('region', { name: 'Answers as staff read them' })
  await expect(sheet).toContainText('12 Oak St, Maple Grove, PA 17011')
  await expect(sheet).toContainText('Name: Bella')
  await expect(sheet).toContainText('$23.50')
  await accessible(page, 'the answers')
})
