import { get } from 'node:http'
import type { Page } from '@playwright/test'
import { platformStaff } from '../features/staff/contract.ts'
import { sendRequest, supportCase, supportRequest } from '../features/support/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { reveal } from './filters.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'
import { openMore } from './more.ts'

const SUPER = 'super@mainstreet.example'
const SUPPORT = 'support@mainstreet.example'
const RESIDENT = 'resident@maplegrove.example'
/** Id of the company of all these requests. It is the first company number. */
const COMPANY_ID = 101

let sequence = 0
const unique = (word: string) => `${word}${test.info().workerIndex}x${sequence++}x${Date.now() % 1_000_000}`

interface SupportTicket {
  id: number
  number: string
  email: string
  message: string
}

async function createTicket(word: string): Promise<SupportTicket> {
  const name = unique(word)
  const email = `${name}@example.org`.toLowerCase()
  const message = `The page of ${name} stays white after I press the button.`
  const { number } = await callOn('maplegrove', sendRequest, {
    ...{ name: `Ann ${word}`, email, phone: '717-555-0144', category: 'site', message, accountNumber: '100014' },
  })
  return { id: Number(number.slice(1)), number, email, message }
}

const tokenOf = async (email: string) => (await sessionOf('admin', email)).token
const openSupport = (page: Page, query = '') => openAs(page, 'admin', SUPPORT, `/admin/support${query}`)
const openRequest = (page: Page, { id }: SupportTicket) => openSupport(page, `?request=${COMPANY_ID}.${id}`)
const slideOut = (page: Page, { number }: SupportTicket) => page.getByRole('dialog', { name: `Request ${number}` })
/**
 * Returns a page's HTML and content policy as the server sends them. Node can't resolve `*.localhost`, so the Host
 * header names the host.
 */
const pageOf = (host: string, path: string): Promise<{ body: string; policy: string }> =>
  new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: process.env['E2E_PORT'], path, headers: { host: new URL(at(host)).host } }
    get(target, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('end', () => resolve({ body, policy: String(response.headers['content-security-policy']) }))
    }).on('error', reject)
  })
const waitUntilIdle = (page: Page) => expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)

