import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { platformStaff } from '../features/staff/contract.ts'
import { sendRequest, supportCase, supportRequest } from '../features/support/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'

/** Tests the parts that all types of cases share. Support requests are the example. */

const SUPER = 'super@mainstreet.example'
const SUPPORT = 'support@mainstreet.example'
const COMPANY_ID = 101

async function createSupportRequest(word: string) {
  const name = `${word}${test.info().workerIndex}x${Date.now() % 1_000_000}`
  const email = `${name}@example.org`.toLowerCase()
  const { number } = await callOn('maplegrove', sendRequest, {
    ...{ name: `Ann ${word}`, email, phone: '', category: 'site' },
    message: `The page of ${name} stays white after I press the button.`,
  })
  return { id: Number(number.slice(1)), number, email }
}

const subjectOf = ({ id }: { id: number }) => ({ companyId: COMPANY_ID, subjectId: id })
const tokenOf = async (email: string) => (await sessionOf('admin', email)).token
const slideOut = (page: Page, { number }: { number: string }) => page.getByRole('dialog', { name: `Request ${number}` })

test('assigns, watches and takes a case by keyboard and emails the recipients @whole', async ({ page, accessible }) => {
  test.slow()
  const request = await createSupportRequest('Desk')
  const token = await tokenOf(SUPER)
  const name = `Night desk ${Date.now()}`
  const { departmentId } = await callOn('admin', platformStaff.createDepartment, { name }, token)
  const lastName = `Night${Date.now()}`
  const email = `${lastName}@mainstreet.example`.toLowerCase()
  await callOn(
    'admin',
    platformStaff.invite,
    { email, firstName: 'Noor', lastName, roleId: 907, position: null, departmentId },
    token,
  )
  await openAs(page, 'admin', SUPPORT, `/admin/support?request=${COMPANY_ID}.${request.id}`)
  const panel = slideOut(page, request)
  const choice = panel.getByLabel('Assign to other admin')
  await expect(choice).toBeVisible()
  await choice.focus()
  await page.keyboard.type(`Department: ${name}`)
  await expect(choice.locator('option:checked')).toHaveText(`Department: ${name} (0 open)`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${request.number} was assigned to ${name}.`)).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Timeline' })).toContainText(`Assigned to ${name} · Sylvia Tran`)
  const emailMessage = await emailTo(email, /was assigned to your department$/)
  expect(emailMessage).toContain(`/admin/support?request=${COMPANY_ID}.${request.id}`)
  const watch = panel.getByRole('button', { name: 'Watch', exact: true })
  await watch.focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByText('Watched by Sylvia Tran')).toBeVisible()
  await expectGood(page, accessible, 'a case with a department that somebody watches')
  const take = panel.getByRole('button', { name: 'Assign to me' })
  await take.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${request.number} was assigned to Sylvia Tran.`)).toBeVisible()
  await expect(take).toHaveCount(0)

  // The recipient unsubscribes from these emails without signing in, by keyboard, and then subscribes again.
  await page.context().clearCookies()
  await page.goto(/^Unsubscribe: (\S+)$/m.exec(emailMessage)?.[1] ?? '')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe from these emails?')
  await expectGood(page, accessible, 'the page that stops mails')
  for (const [button, heading] of [
    ['Unsubscribe', 'You have been unsubscribed'],
    ['Resubscribe', 'Unsubscribe from these emails?'],
  ] as const) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: button })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByText(email)).toBeVisible()
  }
  await page.goto(at('admin', '/notices/stop?of=made-up'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link does not work')
  await expectGood(page, accessible, 'a link that stops nothing')
})

