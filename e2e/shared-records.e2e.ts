import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { roles } from '../shared/privileges.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import { changeFormType, publishFormFields, showFormType } from '../features/forms/contract.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { at, DESKTOP, expect, PHONE, test } from './fixtures.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'
import { openMore } from './more.ts'

/** Tests JSON files of records, and copies of records between municipalities. */

const FORMS = '/municipality/manage/manage-forms-and-docs'

const question = (name: string, label: string) => ({ ...blankField('text', name), label })
const fileOf = (title: string, ...fields: ReturnType<typeof question>[]) => ({
  name: 'record.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      ...{ format: 'mainstreet-record', version: 1, kind: 'form' },
      settings: { title, category: 'licenses', description: 'For people who walk dogs.' },
      questions: { steps: [{ ...blankStep('dog'), title: 'The dog', fields }] },
    }),
  ),
})

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Import from JSON' })
const chooseFile = (page: Page, file: ReturnType<typeof fileOf>) =>
  panelOf(page).locator('input[type=file]').setInputFiles(file)

/** Publishes the open form with its fields. */
async function publish(page: Page, host: string, email: string): Promise<void> {
  const typeId = Number(new URL(page.url()).searchParams.get('form'))
  const { token } = await sessionOf(host, email)
  const { draft } = await callOn(host, showFormType, { typeId }, token)
  await callOn(host, publishFormFields, { typeId, definition: draft }, token)
  await callOn(host, changeFormType, { typeId, event: 'publish' }, token)
}

test('shares a form with another municipality, where a resident sends it', async ({ page, browser, accessible }) => {
  test.slow()
  const admin = { firstName: 'Ada', lastName: 'Office', roleId: roles.municipalityAdmin }
  const [one, other] = [await setUpCompany('Sharer'), await setUpCompany('Taker')]
  const [email, otherEmail] = [await addStaff(one, admin), await addStaff(other, admin)]
  const title = `Dog walker ${one.subdomain}`

  await page.setViewportSize(DESKTOP)
  await openAs(page, one.subdomain, email, FORMS)
  await openMore(page, 'the list')
  await page.getByRole('button', { name: 'Import from JSON' }).first().press('Enter')
  await panelOf(page).getByRole('button', { name: 'Create draft' }).press('Enter')
  await expect(panelOf(page).getByText('Choose a file first.')).toBeVisible()
  await chooseFile(page, { ...fileOf(title), buffer: Buffer.from('{"title":') })
  await expect(panelOf(page).getByText('This file is not complete JSON. Download it as JSON again.')).toBeVisible()
  await expectGood(page, accessible, 'a file that is not a record')
  await chooseFile(page, fileOf(title, question('walker', 'Who walks the dog?')))
  await expect(panelOf(page).getByText('Who walks the dog?')).toBeVisible()
  await expectGood(page, accessible, 'the preview of a new record')
  await panelOf(page).getByRole('button', { name: 'Create draft' }).press('Enter')
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
  await publish(page, one.subdomain, email)

  await page.goto(at(one.subdomain, '/municipality/manage/settings?section=sharing'))
  const agree = page.getByRole('checkbox', { name: /^Share our forms/ })
  await expect(agree).not.toBeChecked()
  await agree.check()
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(page.getByText('Sharing saved.').first()).toBeVisible()

  const taker = await (await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })).newPage()
  await openAs(taker, other.subdomain, otherEmail, FORMS)
  await openMore(taker, 'the list')
  await taker.getByRole('button', { name: 'Copy from another municipality' }).first().press('Enter')
  await taker.getByLabel('Search by name or municipality').fill('no such record')
  await expect(taker.getByText('No record matches your search.')).toBeVisible()
  await taker.getByLabel('Search by name or municipality').fill(title)
  await expect(taker.getByText('1 record', { exact: true })).toBeVisible()
  await expectGood(taker, accessible, 'the shared records')
  await taker.getByRole('button', { name: `Preview ${title} of ${one.name}` }).press('Enter')
  await expect(taker.getByText('Who walks the dog?')).toBeVisible()
  await expectGood(taker, accessible, 'the preview of a shared record')
  await taker.getByRole('button', { name: 'Copy as draft' }).press('Enter')
  await expect(taker.getByRole('dialog', { name: title })).toBeVisible()
  await publish(taker, other.subdomain, otherEmail)

  const resident = await (await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })).newPage()
  await openAs(resident, other.subdomain, await newResident(other.subdomain), '/forms-documents')
  await resident.getByRole('link', { name: title, exact: true }).press('Enter')
  await resident.getByRole('button', { name: 'Start form', exact: true }).press('Enter')
  await resident.getByLabel('Who walks the dog?').fill('Bea Finch')
  await resident.getByRole('button', { name: 'Review' }).press('Enter')
  await resident.getByRole('button', { name: /^Submit/ }).press('Enter')
  await expect(resident.getByRole('heading', { level: 1 })).not.toHaveText(title)
})

test('downloads a form as JSON and imports it twice into a form of another municipality', async ({
  page,
  context,
  accessible,
}) => {
  test.slow()
  const admin = { firstName: 'Ada', lastName: 'Office', roleId: roles.municipalityAdmin }
  const [one, other] = [await setUpCompany('Sender'), await setUpCompany('Receiver')]
  const title = `Dog walker ${one.subdomain}`
  const walker = question('walker', 'Who walks the dog?')
  await page.setViewportSize(DESKTOP)
  await openAs(page, one.subdomain, await addStaff(one, admin), `${FORMS}?add=json`)
  await chooseFile(page, fileOf(title, walker, question('leash', 'Which leash?')))
  await panelOf(page).getByRole('button', { name: 'Create draft' }).press('Enter')
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
  await page.goto(at(one.subdomain, FORMS))
  await openMore(page, title)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download as JSON: ${title}` }).press('Enter'),
  ])
  const downloaded = { ...fileOf(title), buffer: await readFile(await download.path()) }

  const taker = await context.newPage()
  await taker.setViewportSize(DESKTOP)
  await openAs(taker, other.subdomain, await addStaff(other, admin), `${FORMS}?add=json`)
  await chooseFile(taker, fileOf(title, { ...walker, label: 'Who walks?' }))
  await panelOf(taker).getByRole('button', { name: 'Create draft' }).press('Enter')
  await expect(taker.getByRole('dialog', { name: title })).toBeVisible()
  const again = async () => {
    await taker.goto(at(other.subdomain, FORMS))
    await openMore(taker, title)
    await taker.getByRole('button', { name: `Import from JSON into ${title}` }).press('Enter')
    await chooseFile(taker, downloaded)
  }
  await again()
  await expect(panelOf(taker).getByText('2 changes')).toBeVisible()
  await expect(panelOf(taker).getByText('Question: Who walks?')).toBeVisible()
  await expectGood(taker, accessible, 'the changes of a file')
  await panelOf(taker).getByRole('button', { name: 'Save changes' }).press('Enter')
  await expect(taker.getByText(`“${title}” was changed from the file.`)).toBeVisible()
  await again()
  await expect(panelOf(taker).getByText('Nothing to change')).toBeVisible()
  await expect(panelOf(taker).getByRole('button', { name: 'Save changes' })).toHaveCount(0)
  await expectGood(taker, accessible, 'a file without changes')
})
