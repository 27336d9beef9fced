import type { Page } from '@playwright/test'
import { returnConfig, saveConfig } from '../features/town-config/contract.ts'
import { roles } from '../shared/privileges.ts'
import { callOn, openAs } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'

/** Tests the settings that a municipality changes in its back office. */

const SETTINGS = '/municipality/manage/settings'

const chosen = (page: Page, section: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click()
async function save(page: Page, message: string): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(message).first()).toBeVisible()
}

test('changes address, hours, message and a tile, which residents see', async ({ page, context, accessible }) => {
  test.slow()
  const company = await setUpCompany('Birchwood')
  const { subdomain } = company
  const email = await addStaff(company, { firstName: 'Ann', lastName: 'Reese', roleId: roles.municipalityAdmin })
  await openAs(page, subdomain, email, '/municipality')
  await page
    .getByRole('complementary', { name: 'Side menu' })
    .getByRole('link', { name: 'Settings', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')

  const reserved = page.getByRole('region', { name: 'Set by Mainstreet' })
  await expect(reserved).toContainText('Only Mainstreet can change these settings.')
  await expect(reserved).toContainText(company.name)
  await expect(page.getByRole('textbox', { name: 'Company Name' })).toHaveCount(0)
  await expect(page.getByLabel('SubDomain')).toHaveCount(0)
  await page.getByLabel('Company Address').fill('7 New Street')
  await expectGood(page, accessible, 'details of a municipality')
  await save(page, 'Details saved.')

  await chosen(page, 'Office hours')
  await expect(page.getByRole('heading', { level: 2, name: 'Office hours' })).toBeFocused()
  await page.getByLabel('Office opens').fill('18:00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(/closing time that is later/).first()).toBeVisible()
  await expectGood(page, accessible, 'wrong office hours')
  await page.getByLabel('Office opens').fill('09:30')
  await save(page, 'Office hours saved.')

  await chosen(page, 'Message to residents')
  const editor = page.getByRole('textbox', { name: 'Site-wide message' })
  await editor.press('Control+u')
  await editor.pressSequentially('Flushed')
  await page.getByRole('button', { name: 'Underline' }).click()
  await editor.pressSequentially(' on Monday.')
  await editor.press('Enter')
  await page.getByRole('button', { name: 'Heading', exact: true }).click()
  await editor.pressSequentially('Office')
  await editor.press('Enter')
  await page.getByRole('button', { name: 'Small heading' }).click()
  await editor.pressSequentially('Hours')
  await expectGood(page, accessible, 'a message of a municipality')
  await save(page, 'Message to residents saved.')

  await chosen(page, 'Landing page')
  await page.getByLabel('Name of tile 1').fill('Water and sewer')
  await save(page, 'Landing page saved.')

  const resident = await context.newPage()
  await resident.goto(at(subdomain, '/'))
  await expect(resident.locator('u')).toHaveText('Flushed')
  await expect(resident.getByRole('heading', { level: 4, name: 'Hours' })).toBeVisible()
  await expect(resident.getByRole('heading', { name: 'Water and sewer' })).toBeVisible()
  await expect(resident.getByRole('contentinfo')).toContainText('7 New Street')

  await chosen(page, 'History')
  const entry = page.getByRole('listitem').filter({ hasText: 'Company Address' })
  await expect(entry).toContainText('Ann Reese')
  await expectGood(page, accessible, 'the history of a municipality')
  await entry.getByRole('button', { name: /^Restore Details/ }).click()
  await page.getByRole('button', { name: 'Restore version' }).click()
  await expect(page.getByText('Details restored.').first()).toBeVisible()
  await resident.reload()
  await expect(resident.getByRole('contentinfo')).toContainText('1 Mill Lane')
})

test('passes the screen checks in each section of a municipality @whole', async ({ page, accessible }) => {
  test.slow()
  const company = await setUpCompany('Alder')
  const email = await addStaff(company, { firstName: 'Ann', lastName: 'Reese', roleId: roles.municipalityAdmin })
  await openAs(page, company.subdomain, email, SETTINGS)
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await expect(sections).toHaveCount(16)
  // Starts with the last section, because the first is open already.
  for (const name of (await sections.allInnerTexts()).toReversed()) {
    await chosen(page, name)
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeFocused()
    await expectGood(page, accessible, `the settings, ${name}`)
  }
})

test('keeps the changes of the platform and of the municipality @whole', async ({ page, accessible }) => {
  const company = await setUpCompany('Cedar')
  const { companyId, subdomain, token } = company
  const email = await addStaff(company, { firstName: 'Ann', lastName: 'Reese', roleId: roles.municipalityAdmin })
  await openAs(page, subdomain, email, SETTINGS)
  await page.getByLabel('Company Address').fill('7 New Street')
  await page.getByLabel('City').fill('Cedar Falls')
  const { config } = await callOn('admin', returnConfig, { companyId }, token)
  const values = { ...config['details'], license_no: 'L-9', city: 'Cedar Rapids' }
  await callOn('admin', saveConfig, { companyId, section: 'details', values }, token)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const choice = page.getByRole('group', { name: 'City', exact: true })
  await expect(choice).toContainText('Ruth Mercer')
  await expectGood(page, accessible, 'an edit conflict with the platform')
  await choice.getByRole('radio', { name: /^You/ }).check()
  await save(page, 'Details saved.')
  await expect(page.getByRole('region', { name: 'Set by Mainstreet' })).toContainText('L-9')
  const { config: stored } = await callOn('admin', returnConfig, { companyId }, token)
  expect(stored['details']).toMatchObject({ address1: '7 New Street', city: 'Cedar Falls', license_no: 'L-9' })
})

test('hides the settings from staff without the privilege', async ({ page }) => {
  await openAs(page, 'maplegrove', 'manager@maplegrove.example', '/municipality')
  const menu = page.getByRole('complementary', { name: 'Side menu' })
  await expect(menu.getByRole('link', { name: 'Schedule' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0)
  await page.goto(at('maplegrove', SETTINGS))
  await expect(page.getByText('You do not have access')).toBeVisible()
})
