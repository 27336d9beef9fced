import type { Page } from '@playwright/test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { confirmEmail } from '../features/identity/contract.ts'
import { companySso, saveCompanySso } from '../features/sso/contract.ts'
import { returnCompanyId } from '../features/companies/contract.ts'
import { startIssuer, type TestIssuer } from '../test/oidc-provider.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PASSWORD, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'

/** All tests change the settings of one company, so they run one after another. */
test.describe.configure({ mode: 'serial' })

const HOST = 'harborcity'
let issuer: TestIssuer
let companyId = 0
let platform = ''

test.beforeAll(async () => {
  issuer = await startIssuer([at(HOST, '/sso-verification')])
  companyId = (await callOn(HOST, returnCompanyId, { subdomain: HOST })).company?.id ?? 0
  platform = (await sessionOf('admin', 'super@mainstreet.example')).token
})
test.afterAll(async () => {
  // Deactivates single sign-on, because other tests sign in here without it.
  const { provider } = await callOn('admin', companySso, { companyId }, platform)
  if (provider)
    await callOn(
      'admin',
      saveCompanySso,
      { companyId, provider: { ...provider, isActive: false, clientSecret: '' } },
      platform,
    )
  await issuer.stop()
})
test.beforeEach(async ({ context }) => {
  // Blocks the font that the issuer's own forms load from the internet.
  await context.route(/googleapis/, (route) => route.abort())
})

