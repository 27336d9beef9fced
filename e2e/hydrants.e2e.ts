import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { addHydrant } from '../features/hydrants/contract.ts'
import {
  addTemplate,
  publishTemplateItems,
  returnInspection,
  saveTemplateItems,
  scheduleInspection,
} from '../features/inspections/contract.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import { noLocation } from '../shared/places.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { DESKTOP, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const ADMIN = 'admin@maplegrove.example'

/** Creates a hydrant that no other test uses. */
async function aHydrant(): Promise<{ id: number; number: string; token: string | undefined }> {
  const { token } = await sessionOf('maplegrove', ADMIN)
  const number = `E-${unique()}`
  const details = { make: 'Mueller', model: '', madeYear: '1998', sizeInches: '5.25', mainInches: '8', notes: '' }
  const days = { lastInspectedOn: '', nextInspectionOn: '' }
  const location = { ...noLocation, text: 'Elm Street 4' }
  const { hydrantId } = await callOn('maplegrove', addHydrant, { ...details, ...days, number, location }, token)
  return { id: hydrantId, number, token }
}

const turns = { ...blankField('number', 'turns'), label: 'Turns to open' }
const twoItems = [
  { ...blankStep('valve'), title: 'Valve', fields: [turns] },
  { ...blankStep('caps'), title: 'Caps', fields: [{ ...blankField('checkbox', 'greased'), label: 'Greased' }] },
]
/** Ten items. The first three need a number. */
const tenItems = Array.from({ length: 10 }, (_, n) => ({
  ...blankStep(`item${n}`),
  title: `Item ${n + 1}`,
  fields: [
    n < 3
      ? { ...turns, name: `turns${n}`, required: true }
      : { ...blankField('checkbox', `rusty${n}`), label: 'Rusty' },
  ],
}))

/** Creates an inspection of the hydrant from a new template. */
async function anInspection(
  { id, number, token }: Awaited<ReturnType<typeof aHydrant>>,
  steps: typeof tenItems | typeof twoItems = twoItems,
): Promise<number> {
  const template = { subjectKind: 'hydrant', everyMonths: 12, certificate: 'In order.', isActive: true }
  const name = `Hydrant ${number}`
  const { templateId } = await callOn('maplegrove', addTemplate, { ...template, name }, token)
  const definition = { steps: [...steps] }
  await callOn('maplegrove', saveTemplateItems, { templateId, definition }, token)
  await callOn('maplegrove', publishTemplateItems, { templateId, definition }, token)
  const dueOn = dayFromNow(3)
  const when = { dueOn, startTime: '09:00', assignedTo: null }
  const inspectionRequest = { templateId, subjectId: id, location: noLocation, ...when }
  return (await callOn('maplegrove', scheduleInspection, inspectionRequest, token)).inspectionId
}

const itemOf = (page: Page, title: string) => page.getByRole('dialog').getByRole('listitem').filter({ hasText: title })

test('tests a hydrant and opens a work order for a failed inspection @whole', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const hydrant = await aHydrant()
  const inspection = await anInspection(hydrant)
  await openAs(page, 'maplegrove', ADMIN, `/municipality/first-responder?hydrant=${hydrant.id}`)
  const panel = page.getByRole('dialog', { name: `Hydrant ${hydrant.number}` })
  await panel.getByRole('button', { name: 'Record a flow test' }).press('Enter')
  const form = page.getByRole('dialog', { name: `Flow test for hydrant ${hydrant.number}` })
  await form.getByLabel('Static pressure, psi').fill('20')
  await form.getByLabel('Residual pressure, psi').fill('40')
  await form.getByLabel('Pitot, psi').fill('25')
  await form.getByRole('button', { name: 'Record flow test' }).press('Enter')
  await expect(form.getByText(/20 psi/).first()).toBeVisible()
  await form.getByLabel('Static pressure, psi').fill('60')
  // Flow test formula: 29.84 · 0.9 · 2.5² · √25 = 839, and 839 · (40 ÷ 20)^0.54 = 1,220.
  await expect(form.getByRole('status').filter({ hasText: '1,220 GPM at 20 psi' })).toContainText('839 GPM flowed')
  await expectGood(page, accessible, 'a flow test')
  await page.setViewportSize(PHONE)
  await form.getByRole('button', { name: 'Record flow test' }).press('Enter')
  await expect(panel.getByText(/^\w+ \d+, \d+: 1,220 GPM at 20 psi$/)).toBeVisible()
  await panel.getByRole('button', { name: 'Take out of service' }).press('Enter')
  const why = page.getByRole('dialog', { name: /Take out of service/ })
  await why.getByRole('textbox').fill('Stem broken')
  await why.getByRole('button', { name: 'Take out of service' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Return to service' })).toBeVisible()
  await expect(panel.getByText(/^Out of service since/)).toBeVisible()
  await expectGood(page, accessible, 'a hydrant out of service')

  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, `/municipality/inspections?inspection=${inspection}`)
  await page.getByRole('checkbox', { name: 'Complete Valve' }).click()
  await page.getByRole('button', { name: 'Pass Valve' }).press('Enter')
  await page.getByRole('checkbox', { name: 'Complete Caps' }).click()
  await page.getByRole('button', { name: 'Fail Caps' }).press('Enter')
  const fails = page.getByRole('dialog', { name: 'Fail “Caps”' })
  await fails.getByLabel('Reason for failure').fill('A cap is missing')
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#8a1c3c' } })
    .png()
    .toBuffer()
  await fails.locator('input[type=file]').setInputFiles({ name: 'cap.png', mimeType: 'image/png', buffer: photo })
  await expect(fails.getByText('1 added so far.')).toBeVisible()
  await expectGood(page, accessible, 'an item that fails')
  await page.setViewportSize(PHONE)
  await fails.getByRole('button', { name: 'Fail and open a work order' }).press('Enter')
  const caps = itemOf(page, 'Reason for failure:')
  await expect(caps.getByRole('img', { name: 'cap.png, photo of Caps' })).toBeVisible()
  await page.getByRole('button', { name: 'Finish inspection', exact: true }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finish inspection', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Schedule the re-inspection' })).toBeVisible()
  await expectGood(page, accessible, 'an inspection that failed')
  await caps.getByRole('link', { name: /^WO-/ }).press('Enter')
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await expect(order).toContainText(`Caps: Hydrant ${hydrant.number}`)
  await expect(order.getByRole('img', { name: /cap\.png/ })).toBeVisible()
})

