import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { startAuthenticator, confirmApp } from '../features/factors/contract.ts'
import { companiesInformation } from '../shared/companies.ts'
import { createCompany } from '../features/companies/contract.ts'
import { acceptInvitation, adminSignIn, confirmEmail, signIn, signUp } from '../features/identity/contract.ts'
import { platformStaff, companyStaff } from '../features/staff/contract.ts'
import { callOn, command, openAs, sessionOf } from './calls.ts'
import { at, expect, openMenu, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'

const HOST = 'maplegrove'
const SUPER = 'super@mainstreet.example'
const PASSWORD = 'Orchard-Gate#31'
let sequence = 0
const address = (name: string) => `${name}.${process.pid}.${++sequence}@example.org`
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/**
 * Returns codes for consecutive time steps, because the server accepts each code only once. The server accepts a code
 * up to one step early.
 */
function codesOf(secret: string): () => string {
  const app = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  let step = app.counter() - 1
  return () => {
    step += 1
    return app.generate({ timestamp: step * 30_000 })
  }
}

/** Creates a resident with a confirmed email, because the portal requires confirmation before access. */
async function newResident(): Promise<string> {
  const email = address('two')
  await callOn(HOST, signUp, { first_name: 'Ida', last_name: 'Moss', email, password: PASSWORD })
  const link = linkIn(await emailTo(email, /^Confirm your email/))
  await callOn(HOST, confirmEmail, { code: link.split('confirm=')[1] ?? '' })
  return email
}

async function typePassword(page: Page, email: string): Promise<void> {
  await expect(page).toHaveURL(/sign-in/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: /^(Sign In|Login)$/ }).click()
}

/** Creates a resident with a newly set up authenticator app. */
async function secured(): Promise<{ email: string; next: () => string; recovery: string[] }> {
  const email = await newResident()
  const response = await callOn(HOST, signIn, { email, password: PASSWORD })
  const token = 'token' in response ? response.token : ''
  const { step, secret } = await callOn(HOST, startAuthenticator, { password: PASSWORD }, token)
  const next = codesOf(secret)
  const { recoveryCodes } = await callOn(HOST, confirmApp, { step, code: next() }, token)
  return { email, next, recovery: recoveryCodes }
}

const leftSignIn = (page: Page) => page.waitForURL((url) => !/sign-in/.test(url.pathname))

/**
 * Adds a virtual authenticator that approves passkey requests immediately. With `inField`, the browser also offers
 * passkeys in the autofill of input fields.
 */
