import type { Page } from '@playwright/test'
import { signIn as signInCall, signUp } from '../features/identity/contract.ts'
import { saveProfile } from '../features/profile/contract.ts'
import { callOn, command, openAs } from './calls.ts'
import { allOrFirst, at, expect, openMenu, PASSWORD, PHONE, signIn, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'

const HOST = 'maplegrove'
const NEW = 'Orchard-Gate#31'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
let sequence = 0
const address = (name: string) => `${name}.${process.pid}.${++sequence}@example.org`

/** Signs up a new resident. This tab then has the resident's session. */
async function newResident(page: Page, path: string): Promise<string> {
  const email = address('resident')
  const form = { first_name: 'Ida', last_name: 'Moss', email, password: NEW }
  await callOn(HOST, signUp, form)
  await page.goto(at(HOST, path))
  await enter(page, email, NEW)
  return email
}

async function enter(page: Page, email: string, password: string): Promise<void> {
  await expect(page).toHaveURL(/sign-in/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL((url) => !/sign-in/.test(url.pathname))
}

test('signs up a new resident, signs them in and confirms the email', async ({ page, accessible }) => {
  const email = address('new')
  await page.goto(at(HOST))
  await openMenu(page)
  await page.getByRole('banner').getByRole('link', { name: 'Sign Up' }).click()
  await expect(heading(page)).toHaveText('Sign Up')
  const send = page.getByRole('main').getByRole('button', { name: 'Sign Up' })
  await send.click()
  await expect(page.getByText('First Name is required.').last()).toBeVisible()
  await expect(page.getByLabel('First Name')).toBeFocused()
  await expectGood(page, accessible, 'signing up with nothing typed')

  const password = page.getByLabel('Password', { exact: true })
  const fulfilledRules = page.getByRole('listitem').filter({ hasText: /Met\./ })
  await password.fill('orchard')
  await expect(fulfilledRules).toHaveCount(0)
  await password.pressSequentially('-3')
  await expect(fulfilledRules).toHaveCount(3)
  await expect(fulfilledRules.filter({ hasText: '8 to 20' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '1 rule not met.' })).toHaveCount(1)
  await expectGood(page, accessible, 'a password that keeps some rules')
  await page.getByLabel('First Name').fill('Ida')
  await page.getByLabel('Last Name').fill('Moss')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mobile phone').pressSequentially('7175550144')
  await expect(page.getByLabel('Mobile phone')).toHaveValue('(717) 555-0144')
  await password.fill('Password1!')
  await send.click()
  await expect(page.getByText('This password has appeared in a data breach. Choose another one.')).toBeVisible()
  await expect(password).toBeFocused()
  // Typed text survives a reload. The password does not.
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(password).toHaveValue('')
  await password.fill(NEW)
  await password.press('Enter')
  await expect(page.getByRole('alert')).toContainText(`We sent an email to ${email}`)
  await expectGood(page, accessible, 'after signing up')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at(HOST, '/home'))
  await expect(page.getByRole('button', { name: 'My Profile' })).toBeVisible()

  const notice = page.getByRole('complementary').filter({ hasText: 'Please confirm your email' })
  await expect(notice).toContainText(email)
  await expectGood(page, accessible, 'a resident whose email is not confirmed')
  await notice.getByRole('button', { name: 'Resend email' }).click()
  await expect(page.getByText(`We sent the confirmation link to ${email} again.`)).toBeVisible()
  const link = linkIn(await emailTo(email, /^Confirm your email/))
  await page.goto(at(HOST, link))
  await expect(heading(page)).toHaveText('Confirm Your Email')
  await expect(page).toHaveURL(at(HOST, '/sign-in'))
  await expectGood(page, accessible, 'confirming an email')
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByRole('alert')).toContainText(`${email} is confirmed`)
  await expectGood(page, accessible, 'a confirmed email')
  // The page has discarded the code of the used link, so a reload shows the next page.
  await page.reload()
  await expect(page).toHaveURL(at(HOST, '/home'))
  await expect(page.getByRole('button', { name: 'My Profile' })).toBeVisible()
  await expect(notice).toHaveCount(0)

  await page.goto(at(HOST, link))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByRole('alert')).toContainText('This link was already used')
})