test('completes an inspection from list to certificate by keyboard only @whole', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 900 })
  const hydrant = await aHydrant()
  await anInspection(hydrant)
  await openAs(page, 'maplegrove', ADMIN, `/municipality/inspections?search=${hydrant.number}`)
  const row = page.getByRole('row', { name: new RegExp(hydrant.number) })
  await expect(row).toBeVisible()
  await expectGood(page, accessible, 'the list of inspections')
  await page.setViewportSize({ width: 1280, height: 900 })
  await row.getByRole('button').first().press('Enter')
  const panel = page.getByRole('dialog', { name: /^Inspection I-/ })
  await panel.getByRole('button', { name: 'Edit Valve' }).press('Enter')
  const item = page.getByRole('dialog', { name: 'Valve' })
  await item.getByLabel('Turns to open').fill('14')
  await item.getByLabel('Note').fill('Stiff')
  await item.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(itemOf(page, 'Stiff').getByLabel('Turns to open')).toHaveValue('14')
  for (const title of ['Valve', 'Caps']) {
    await panel.getByRole('checkbox', { name: `Complete ${title}` }).press('Space')
    const pass = panel.getByRole('button', { name: `Pass ${title}` })
    // The live update can show the button while it is still disabled. The response to the last action then enables the
    // button.
    await expect(pass).toBeEnabled()
    await pass.press('Enter')
    await expect(pass).toHaveCount(0)
  }
  await panel.getByRole('button', { name: 'Repeat Caps' }).press('Enter')
  await panel.getByRole('checkbox', { name: 'Complete Caps' }).press('Space')
  const repeated = panel.getByRole('button', { name: 'Pass Caps' }).last()
  await expect(repeated).toBeEnabled()
  await repeated.press('Enter')
  await panel.getByRole('button', { name: 'Finish inspection', exact: true }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finish inspection', exact: true }).press('Enter')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Certificate' }).press('Enter'),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.pdf$/)
  await expectGood(page, accessible, 'an inspection that passed')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('passes ten items, three with numbers, in 13 acts or with the keyboard @whole', async ({
  browser,
  page,
  accessible,
}) => {
  test.slow()
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
  const acts = await countActs(context)
  const office = await context.newPage()
  await openAs(
    office,
    'maplegrove',
    ADMIN,
    `/municipality/inspections?inspection=${await anInspection(await aHydrant(), tenItems)}`,
  )
  const panel = office.getByRole('dialog', { name: /^Inspection I-/ })
  await expect(panel.getByText('Scheduled').first()).toBeVisible()
  acts.list.length = 0
  for (const [n, { title }] of tenItems.entries()) {
    const item = itemOf(office, title).first()
    if (n < 3) await item.getByLabel('Turns to open').fill(String(n + 12))
    await item.getByRole('button', { name: `Pass ${title}`, exact: true }).click()
    await expect(panel.getByText(`${n + 1} of 10 items passed or failed`)).toBeVisible()
    if (n === 0) await expect(panel.getByText('In progress')).toBeVisible()
  }
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(13)
  await expect(itemOf(office, 'Item 3').first()).toContainText('14')
  await context.close()

  await openAs(
    page,
    'maplegrove',
    ADMIN,
    `/municipality/inspections?inspection=${await anInspection(await aHydrant(), tenItems)}`,
  )
  const first = itemOf(page, 'Item 1').first()
  await first.getByLabel('Turns to open').fill('many')
  await page.keyboard.press('Enter')
  await expect(first.getByLabel('Turns to open')).toBeFocused()
  await expectGood(page, accessible, 'an item with a wrong number')
  await page.setViewportSize(DESKTOP)
  await page.reload()
  // The typed text survives a reload.
  await expect(first.getByLabel('Turns to open')).toHaveValue('many')
  await first.getByLabel('Turns to open').fill('12')
  await page.keyboard.press('Enter')
  await expect(panelOf(page).getByText('1 of 10 items passed or failed')).toBeVisible()
  await page.getByRole('button', { name: 'Pass the rest' }).press('Enter')
  await expect(page.getByText('7 items passed. These items need an answer first: Item 2, Item 3.')).toBeVisible()
  await expectGood(page, accessible, 'items that need an answer')
})

