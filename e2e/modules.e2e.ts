import { changeOrderStatus, openOrder } from '../features/work-orders/contract.ts'
import { noLocation } from '../shared/places.ts'
import { roles } from '../shared/privileges.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'

/** Tests that a module that is off is closed, and that staff complete its open records. */

test('closes a module for residents, and leaves staff its open records', async ({ page, context, accessible }) => {
  test.slow()
  const company = await setUpCompany('Elmhurst')
  const { subdomain } = company
  const email = await addStaff(company, { firstName: 'Ann', lastName: 'Reese', roleId: roles.municipalityAdmin })
  const { token } = await sessionOf(subdomain, email)
  const { orderId } = await callOn(
    subdomain,
    openOrder,
    {
      ...{ title: 'Fill the pothole', description: '', kind: 'repair', severity: 1, location: noLocation },
      ...{ assetName: '', dueOn: '', departmentId: null, assignedTo: null },
    },
    token,
  )
  await openAs(page, subdomain, email, '/municipality/manage/settings?section=modules')
  for (const name of ['Work Orders', 'Resource Rentals', 'Frequently Asked Questions'])
    await page.getByRole('checkbox', { name, exact: true }).uncheck()
  await expectGood(page, accessible, 'modules that are turned off')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Modules saved.').first()).toBeVisible()

  await page.goto(at(subdomain, '/municipality/work-orders'))
  const menu = page.getByRole('complementary', { name: 'Side menu' })
  await expect(menu.getByRole('link', { name: 'Work Orders Off · 1 open' })).toBeVisible()
  await expect(menu.getByRole('link', { name: /Resource Rentals|Frequently Asked/ })).toHaveCount(0)
  await expect(page.getByText('You can complete the open record. New ones cannot be started.')).toBeVisible()
  await expect(page.getByText(/^WO-\d{4}-/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'New work order' })).toHaveCount(0)
  await expectGood(page, accessible, 'work orders that are turned off, with an open record')

  await page.goto(at(subdomain, '/municipality/manage/faqs'))
  await expect(page.getByRole('heading', { name: 'Frequently Asked Questions is turned off' })).toBeVisible()
  await expectGood(page, accessible, 'a screen of staff that is turned off')

  const resident = await context.newPage()
  await resident.goto(at(subdomain, '/'))
  await expect(resident.getByRole('heading', { name: 'Our Services' })).toBeVisible()
  await expect(resident.locator('a[href^="/resource-rentals"], a[href^="/frequently"]')).toHaveCount(0)
  expect((await resident.goto(at(subdomain, '/resource-rentals')))?.status()).toBe(404)
  await expect(resident.getByText('This service is not available online')).toBeVisible()
  await expect(resident.getByRole('main').getByRole('link', { name: /^\(\d{3}\)/ })).toBeVisible()
  await expectGood(resident, accessible, 'a page of residents that is turned off')

  for (const event of ['start', 'complete'] as const)
    await callOn(subdomain, changeOrderStatus, { orderId, event }, token)
  await page.goto(at(subdomain, '/municipality/work-orders'))
  await expect(page.getByRole('heading', { name: 'Work Orders is turned off' })).toBeVisible()
  await expect(menu.getByRole('link', { name: /Work Orders/ })).toHaveCount(0)

  await page.getByRole('link', { name: 'Open Settings' }).click()
  await page.getByRole('checkbox', { name: 'Work Orders', exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Modules saved.').first()).toBeVisible()
  await page.goto(at(subdomain, '/municipality/work-orders'))
  await expect(page.getByRole('button', { name: 'New work order' })).toBeVisible()
})