test('answers a resident’s phone request by email and accepts a linked reply @whole', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', RESIDENT, '/home')
  await page.getByRole('button', { name: 'Enter a Support Request' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Support Request' })
  // The form is prefilled with the data of the signed-in resident.
  for (const [label, value] of [
    ['Name', 'Naomi Whitaker'],
    ['Email', RESIDENT],
    ['Account Number', '100014'],
    ['Street', '38 Linden Avenue'],
    ['City', 'Maple Grove'],
    ['State', 'PA'],
    ['ZIP code', '17011'],
  ] as const)
    await expect(form.getByLabel(label)).toHaveValue(value)
  await expectGood(page, accessible, 'the support form')
  await page.setViewportSize(PHONE)
  const send = form.getByRole('button', { name: 'Submit the request' })
  await expect(send).toBeInViewport()
  await send.click()
  await expect(form.getByLabel('What do you need help with?')).toBeFocused()
  await expect(form.getByText('Describe what happened in at least 10 characters.').first()).toBeVisible()
  await expectGood(page, accessible, 'a support form with errors')
  await page.setViewportSize(PHONE)

  const word = unique('gazebo')
  await form.getByLabel('What do you need help with?').selectOption('Paying a bill')
  await form.getByRole('textbox', { name: 'Message' }).fill(`My ${word} is on the wrong bill.`)
  // Typed text survives a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Enter a Support Request' }).click()
  await expect(form.getByRole('textbox', { name: 'Message' })).toHaveValue(`My ${word} is on the wrong bill.`)
  await send.click()
  await expect(form.getByRole('heading', { name: 'Thank you' })).toBeFocused()
  const receivedText = await form.getByText(/^Request S\d+ was received\. We emailed resident@/).textContent()
  const number = /S\d+/.exec(receivedText ?? '')?.[0] ?? ''
  await expectGood(page, accessible, 'a request that was received')
  await form.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: 'Enter a Support Request' })).toBeFocused()

  // Support staff find the request by a word, assign it to themselves, reply and close it.
  const office = await (await browser.newContext()).newPage()
  await openSupport(office, `?search=${word}`)
  const row = office.getByRole('row').filter({ hasText: number })
  for (const text of ['Naomi Whitaker', 'Maple Grove', 'Paying a bill', 'New']) await expect(row).toContainText(text)
  await row.getByRole('button', { name: `View ${number}` }).click()
  const request = office.getByRole('dialog', { name: `Request ${number}` })
  await expect(request).toContainText('Naomi Whitaker (signed in)')
  await request.getByRole('button', { name: 'Assign to me' }).click()
  await expect(office.getByText(`${number} was assigned to Sylvia Tran.`)).toBeVisible()
  await request.getByLabel('Reply', { exact: true }).last().fill('It stands on the right one now.')
  await request.getByLabel('Complete the request with this reply').check()
  await request.getByRole('button', { name: 'Send reply' }).click()
  await expect(office.getByText(`Your reply was sent to ${RESIDENT}.`)).toBeVisible()
  await expect(request.getByText('Completed').first()).toBeVisible()

  const emailMessage = await emailTo(RESIDENT, new RegExp(`^Reply to your support request ${number}$`))
  expect(emailMessage).toContain('It stands on the right one now.')
  const residentPage = await (await browser.newContext()).newPage()
  await residentPage.goto(at('maplegrove', linkIn(emailMessage)))
  await expect(residentPage.getByRole('heading', { level: 1 })).toHaveText('Your Support Request')
  await expect(residentPage.getByRole('listitem').filter({ hasText: 'It stands on the right one now.' })).toContainText(
    'Sylvia, Website Support',
  )
  await expectGood(residentPage, accessible, 'a conversation')
  const again = residentPage.getByLabel('Message', { exact: true })
  await again.fill('It does not, here.')
  await residentPage.reload()
  await expect(again).toHaveValue('It does not, here.')
  await residentPage.getByRole('button', { name: 'Send message' }).click()
  await expect(residentPage.getByText(`Your message was sent. Your request ${number} is open again.`)).toBeVisible()
  await expect(again).toHaveValue('')
  // The staff screen shows the new message without a reload.
  await expect(request.getByText('It does not, here.')).toBeVisible()
  await expect(request.getByRole('button', { name: 'Start work' })).toBeVisible()
  await office.context().close()
  await residentPage.context().close()
})

test('prefills the form page from its URL without trusting the values @whole', async ({ page, accessible }) => {
  const name = unique('Query')
  const query = new URLSearchParams({
    ...{ 'customer_name[0]': 'Pat', 'customer_name[1]': name, WhoSendsBill: 'Harbor City', userid: '1' },
    ...{ customerAccountNumber: '100001', 'service_address[0]': '1 Main Street', 'service_address[1]': '' },
    ...{ 'service_address[2]': 'Maple Grove', 'service_address[3]': 'PA', 'service_address[4]': '17011' },
    ...{ phoneNumber: '(717) 555-0199', customer_email: 'wrong address' },
  })
  await page.goto(at('maplegrove', `/support?${query}`))
  await expect(page.getByLabel('Name')).toHaveValue(`Pat ${name}`)
  await expect(page.getByLabel('Phone')).toHaveValue('717-555-0199')
  await expect(page.getByLabel('ZIP code')).toHaveValue('17011')
  await page.getByLabel('What do you need help with?').selectOption('My account')
  await page.getByRole('textbox', { name: 'Message' }).fill('Where do I change my name?')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText('Enter an email address, such as name@example.com').first()).toBeVisible()
  await page.getByLabel('Email').fill('')
  await page.getByRole('button', { name: 'Submit the request' }).press('Enter')
  const received = page.getByText(/^Request S\d+ was received\. We will call you\.$/)
  await expect(received).toBeVisible()
  await page.reload()
  await expect(received).toBeVisible()
  await expectGood(page, accessible, 'the form as a page, sent')
})