const panelOf = (page: Page) => page.getByRole('dialog', { name: /^Inspection I-/ })

test('sends ten items that were passed without a connection, none lost @whole', async ({
  page,
  context,
  accessible,
}) => {
  test.slow()
  const hydrant = await aHydrant()
  const inspectionId = await anInspection(hydrant, tenItems)
  const inspection = () => callOn('maplegrove', returnInspection, { inspectionId }, hydrant.token)
  const { number } = await inspection()
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, '/municipality/field')
  await expect(page.getByText(/^As of /)).toBeVisible()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Inspections' }).click()
  await page.getByLabel('Search').fill(number)
  await page.getByRole('list', { name: 'Inspections' }).getByRole('link', { name: number }).click()
  for (const [n, { title }] of tenItems.entries()) {
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    if (n < 3) await item.getByLabel('Turns to open').fill(String(n + 12))
    await item.getByRole('button', { name: `Pass ${title}`, exact: true }).click()
    await expect(page.getByText(n === 0 ? '1 change not sent' : `${n + 1} changes not sent`)).toBeVisible()
  }
  await expectGood(page, accessible, 'an inspection without a connection')
  await page.setViewportSize(PHONE)
  await page.reload()
  await expect(page.getByText('10 changes not sent')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('All changes sent')).toBeVisible({ timeout: 30_000 })
  const { items } = await inspection()
  expect(items.map(({ status }) => status)).toEqual(tenItems.map(() => 'passed'))
  expect(items.slice(0, 3).map(({ answers }) => Object.values(answers))).toEqual([[12], [13], [14]])
})