async function withPasskeys(page: Page, { inField = false } = {}): Promise<void> {
  if (!inField)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

async function logOut(page: Page): Promise<void> {
  await openMenu(page)
  const inMenu = page.getByRole('banner').getByRole('button', { name: 'My Profile' })
  if (!new URL(page.url()).hostname.startsWith('admin')) await inMenu.click()
  await page.getByRole('button', { name: /^(Log Out|Sign Out)$/ }).click()
  await page.waitForURL((url) => !/settings|outbox/.test(url.pathname))
}

test('sets up an authenticator app with recovery codes and signs in', async ({ page, accessible }) => {
  test.slow()
  const email = await newResident()
  await page.goto(at(HOST, '/profile/settings'))
  await typePassword(page, email)
  const panel = page.getByRole('region', { name: 'Authenticator app' })
  await panel.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(panel.getByLabel('Your password')).toBeFocused()
  await panel.getByLabel('Your password').fill('Wrong-Word#1')
  await panel.getByRole('button', { name: 'Continue' }).click()
  await expect(panel.getByText('That is not your current password.')).toBeVisible()
  await expectGood(page, accessible, 'a wrong password before setting up')
  await panel.getByLabel('Your password').fill(PASSWORD)
  await panel.getByLabel('Your password').press('Enter')
  await expect(panel.getByRole('img', { name: 'QR code for your authenticator app' }).locator('path')).toHaveAttribute(
    'd',
    /^M/,
  )
  const secret = await panel.locator('p.font-mono').innerText()
  const next = codesOf(secret)
  await panel.getByLabel('Current code from your authenticator app').fill('000000')
  await panel.getByRole('button', { name: 'Turn on app' }).click()
  await expect(panel.getByText(/This code does not match\. Wait for the next code/)).toBeVisible()
  await expectGood(page, accessible, 'a wrong first code')
  await panel.getByLabel('Current code from your authenticator app').fill(next())
  await panel.getByRole('button', { name: 'Turn on app' }).click()
  const codes = panel.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expect(panel.getByRole('heading', { name: 'Your recovery codes' })).toBeFocused()
  await expectGood(page, accessible, 'recovery codes')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('recovery-codes.txt')
  await panel.getByRole('button', { name: 'I saved the codes' }).click()
  await expect(panel.getByText('10 recovery codes left.')).toBeVisible()
  await expectGood(page, accessible, 'settings with an authenticator app')

  await logOut(page)
  await page.goto(at(HOST, '/profile/settings'))
  await typePassword(page, email)
  await page.getByLabel('Code from your authenticator app').fill(next())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
})

test('accepts a code or recovery code and turns the app off @whole', async ({ page, accessible }) => {
  test.slow()
  const { email, next, recovery } = await secured()
  await page.goto(at(HOST, '/profile/settings'))
  await typePassword(page, email)
  await expect(heading(page)).toHaveText('Two-Factor Authentication')
  const field = page.getByLabel('Code from your authenticator app')
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(field).toHaveAttribute('inputmode', 'numeric')
  await expectGood(page, accessible, 'the second step')
  await field.fill('000000')
  await field.press('Enter')
  await expect(page.getByText(/This code is wrong or was already used.* 4 more tries/)).toBeVisible()
  await expect(field).toBeFocused()
  await expectGood(page, accessible, 'a wrong code')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByLabel('Recovery code')).toBeFocused()
  await expectGood(page, accessible, 'asking for a recovery code')
  await page.getByLabel('Recovery code').fill(recovery[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
  const panel = page.getByRole('region', { name: 'Authenticator app' })
  await expect(panel.getByText('9 recovery codes left.')).toBeVisible()

  await panel.getByRole('button', { name: 'Turn off app' }).click()
  await panel.getByLabel('Your password').fill(PASSWORD)
  await panel.getByLabel('Code from your authenticator app').fill(next())
  await expectGood(page, accessible, 'turning the app off')
  await panel.getByRole('button', { name: 'Turn off app' }).click()
  await expect(panel.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
})

test('returns to the password after too many wrong codes @whole', async ({ page, accessible }) => {
  const { email } = await secured()
  await page.goto(at(HOST, '/sign-in'))
  await typePassword(page, email)
  for (const left of ['4 more tries', '3 more tries', '2 more tries', 'one more try']) {
    await page.getByLabel('Code from your authenticator app').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText(left)).toBeVisible()
  }
  await page.getByLabel('Code from your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Enter your password again.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expectGood(page, accessible, 'back at the password')
})

test('creates a passkey, signs in with it, renames and removes it @whole', async ({ page, accessible }) => {
  test.slow()
  await withPasskeys(page)
  const email = await newResident()
  await page.goto(at(HOST, '/profile/settings'))
  await typePassword(page, email)
  await leftSignIn(page)
  const panel = page.getByRole('region', { name: 'Passkeys' })
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  await panel.getByLabel('Your password').fill(PASSWORD)
  await panel.getByRole('button', { name: 'Create passkey' }).click()
  await expect(panel.getByText(/Chrome on Linux|not used yet/).first()).toBeVisible()
  await expectGood(page, accessible, 'a passkey in the settings')

  await logOut(page)
  await page.goto(at(HOST, '/profile/settings'))
  await expect(page).toHaveURL(/sign-in/)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
  await expect(panel.getByText(/last used/)).toBeVisible()

  await panel.getByRole('button', { name: /^Rename passkey/ }).click()
  await panel.getByLabel('Passkey name').fill('Kitchen laptop')
  await expectGood(page, accessible, 'renaming a passkey')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('button', { name: 'Remove passkey Kitchen laptop' }).click()
  await panel.getByLabel('Your password').fill(PASSWORD)
  await expectGood(page, accessible, 'removing a passkey')
  await panel.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(panel.getByText('Kitchen laptop')).toHaveCount(0)

  // The device still has the passkey, but the portal removed it.
  await logOut(page)
  await page.goto(at(HOST, '/sign-in'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('This passkey was not accepted. Sign in with your email and password.')).toBeVisible()
  await expectGood(page, accessible, 'a passkey that is not accepted')
})

test('offers a passkey in the email field @whole', async ({ page }) => {
  const email = await newResident()
  await withPasskeys(page, { inField: true })
  await page.goto(at(HOST, '/profile/settings'))
  await typePassword(page, email)
  const panel = page.getByRole('region', { name: 'Passkeys' })
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  await panel.getByLabel('Your password').fill(PASSWORD)
  await panel.getByRole('button', { name: 'Create passkey' }).click()
  await expect(panel.getByText('not used yet')).toBeVisible()
  await logOut(page)
  // The virtual authenticator selects the passkey as soon as the browser offers it.
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
})

test('secures an administrator’s account in My Profile and signs in by passkey @whole', async ({
  page,
  accessible,
}) => {
  test.slow()
  const email = address('admin')
  const { pathname, search } = new URL(command('admin', 'create', email))
  await withPasskeys(page)
  await page.goto(at('admin', pathname + search))
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page).toHaveURL(at('admin', '/admin'))
  await page.getByRole('button', { name: 'My Profile' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign-in and security' }).click()
  const panel = page.getByRole('dialog', { name: 'Sign-in and Security' })
  await expect(panel.getByRole('region')).toHaveCount(4)
  await expect(panel.locator('.skeleton')).toHaveCount(0)
  await expectGood(page, accessible, 'security of an administrator')
  await panel.getByRole('button', { name: 'Add a passkey' }).click()
  const keys = panel.getByRole('region', { name: 'Passkeys' })
  await keys.getByLabel('Your password').fill(PASSWORD)
  await keys.getByRole('button', { name: 'Create passkey' }).click()
  await expect(keys.getByText('not used yet')).toBeVisible()
  const app = panel.getByRole('region', { name: 'Authenticator app' })
  await app.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await app.getByLabel('Your password').fill(PASSWORD)
  await app.getByRole('button', { name: 'Continue' }).click()
  const next = codesOf(await app.locator('p.font-mono').innerText())
  await expectGood(page, accessible, 'the QR code in a slide-out')
  await app.getByLabel('Current code from your authenticator app').fill(next())
  await app.getByRole('button', { name: 'Turn on app' }).click()
  await app.getByRole('button', { name: 'I saved the codes' }).click()
  await panel.getByRole('button', { name: 'Close' }).last().click()

  await logOut(page)
  await page.goto(at('admin', '/admin/outbox'))
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(at('admin', '/admin/outbox'))

  await logOut(page)
  await page.goto(at('admin', '/admin/outbox'))
  await typePassword(page, email)
  await expect(heading(page)).toHaveText('Two-Factor Authentication')
  await expectGood(page, accessible, 'the second step of an administrator')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('button', { name: 'Continue with passkey' })).toBeFocused()
  await expectGood(page, accessible, 'asking for a passkey')
  await page.getByRole('button', { name: 'Continue with passkey' }).click()
  await expect(page).toHaveURL(at('admin', '/admin/outbox'))
})

test('removes the two-factor authentication of another administrator as super administrator @whole', async ({
  page,
  accessible,
}) => {
  const email = address('lost')
  const invitation = new URL(command('admin', 'create', email)).searchParams.get('invitation') ?? ''
  await callOn('admin', acceptInvitation, { code: invitation, password: PASSWORD })
  const response = await callOn('admin', adminSignIn, { email, password: PASSWORD })
  const otherToken = 'token' in response ? response.token : ''
  const { step, secret } = await callOn('admin', startAuthenticator, { password: PASSWORD }, otherToken)
  await callOn('admin', confirmApp, { step, code: codesOf(secret)() }, otherToken)
  const { token } = await sessionOf('admin', SUPER)
  const { rows } = await callOn('admin', platformStaff.list, { filters: {}, search: email }, token)
  await openAs(page, 'admin', SUPER, `/admin/manage/manage-staff?person=${rows[0]?.id}`)
  const off = page.getByRole('dialog').getByRole('button', { name: 'Reset two-factor authentication' })
  await off.click()
  await expectGood(page, accessible, 'taking off a second factor')
  await page.getByRole('button', { name: 'Reset authentication' }).click()
  await expect(page.getByText(/Two-factor authentication for .* was reset\./)).toBeVisible()
  await expect(off).toHaveCount(0)
})

/** Creates a separate company, so that no other test must set up two-factor authentication. */
async function setUpCompany(): Promise<{ id: number; name: string; subdomain: string }> {
  const { token } = await sessionOf('admin', SUPER)
  const n = `${process.pid}-${Date.now() % 100_000}`
  const [companyName, subdomain] = [`Stepville ${n}`, `stepville-${n}`]
  await callOn(
    'admin',
    createCompany,
    {
      ...{ companyName, subdomain, address: '1 Elm Street', city: 'Stepville', state: 'PA', zip: '17099' },
      ...{ phone: '717-555-0100', companyWebsite: 'www.stepville.example.org', timeZone: 1, online: 1 },
      ...{ intrigratesWithBilling: 1, isManagedServices: 0 },
    },
    token,
  )
  const { companies } = await callOn('admin', companiesInformation, { queryParams: { companyName } }, token)
  return { id: companies[0]?.id ?? 0, name: companyName, subdomain }
}

test('requires two-factor authentication for a company’s staff at sign-in @whole', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  const company = await setUpCompany()
  const { token } = await sessionOf('admin', SUPER)
  const email = address('clerk')
  const staffInput = { email, firstName: 'Robin', lastName: 'Hale', roleId: 3, position: 1, departmentId: null }
  await callOn('admin', companyStaff.invite, { ...staffInput, companyId: company.id }, token)
  const link = linkIn(await emailTo(email, /invit/i))

  await openAs(page, 'admin', SUPER, `/admin/${company.id}/company/information?section=signing`)
  await page.getByRole('button', { name: 'Sign-in rules' }).click()
  const rules = page.getByRole('dialog', { name: `Sign-in rules for ${company.name}` })
  await rules.getByLabel('Require two-factor authentication for staff').check()
  await expect(rules.getByText('Staff accounts without two-factor authentication: 1 of 1.')).toBeVisible()
  await expectGood(page, accessible, 'the sign-in rules of a town')
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByText(
      `Starting with their next sign-in, the staff of ${company.name} must use two-factor authentication.`,
    ),
  ).toBeVisible()

  const context = await browser.newContext()
  const staffPage = await context.newPage()
  await staffPage.goto(at(company.subdomain, link))
  await staffPage.getByLabel('New password').fill(PASSWORD)
  await staffPage.getByRole('button', { name: 'Set password' }).click()
  await typePassword(staffPage, email)
  await expect(heading(staffPage)).toHaveText('Set Up Two-Factor Authentication')
  const next = codesOf(await staffPage.locator('p.font-mono').innerText())
  await expectGood(staffPage, accessible, 'a second factor that is required')
  await staffPage.getByLabel('Current code from your authenticator app').fill(next())
  await staffPage.getByRole('button', { name: 'Set up app and sign in' }).click()
  const codes = staffPage.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectGood(staffPage, accessible, 'recovery codes at the sign-in')
  await staffPage.getByRole('button', { name: 'I saved the codes' }).click()
  await expect(staffPage).toHaveURL(at(company.subdomain, '/municipality'))
  await context.close()
})

test('opens the platform’s own sign-in rules on its staff screen @whole', async ({ page, accessible }) => {
  await openAs(page, 'admin', SUPER, '/admin/manage/manage-staff')
  await page.getByRole('button', { name: 'Sign-in rules' }).click()
  await expect(page.getByRole('dialog').getByLabel('Require two-factor authentication for staff')).not.toBeChecked()
  await expectGood(page, accessible, 'the sign-in rules of the platform')
})