test('hides that an email has an account and notifies its owner @whole', async ({ page }) => {
  const email = address('taken')
  await callOn(HOST, signUp, { first_name: 'Ida', last_name: 'Moss', email, password: NEW })
  await page.goto(at(HOST, '/sign-up'))
  await page.getByLabel('First Name').fill('Eve')
  await page.getByLabel('Last Name').fill('Droit')
  await page.getByLabel('Email').fill(email.toUpperCase())
  await page.getByLabel('Password', { exact: true }).fill('Another-One#99')
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('alert')).toContainText('Please confirm your email.')
  await page.getByRole('button', { name: 'Continue' }).click()
  await openMenu(page)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(await emailTo(email, /^You already have an account/)).toContain('nothing was changed')
})

test('keeps a deep link through sign-up @whole', async ({ page }) => {
  await page.goto(at(HOST, '/profile/settings'))
  await expect(page).toHaveURL(at(HOST, '/sign-in'))
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('First Name').fill('Ida')
  await page.getByLabel('Last Name').fill('Moss')
  await page.getByLabel('Email').fill(address('deep'))
  await page.getByLabel('Password', { exact: true }).fill(NEW)
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at(HOST, '/profile/settings'))
})

test('resets a forgotten password by a link that works once @whole', async ({ page, accessible }) => {
  const email = address('forgetful')
  await callOn(HOST, signUp, { first_name: 'Ida', last_name: 'Moss', email, password: NEW })
  await page.goto(at(HOST, '/sign-in'))
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(heading(page)).toHaveText('Reset Password')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expectGood(page, accessible, 'a reset without an email')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert')).toContainText(`If an account exists here for ${email}`)
  await expectGood(page, accessible, 'a link that was asked for')

  const link = linkIn(await emailTo(email, /^Set a new password/))
  await page.goto(at(HOST, link))
  await expect(page).toHaveURL(at(HOST, '/reset-password'))
  const password = page.getByLabel('New password', { exact: true })
  await password.fill('weak')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expectGood(page, accessible, 'a weak new password')
  await password.fill('Brand-New#2027')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('Your password is set.')
  await expectGood(page, accessible, 'a password that was set')
  // The page has discarded the code of the used link.
  await page.reload()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await enter(page, email, 'Brand-New#2027')
  expect(await emailTo(email, /was changed$/)).toContain('your other sessions were ended')

  await page.goto(at(HOST, link))
  await expect(page.getByText('This link was already used')).toBeVisible()
  await expectGood(page, accessible, 'a link that is used up')
  await page.getByRole('button', { name: 'Request a new link' }).click()
  await expect(page.getByLabel('Email')).toBeVisible()
  await page.goto(at(HOST, '/reset-password?token=cut-off'))
  await expect(page.getByRole('alert')).toContainText('This link does not work')
})

