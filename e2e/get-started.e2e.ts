import { roles } from '../shared/privileges.ts'
import { openAs } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { addStaff, setUpCompany } from './new-company.ts'
import { expectGood } from './screen-checks.ts'

/** Tests Get Started: the steps of a new municipality, on Home, in Settings and for the platform. */

test('guides a new municipality from Home until it is online', async ({ page, browser, context, accessible }) => {
  test.slow()
  const company = await setUpCompany('Fairmont', { fees: false })
  const { subdomain, companyId } = company
  const email = await addStaff(company, { firstName: 'Ann', lastName: 'Reese', roleId: roles.municipalityAdmin })
  await openAs(page, subdomain, email, '/municipality')
  const card = page.getByRole('region', { name: 'Get Started' })
  const step = (name: string) =>
    card.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(step('Administrator with a password')).toContainText('Done')
  await expect(step('Forms')).toContainText('Publish a form.')
  await expect(step('Fees')).toContainText('The usual fee for $100.00 is $2.95 by card and $1.50 by eCheck.')
  await expectGood(page, accessible, 'the first steps of a new municipality')

  const percent = async () => Number(/\d+/.exec(await card.getByText('% complete').innerText())?.[0])
  const before = await percent()
  // Completes a step by keyboard.
  await step('Address, hours and contacts').getByRole('button', { name: 'These are right' }).focus()
  await page.keyboard.press('Enter')
  await expect(step('Address, hours and contacts')).toContainText('Done')
  expect(await percent()).toBeGreaterThan(before)
  await step('Fees').getByRole('button', { name: 'Charge no fees' }).click()
  await expect(step('Fees')).toContainText('Done')
  await step('Hydrants').getByRole('button', { name: 'Not for us: Hydrants' }).click()
  await expect(step('Hydrants')).toContainText('Not for us')
  await step('Hydrants').getByRole('button', { name: 'Undo: Hydrants' }).click()
  await expect(step('Hydrants')).toContainText('To do')

  for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport)
    for (const [link, section] of [
      ['Modules', 'Modules'],
      ['Fees', 'Fee Rules'],
      ['Address, hours and contacts', 'Details'],
    ] as const) {
      await page.goto(at(subdomain, '/municipality'))
      await step(link).getByRole('link', { name: link, exact: true }).click()
      const title = page.getByRole('heading', { level: 2, name: section, exact: true })
      await expect(title).toBeFocused()
      await expect(title).toBeInViewport()
      // A second press on the link leads to the section again.
      await page.getByRole('heading', { level: 1 }).focus()
      await step(link).getByRole('link', { name: link, exact: true }).click()
      await expect(title).toBeFocused()
      await expect(title).toBeInViewport()
    }
  }
  await page.goto(at(subdomain, '/municipality'))
  await card.getByRole('button', { name: 'Take offline' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take the portal offline?' })
  await dialog.getByRole('button', { name: 'Take offline' }).click()
  await expect(dialog.getByText('Enter the message that residents see').first()).toBeVisible()
  await expectGood(page, accessible, 'taking the portal offline without a message')
  await dialog.getByLabel('Message to residents').fill('We open on Monday.')
  await dialog.getByRole('button', { name: 'Take offline' }).click()
  await expect(card.getByText(/To go online, complete \d+ more required step/)).toBeVisible()
  await expect(card.getByRole('button', { name: 'Go online' })).toBeDisabled()
  const visit = await browser.newContext()
  const resident = await visit.newPage()
  await resident.goto(at(subdomain, '/'))
  await expect(resident.getByText('We open on Monday.')).toBeVisible()
  await visit.close()

  await card.getByRole('button', { name: 'Hide on Home' }).click()
  await expect(card).toHaveCount(0)
  await page.goto(at(subdomain, '/municipality/manage/settings'))
  await expect(step('Fees')).toContainText('Done')
  await step('Modules').getByRole('link', { name: 'Modules', exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Modules' })).toBeFocused()
  const ours = await percent()

  const platform = await context.newPage()
  await openAs(platform, 'admin', 'super@mainstreet.example', `/admin/${companyId}/company/information`)
  await expect(platform.getByRole('region', { name: 'Get Started' })).toContainText(`${ours}% complete`)
  await expectGood(platform, accessible, 'the steps of a municipality, for the platform')
})