test('keeps the typed text if the server refuses it @whole', async ({ page }) => {
  const path = '**/api/v2/send/support/request'
  await page.route(path, (route) =>
    route.fulfill({ status: 429, json: { message: 'Too many attempts. Please wait a minute and try again.' } }),
  )
  await page.goto(at('harborcity', '/support'))
  await page.getByLabel('What do you need help with?').selectOption('Something else')
  await page.getByRole('textbox', { name: 'Message' }).fill('A question that is not about money.')
  await page.getByLabel('Name').fill('Kim Park')
  await page.getByLabel('Email').fill(`${unique('kim')}@example.org`)
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText('Too many attempts. Please wait a minute and try again.')).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('offers support of an offline company and reports an expired link @whole', async ({ page, accessible }) => {
  await page.goto(at('oldmill', '/'))
  await expect(page).toHaveURL(at('oldmill', '/offline'))
  await page.getByRole('button', { name: 'Enter a Support Request' }).click()
  await expect(page.getByRole('dialog', { name: 'Support Request' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(at('oldmill', `/support/${'A'.repeat(43)}`))
  await expect(page.getByText('This link is not valid or has expired.')).toBeVisible()
  await expectGood(page, accessible, 'a link that is over')
  await page.getByRole('link', { name: 'Enter a Support Request' }).click()
  await expect(page).toHaveURL(at('oldmill', '/support'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Support Request')
})

test('shows another provider’s form in a frame with the person’s data @whole', async ({ page }) => {
  // The portal of this test run has its own form. So the test adds the URL of another provider's form to the page.
  await page.route(at('maplegrove', '/home'), async (route) => {
    const { body, policy } = await pageOf('maplegrove', '/home')
    await route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy.replace('frame-src ', `frame-src ${at('harborcity')} `) },
      body: body.replace('"formUrl":null', `"formUrl":"${at('harborcity', '/framed?theme=1')}"`),
    })
  })
  await page.route(at('harborcity', '/framed?**'), (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Their form' }),
  )
  await openAs(page, 'maplegrove', RESIDENT, '/home')
  await page.getByRole('button', { name: 'Enter a Support Request' }).click()
  const frame = page.locator('iframe[title="Support request form"]')
  await expect(frame).toBeVisible()
  const { searchParams } = new URL((await frame.getAttribute('src')) ?? '')
  expect(searchParams.get('theme')).toBe('1')
  expect(searchParams.get('customer_name[1]')).toBe('Whitaker')
  expect(searchParams.get('WhoSendsBill')).toBe('Maple Grove')
  expect(searchParams.get('userid')).toMatch(/^\d+$/)
  await expect(page.frameLocator('iframe').getByText('Their form')).toBeVisible()
})

test('accepts support requests of company staff from the back office @whole', async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'staff@maplegrove.example', '/municipality')
  await page.getByRole('button', { name: 'Support Request' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Support Request' })
  await expect(form.getByLabel('Name')).toHaveValue('Elena Kowalski')
  await expectGood(page, accessible, 'the support form in the back office')
})

test('updates a request with status, note and reason by keyboard only @whole', async ({ page, accessible }) => {
  test.slow()
  const request = await createTicket('Keys')
  await openRequest(page, request)
  const panel = slideOut(page, request)
  await expect(panel.getByText(request.message)).toBeVisible()
  await expect(panel).toContainText('Ann Keys (guest)')
  await expectGood(page, accessible, 'a request')
  const click = async (name: string) => {
    const button = panel.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await click('Start work')
  await expect(page.getByText(`${request.number} is now In Progress and assigned to you.`)).toBeVisible()
  // Selects “Internal note” with an arrow key and types the note.
  await panel.getByRole('radio', { name: /^Reply/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(panel.getByRole('radio', { name: /^Internal note/ })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Looks like the browser of last year.')
  // Skips the optional attachments.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Note saved. The requester cannot see it.')).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'internal note' })).toContainText('last year')
  const why = page.getByRole('dialog', { name: 'Mark as invalid' })
  // Closing the dialog leaves the page unchanged.
  await click('Mark as invalid')
  await expect(why.getByLabel('Reason')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(why).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Complete', exact: true })).toBeEnabled()
  await click('Mark as invalid')
  await why.getByRole('button', { name: 'Mark as invalid' }).press('Enter')
  await expect(why.getByText('Enter a reason of 3 to 200 characters.')).toBeVisible()
  await expectGood(page, accessible, 'a reason that is asked for')
  await why.getByLabel('Reason').fill('A test of ours.')
  await page.keyboard.press('Enter')
  await expect(panel.getByText('A test of ours.')).toBeVisible()
  // The button that opened the dialog no longer exists, so the focus moves to the panel.
  await expect(why).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Close' }).first()).toBeFocused()
  // In a final state, staff can only add notes.
  await expect(panel.getByRole('button', { name: 'Reopen' })).toHaveCount(0)
  await expect(panel.getByRole('radio')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
})

test('holds a second answer until the first is read @whole', async ({ page, accessible }) => {
  const request = await createTicket('Twice')
  await openRequest(page, request)
  const panel = slideOut(page, request)
  const reply = panel.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Try another browser.')
  // Blocks the call that loads the request, so that the page receives no changes by other staff.
  await page.route('**/api/v2/admin/return/support/request', (route) => route.abort())
  const of = { companyId: COMPANY_ID, subjectId: request.id }
  const token = await tokenOf(SUPER)
  await callOn('admin', supportCase.reply, { ...of, message: 'It is mended.', seen: 0 }, token)
  await page.unroute('**/api/v2/admin/return/support/request')
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(panel.getByText('Someone wrote a new message.')).toBeVisible()
  await expect(panel.getByText('It is mended.')).toBeVisible()
  await expect(reply).toHaveValue('Try another browser.')
  await expectGood(page, accessible, 'an answer that came second')
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText(`Your reply was sent to ${request.email}.`)).toBeVisible()
  await expect(reply).toHaveValue('')
  // If the page receives a change during typing, it warns before sending.
  await reply.fill('One more thing.')
  await callOn('admin', supportCase.note, { ...of, message: 'I have called them.' }, token)
  await expect(panel.getByText('Someone wrote a message after you started writing.')).toBeVisible()
  await expectGood(page, accessible, 'an answer that somebody else was quicker than')
  await panel.getByRole('button', { name: 'Mark as read' }).click()
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(reply).toHaveValue('')
  const { entries } = await callOn('admin', supportRequest, of, token)
  expect(entries.filter(({ kind }) => kind === 'reply').map(({ text }) => text)).toEqual([
    'It is mended.',
    'Try another browser.',
    'One more thing.',
  ])
})

test('lists open requests, filters them and opens the customer @whole', async ({ page, accessible }) => {
  test.slow()
  await openSupport(page)
  await waitUntilIdle(page)
  await expect(await reveal(page, page.getByRole('combobox', { name: 'Status' }))).toHaveValue('open')
  await expectGood(page, accessible, 'the list of requests')
  // A new request appears without a reload.
  const request = await createTicket('Fresh')
  const row = page.getByRole('row').filter({ hasText: request.number })
  await expect(row).toBeVisible()
  await (await reveal(page, page.getByRole('combobox', { name: 'Assigned to' }))).selectOption('Me')
  await expect(row).toHaveCount(0)
  await callOn(
    'admin',
    supportCase.assign,
    { companyId: COMPANY_ID, subjectId: request.id, personId: (await sessionOf('admin', SUPPORT)).user.id },
    await tokenOf(SUPER),
  )
  await expect(row).toBeVisible()
  await (await reveal(page, page.getByRole('combobox', { name: 'Status' }))).selectOption('Completed')
  await expect(row).toHaveCount(0)
  await (await reveal(page, page.getByRole('combobox', { name: 'Status' }))).selectOption('Open')
  await (await reveal(page, page.getByRole('combobox', { name: 'About' }))).selectOption('A problem with this site')
  await page.getByRole('searchbox').fill('no such words at all')
  await expect(page.getByText('No requests to show')).toBeVisible()
  await expectGood(page, accessible, 'a list without a request')
  await page.getByRole('searchbox').fill(request.number)
  await row.getByRole('button', { name: /View/ }).press('Enter')
  const panel = slideOut(page, request)
  await panel.getByRole('link', { name: 'Look up this customer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer Look Up')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(request.email)
})

test('assigns items from admin users and reassigns those of deactivated staff @whole', async ({ page, accessible }) => {
  test.slow()
  const [one, two] = [await createTicket('Item'), await createTicket('Other')]
  const lastName = unique('Helper')
  const { token } = await sessionOf('admin', SUPER)
  const { personId } = await callOn(
    'admin',
    platformStaff.invite,
    {
      ...{ email: `${lastName}@mainstreet.example`.toLowerCase(), firstName: 'Robin', lastName, roleId: 907 },
      ...{ position: null, departmentId: null },
    },
    token,
  )
  await openAs(page, 'admin', SUPER, `/admin/manage/manage-staff?items=${personId}`)
  const panel = page.getByRole('dialog', { name: 'Assign items' })
  await expect(panel.getByText(`Nothing is assigned to Robin ${lastName}.`)).toBeVisible()
  await expectGood(page, accessible, 'items to be assigned')
  for (const { number } of [one, two]) await panel.getByRole('checkbox', { name: new RegExp(number) }).press('Space')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`Assignments for Robin ${lastName} saved.`)).toBeVisible()
  // Waits until the slide-out closes, because the page behind it accepts no typing.
  await expect(panel).toBeHidden()

  // Only active staff can be assigned. The list still contains inactive staff.
  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('Sylvia Tran')
  await openMore(page, 'Sylvia Tran')
  await expect(page.getByRole('button', { name: 'Assign Sylvia Tran' })).toBeVisible()
  await page.keyboard.press('Escape')
  await search.fill('Glen Ogden')
  await expect(page.getByRole('button', { name: 'View Glen Ogden' })).toBeVisible()
  await openMore(page, 'Glen Ogden')
  await expect(page.getByRole('button', { name: 'Edit Glen Ogden' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign Glen Ogden' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await search.fill(lastName)
  await page.getByRole('button', { name: `View Robin ${lastName}` }).click()
  const member = page.getByRole('dialog', { name: `Robin ${lastName}` })
  await expect(member.getByRole('link', { name: '2' })).toBeVisible()
  await expectGood(page, accessible, 'somebody with open items')
  await member.getByRole('button', { name: 'Deactivate' }).click()
  const sure = page.getByRole('alertdialog')
  await expect(sure).toContainText('2 open support requests are assigned to this person.')
  await expectGood(page, accessible, 'the question before somebody with open items leaves')
  await sure.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText(/has been deactivated and signed out\./)).toBeVisible()
  await member.getByRole('link', { name: '2' }).click()
  await expect(page.getByRole('row').filter({ hasText: one.number })).toBeVisible()
  await page.getByRole('button', { name: `Show all fields of ${one.number}` }).click()
  await expect(page.getByRole('dialog', { name: `All fields of ${one.number}` })).toContainText(
    `Robin ${lastName} (inactive)`,
  )
  await page.keyboard.press('Escape')

  // Removes the assignee of one item.
  await page.getByRole('button', { name: `View ${one.number}` }).click()
  const request = slideOut(page, one)
  await request.getByLabel('Assign to other admin').selectOption({ label: 'Unassigned' })
  await request.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText(`${one.number} was unassigned.`)).toBeVisible()
})

test('reports items assigned elsewhere in the meantime and saves no changes @whole', async ({ page }) => {
  const request = await createTicket('Taken')
  const { user } = await sessionOf('admin', SUPPORT)
  await openAs(page, 'admin', SUPER, `/admin/manage/manage-staff?items=${user.id}`)
  const panel = page.getByRole('dialog', { name: 'Assign items' })
  await panel.getByRole('checkbox', { name: new RegExp(request.number) }).check()
  const me = await sessionOf('admin', SUPER)
  await callOn(
    'admin',
    supportCase.assign,
    { companyId: COMPANY_ID, subjectId: request.id, personId: me.user.id },
    me.token,
  )
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(
    panel.getByText(`Support request ${request.number} has since been assigned to Ruth Mercer.`),
  ).toBeVisible()
  await expect(panel.getByRole('checkbox', { name: new RegExp(request.number) })).toHaveCount(0)
})

test('lets the call center answer but not assign @whole', async ({ page }) => {
  const request = await createTicket('Center')
  await openAs(page, 'admin', 'callcenter@mainstreet.example', `/admin/support?request=${COMPANY_ID}.${request.id}`)
  const panel = slideOut(page, request)
  await expect(panel.getByRole('button', { name: 'Send reply' })).toBeVisible()
  await expect(panel.getByLabel('Assign to other admin')).toHaveCount(0)
})

test('reports a failed list and retries it @whole', async ({ page }) => {
  const path = '**/api/v2/admin/return/support/requests'
  await page.route(path, (route) => route.fulfill({ status: 503, json: { message: 'The server is being restarted.' } }))
  await openSupport(page)
  await expect(page.getByText('The server is being restarted.').first()).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})
