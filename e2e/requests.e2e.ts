import { requestCase } from '../features/service-requests/contract.ts'
import { idIn } from '../features/service-requests/rules.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { mailTo } from './mail.ts'

const CLERK = 'admin@maplegrove.example'

/** A place that no other journey names: nobody offers it as reported before. */
const unique = (): string => `Behind barn ${Date.now().toString(36)}`

/** The town does what was asked, and says so. */
async function complete(number: string, message: string): Promise<void> {
  const { token } = await sessionOf('maplegrove', CLERK)
  await callOn(
    'maplegrove',
    requestCase.reply,
    { subjectId: idIn(number) ?? 0, message, seen: 0, complete: true },
    token,
  )
}

test('a guest reports a stray dog by keyboard and without a map, and says that it was not mended', async ({
  page,
  accessible,
}) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const email = `guest-${Date.now()}@example.org`
  const place = unique()
  await page.goto(at('maplegrove', '/communication/new'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report something')
  const goOn = page.getByRole('button', { name: 'Go on' })
  await goOn.press('Enter')
  await expect(page.getByText('Choose what it is about.').first()).toBeVisible()
  await accessible(page, 'nothing chosen')
  await page.getByLabel('What is it about?').selectOption('Stray dog')
  await goOn.press('Enter')
  await expect(page.getByText(/^Tell us where it is/).first()).toBeVisible()
  const where = page.getByRole('combobox', { name: /Where is it/ })
  await where.pressSequentially(place)
  await page.keyboard.press('Tab')
  await goOn.press('Enter')
  await expect(page.getByRole('heading', { name: 'What is wrong, and who are you?' })).toBeFocused()
  await page.getByLabel('What is wrong?').pressSequentially('A brown dog without a collar.')
  await page.getByLabel('Name', { exact: true }).fill('Gus Guest')
  // What was typed outlives a reload.
  await page.reload()
  await expect(page.getByLabel('What is wrong?')).toHaveValue('A brown dog without a collar.')
  const look = page.getByRole('button', { name: 'Look at it once more' })
  await look.press('Enter')
  await expect(page.getByText(/^Enter an email address or a phone number/).first()).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await accessible(page, 'description and contact')
  await look.press('Enter')
  await expect(page.getByRole('heading', { name: 'Is everything right?' })).toBeFocused()
  await expect(page.getByText(place)).toBeVisible()
  await accessible(page, 'the last look')
  await page.getByRole('button', { name: 'Send the request' }).press('Enter')
  const received = page.getByRole('heading', { name: /^Request R-\d{4}-\d{6} was received$/ })
  await expect(received).toBeFocused()
  const number = /R-\d{4}-\d{6}/.exec((await received.textContent()) ?? '')?.[0] ?? ''
  await complete(number, 'The dog is with its owner again.')
  const text = await mailTo(email, new RegExp(`^Answer to your request ${number}`))
  const path = /\/communication\/request\/[\w-]{43}/.exec(text)?.[0] ?? ''
  await page.goto(at('maplegrove', path))
  await expect(page.getByText('The dog is with its owner again.')).toBeVisible()
  await accessible(page, 'a request that is completed')
  await page.getByRole('button', { name: 'No, it was not' }).press('Enter')
  await page.getByLabel('What is still wrong?').fill('It is back.')
  await accessible(page, 'the verdict')
  await page.getByRole('button', { name: 'Tell the town' }).press('Enter')
  await expect(page.getByText('Reopen', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('It is back.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel the request' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the request' }).press('Enter')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('somebody reports what is known already, and follows it instead @whole', async ({ page, accessible }) => {
  test.slow()
  const email = `follower-${Date.now()}@example.org`
  const place = unique()
  const report = async () => {
    await page.goto(at('maplegrove', '/communication/new'))
    await page.getByLabel('What is it about?').selectOption('Stray dog')
    await page.getByRole('combobox', { name: /Where is it/ }).fill(place)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Go on' }).press('Enter')
  }
  await report()
  await page.getByLabel('What is wrong?').fill('Two dogs run loose here.')
  await page.getByLabel('Name', { exact: true }).fill('Nora Near')
  await page.getByLabel('Email').fill(`first-${email}`)
  await page.getByRole('button', { name: 'Look at it once more' }).press('Enter')
  await page.getByRole('button', { name: 'Send the request' }).press('Enter')
  await expect(page.getByRole('heading', { name: /was received$/ })).toBeVisible()
  await report()
  await expect(page.getByRole('heading', { name: 'Is it one of these?' })).toBeFocused()
  await accessible(page, 'what was reported near by')
  await page.getByRole('button', { name: /^Follow/ }).press('Enter')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Follow', exact: true }).press('Enter')
  await expect(page.getByText(/^We have sent a mail to/)).toBeVisible()
  const text = await mailTo(email, /^Follow request/)
  await page.goto(at('maplegrove', /\/communication\/followed\/\S+/.exec(text)?.[0] ?? ''))
  await expect(page.getByText(/^Do you want to hear by email/)).toBeVisible()
  await accessible(page, 'asked whether to follow')
  await page.getByRole('button', { name: 'Follow it' }).press('Enter')
  await expect(page.getByText(/^You follow R-/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Stop following it' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Follow it again' })).toBeVisible()
})

test('a resident sees what became of their requests; staff add a category @whole', async ({ page, accessible }) => {
  test.slow()
  await openAs(page, 'maplegrove', 'resident@maplegrove.example', '/communication')
  await expect(page.getByRole('heading', { name: 'Your requests' })).toBeVisible()
  await accessible(page, 'the list of requests')
  await page.getByRole('region', { name: 'Your requests' }).getByRole('button').last().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Request')
  await page.goto(at('maplegrove', '/communication/reported?stands=open'))
  await expect(page.getByRole('button', { name: /^Follow/ }).first()).toBeVisible()
  await accessible(page, 'what was reported')
  const office = await page.context().newPage()
  await openAs(office, 'maplegrove', CLERK, '/municipality/manage/customer-communication/categories?panel=category')
  await office.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(office.getByText('Name the category.').first()).toBeVisible()
  await office.getByLabel('Name', { exact: true }).fill(`Category ${Date.now().toString(36)}`)
  // Not for guests and not in use: no other journey finds it among what can be reported.
  await office.getByLabel('In use').uncheck()
  await accessible(office, 'a new category')
  await office.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(office.getByText(/was added/).first()).toBeVisible()
})