/** Completes the issuer's own forms, if they appear. */
async function atIssuer(page: Page, sub: string): Promise<void> {
  await page.waitForURL((url) => url.origin === issuer.url)
  await page.locator('[name=login]').fill(sub)
  await page.locator('[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('sets up single sign-on in the company information', async ({ page, accessible }) => {
  await openAs(page, 'admin', 'super@mainstreet.example', '/admin?search=Harbor')
  await page.getByRole('button', { name: 'View Harbor City' }).filter({ visible: true }).click()
  await page.getByRole('link', { name: 'Signing in' }).click()
  await expectGood(page, accessible, 'how people sign in to a town')
  const opener = page.getByRole('button', { name: 'Single Sign-On' })
  await opener.click()
  const panel = page.getByRole('dialog', { name: 'Single Sign-On' })
  await expect(panel.getByText(at(HOST, '/sso-verification'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByText(at(HOST, '/sso-verification'))).toBeVisible()
  await expectGood(page, accessible, 'single sign-on, empty')
  const form = panel.getByRole('region', { name: 'OpenID Connect' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Enter the issuer’s URL').first()).toBeVisible()
  await expectGood(page, accessible, 'single sign-on, refused')
  await form.getByLabel('Label').fill('County ID')
  await form.getByLabel('Issuer').fill('https://10.0.0.1')
  await form.getByLabel('Client ID').fill(issuer.clientId)
  await form.getByLabel('Client secret').fill(issuer.clientSecret)
  await form.getByLabel('Available to').selectOption('Residents and staff')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('an internal network')).toBeVisible()
  await expectGood(page, accessible, 'single sign-on that cannot be used')
  await form.getByLabel('Issuer').fill(issuer.url)
  await form.getByLabel('Client secret').fill(issuer.clientSecret)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The single sign-on settings were saved.')).toBeVisible()
  await expect(form.getByLabel('Client secret')).toHaveValue('')
})

test('signs a resident in, returns to the requested page and repeats it', async ({ page, browser, accessible }) => {
  const sub = `resident-${Date.now()}`
  issuer.people[sub] = { email: `${sub}@example.org`, email_verified: true, given_name: 'Ida', family_name: 'Moss' }
  await page.goto(at(HOST, '/profile/settings'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In')
  const button = page.getByRole('button', { name: 'Sign in with County ID' })
  await expect(button).toBeVisible()
  await expectGood(page, accessible, 'the sign-in page with an issuer')
  await button.focus()
  await page.keyboard.press('Enter')
  await atIssuer(page, sub)
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings')
  await expect(page.getByText(`${sub}@example.org`).first()).toBeVisible()
  // The browser history contains no sign-in codes.
  await page.goBack()
  expect(page.url()).not.toContain('code=')

  const again = await browser.newContext()
  await again.route(/googleapis/, (route) => route.abort())
  const other = await again.newPage()
  await other.goto(at(HOST, '/sign-in'))
  await other.getByRole('button', { name: 'Sign in with County ID' }).click()
  await atIssuer(other, sub)
  await expect(other).toHaveURL(at(HOST, '/home'))
  await again.close()
})

test('links a staff account once by its password @whole', async ({ page, accessible }) => {
  const sub = `staff-${Date.now()}`
  issuer.people[sub] = { email: 'admin@harborcity.example', email_verified: true, given_name: 'Any' }
  await page.goto(at(HOST, '/sign-in'))
  await page.getByRole('button', { name: 'Sign in with County ID' }).click()
  await atIssuer(page, sub)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await expect(page.getByLabel('Email')).toHaveValue('admin@harborcity.example')
  await expectGood(page, accessible, 'the question which account is theirs')
  await page.getByLabel('Password', { exact: true }).fill('Not-The-Password#1')
  await page.getByRole('button', { name: 'Link County ID and sign in' }).click()
  await expect(page.getByText('Invalid email or password.').first()).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('admin@harborcity.example')
  await expectGood(page, accessible, 'the question, answered wrong')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Link County ID and sign in' }).click()
  await expect(page).toHaveURL(at(HOST, '/municipality'))
})

test('refuses an unknown sign-in response @whole', async ({ page, accessible }) => {
  await page.goto(at(HOST, `/sso-verification?code=stolen&state=${'A'.repeat(43)}`))
  await expect(page.getByRole('alert')).toContainText('No sign-in is in progress in this window')
  await expect(page).toHaveURL(at(HOST, '/sso-verification'))
  await expectGood(page, accessible, 'a refused verification')
  await page.getByRole('link', { name: 'Go to the sign-in page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In')
  // The person cancels at the issuer, so the issuer refuses the sign-in.
  await page.getByRole('button', { name: 'Sign in with County ID' }).click()
  await page.waitForURL((url) => url.origin === issuer.url)
  await page.getByRole('link', { name: /Cancel/ }).click()
  await expect(page.getByRole('alert')).toContainText('County ID did not sign you in.')
})

test('transfers a billing system’s customer by a form @whole', async ({ page, context, accessible }) => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] })
  const ccs = { isActive: true, label: 'Harbor Billing', issuer: 'https://billing.example', jwks, jwksUrl: '' }
  await callOn('admin', saveCompanySso, { companyId, ccs }, platform)
  const sub = `H-${Date.now()}`
  const token = () =>
    new SignJWT({ sub, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'one', typ: 'ccs-handoff+jwt' })
      .setIssuer(ccs.issuer)
      .setAudience(at(HOST))
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(privateKey)
  let posted = ''
  await context.route('http://billing.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Billing</title><form method="post" action="${at(HOST, '/sso/verify-ccs-token')}"><input type="hidden" name="token" value="${posted}"><button>Open the portal</button></form>`,
    }),
  )
  const openWithToken = async (value: string) => {
    posted = value
    await page.goto('http://billing.example/')
    await page.getByRole('button', { name: 'Open the portal' }).click()
  }
  const first = await token()
  await openWithToken(first)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await expect(page.getByText(`you are customer ${sub}`)).toBeVisible()
  await expectGood(page, accessible, "a customer's question")
  // A person without an account creates one and returns to the page that links the accounts.
  await page.getByRole('link', { name: 'Create an account first' }).click()
  await page.getByLabel('First Name').fill('Ida')
  await page.getByLabel('Last Name').fill('Moss')
  await page.getByLabel('Email').fill(`${sub.toLowerCase()}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: /create|sign up/i }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step')
  await expect(page.getByLabel('Email')).toHaveValue(`${sub.toLowerCase()}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Link Harbor Billing and sign in' }).click()
  // An account with an unconfirmed email can't be linked.
  await expect(page.getByRole('alert')).toContainText('Confirm your email first')
  const confirm = linkIn(await emailTo(`${sub.toLowerCase()}@example.org`, /^Confirm your email/))
  await callOn(HOST, confirmEmail, { code: confirm.split('confirm=')[1] ?? '' })
  await page.getByRole('button', { name: 'Link Harbor Billing and sign in' }).click()
  await expect(page).toHaveURL(at(HOST, '/home'))
  await page.evaluate(() => sessionStorage.clear())
  await openWithToken(await token())
  await expect(page).toHaveURL(at(HOST, '/home'))
  await page.evaluate(() => sessionStorage.clear())
  await openWithToken(first)
  await expect(page.getByRole('alert')).toContainText('was already used')
  expect(page.url()).not.toContain(first)
  await expectGood(page, accessible, 'a hand-off once more')

  // The notification email opens a page that can remove the account link.
  await page.goto(at(HOST, linkIn(await emailTo(`${sub.toLowerCase()}@example.org`, /with Harbor Billing/))))
  await expect(page).toHaveURL(at(HOST, '/sso-auth-complete'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Undo Account Link')
  await expectGood(page, accessible, 'taking a link back')
  await page.getByRole('button', { name: 'This was not me' }).click()
  await expect(page.getByRole('alert')).toContainText('The other sign-in method can no longer be used to sign in')
  await expectGood(page, accessible, 'a link that was taken back')
})

test('tests the issuer without changing the administrator’s session @whole', async ({ page, accessible }) => {
  const sub = `trial-${Date.now()}`
  issuer.people[sub] = { email: `${sub}@example.org`, email_verified: true, given_name: 'Ida', family_name: 'Moss' }
  await openAs(page, HOST, 'admin@harborcity.example', '/municipality/sandbox-sso-test')
  await expectGood(page, accessible, 'the test of an issuer')
  await page.getByRole('button', { name: 'Start test' }).click()
  await atIssuer(page, sub)
  await expect(page).toHaveURL(at(HOST, '/municipality/sandbox-sso-test'))
  await expect(page.getByText('A sign-in would create a new resident account')).toBeVisible()
  await expect(page.getByText('First Name (given_name)')).toBeVisible()
  await expectGood(page, accessible, 'what the issuer said')
  await page.goto(at(HOST, '/municipality/stripe-sso-test'))
  await expect(page.getByRole('link', { name: 'Open provider test' })).toBeVisible()
  await expectGood(page, accessible, "another provider's test")
})

test('decodes and checks a token @whole', async ({ page, accessible }) => {
  await openAs(page, HOST, 'resident@harborcity.example', '/token-test')
  await expect(page.getByText('citizen, role 1')).toBeVisible()
  await page.getByRole('button', { name: 'Decode and check token' }).click()
  await expect(page.getByText('Paste a token').first()).toBeVisible()
  await expectGood(page, accessible, 'no token')
  const { privateKey } = await generateKeyPair('RS256')
  const forged = await new SignJWT({ sub: 'C-1' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer('https://billing.example')
    .setExpirationTime('60s')
    .sign(privateKey)
  await page.getByRole('textbox', { name: 'Token' }).fill(forged)
  await page.getByRole('button', { name: 'Decode and check token' }).click()
  await expect(page.getByText('This token would be rejected')).toBeVisible()
  await expect(page.getByText('"sub": "C-1"')).toBeVisible()
  await expectGood(page, accessible, 'a token that fails')
})

test('charges and refunds a test payment @whole', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'manager@maplegrove.example', '/payment-test')
  await page.getByRole('button', { name: 'Run $5.00 test payment' }).click()
  await expect(page.getByText('was refunded. It does not appear in any report.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Visa ending 4242' })).toBeVisible()
  await expectGood(page, accessible, 'a test payment')
})
