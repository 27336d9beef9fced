import { addHydrant } from '../features/hydrants/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const ADMIN = 'admin@maplegrove.example'
const STAFF = 'staff@maplegrove.example'
const OFFICE = '/municipality/work-orders'
const FIELD = '/municipality/field'
const DESKTOP = { width: 1280, height: 900 }

test('creates a crew and shows its work order on a member’s phone @whole', async ({ page, browser, accessible }) => {
  const { user } = await sessionOf('maplegrove', STAFF)
  const member = `${user.first_name} ${user.last_name}`
  const name = `Crew ${unique()}`
  await page.setViewportSize(DESKTOP)
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?tab=crews`)
  await page.getByRole('button', { name: 'New crew' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'New crew' })
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(form.getByText('Choose at least one person.').first()).toBeVisible()
  await form.getByRole('checkbox', { name: member }).check()
  await expectGood(page, accessible, 'a new crew')
  await page.setViewportSize(DESKTOP)
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText(`Crew “${name}” was saved.`)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText(member)
  await expectGood(page, accessible, 'the crews of a town')
  await page.setViewportSize(DESKTOP)

  const title = `Mend the bench ${unique()}`
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'List' }).press('Enter')
  await page.getByRole('button', { name: 'New work order' }).press('Enter')
  const order = page.getByRole('dialog', { name: 'New work order' })
  await order.getByLabel('Task').fill(title)
  await order.getByLabel('Crew', { exact: true }).selectOption(name)
  await order.getByRole('button', { name: 'Open work order' }).press('Enter')
  await expect(page.getByRole('dialog', { name: /^Work order WO-/ })).toContainText(`${name} (${member})`)

  const phone = await browser.newContext({ viewport: PHONE })
  const field = await phone.newPage()
  await openAs(field, 'maplegrove', STAFF, FIELD)
  await field.getByLabel('Search').fill(title)
  await field.getByRole('list', { name: 'Work orders' }).getByRole('link', { name: title }).click()
  await expect(field.getByText(name)).toBeVisible()
  await expectGood(field, accessible, 'an order of a crew on a phone')
  await phone.close()
})

test('gives a work order the location of its asset and links both @whole', async ({ page }) => {
  const { token } = await sessionOf('maplegrove', ADMIN)
  const number = `Y-${unique()}`.slice(0, 20)
  const plain = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: '' }
  const days = { lastInspectedOn: '', nextInspectionOn: '' }
  const location = { text: 'Behind the depot', addressId: null, lat: null, lon: null, metres: null }
  const { hydrantId } = await callOn('maplegrove', addHydrant, { ...plain, ...days, number, location }, token)
  await page.setViewportSize(DESKTOP)
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?panel=new`)
  const form = page.getByRole('dialog', { name: 'New work order' })
  await form.getByLabel('Task').fill(`Paint the bonnet ${unique()}`)
  const asset = form.getByLabel('Asset')
  await asset.pressSequentially(number)
  const offered = form.locator('datalist option')
  await expect(offered).toHaveCount(1)
  await asset.fill((await offered.getAttribute('value')) ?? '')
  await form.getByRole('button', { name: 'Open work order' }).press('Enter')
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await expect(order).toContainText('Behind the depot')
  await order.getByRole('link', { name: new RegExp(number, 'i') }).click()
  await expect(page).toHaveURL(new RegExp(`hydrant=${hydrantId}`))
})

test('links each dashboard figure to a list of as many work orders @whole', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  // Uses a company in which no other test opens a work order.
  await openAs(page, 'harborcity', 'admin@harborcity.example', '/municipality')
  const card = page.getByRole('region', { name: 'Work Orders' })
  for (const label of ['New', 'In progress', 'Overdue', 'Open']) {
    const figure = card.getByRole('link').filter({ hasText: label })
    await expect(figure).toContainText(/\d/)
    const count = (await figure.innerText()).match(/[\d,]+/)?.[0] ?? ''
    await figure.click()
    await expect(page.getByRole('heading', { name: 'Work Orders', level: 1 })).toBeVisible()
    await expect(page.getByText(new RegExp(`\\b${count} work orders?\\b`)).first()).toBeVisible()
    await page.goBack()
  }
})

test('keeps the reason of a failed item after an offline reload @whole', async ({ page, context, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, `${FIELD}`)
  await expect(page.getByText(/^As of /)).toBeVisible()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  const failItem = async () => {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Inspections' }).click()
    const back = page.getByRole('button', { name: 'Back to the list' })
    const inspections = page.getByRole('list', { name: 'Inspections' }).getByRole('link')
    const fail = page.locator('button[aria-label^="Fail "]:enabled').first()
    // An item can't fail before its required answers are entered. Numbers have fields in the item. The first inspections
    // may have only items with other answers.
    await expect(back.or(inspections.first())).toBeVisible()
    for (let n = 0; !(await fail.isVisible()); n++) {
      if (await back.isVisible()) await back.click()
      await inspections.nth(n).click()
      await expect(page.getByRole('heading', { name: /^Inspection I-/ })).toBeVisible()
    }
    const item = page.getByRole('listitem').filter({ has: fail })
    for (const number of await item.getByRole('textbox').all()) await number.fill('14')
    await fail.click()
  }
  await failItem()
  const reason = page.getByLabel('Reason for failure')
  await reason.fill('The cap is rusted shut')
  await expectGood(page, accessible, 'why an item fails')
  await page.setViewportSize(PHONE)
  await page.reload()
  await expect(page.getByText('No connection')).toBeVisible()
  await failItem()
  await expect(reason).toHaveValue('The cap is rusted shut')
})