test('resets a forgotten password of an administrator on their host @whole', async ({ page, accessible }) => {
  const email = address('admin')
  command('admin', 'create', email)
  await page.goto(at('admin', '/admin/sign-in'))
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(heading(page)).toHaveText('Reset Password')
  await expectGood(page, accessible, "an administrator's forgotten password")
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert')).toContainText('Check your email')
  await page.goto(at('admin', linkIn(await emailTo(email, /^Set a new password/))))
  await expect(page).toHaveURL(at('admin', '/admin/sign-in'))
  await page.getByLabel('New password', { exact: true }).fill(NEW)
  await expectGood(page, accessible, "an administrator's new password")
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('button', { name: 'Go to the sign-in page' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(NEW)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(at('admin', '/admin'))
})

test('lets a resident manage the account in the settings @whole', async ({ page, accessible }) => {
  const email = await newResident(page, '/profile/settings')
  await expect(heading(page)).toHaveText('Settings')
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const profile = panel('Your profile')
  await profile.getByLabel('First Name').fill('')
  await profile.getByRole('button', { name: 'Save profile' }).click()
  await expect(profile.getByText('First Name is required.')).toBeVisible()
  await profile.getByLabel('First Name').fill('Idabel')
  await profile.getByLabel('State').pressSequentially('p4a')
  await profile.getByLabel('ZIP code').pressSequentially('17a011')
  await profile.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()

  const contact = panel('Contact preferences')
  await contact.getByLabel('Both').check()
  await contact.getByLabel('Send me alerts by phone').uncheck()
  await contact.getByRole('button', { name: 'Save preferences' }).click()
  await expect(page.getByText('Preferences saved.')).toBeVisible()
  await page.reload()
  await expect(contact.getByLabel('Both')).toBeChecked()
  await expect(contact.getByLabel('Send me alerts by phone')).not.toBeChecked()
  await expect(profile.getByLabel('State')).toHaveValue('PA')

  const emailPanel = panel('Your email')
  const next = address('moved')
  await emailPanel.getByLabel('New email').fill(next)
  await emailPanel.getByLabel('Your password').fill('not mine')
  await emailPanel.getByRole('button', { name: 'Change email' }).click()
  await expect(emailPanel.getByText('That is not your current password.')).toBeVisible()
  await emailPanel.getByLabel('Your password').fill(NEW)
  await emailPanel.getByRole('button', { name: 'Change email' }).click()
  await expect(emailPanel).toContainText(`Your email will change to ${next}`)
  await expectGood(page, accessible, 'the settings with an email that waits')
  expect(await emailTo(email, /about to change/)).toContain('m***@example.org')
  await page.goto(at(HOST, linkIn(await emailTo(next, /^Confirm your new email/))))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByRole('alert')).toContainText(`Your email is now ${next}.`)
  await page.goto(at(HOST, '/profile/settings'))
  await expect(emailPanel).toContainText(`${next} (confirmed)`)

  for (const _ of [1, 2]) await callOn(HOST, signInCall, { email: next, password: NEW })
  await page.reload()
  const sessions = panel('Active sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(4)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This session' })).toContainText('Chrome on Linux')
  await expectGood(page, accessible, 'the settings with several sessions')
  await sessions
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await sessions.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(sessions).toContainText('You are not signed in anywhere else.')

  const password = panel('Your password')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expectGood(page, accessible, 'the settings with errors')
  await password.getByLabel('Current password').fill(NEW)
  await password.getByLabel('New password', { exact: true }).fill('Brand-New#2027')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await expect(password.getByLabel('Current password')).toHaveValue('')
})

