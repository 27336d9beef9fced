import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { companiesInformation, companyDetails } from '../shared/companies.ts'
import { createCompany } from '../features/companies/contract.ts'
import { companyStaff, platformStaff } from '../features/staff/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, test } from './fixtures.ts'
import { linkIn, emailTo } from './mail.ts'
import { expectGood, expectNoSideways } from './screen-checks.ts'
import { openMore } from './more.ts'

const ADMIN = 'admin@harborcity.example'
const SUPER = 'super@mainstreet.example'
const STAFF = '/municipality/manage/manage-staff'
const ADMIN_USERS = '/admin/manage/manage-staff'

let sequence = 0
/** Returns a name that is unique in all workers. */
const unique = (word: string) => `${word}${test.info().workerIndex}x${sequence++}x${Date.now() % 100_000}`

const openStaff = (page: Page, query = '') => openAs(page, 'harborcity', ADMIN, STAFF + query)

const waitUntilIdle = (page: Page) => expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)

/** Invites a person in Harbor City who has not set a password yet. */
async function newcomer(lastName: string, roleId = 3): Promise<{ id: number; email: string }> {
  const { token } = await sessionOf('harborcity', ADMIN)
  const email = `${lastName}@harborcity.example`.toLowerCase()
  const body = { email, firstName: 'Robin', lastName, roleId, position: 1, departmentId: null }
  const { personId } = await callOn('harborcity', companyStaff.invite, body, token)
  return { id: personId, email }
}

