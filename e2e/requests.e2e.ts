import { requestCase } from '../features/service-requests/contract.ts'
import { idIn } from '../features/service-requests/rules.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { emailTo } from './mail.ts'

const STAFF_EMAIL = 'admin@maplegrove.example'

/** Returns a location that no other test uses, so that the page suggests no duplicate. */
const unique = (): string => `Behind barn ${Date.now().toString(36)}`

async function complete(number: string, message: string): Promise<void> {
  const { token } = await sessionOf('maplegrove', STAFF_EMAIL)
  await callOn(
    'maplegrove',
    requestCase.reply,
    { subjectId: idIn(number) ?? 0, message, seen: 0, complete: true },
    token,
  )
}

test('reports a stray dog by keyboard without a map and reopens it', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const email = `guest-${Date.now()}@example.org`
  const locationText = unique()
  await page.goto(at('maplegrove', '/communication/new'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report a problem')
  const continueButton = page.getByRole('button', { name: 'Continue' })
  await continueButton.press('Enter')
  await expect(page.getByText('Choose a category.').first()).toBeVisible()
  await accessible(page, 'nothing chosen')
  await page.getByLabel('What kind of problem is it?').selectOption('Stray dog')
  await continueButton.press('Enter')
  await expect(page.getByText(/^Enter the location/).first()).toBeVisible()
  const where = page.getByRole('combobox', { name: /Where is the problem/ })
  await where.pressSequentially(locationText)
  await page.keyboard.press('Tab')
  await continueButton.press('Enter')
  await expect(page.getByRole('heading', { name: 'Problem and contact details' })).toBeFocused()
  await page.getByLabel('What is wrong?').pressSequentially('A brown dog without a collar.')
  await page.getByLabel('Name', { exact: true }).fill('Gus Guest')
  // Typed text survives a reload.
  await page.reload()
  await expect(page.getByLabel('What is wrong?')).toHaveValue('A brown dog without a collar.')
  // The browser's Back button leads to the previous step.
  await page.goBack()
  await expect(where).toHaveValue(locationText)
  await page.goForward()
  await expect(page.getByLabel('What is wrong?')).toHaveValue('A brown dog without a collar.')
  const reviewButton = page.getByRole('button', { name: 'Review' })
  await reviewButton.press('Enter')
  await expect(page.getByText(/^Enter an email address or a phone number/).first()).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await accessible(page, 'description and contact')
  await reviewButton.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your entries' })).toBeFocused()
  await expect(page.getByText(locationText)).toBeVisible()
  await accessible(page, 'the last look')
  await page.getByRole('button', { name: 'Submit the request' }).press('Enter')
  const received = page.getByRole('heading', { name: /^Request R-\d{4}-\d{6} was received$/ })
  await expect(received).toBeFocused()
  await page.reload()
  await expect(received).toBeVisible()
  const number = /R-\d{4}-\d{6}/.exec((await received.textContent()) ?? '')?.[0] ?? ''
  await complete(number, 'The dog is with its owner again.')
  const text = await emailTo(email, new RegExp(`^Reply to your request ${number}`))
  const path = /\/communication\/request\/[\w-]{43}/.exec(text)?.[0] ?? ''
  await page.goto(at('maplegrove', path))
  await expect(page.getByText('The dog is with its owner again.')).toBeVisible()
  await accessible(page, 'a request that is completed')
  await page.getByRole('button', { name: 'No, it was not fixed' }).press('Enter')
  await page.getByLabel('What is still wrong?').fill('It is back.')
  await accessible(page, 'the verdict')
  await page.getByRole('button', { name: 'Send feedback' }).press('Enter')
  await expect(page.getByText('Reopen', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('It is back.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel request' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel request' }).press('Enter')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('lets a person follow a known request instead of reporting it again @whole', async ({ page, accessible }) => {
  test.slow()
  const email = `follower-${Date.now()}@example.org`
  const locationText = unique()
  const report = async () => {
    await page.goto(at('maplegrove', '/communication/new'))
    await page.getByLabel('What kind of problem is it?').selectOption('Stray dog')
    await page.getByRole('combobox', { name: /Where is the problem/ }).fill(locationText)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
  }
  await report()
  await page.getByLabel('What is wrong?').fill('Two dogs run loose here.')
  await page.getByLabel('Name', { exact: true }).fill('Nora Near')
  await page.getByLabel('Email').fill(`first-${email}`)
  await page.getByRole('button', { name: 'Review' }).press('Enter')
  await page.getByRole('button', { name: 'Submit the request' }).press('Enter')
  await expect(page.getByRole('heading', { name: /was received$/ })).toBeVisible()
  await report()
  await expect(page.getByRole('heading', { name: 'Is your problem one of these?' })).toBeFocused()
  await accessible(page, 'what was reported near by')
  await page.getByRole('button', { name: /^Follow request/ }).press('Enter')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Follow request', exact: true }).press('Enter')
  await expect(page.getByText(/^We sent an email to/)).toBeVisible()
  const text = await emailTo(email, /^Follow request/)
  await page.goto(at('maplegrove', /\/communication\/followed\/\S+/.exec(text)?.[0] ?? ''))
  await expect(page.getByText(/^Do you want email updates on/)).toBeVisible()
  await accessible(page, 'asked whether to follow')
  await page.getByRole('button', { name: 'Follow request' }).press('Enter')
  await expect(page.getByText(/^You are following request R-/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Stop following' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Follow again' })).toBeVisible()
})

test('shows residents the progress of their requests and adds a category @whole', async ({ page, accessible }) => {
  test.slow()
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/communication')
  await expect(page.getByRole('heading', { name: 'Your requests' })).toBeVisible()
  await accessible(page, 'the list of requests')
  await page.getByRole('region', { name: 'Your requests' }).getByRole('link').last().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Request')
  await page.goto(at('maplegrove', '/communication/reported?stands=open'))
  await expect(page.getByRole('button', { name: /^Follow request/ }).first()).toBeVisible()
  await accessible(page, 'what was reported')
  const office = await page.context().newPage()
  await openAs(
    office,
    'maplegrove',
    STAFF_EMAIL,
    '/municipality/manage/customer-communication/categories?panel=category',
  )
  await office.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(office.getByText('Enter a category name.').first()).toBeVisible()
  await office.getByLabel('Name', { exact: true }).fill(`Category ${Date.now().toString(36)}`)
  // The category is inactive and hidden from guests, so that no other test sees it.
  await office.getByLabel('In use').uncheck()
  await accessible(office, 'a new category')
  await office.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(office.getByText(/” added\.$/).first()).toBeVisible()
})