test('adds, changes and inserts saved answers by keyboard only @whole', async ({ page, accessible }) => {
  test.slow()
  const request = await createSupportRequest('Kept')
  const title = `Try another browser ${Date.now()}`
  await openAs(page, 'admin', SUPPORT, `/admin/support?request=${COMPANY_ID}.${request.id}`)
  const panel = slideOut(page, request)
  const text = panel.getByRole('textbox', { name: 'Reply' })
  await text.fill('Please try another browser.')
  const openList = () => panel.getByRole('button', { name: 'Saved replies' }).press('Enter')
  await openList()
  await panel.getByRole('button', { name: 'Manage replies' }).press('Enter')
  const manage = page.getByRole('dialog', { name: 'Saved replies' })
  await expect(manage.getByRole('listitem').first()).toBeVisible()
  await expectGood(page, accessible, 'the answers that are kept')
  await manage.getByRole('button', { name: 'New reply' }).press('Enter')
  // The text of the reply becomes the draft of the new saved reply.
  await expect(manage.getByLabel('Answer', { exact: true })).toHaveValue('Please try another browser.')
  await manage.getByRole('button', { name: 'Save reply' }).press('Enter')
  await expect(manage.getByText('Enter a name of up to 80 characters for the saved reply.').first()).toBeVisible()
  await expectGood(page, accessible, 'an answer without a name')
  await manage.getByLabel('Name').fill(title)
  await manage.getByLabel('Name').press('Enter')
  await expect(page.getByText('Reply saved.')).toBeVisible()
  await manage.getByRole('button', { name: `Edit ${title}` }).press('Enter')
  await manage.getByLabel('Answer', { exact: true }).fill('Please try another browser, and tell us which.')
  await manage.getByRole('button', { name: 'Save reply' }).press('Enter')
  await expect(manage.getByRole('listitem').filter({ hasText: title })).toContainText('and tell us which')
  await manage.getByRole('button', { name: 'Close' }).last().press('Enter')
  // The typed text stays, and the saved reply is inserted below it.
  await openList()
  const search = panel.getByRole('combobox', { name: 'Find a saved reply' })
  await expect(search).toBeFocused()
  await search.fill(title)
  await expect(panel.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')).toHaveCount(1)
  await expectGood(page, accessible, 'the list of saved answers')
  await search.press('Enter')
  await expect(text).toHaveValue('Please try another browser.\n\nPlease try another browser, and tell us which.')
  await openList()
  await panel.getByRole('button', { name: 'Manage replies' }).press('Enter')
  await manage.getByRole('button', { name: `Remove ${title}` }).press('Enter')
  await expect(manage.getByRole('listitem').filter({ hasText: title })).toHaveCount(0)
})

test('marks new entries in the list and in both timelines @whole', async ({ page, browser, accessible }) => {
  test.slow()
  const request = await createSupportRequest('News')
  const subject = subjectOf(request)
  const [supportToken, superToken] = [await tokenOf(SUPPORT), await tokenOf(SUPER)]
  const { user } = await sessionOf('admin', SUPPORT)
  await callOn('admin', supportCase.assign, { ...subject, personId: user.id }, superToken)
  await callOn('admin', supportCase.seen, { ...subject, upTo: 0 }, supportToken)
  await callOn('admin', supportCase.note, { ...subject, message: 'I know this page.' }, superToken)
  await openAs(page, 'admin', SUPPORT, `/admin/support?search=${request.number}`)
  const row = page.getByRole('row').filter({ hasText: request.number })
  await expect(row.getByText('1 new')).toBeVisible()
  await expectGood(page, accessible, 'a list with something new')
  await row.getByRole('button', { name: /View/ }).press('Enter')
  const panel = slideOut(page, request)
  const note = panel.getByRole('listitem').filter({ hasText: 'I know this page.' })
  await expect(note.getByText('New', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).first().press('Enter')
  // Staff viewed the case, so its entries are no longer new.
  await expect(row).toBeVisible()
  await expect(row.getByText('1 new')).toHaveCount(0)

  await callOn(
    'admin',
    supportCase.reply,
    { ...subject, message: 'Mended since noon.', seen: await lastOf(subject, supportToken) },
    supportToken,
  )
  const phone = await (await browser.newContext({ viewport: PHONE })).newPage()
  await phone.clock.install()
  await phone.goto(at('maplegrove', linkIn(await emailTo(request.email, /^Reply to/))))
  const response = phone.getByRole('listitem').filter({ hasText: 'Mended since noon.' })
  await expect(response.getByText('New', { exact: true })).toBeVisible()
  await expect(phone.getByText('I know this page.')).toHaveCount(0)
  await expectGood(phone, accessible, 'a conversation with a new answer')
  await phone.reload()
  await expect(response).toBeVisible()
  await expect(response.getByText('New', { exact: true })).toHaveCount(0)
  // New replies appear without a reload. Internal notes do not.
  await callOn('admin', supportCase.note, { ...subject, message: 'They called, too.' }, superToken)
  const seen = await lastOf(subject, supportToken)
  await callOn('admin', supportCase.reply, { ...subject, message: 'Does it work now?', seen }, supportToken)
  await phone.clock.fastForward(20_000)
  await expect(phone.getByRole('listitem').filter({ hasText: 'Does it work now?' })).toContainText('New')
  await expect(phone.getByText('They called, too.')).toHaveCount(0)
  await phone.context().close()
})

test('lets a guest attach a screenshot that staff and guest can download @whole', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  const screenshot = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#8a1c3c' } })
    .png()
    .toBuffer()
  const email = `files${Date.now()}@example.org`
  await page.setViewportSize(PHONE)
  await page.goto(at('maplegrove', '/support'))
  await page.getByLabel('What do you need help with?').selectOption('site')
  await page.getByRole('textbox', { name: 'Message' }).fill('The page stays white, see the picture.')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ann Files')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  const files = page.locator('main input[type=file]')
  await files.setInputFiles({ name: 'page.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(page.getByText('Upload a PNG or JPG image, or a PDF.').first()).toBeVisible()
  await files.setInputFiles({ name: 'white page.png', mimeType: 'image/png', buffer: screenshot })
  await expect(page.getByRole('img', { name: 'white page.png' })).toBeVisible()
  await expectGood(page, accessible, 'a support request with a file')
  await page.getByRole('button', { name: 'Submit the request' }).press('Enter')
  await expect(page.getByText(/^Request S\d+ was received/)).toBeVisible()
  const number = /S(\d+)/.exec(await page.getByText(/^Request S\d+ was received/).innerText())?.[1] ?? ''

  await page.setViewportSize({ width: 1280, height: 800 })
  await openAs(page, 'admin', SUPPORT, `/admin/support?request=${COMPANY_ID}.${number}`)
  const panel = slideOut(page, { number: `S${number}` })
  const first = panel.getByRole('listitem').filter({ hasText: 'see the picture' }).first()
  await expect(first.locator('img')).toBeVisible()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    first.getByRole('button', { name: 'Download white page.png' }).press('Enter'),
  ])
  expect((await sharp(await saved.path()).metadata()).width).toBe(300)
  await panel
    .locator('input[type=file]')
    .setInputFiles({ name: 'like this.png', mimeType: 'image/png', buffer: screenshot })
  await expect(panel.getByRole('img', { name: 'like this.png' })).toBeVisible()
  await panel.getByRole('textbox', { name: 'Reply' }).fill('Does it look like this?')
  await expectGood(page, accessible, 'an answer with a file')
  await panel.getByRole('button', { name: 'Send reply' }).press('Enter')
  await expect(panel.getByRole('button', { name: 'Download like this.png' })).toBeVisible()
  // The attachment was sent with the reply, so the next reply starts without it.
  await expect(panel.getByRole('button', { name: 'Delete like this.png' })).toHaveCount(0)

  const phone = await (await browser.newContext({ viewport: PHONE })).newPage()
  await phone.goto(at('maplegrove', linkIn(await emailTo(email, /^Reply to/))))
  const response = phone.getByRole('listitem').filter({ hasText: 'Does it look like this?' }).first()
  await expect(response.locator('img')).toBeVisible()
  await expectGood(phone, accessible, 'a conversation with files')
  const [download] = await Promise.all([
    phone.waitForEvent('download'),
    response.getByRole('button', { name: 'Download like this.png' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('like_this.png')
  await phone.context().close()
})

async function lastOf(subject: { companyId: number; subjectId: number }, token: string): Promise<number> {
  const { lastMessageId } = await callOn('admin', supportRequest, subject, token)
  return lastMessageId
}