test('invites a person who sets a password, is locked and returns @whole', async ({ page, browser, accessible }) => {
  const lastName = unique('Invited')
  const email = `${lastName}@harborcity.example`.toLowerCase()
  await openStaff(page)
  await page.getByRole('button', { name: 'Invite staff member', exact: true }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Invite staff member' })
  const send = panel.getByRole('button', { name: 'Send invitation' })
  await send.click()
  await expect(panel.getByText('4 entries need correction')).toBeVisible()
  await expect(panel.getByLabel('Email')).toBeFocused()
  await expectGood(page, accessible, 'a refused invitation')
  await panel.getByLabel('Email').fill(ADMIN)
  await panel.getByLabel('First name').fill('Robin')
  await panel.getByLabel('Last name').fill(lastName)
  await panel.getByLabel('Role').selectOption('Municipality Staff')
  await panel.getByLabel('Position').selectOption('Deputy Manager')
  await send.click()
  await expect(panel.getByText('An account with this email already exists.').first()).toBeVisible()
  // Typed text survives a reload.
  await page.reload()
  await expect(panel.getByLabel('Last name')).toHaveValue(lastName)
  await panel.getByLabel('Email').fill(email)
  await send.click()
  await expect(page.getByText(`Robin ${lastName} was invited.`)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  const row = page.getByRole('row').filter({ hasText: lastName })
  for (const text of ['Municipality Staff', 'Invited']) await expect(row).toContainText(text)
  // Text that does not fit the row is in its preview.
  await row.getByRole('button', { name: /^Show all fields of / }).click()
  await expect(page.getByRole('dialog', { name: /^All fields of / })).toContainText('Deputy Manager')
  await page.keyboard.press('Escape')

  const guest = await browser.newContext({ reducedMotion: 'reduce' })
  const newPage = await guest.newPage()
  await newPage.goto(at('harborcity', linkIn(await emailTo(email, /invitation/))))
  await expect(newPage.getByRole('heading', { level: 1 })).toHaveText('Set Your Password')
  await newPage.getByLabel('New password').fill('short')
  await newPage.getByRole('button', { name: 'Set password' }).click()
  await expect(newPage.getByLabel('New password')).toBeFocused()
  await expectGood(newPage, accessible, 'a refused first password of staff')
  await newPage.getByLabel('New password').fill('Quarry-Lantern#41')
  await newPage.getByRole('button', { name: 'Set password' }).click()
  await expect(newPage).toHaveURL(at('harborcity', '/municipality'))

  // Locks the account by keyboard. The next action of that person signs them out.
  await page.reload()
  await row.getByRole('rowheader').getByRole('button').press('Enter')
  const account = page.getByRole('dialog', { name: `Robin ${lastName}` })
  await expect(account.getByText('Active', { exact: true })).toBeVisible()
  await expectGood(page, accessible, 'an account')
  await account.getByRole('button', { name: 'Lock' }).press('Enter')
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toContainText('signed out everywhere immediately')
  await accessible(page, 'the question before locking')
  await confirmation.getByRole('button', { name: 'Lock account' }).click()
  await expect(account.getByText('Locked', { exact: true })).toBeVisible()
  await newPage.getByRole('link', { name: 'Schedule' }).click()
  await expect(newPage).toHaveURL(/sign-in/)
  await account.getByRole('button', { name: 'Unlock' }).click()
  await expect(account.getByText('Active', { exact: true })).toBeVisible()
  // The pressed button changes from “Unlock” to “Lock” and keeps the focus.
  await expect(account.getByRole('button', { name: 'Lock' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(account).toHaveCount(0)
  await guest.close()
})

test('reports a used or unknown link and leads to sign-in @whole', async ({ page, accessible }) => {
  await page.goto(at('harborcity', `/sign-in?invitation=${'A'.repeat(43)}`))
  await page.getByLabel('New password').fill('Quarry-Lantern#41')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link does not work')
  await expectGood(page, accessible, 'a spent invitation')
  await page.getByRole('button', { name: 'Go to the sign-in page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign In')
})

test('changes role, position and department despite a lost connection @whole', async ({ page, accessible }) => {
  const lastName = unique('Edited')
  await newcomer(lastName)
  await openStaff(page, `?search=${lastName}`)
  await openMore(page, `Robin ${lastName}`)
  await page.getByRole('button', { name: `Edit Robin ${lastName}` }).click()
  const panel = page.getByRole('dialog', { name: `Edit Robin ${lastName}` })
  await panel.getByLabel('Role').selectOption('Municipality Manager')
  await expect(panel.getByText('The new role will take effect immediately')).toBeVisible()
  await panel.getByLabel('Position').selectOption('Manager')
  await panel.getByLabel('Department').selectOption('Public Works')
  await expectGood(page, accessible, 'somebody being edited')
  const call = `**/api/v2/${companyStaff.save.path}`
  await page.route(call, (route) => route.abort('connectionfailed'))
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('alert')).toBeVisible()
  await page.unroute(call)
  await page.reload()
  await expect(panel.getByLabel('Department')).toHaveValue(/\d+/)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: lastName })
  for (const text of ['Municipality Manager', 'Manager', 'Public Works']) await expect(row).toContainText(text)
})

test('changes, marks, saves and undoes the platform’s privileges in the matrix by keyboard', async ({
  page,
  accessible,
}) => {
  const lastName = unique('Matrix')
  const { token } = await sessionOf('admin', SUPER)
  const email = `${lastName}@mainstreet.example`.toLowerCase()
  const invitee = { email, firstName: 'Robin', lastName, roleId: 900, position: null, departmentId: null }
  const { personId: id } = await callOn('admin', platformStaff.invite, invitee, token)
  await openAs(page, 'admin', SUPER, `${ADMIN_USERS}?privileges=${id}`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(`Privileges for Robin ${lastName}`)
  // Labels exactly as in the specification.
  for (const name of [
    'Chat: Read chats',
    'Chat: Assign to other admin',
    'Upload parcels: Upload',
    'User management: Deactivate/Lock account status',
    'Utility management: View details/list accounts',
    'Reports for management: Export',
    'User profile: Deactivate/Disable',
    'User profile: Update user account',
    'Log in and log out: Masquerade as user',
    'Log in and log out: Update user details',
    'Reset or change password: Update user password',
    'Household registration: View household list',
    'Household registration: Create new household',
  ])
    await expect(page.getByRole('checkbox', { name, exact: true })).toHaveCount(1)
  const save = page.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  const box = page.getByRole('checkbox', { name: 'User management: View', exact: true })
  await box.focus()
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
  const row = page.getByRole('row').filter({ hasText: 'User management' })
  await expect(row).toContainText('Differs from role defaults')
  await expect(row).toContainText('added')
  await expect(page.getByText('1 sub-module has unsaved changes.')).toBeVisible()
  // Scrolls to the end. Higher up, the sticky bar with the buttons covers half a row.
  await expectGood(page, accessible, 'the privilege matrix', {
    ready: () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight)),
  })
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSideways(page, 'the matrix at 390')
  await page.setViewportSize({ width: 1280, height: 900 })
  // Unsaved changes survive a reload.
  await page.reload()
  await expect(box).toBeChecked()
  await save.press('Enter')
  await expect(page.getByText(`The privileges for Robin ${lastName} were saved.`)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  await expect(page.getByRole('row').filter({ hasText: lastName })).toContainText('with changed privileges')
  await page.goto(at('admin', `${ADMIN_USERS}?privileges=${id}`))
  await expect(box).toBeChecked()
  await page.getByRole('button', { name: 'Reset to role defaults' }).click()
  await expect(box).not.toBeChecked()
  await save.click()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  await expect(page.getByRole('row').filter({ hasText: lastName })).not.toContainText('with changed privileges')
})

test('chooses, marks, saves and undoes levels of areas by keyboard', async ({ page, accessible }) => {
  const lastName = unique('Levels')
  const { id } = await newcomer(lastName)
  await openStaff(page, `?privileges=${id}`)
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(`Privileges for Robin ${lastName}`)
  const level = (name: string) => page.getByRole('radio', { name, exact: true })
  const save = page.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await expect(level('Staff: None')).toBeChecked()
  // Masks from before the areas need not be levels.
  const submissions = page.getByRole('row').filter({ hasText: 'Submissions' })
  await expect(submissions).toContainText('Now: view, update')
  await level('Staff: None').focus()
  await page.keyboard.press('ArrowRight')
  await expect(level('Staff: View')).toBeChecked()
  const row = page.getByRole('row').filter({ hasText: 'Invite staff and' })
  await expect(row).toContainText('Differs from the role: None')
  await expect(page.getByText('1 area has unsaved changes.')).toBeVisible()
  await expectGood(page, accessible, 'the levels of a person', {
    ready: () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight)),
  })
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSideways(page, `the levels at ${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  // Unsaved changes survive a reload.
  await page.reload()
  await expect(level('Staff: View')).toBeChecked()
  await save.press('Enter')
  await expect(page.getByText(`The privileges for Robin ${lastName} were saved.`)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  await expect(page.getByRole('row').filter({ hasText: lastName })).toContainText('with changed privileges')
  await page.goto(at('harborcity', `${STAFF}?privileges=${id}`))
  await expect(level('Staff: View')).toBeChecked()
  // Compares with another person and copies the levels.
  const { user } = await sessionOf('harborcity', ADMIN)
  await page.getByLabel('Compare with').selectOption(String(user.id))
  await expect(row).toContainText(`${user.first_name} ${user.last_name}: Manage`)
  await page.getByRole('button', { name: /^Copy the levels of/ }).click()
  await expect(level('Staff: Manage')).toBeChecked()
  await page.getByRole('button', { name: 'Reset to role defaults' }).click()
  await expect(level('Staff: None')).toBeChecked()
  await save.click()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  await expect(page.getByRole('row').filter({ hasText: lastName })).not.toContainText('with changed privileges')
})

test('makes a role from a preset, gives it to a person and changes its levels @whole', async ({
  page,
  browser,
  accessible,
}) => {
  const lastName = unique('Firefighter')
  const name = unique('Rescue')
  const { id, email } = await newcomer(lastName)
  await openStaff(page, '?tab=roles')
  await expect(page.getByText(/people still have broad roles from before/)).toBeVisible()
  await expectGood(page, accessible, 'the roles')
  await openMore(page, 'Fire')
  await page.getByRole('button', { name: 'Copy Fire' }).click()
  const panel = page.getByRole('dialog', { name: 'Copy of Fire' })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Enter the name of the role, up to 60 characters.').first()).toBeVisible()
  await expect(panel.getByLabel('Name')).toBeFocused()
  await expectGood(page, accessible, 'a refused role')
  await panel.getByLabel('Name').fill(name)
  await panel.getByRole('radio', { name: 'Requests: View', exact: true }).check()
  // Typed text and chosen levels survive a reload.
  await page.reload()
  await expect(panel.getByLabel('Name')).toHaveValue(name)
  await expect(panel.getByRole('radio', { name: 'Requests: View', exact: true })).toBeChecked()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`The role ${name} was saved.`)).toBeVisible()
  await page.getByRole('button', { name: 'Screens of each level' }).click()
  const opened = page.getByRole('dialog', { name: 'Screens of each level' })
  await opened.getByText('Counter', { exact: true }).click()
  await expect(opened.getByText('Screens: Cash Drawers')).toBeVisible()
  await expectGood(page, accessible, 'the screens of each level')
  await page.keyboard.press('Escape')

  await openStaff(page, `?edit=${id}`)
  const edit = page.getByRole('dialog', { name: `Edit Robin ${lastName}` })
  await expect(edit.getByLabel('Role')).toHaveValue('3')
  await edit.getByLabel('Role').selectOption(name)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toHaveCount(0)

  // The person sees only the entries of the role.
  const guest = await browser.newContext({ reducedMotion: 'reduce' })
  const own = await guest.newPage()
  await own.goto(at('harborcity', linkIn(await emailTo(email, /invitation/))))
  await own.getByLabel('New password').fill('Quarry-Lantern#41')
  await own.getByRole('button', { name: 'Set password' }).click()
  await expect(own).toHaveURL(at('harborcity', '/municipality'))
  const menu = own.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Inspections' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Work Orders' })).toHaveCount(0)

  await openStaff(page, '?tab=roles')
  await openMore(page, name)
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const role = page.getByRole('dialog', { name })
  await expect(role.getByText('1 person has this role. Changes take effect immediately.')).toBeVisible()
  await role.getByRole('radio', { name: 'Work orders: Do', exact: true }).check()
  await role.getByRole('button', { name: 'Save' }).click()
  await expect(role).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toHaveCount(0)
  await own.reload()
  await expect(menu.getByRole('link', { name: 'Work Orders' })).toBeVisible()
  await guest.close()
})

test('shows the portal as a staff member, who can change nothing @whole', async ({ page, context, accessible }) => {
  const lastName = unique('Seen')
  const { id, email } = await newcomer(lastName)
  const guest = await context.browser()?.newContext({ reducedMotion: 'reduce' })
  const own = await guest?.newPage()
  if (!own) throw new Error('no second browser window')
  await own.goto(at('harborcity', linkIn(await emailTo(email, /invitation/))))
  await own.getByLabel('New password').fill('Quarry-Lantern#41')
  await own.getByRole('button', { name: 'Set password' }).click()
  await expect(own).toHaveURL(at('harborcity', '/municipality'))
  await guest?.close()

  await openStaff(page, `?person=${id}`)
  const account = page.getByRole('dialog', { name: `Robin ${lastName}` })
  await account.getByRole('button', { name: 'See as this person' }).click()
  const dialog = page.getByRole('dialog', { name: `Impersonate Robin ${lastName}` })
  await expect(dialog).toContainText('You cannot change anything.')
  await accessible(page, 'the question before seeing as another person')
  await dialog.getByLabel('Reason').fill('Check the new menus')
  const opened = context.waitForEvent('page')
  await dialog.getByRole('button', { name: 'Open in new window' }).click()
  const seen = await opened
  await expect(seen.getByRole('complementary', { name: 'Impersonation' })).toContainText(`Robin ${lastName}`)
  const menu = seen.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Manage Municipality' })).toHaveCount(0)
  await menu.getByRole('link', { name: 'Customer Communications' }).click()
  await expect(seen.getByRole('heading', { level: 1 })).toHaveText(/Communication/)
  await accessible(seen, 'the portal as another person')
  await seen.getByRole('button', { name: 'End Impersonate Session' }).click()
  const closed = seen.waitForEvent('close')
  await seen.getByRole('button', { name: 'End session and close window' }).click()
  await closed
  await expect(page.getByRole('dialog').filter({ hasText: /session/i })).toBeVisible()
})

test('shows a person’s own privileges read-only @whole', async ({ page, accessible }) => {
  const { user } = await sessionOf('harborcity', ADMIN)
  await openStaff(page, `?privileges=${user.id}`)
  await expect(page.getByText('This is your own account. Someone else must change it.')).toBeVisible()
  await expect(page.getByRole('radio').first()).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expectGood(page, accessible, 'one’s own privileges')
})

test('adds, renames, deactivates with a warning and activates departments @whole', async ({ page, accessible }) => {
  const name = unique('Library')
  const lastName = unique('Librarian')
  const { token } = await sessionOf('harborcity', ADMIN)
  await openStaff(page, '?tab=departments')
  await page.getByRole('button', { name: 'Add department' }).click()
  const panel = page.getByRole('dialog', { name: 'Add department' })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Enter the name of the department.')).toBeVisible()
  await expectGood(page, accessible, 'a refused department')
  await panel.getByLabel('Name').fill(name)
  await panel.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Active')

  const { departments } = await callOn('harborcity', companyStaff.departments, {}, token)
  const departmentId = departments.find((department) => department.name === name)?.id ?? 0
  const { id } = await newcomer(lastName)
  const person = { firstName: 'Robin', lastName, roleId: 3, position: 1, departmentId, personId: id }
  await callOn('harborcity', companyStaff.save, person, token)
  await openMore(row)
  await row.getByRole('button', { name: `Deactivate ${name}` }).click()
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toContainText(`Robin ${lastName} works in ${name}.`)
  await accessible(page, 'the question before a department goes')
  await confirmation.getByRole('button', { name: 'Deactivate department' }).click()
  await expect(row).toContainText('Inactive')
  await openMore(row)
  await row.getByRole('button', { name: `Activate ${name}` }).click()
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  await openMore(page, name)
  await row.getByRole('button', { name: `Edit ${name}` }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(`${name} Two`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row').filter({ hasText: `${name} Two` })).toBeVisible()
  await expectGood(page, accessible, 'departments', { ready: waitUntilIdle })
})

test('shows the staff to a manager read-only @whole', async ({ page }) => {
  await openAs(page, 'maplegrove', 'manager@maplegrove.example', STAFF)
  await waitUntilIdle(page)
  await expect(page.getByRole('button', { name: /^View / }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Invite staff member', exact: true })).toHaveCount(0)
})

test('lists, filters and exports sign-ins and refusals in the Login Report @whole', async ({ page, accessible }) => {
  const { user } = await sessionOf('maplegrove', 'admin@maplegrove.example')
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/manage-staff')
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Login Report' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login Report')
  await waitUntilIdle(page)
  await expect(page.getByRole('row').nth(5)).toBeVisible()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Denied')
  await waitUntilIdle(page)
  await expect(page.getByText('Wrong password').first()).toBeVisible()
  await expectGood(page, accessible, 'refused sign-ins')
  await page.getByRole('searchbox', { name: 'Name or email' }).fill('nobody at all')
  await expect(page.getByText('No sign-ins to show')).toBeVisible()
  await accessible(page, 'an empty Login Report')
  await page.goto(at('maplegrove', `/municipality/reports/login?personId=${user.id}`))
  await expect(page.getByText('Selected person').filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('Judith Sawyer')
  await openMore(page, 'the list')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^sign-ins-maplegrove-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.slice(1).every((line) => line.includes('Judith Sawyer'))).toBe(true)
})

test('invites a platform administrator by email who sets a password @whole', async ({ page, browser, accessible }) => {
  const lastName = unique('Helper')
  await openAs(page, 'admin', SUPER, '/admin/manage/manage-staff')
  await page.getByRole('button', { name: 'Invite staff member', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Invite staff member' })
  await panel.getByLabel('Email').fill(`${lastName}@mainstreet.example`)
  await panel.getByLabel('First name').fill('Robin')
  await panel.getByLabel('Last name').fill(lastName)
  await panel.getByLabel('Role').selectOption('Support')
  await expectGood(page, accessible, 'an admin user being invited')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByText(`Robin ${lastName} was invited.`)).toBeVisible()
  const invited = await browser.newContext({ reducedMotion: 'reduce' })
  const invitedPage = await invited.newPage()
  await invitedPage.goto(at('admin', linkIn(await emailTo(`${lastName}@mainstreet.example`, /invitation/))))
  await invitedPage.getByLabel('New password').fill('Quarry-Lantern#41')
  await invitedPage.getByRole('button', { name: 'Set password' }).click()
  await expect(invitedPage).toHaveURL(at('admin', '/admin'))
  await invited.close()
  await page.getByRole('searchbox', { name: 'Search' }).fill(lastName)
  const row = page.getByRole('row').filter({ hasText: lastName })
  await expect(row).toContainText('Support')
  await row.getByRole('rowheader').getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Privileges' }).click()
  await expect(page.getByRole('checkbox', { name: 'Company setup: View', exact: true })).toBeChecked()
  await expectGood(page, accessible, "an admin user's privileges")
})

test('explains forbidden changes and protects the last administrator @whole', async ({ page }) => {
  const lastName = unique('Second')
  const { id } = await newcomer(lastName, 5)
  const { token } = await sessionOf('admin', SUPER)
  const { user } = await sessionOf('harborcity', ADMIN)
  // An invited person without a password does not count as an administrator.
  const lock = callOn(
    'admin',
    companyStaff.changeStatus,
    { companyId: user.company_id ?? 0, personId: user.id, step: 'lock' },
    token,
  )
  await expect(lock).rejects.toThrow('last_administrator')
  await callOn(
    'harborcity',
    companyStaff.changeStatus,
    { personId: id, step: 'deactivate' },
    (await sessionOf('harborcity', ADMIN)).token,
  )
  await openStaff(page, `?person=${id}`)
  await expect(page.getByRole('dialog').getByText('Inactive', { exact: true })).toBeVisible()
  const call = `**/api/v2/${companyStaff.changeStatus.path}`
  await page.route(call, (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, code: 'not_allowed', message: 'You are not allowed to do this.' },
    }),
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('You are not allowed to do this.')
})

test("invites a company's first administrator, adds a department and shows privileges @whole", async ({
  page,
  browser,
  accessible,
}) => {
  const { token } = await sessionOf('admin', SUPER)
  const subdomain = unique('firsttown').toLowerCase()
  const companyName = unique('First Town ')
  const { companyId } = await callOn(
    'admin',
    createCompany,
    {
      ...{ companyName, subdomain, address: '1 Mill Lane', city: 'First Town', state: 'PA', zip: '17033' },
      ...{ phone: '717-555-0133', companyWebsite: 'www.town.example.org', timeZone: 1, online: 1 },
      ...{ intrigratesWithBilling: 1, isManagedServices: 0 },
    },
    token,
  )
  await openAs(page, 'admin', SUPER, `/admin/${companyId}/company/information`)
  await page.getByRole('link', { name: 'Staff and privileges' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Municipality')
  await expect(page.getByRole('main')).toContainText(companyName)
  await expect(page.getByText('No people to show')).toBeVisible()
  await expectGood(page, accessible, 'a town in which nobody works')

  await page.getByRole('link', { name: 'Departments' }).click()
  await page.getByRole('button', { name: 'Add department' }).first().click()
  const department = page.getByRole('dialog')
  await department.getByLabel('Name').fill('Water Works')
  await department.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Water Works' })).toBeVisible()

  await page.getByRole('link', { name: 'Staff', exact: true }).click()
  await page.getByRole('button', { name: 'Invite staff member', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Invite staff member' })
  const email = `chief@${subdomain}.example`
  await panel.getByLabel('Email').fill(email)
  await panel.getByLabel('First name').fill('Robin')
  await panel.getByLabel('Last name').fill('Chief')
  await panel.getByLabel('Role').selectOption('Municipality Admin')
  await panel.getByLabel('Department').selectOption('Water Works')
  await panel.getByRole('button', { name: 'Send invitation' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Chief' })
  for (const text of ['Municipality Admin', 'Water Works', 'Invited']) await expect(row).toContainText(text)
  await row.getByRole('button', { name: 'View Robin Chief' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Privileges' }).click()
  await expect(page.getByRole('heading', { name: /Privileges of Robin Chief|Robin Chief/ }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(row).toBeVisible()

  const guest = await browser.newPage()
  const emailMessage = await emailTo(email, /invitation/)
  expect(emailMessage).toContain(at(subdomain, '/'))
  await guest.goto(at(subdomain, linkIn(emailMessage)))
  await guest.getByLabel('New password').fill('Quarry-Lantern#41')
  await guest.getByRole('button', { name: 'Set password' }).click()
  await expect(guest).toHaveURL(at(subdomain, '/municipality'))
  await expect(guest.getByText(`Municipality Portal for ${companyName}`)).toBeVisible()
  await guest.close()

  // Staff of another company are not listed.
  await page.goto(at('admin', '/admin/102/company/staff'))
  await expect(page.getByRole('row').filter({ hasText: ADMIN })).toBeVisible()
  await expect(page.getByText('Chief')).toHaveCount(0)
})

test('refuses an unavailable company name with the specification’s text @whole', async ({ page, accessible }) => {
  const details = `**/api/v2/${companyDetails.path}`
  const open = () => page.goto(at('admin', '/admin/102/company/staff'))
  await openAs(page, 'admin', SUPER, '/admin')
  const message = 'The registry is being moved.'
  await page.route(details, (route) =>
    route.fulfill({ status: 422, json: { success: false, message, msg: message, code: 'moved' } }),
  )
  await open()
  const popup = page.getByRole('dialog', { name: 'Error', exact: true })
  await expect(popup).toContainText(message)
  await expect(page.getByText('Error Loading Company')).toBeVisible()
  await expectGood(page, accessible, 'a company whose name can not be had')
  await popup.getByRole('button', { name: 'Close' }).last().click()
  await expect(popup).toHaveCount(0)
  for (const [reply, name, popupText] of [
    [{ companyDetails: [] }, 'Error Loading Company', 'Invalid response from server'],
    [{ companyDetails: [{ name: '' }] }, 'Unknown Company', null],
  ] as const) {
    await page.unroute(details)
    await page.route(details, (route) => route.fulfill({ json: reply }))
    await open()
    await expect(page.getByText(name)).toBeVisible()
    if (popupText) await expect(popup).toContainText(popupText)
    else await expect(popup).toHaveCount(0)
  }
  // The list of companies also has its own error message.
  await page.route(`**/api/v2/${companiesInformation.path}`, (route) => route.abort('connectionfailed'))
  await page.goto(at('admin', '/admin'))
  await expect(page.getByRole('alert')).toContainText('Failed to fetch company data')
  await accessible(page, 'companies that can not be had')
  await page.goto(at('admin', '/admin/reports/audit-log'))
  await expect(page.getByText('Failed to fetch company data')).toBeVisible()
  await accessible(page, 'a choice of companies that can not be had')
})