test('reports settings that fail to load and retries @whole', async ({ page, accessible }) => {
  await page.route('**/api/v2/return/profile/*', (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Back soon.', msg: 'Back soon.', code: 'busy' } }),
  )
  await openAs(page, HOST, 'newcomer@maplegrove.example', '/profile/settings')
  await expect(page.getByRole('alert')).toContainText('Your settings could not be loaded')
  await accessible(page, 'failed settings')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Your profile' })).toBeVisible()
})

const editProfile = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' })
const oops = (page: Page) => page.getByRole('dialog', { name: 'Oops...' })

for (const { host, email, home, menu } of allOrFirst([
  { host: 'harborcity', email: 'admin@harborcity.example', home: '/municipality', menu: 'My Profile' },
  { host: 'admin', email: 'callcenter@mainstreet.example', home: '/admin', menu: 'My Profile' },
]))
  test(`edits the profile of ${email} in a slide-out @whole`, async ({ page, accessible }) => {
    await openAs(page, host, email, home)
    const opener = page.getByRole('button', { name: menu })
    await opener.press('Enter')
    const panel = editProfile(page)
    for (const label of [
      'First Name',
      'Last Name',
      'Business Address',
      'City',
      'State',
      'Zip',
      'Buniness Email',
      'Business Cell Phone',
    ])
      await expect(panel.getByLabel(label)).toBeVisible()
    await expectGood(page, accessible, 'the profile')
    const save = panel.getByRole('button', { name: 'Save' })
    const [first, last, emailMessage] = [
      panel.getByLabel('First Name'),
      panel.getByLabel('Last Name'),
      panel.getByLabel('Buniness Email'),
    ]
    const [wasFirst, wasLast] = [await first.inputValue(), await last.inputValue()]
    await first.fill('')
    await last.fill(' ')
    await emailMessage.fill('nobody')
    await save.click()
    for (const message of [
      'First Name is required.',
      'Last Name is required.',
      'Email is required and must be a valid email address.',
    ])
      await expect(oops(page).getByText(message)).toBeVisible()
    await expectGood(page, accessible, 'what is wrong with the profile')
    await oops(page).getByRole('button', { name: 'OK' }).click()
    await expect(first).toBeFocused()
    await expect(panel.getByText('First Name is required.').last()).toBeVisible()
    await expectGood(page, accessible, 'a profile with errors')
    await first.fill(wasFirst)
    await last.fill(wasLast)
    await emailMessage.fill(address('office'))
    await expect(panel.getByLabel('Your password')).toBeVisible()
    await save.click()
    await expect(oops(page)).toContainText('To change your email, enter your password.')
    await page.keyboard.press('Escape')
    await emailMessage.fill(email)
    await panel.getByLabel('City').fill('Cedar Point')
    await panel.getByLabel('Business Cell Phone').pressSequentially('7175550123')

    // The server refuses the change. The message appears and the slide-out closes. After it opens again, it contains
    // the typed text.
    await page.route(`**/api/v2/${saveProfile.path}`, (route) =>
      route.fulfill({
        status: 422,
        json: { success: false, message: 'Not today.', msg: 'Not today.', code: 'rejected' },
      }),
    )
    await save.click()
    await expect(oops(page)).toContainText('Not today.')
    await expect(panel).toHaveCount(0)
    await accessible(page, 'a profile that was refused')
    await oops(page).getByRole('button', { name: 'OK' }).click()
    await page.unrouteAll()
    await opener.click()
    await expect(panel.getByLabel('City')).toHaveValue('Cedar Point')
    await save.click()
    await expect(page.getByText('Profile saved.')).toBeVisible()
    await expect(panel).toHaveCount(0)
    await opener.click()
    await expect(panel.getByLabel('City')).toHaveValue('Cedar Point')
    await expect(panel.getByLabel('Business Cell Phone')).toHaveValue('(717) 555-0123')
  })

test('closes only the slide-out on Escape on a phone @whole', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, HOST, 'staff@maplegrove.example', '/municipality')
  await page.getByRole('button', { name: 'Menu' }).click()
  const opener = page.getByRole('button', { name: 'My Profile' })
  await opener.click()
  const label = editProfile(page).getByText('First Name', { exact: true })
  // The text must differ in color from the background, no matter where the slide-out was opened.
  const colors = await label.evaluate((element) => {
    const sidePanel = element.closest('.panel-side')
    return [getComputedStyle(element).color, sidePanel ? getComputedStyle(sidePanel).backgroundColor : '']
  })
  expect(new Set(colors).size).toBe(2)
  await accessible(page, 'the profile on a phone')
  await page.keyboard.press('Escape')
  await expect(editProfile(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test.describe('session that expires during typing', () => {
  /** Signs in and types text. The session then expires on the server before the text is saved. */
  async function typeAndExpire(page: Page): Promise<string> {
    await signIn(page, HOST, 'staff@maplegrove.example')
    await page.goto(at(HOST, '/municipality/schedule'))
    const userId = await page.evaluate(() => sessionStorage.getItem('userId'))
    await page.getByRole('button', { name: 'My Profile' }).click()
    await editProfile(page).getByLabel('City').fill('Typed by staff')
    await page.evaluate(() =>
      fetch('/api/v2/logout', { headers: { authorization: `Bearer ${sessionStorage.getItem('tkn')}` } }).then(
        () => null,
      ),
    )
    await editProfile(page).getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(at(HOST, '/sign-in'))
    await expect(page.getByText('Your session has ended')).toBeVisible()
    return `draft:profile:${userId}`
  }

  test('restores the text in the same place after sign-in @whole', async ({ page }) => {
    await typeAndExpire(page)
    await enter(page, 'staff@maplegrove.example', PASSWORD)
    await expect(page).toHaveURL(at(HOST, '/municipality/schedule?profile=1'))
    await expect(editProfile(page).getByLabel('City')).toHaveValue('Typed by staff')
    await editProfile(page).getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'My Profile' }).click()
    await expect(editProfile(page).getByLabel('City')).not.toHaveValue('Typed by staff')
  })

  test('leaves no text to another person in the same tab @whole', async ({ page }) => {
    const draft = await typeAndExpire(page)
    const storedSession = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    expect(await storedSession()).toContain(draft)
    await enter(page, 'manager@maplegrove.example', PASSWORD)
    expect(await storedSession()).not.toContain('Typed by staff')
    await expect(editProfile(page).getByLabel('First Name')).toHaveValue('Marcus')
    await expect(editProfile(page).getByLabel('City')).not.toHaveValue('Typed by staff')
  })
})
