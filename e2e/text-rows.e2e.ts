import type { Page } from '@playwright/test'
import { alertSources, removeSource, showSource } from '../features/alerts/contract-sources.ts'
import { alertEditor } from '../features/alerts/contract-staff.ts'
import { faqSynonyms } from '../features/faqs/contract-staff.ts'
import { returnHydrantSettings } from '../features/hydrants/contract.ts'
import { returnConfig } from '../features/town-config/contract.ts'
import { companiesInformation } from '../shared/companies.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { DESKTOP, expect, tabTo, test, unique } from './fixtures.ts'
import { expectNoSideways } from './screen-checks.ts'

const HOST = 'harborcity'
const ADMIN = 'admin@harborcity.example'
const SUPER = 'super@mainstreet.example'

async function expectGoodAtWidths(
  page: Page,
  accessible: (page: Page, what: string) => Promise<void>,
  what: string,
): Promise<void> {
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page, `${what} at ${width} px`)
    await expectNoSideways(page, `${what} at ${width} px`)
  }
  await page.setViewportSize(DESKTOP)
}

const values = (page: Page, label: string) =>
  page
    .getByRole('group', { name: label })
    .getByRole('textbox')
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))

test('adds, removes, moves and pastes rows of a list by keyboard', async ({ page, accessible }) => {
  await openAs(page, HOST, ADMIN, '/municipality/manage/manage-resource-rentals?of=seasons')
  await page.getByRole('button', { name: 'Plan a round' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const { keyboard } = page
  await tabTo(page, dialog.getByLabel('Groups 1'))
  await keyboard.type('Youth leagues')
  await keyboard.press('Enter')
  await expect(dialog.getByLabel('Groups 2')).toBeFocused()
  await keyboard.type('Adult leagues')
  await keyboard.press('Enter')
  await keyboard.type('x')
  await keyboard.press('Backspace')
  await keyboard.press('Backspace')
  await expect(dialog.getByLabel('Groups 2')).toBeFocused()
  expect(await values(page, 'Groups')).toEqual(['Youth leagues', 'Adult leagues'])
  const up = dialog.getByRole('button', { name: 'Move Adult leagues up' })
  await tabTo(page, up)
  await keyboard.press('Enter')
  expect(await values(page, 'Groups')).toEqual(['Adult leagues', 'Youth leagues'])
  await tabTo(page, dialog.getByRole('button', { name: 'Add a group' }))
  await keyboard.press('Enter')
  await expect(dialog.getByLabel('Groups 3')).toBeFocused()
  await dialog.getByLabel('Groups 3').evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'Schools\n\nYouth leagues\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(dialog.getByLabel('Groups 4')).toHaveValue('Youth leagues')
  await dialog.getByLabel('Name', { exact: true }).fill(`Round ${unique()}`)
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('Use each group name only once.').first()).toBeVisible()
  await expectGoodAtWidths(page, accessible, 'rows with an error')
  await page.reload()
  await page.getByRole('button', { name: 'Plan a round' }).press('Enter')
  await expect(dialog.getByLabel('Groups 3')).toHaveValue('Schools')
  await dialog.getByRole('button', { name: 'Remove Youth leagues' }).last().press('Enter')
  await dialog.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(dialog).toBeHidden()
})

test('saves lists of emails, services and synonyms and marks a row with an error', async ({
  page,
  context,
  accessible,
}) => {
  test.slow()
  const { token } = await sessionOf(HOST, ADMIN)
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  const stamp = unique().toLowerCase()
  await openAs(page, HOST, ADMIN, '/municipality/first-responder?panel=settings')
  const emails = dialog.getByRole('group', { name: 'Fire department emails' })
  await dialog.getByRole('button', { name: 'Add an email' }).click()
  await emails.getByRole('textbox').last().fill('chief at the station')
  await save.click()
  await expect(emails.getByText('Enter an email address, such as name@example.com.')).toBeVisible()
  await expect(emails.getByRole('textbox').last()).toBeFocused()
  await expectGoodAtWidths(page, accessible, 'an email row with an error')
  await emails.getByRole('textbox').last().fill(`chief-${stamp}@fire.example`)
  await save.click()
  await expect(dialog).toBeHidden()
  const { settings } = await callOn(HOST, returnHydrantSettings, {}, token)
  expect(settings.fireEmails).toContain(`chief-${stamp}@fire.example`)

  await page.goto(page.url().replace(/\/municipality.*/, '/municipality/manage/alerts?work=services'))
  await dialog.getByRole('group', { name: 'Other services' }).getByRole('button', { name: 'Add a service' }).click()
  await page.keyboard.type(`Library ${stamp}`)
  await expectGoodAtWidths(page, accessible, 'the services of alerts')
  await save.click()
  await expect(dialog).toBeHidden()
  const { names } = await callOn(HOST, alertEditor, {}, token)
  expect(names.others.map(({ name }) => name)).toContain(`Library ${stamp}`)

  // Harbor City has turned the FAQs off.
  const faqs = await context.newPage()
  await openAs(faqs, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/faqs?work=words')
  const panel = faqs.getByRole('dialog')
  const maple = await sessionOf('maplegrove', 'admin@maplegrove.example')
  await panel.getByRole('button', { name: 'Add words' }).click()
  await faqs.keyboard.type(stamp)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Enter at least two words', { exact: false }).first()).toBeVisible()
  await faqs.keyboard.type(` trash${stamp}`)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toBeHidden()
  const { groups } = await callOn('maplegrove', faqSynonyms, {}, maple.token)
  expect(groups).toContain(`${stamp} trash${stamp}`)
})

test('saves event types, location codes and tags as rows', async ({ page, accessible }) => {
  test.slow()
  const { token } = await sessionOf(HOST, ADMIN)
  const dialog = page.getByRole('dialog')
  const name = `Weather ${unique()}`
  await openAs(page, HOST, ADMIN, '/municipality/manage/alerts/sources?of=sources&add=1')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Feed address').fill('https://weather.example/feed')
  for (const [label, rows] of [
    ['Location codes', ['PAC041', '042041']],
    ['Event types', ['Flood Warning', 'Tornado Warning']],
  ] as const)
    for (const [at, row] of rows.entries()) {
      if (at > 0) await page.keyboard.press('Enter')
      else await dialog.getByLabel(`${label} 1`).focus()
      await page.keyboard.type(row)
    }
  await expectGoodAtWidths(page, accessible, 'the rows of an alert source')
  await dialog.getByLabel('Alert service').selectOption({ index: 0 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const { rows } = await callOn(HOST, alertSources.call, {}, token)
  const sourceId = rows.find((row) => row.name === name)?.id ?? 0
  const { form } = await callOn(HOST, showSource, { sourceId }, token)
  expect(form).toMatchObject({ codes: 'PAC041, 042041', events: 'Flood Warning, Tornado Warning' })
  await callOn(HOST, removeSource, { sourceId }, token)

  const { token: platform } = await sessionOf('admin', SUPER)
  const { companies } = await callOn('admin', companiesInformation, {}, platform)
  const companyId = companies.find(({ name: company }) => company.startsWith('Maple Grove'))?.id ?? 0
  await openAs(page, 'admin', SUPER, `/admin/${companyId}/company/information?section=details`)
  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: 'Add a tag' }).click()
  await page.keyboard.type('Two words')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/saved\.$/).first()).toBeVisible()
  const { config } = await callOn('admin', returnConfig, { companyId }, platform)
  expect(config['details']?.['tags']).toContain('Two words')
})
