import type { Locator, Page } from '@playwright/test'
import { createCompany } from '../features/companies/contract.ts'
import { saveProfile } from '../features/profile/contract.ts'
import { municipalityUsers } from '../features/staff/contract.ts'
import { editCompany, saveProcessor } from '../features/town-config/contract.ts'
import type { RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { openMore } from './more.ts'

/**
 * Tests every message to the letter (spec 5.1, 5.2 and 5.3). Each message comes from the server, without browser
 * validation, and appears at its field.
 */

const SUPER = 'super@mainstreet.example'

interface InvalidInput {
  /** Field name in the call. */
  field: string
  /** Label on the screen. Null if the message has no field. */
  label: string | null
  value: string
  message: string
}

const companyMessages: readonly InvalidInput[] = [
  { field: 'companyName', label: 'Company Name', value: '', message: 'Company Name is required.' },
  { field: 'companyName', label: 'Company Name', value: 'mapLE Grove', message: 'Company Name already exists.' },
  { field: 'address', label: 'Company Address', value: '', message: 'Address is required.' },
  { field: 'city', label: 'City', value: '', message: 'City is Required.' },
  { field: 'state', label: 'State', value: '', message: 'State is Required.' },
  { field: 'zip', label: 'Zip Code', value: '', message: 'Zipcode is Required.' },
  { field: 'phone', label: 'Phone', value: '', message: 'Phone number is Required.' },
  { field: 'online', label: 'Is Online', value: '', message: 'Online Status is Required.' },
  { field: 'companyWebsite', label: 'Company Website', value: '', message: 'Company website is Required.' },
  {
    field: 'companyWebsite',
    label: 'Company Website',
    value: 'not a site',
    message: 'Company Website is not a valid URL.',
  },
  { field: 'subdomain', label: 'SubDomain', value: '', message: 'Subdomain is Required.' },
  { field: 'subdomain', label: 'SubDomain', value: 'MapleGrove', message: 'Subdomain already exists.' },
  {
    ...{ field: 'intrigratesWithBilling', label: 'Integrates with Billing System', value: '' },
    message: 'Billing System intrigration is required.',
  },
  {
    ...{ field: 'isManagedServices', label: 'Managed Services Client', value: '' },
    message: 'Managed Services Status is Required.',
  },
]

const processorMessages: readonly InvalidInput[] = [
  {
    ...{ field: 'company', label: null, value: '' },
    message: 'Company is required - if you see this something bad happened.',
  },
  { field: 'selectedProcessor', label: 'Select a processor', value: '', message: 'A processor is required.' },
  { field: 'primaryStaff', label: 'Primary Staff', value: '', message: 'Primary Staff is required.' },
  { field: 'secondaryStaff', label: 'Secondary Staff', value: '', message: 'Secondary Staff is required.' },
]

const emailInvalid = 'Email is required and must be a valid email address.'
const profileMessages: readonly InvalidInput[] = [
  { field: 'first_name', label: 'First Name', value: '', message: 'First Name is required.' },
  { field: 'last_name', label: 'Last Name', value: '', message: 'Last Name is required.' },
  { field: 'email', label: 'Buniness Email', value: '', message: emailInvalid },
  { field: 'email', label: 'Buniness Email', value: 'nobody at home', message: emailInvalid },
]

const companyInput = (name: string) => ({
  ...{ companyName: name, subdomain: name.toLowerCase().replaceAll(' ', '-'), address: '1 Mill Lane', city: 'Sable' },
  ...{ state: 'PA', zip: '17033', phone: '717-555-0133', companyWebsite: 'www.sable.example.org', timeZone: 1 },
  ...{ online: 0 as const, intrigratesWithBilling: 1 as const, isManagedServices: 0 as const },
})

/** Returns the server's response to a request body: status, message, and error of the field. */
async function refusal<E extends Endpoint>(endpoint: E, body: RequestInputOf<E>, field: string): Promise<unknown> {
  const { token } = await sessionOf('admin', SUPER)
  const text = await callOn('admin', endpoint, body, token).then(
    () => 'it was taken',
    (error: Error) => error.message,
  )
  const [, status, json] = /: (\d+) (\{.*\})$/.exec(text) ?? [undefined, text, '{}']
  const { details } = JSON.parse(json ?? '{}') as { details?: { fields?: Record<string, string> } }
  return { status, text: details?.fields?.[field] }
}

async function put(control: Locator, value: string): Promise<void> {
  if ((await control.evaluate((element) => element.tagName)) === 'SELECT') await control.selectOption(value)
  else await control.fill(value)
}

/**
 * Enters each wrong value, saves, checks the exact message at the field and restores the value. If `together` is true,
 * the message first appears in a dialog.
 */
async function expectEachMessage(
  page: Page,
  panel: Locator,
  wrongs: readonly InvalidInput[],
  together = false,
): Promise<void> {
  for (const { label, value, message } of wrongs) {
    if (label === null) continue
    const control = panel.getByLabel(label, { exact: true })
    const was = await control.inputValue()
    await put(control, value)
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(control, label).toHaveAttribute('aria-invalid', 'true')
    if (together) {
      const oops = page.getByRole('dialog', { name: 'Oops...' })
      await expect(oops.getByText(message, { exact: true })).toBeVisible()
      await oops.getByRole('button', { name: 'OK' }).click()
    }
    await expect(control, label).toHaveAccessibleDescription(new RegExp(RegExp.escape(message)))
    await expect(control, label).toBeFocused()
    await put(control, was)
    await expect(control, label).not.toHaveAttribute('aria-invalid', 'true')
  }
}

test('shows each specification message for a new company @whole', async ({ page }) => {
  const valid = companyInput(`Sable Run ${Date.now()}`)
  for (const { field, value, message } of companyMessages)
    expect(await refusal(createCompany, { ...valid, [field]: value }, field), message).toEqual({
      status: '422',
      text: message,
    })
  await openAs(page, 'admin', SUPER, '/admin?add=1')
  const panel = page.getByRole('dialog', { name: 'Create Company' })
  for (const [label, value] of [
    ['Company Name', valid.companyName],
    ['Company Address', valid.address],
    ['City', valid.city],
    ['State', valid.state],
    ['Zip Code', valid.zip],
    ['Phone', valid.phone],
    ['Company Website', valid.companyWebsite],
    ['SubDomain', valid.subdomain],
  ] as const)
    await panel.getByLabel(label, { exact: true }).fill(value)
  for (const label of ['Is Online', 'Integrates with Billing System', 'Managed Services Client'])
    await panel.getByLabel(label, { exact: true }).selectOption('No')
  await expectEachMessage(page, panel, companyMessages)
})

test('shows each specification message for an existing company @whole', async ({ page }) => {
  const valid = companyInput(`Sable Hill ${Date.now()}`)
  const { token } = await sessionOf('admin', SUPER)
  const { companyId } = await callOn('admin', createCompany, valid, token)
  for (const { field, value, message } of companyMessages)
    expect(await refusal(editCompany, { companyId, ...valid, [field]: value }, field), message).toEqual({
      status: '422',
      text: message,
    })
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('searchbox').fill(valid.companyName)
  await openMore(page, valid.companyName)
  await page.getByRole('button', { name: `Edit ${valid.companyName}` }).click()
  await expectEachMessage(page, page.getByRole('dialog', { name: `Edit ${valid.companyName}` }), companyMessages)
})

test('shows each specification message for the processor @whole', async ({ page }) => {
  const { token } = await sessionOf('admin', SUPER)
  const company = (await sessionOf('harborcity', 'admin@harborcity.example')).user.company_id ?? 0
  const { users } = await callOn('admin', municipalityUsers, { companyId: company, fromUtilSetUp: true }, token)
  const [primaryStaff = 0, secondaryStaff = 0] = users.map(({ id }) => id)
  const valid = { company, selectedProcessor: 1, primaryStaff, secondaryStaff }
  for (const { field, value, message } of processorMessages)
    expect(await refusal(saveProcessor, { ...valid, [field]: value }, field), message).toEqual({
      status: '422',
      text: message,
    })
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('searchbox').fill('Harbor City')
  await openMore(page, 'Harbor City')
  await page.getByRole('button', { name: 'Set Utility Processor Harbor City' }).click()
  const panel = page.getByRole('dialog', { name: 'Harbor City' })
  await panel.getByLabel('Select a processor').selectOption('Sandbox')
  await panel.getByLabel('Primary Staff').selectOption({ index: 1 })
  await panel.getByLabel('Secondary Staff').selectOption({ index: 2 })
  await expectEachMessage(page, panel, processorMessages)
})

test('shows each specification message for the own profile @whole', async ({ page }) => {
  const { user } = await sessionOf('admin', SUPER)
  const { first_name, last_name, email } = user
  const blank = { service_address: '', city: '', state: '', zipcode: '', mobile_no: '' }
  for (const { field, value, message } of profileMessages) {
    const formData = { ...blank, first_name, last_name, email, [field]: value }
    expect(await refusal(saveProfile, { formData }, `formData.${field}`), message).toEqual({
      status: '400',
      text: message,
    })
  }
  await openAs(page, 'admin', SUPER, '/admin')
  await page.getByRole('button', { name: 'My Profile' }).click()
  await expectEachMessage(page, page.getByRole('dialog', { name: 'Edit Profile' }), profileMessages, true)
})
