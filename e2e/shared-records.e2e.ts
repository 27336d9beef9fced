import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { roles } from '../shared/privileges.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import { openAs } from './calls.ts'
import { at, DESKTOP, expect, test } from './fixtures.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'

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
