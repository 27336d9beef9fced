import type { Locator, Page } from '@playwright/test'
import { sendRequest } from '../features/service-requests/contract.ts'
import { staffRequest } from '../features/service-requests/contract-staff.ts'
import { saveCategory } from '../features/service-requests/contract-settings.ts'
import { saveCrew, workChoices } from '../features/work-orders/contract.ts'
import { idIn } from '../features/service-requests/rules.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

/**
 * Tests how staff handle requests, and the chat between staff and residents. Each test uses its own requests and
 * categories.
 */

const HOST = 'maplegrove'
/** Maximum number of acts to answer and complete a request and to open the next one. */
const MAX_ANSWER_ACTS = 3
/** Maximum number of acts to open a work order from a request. */
const MAX_ORDER_ACTS = 4
const STAFF_EMAIL = 'admin@maplegrove.example'
const RESIDENT = 'newcomer@maplegrove.example'
const INBOX = '/municipality/manage/customer-communication'
const tokenOf = async (email: string) => (await sessionOf(HOST, email)).token

let sequence = 0
const word = (text: string) => `${text} ${test.info().workerIndex}x${Date.now() % 1_000_000}${(sequence += 1)}`

async function category(name: string, crewId: number | null = null): Promise<number> {
  const categoryData = {
    crewId,
    hint: '',
    sortNo: 99,
    active: true,
    departmentId: null,
    targetDays: 5,
    escalateTo: null,
  }
  const flags = { forGuests: true, needsLocation: false, onMap: false }
  const token = await tokenOf(STAFF_EMAIL)
  return (await callOn(HOST, saveCategory, { ...categoryData, ...flags, name, categoryId: null }, token)).categoryId
}

async function createRequest(categoryId: number, description: string, email?: string) {
  const person = { name: 'Rosa Ortiz', email: `${word('rosa').replace(/\s/g, '')}@example.org`, phone: '' }
  const location = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const requestInput = { ...person, location, categoryId, description, version: 0, answers: {}, files: [] }
  const { number, token } = await callOn(HOST, sendRequest, requestInput, email && (await tokenOf(email)))
  return { number, token, id: idIn(number) ?? 0 }
}

const slideOut = (page: Page, number: string) => page.getByRole('dialog', { name: `Request ${number}` })
/** Presses an action of the menu `⋯` by keyboard. */
async function fromMenu(panel: Locator, action: string): Promise<void> {
  await panel.getByRole('button', { name: /^More actions for / }).press('Enter')
  await panel.getByRole('button', { name: action, exact: true }).press('Enter')
}
const chatOf = (page: Page, number: string) => page.getByRole('complementary', { name: `Chat ${number}` })

test('completes a request from the inbox and shows its requester the answer', async ({ page, accessible }) => {
  const { number, token } = await createRequest(
    await category(word('Broken bench')),
    'The bench at the pond has two boards less.',
  )
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?search=${number}`)
  await expect(page.getByRole('heading', { name: 'Customer Communications' })).toHaveCount(1)
  await page.getByRole('row').filter({ hasText: number }).getByRole('button', { name: /View/ }).press('Enter')
  const panel = slideOut(page, number)
  await fromMenu(panel, 'Start work')
  await expect(page.getByText(`${number}: In Progress.`)).toBeVisible()
  await panel.getByRole('textbox', { name: 'Reply' }).fill('The boards are new, and painted.')
  await panel.getByLabel('Complete the request with this reply').press('Space')
  await expectGood(page, accessible, 'a request at the desk')
  await panel.getByRole('button', { name: 'Send reply' }).press('Enter')
  await expect(panel.getByText('Completed', { exact: true }).first()).toBeVisible()
  await page.goto(at(HOST, `/communication/request/${token}`))
  await expect(page.getByText('The boards are new, and painted.')).toBeVisible()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
})

test(`answers, completes and opens the next request with at most ${MAX_ANSWER_ACTS} acts`, async ({
  page,
  context,
  accessible,
}) => {
  const about = await category(word('Loose manhole'))
  const first = await createRequest(about, 'The cover of a manhole rattles.')
  const second = await createRequest(about, 'Another cover rattles.')
  const acts = await countActs(context)
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?category=${about}&request=${second.id}`)
  const panel = slideOut(page, second.number)
  const next = panel.getByRole('button', { name: 'Complete and open next' })
  await expect(next).toBeVisible()
  await expectGood(page, accessible, 'a request with a next one')
  acts.list.length = 0
  await page.keyboard.press('/')
  await expect(panel.getByRole('combobox', { name: 'Find a saved reply' })).toBeFocused()
  await expect(panel.getByRole('listbox', { name: 'Saved replies' }).getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('textbox', { name: 'Reply' })).toBeFocused()
  const answer = await panel.getByRole('textbox', { name: 'Reply' }).inputValue()
  await page.keyboard.press('Control+Shift+Enter')
  await expect(slideOut(page, first.number).getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(MAX_ANSWER_ACTS)
  test.info().annotations.push({ type: 'acts', description: String(acts.list.length) })
  const done = await callOn(HOST, staffRequest, { subjectId: second.id }, await tokenOf(STAFF_EMAIL))
  expect(done.request.status).toBe(2)
  expect(done.entries.some(({ text }) => text === answer)).toBe(true)
})

test('acts on single letters only outside of fields @whole', async ({ page, accessible }) => {
  const { id, number } = await createRequest(await category(word('Bent pole')), 'A pole is bent over the path.')
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?request=${id}`)
  const panel = slideOut(page, number)
  const reply = panel.getByRole('textbox', { name: 'Reply' })
  await expect(reply).toBeVisible()
  await page.keyboard.press('r')
  await expect(reply).toBeFocused()
  await page.keyboard.type('a c w n r')
  await expect(reply).toHaveValue('a c w n r')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Close' }).first().focus()
  await page.keyboard.press('n')
  await expect(panel.getByRole('textbox', { name: 'Note' })).toBeFocused()
  for (const [key, name] of [
    ['a', `Assign ${number}`],
    ['c', `Complete ${number}?`],
    ['w', `Open a work order from ${number}`],
  ] as const) {
    await panel.getByRole('button', { name: 'Close' }).first().focus()
    await page.keyboard.press(key)
    const dialog = page.getByRole(key === 'c' ? 'alertdialog' : 'dialog', { name })
    await expect(dialog).toBeVisible()
    await expectGood(page, accessible, `the dialog of ${key}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test(`opens a work order with crew and due date with at most ${MAX_ORDER_ACTS} acts`, async ({
  page,
  context,
  accessible,
}) => {
  const token = await tokenOf(STAFF_EMAIL)
  const { people } = await callOn(HOST, workChoices, {}, token)
  const crew = { name: word('Bridge crew'), people: [people[0]?.id ?? 0], active: true, crewId: null }
  const { crewId } = await callOn(HOST, saveCrew, crew, token)
  const about = await category(word('Loose plank'), crewId)
  const { id, number } = await createRequest(about, 'A plank of the bridge is loose.')
  const acts = await countActs(context)
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?request=${id}`)
  const panel = slideOut(page, number)
  await expect(panel.getByText('A plank of the bridge is loose.')).toBeVisible()
  const { order, request } = await callOn(HOST, staffRequest, { subjectId: id }, token)
  expect(order.dueOn < request.dueAt.slice(0, 10)).toBe(true)
  acts.list.length = 0
  await page.keyboard.press('w')
  const dialog = page.getByRole('dialog', { name: `Open a work order from ${number}` })
  await expect(dialog.getByLabel('Crew')).toHaveValue(String(crewId))
  await expect(dialog.getByLabel('Due')).toHaveValue(order.dueOn)
  await dialog.getByRole('button', { name: 'Open work order' }).click()
  await expect(panel.getByRole('link', { name: /^WO-/ })).toBeVisible()
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(MAX_ORDER_ACTS)
  test.info().annotations.push({ type: 'acts', description: String(acts.list.length) })

  // Another request about the same plank gets the same work order.
  const second = await createRequest(about, 'The plank is still loose.')
  const orderNumber = (await panel.getByRole('link', { name: /^WO-/ }).textContent()) ?? ''
  await page.goto(at(HOST, `${INBOX}?request=${second.id}`))
  const other = slideOut(page, second.number)
  await fromMenu(other, 'Add to a work order')
  const link = page.getByRole('dialog', { name: `Add ${second.number} to a work order` })
  await link.getByLabel('Number of the work order').fill(orderNumber)
  await expectGood(page, accessible, 'a request that gets a known work order')
  await link.getByRole('button', { name: 'Add request' }).click()
  await expect(other.getByRole('link', { name: orderNumber })).toBeVisible()
})

test('keeps a reply with an empty placeholder until staff replace it @whole', async ({ page, accessible }) => {
  const { id, number } = await createRequest(await category(word('Dim lamp')), 'The lamp is dim since Monday.')
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?request=${id}`)
  const panel = slideOut(page, number)
  const reply = panel.getByRole('textbox', { name: 'Reply' })
  await reply.fill('/')
  await panel.getByRole('combobox', { name: 'Find a saved reply' }).fill('Work order opened')
  await page.keyboard.press('Enter')
  await expect(reply).toHaveValue(/^Work order \[…\] is open for/)
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(panel.getByText('Replace “[…]” with text before you send the reply.').first()).toBeVisible()
  await expectGood(page, accessible, 'a reply with an empty placeholder')
  await reply.fill('The lamp is bright again.')
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'The lamp is bright again.' })).toBeVisible()
})

test('delivers chat messages between staff and resident immediately on every screen @whole', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  const about = await category(word('Fallen tree'))
  const { number } = await createRequest(about, 'A tree lies across the path behind the school.', RESIDENT)
  const phone = await (await browser.newContext({ viewport: PHONE })).newPage()
  await openAs(phone, HOST, RESIDENT, '/home')
  const theirButton = phone.getByRole('button', { name: /^Chat/ })
  await expect(theirButton).toBeVisible()

  // Staff find the request, start work by keyboard and reply.
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?search=${number}`)
  const row = page.getByRole('row').filter({ hasText: number })
  await row.getByRole('button', { name: /View/ }).press('Enter')
  const panel = slideOut(page, number)
  await fromMenu(panel, 'Start work')
  await expect(page.getByText(`${number}: In Progress.`)).toBeVisible()
  await expectGood(page, accessible, 'a request at the desk')
  await fromMenu(panel, 'Open in chat')
  const chat = chatOf(page, number)
  await expect(chat).toBeVisible()
  await chat.getByRole('textbox', { name: 'Reply' }).fill('A crew comes this afternoon.')
  await chat.getByRole('button', { name: 'Send reply' }).press('Enter')
  await expect(chat.getByRole('listitem').filter({ hasText: 'A crew comes this afternoon.' })).toBeVisible()

  // The resident sees the new message without any action, and then replies.
  await expect(theirButton).toHaveAccessibleName(/^Chat, \d+ new messages?$/)
  await theirButton.press('Enter')
  const list = phone.getByRole('dialog', { name: 'Chat' })
  const messages = list.getByRole('link').filter({ hasText: number })
  await expect(messages).toContainText('1 new')
  await accessible(phone, 'the chat on a phone')
  await messages.press('Enter')
  const residentDialog = phone.getByRole('dialog', { name: `Chat ${number}` })
  await expect(residentDialog.getByText('A crew comes this afternoon.')).toBeVisible()
  await residentDialog.getByRole('textbox', { name: 'Message' }).fill('Thank you. The gate is open.')
  await residentDialog.getByRole('button', { name: 'Send message' }).press('Enter')

  // The chat stays open next to any other screen.
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await expect(chat.getByText('Thank you. The gate is open.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Customer Communications' })).toBeVisible()
  await expectGood(page, accessible, 'the chat beside the dashboard')
  await chat.getByRole('button', { name: 'All chats' }).press('Enter')
  await expect(page.getByRole('complementary', { name: 'Chat' }).getByText(number)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Chat' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Chat/ })).toBeFocused()
  await phone.context().close()
})

test('merges a duplicate, splits a request and moves another by keyboard @whole', async ({ page, accessible }) => {
  test.slow()
  const [name, other] = [word('Dark lamp'), word('Graffiti')]
  const about = await category(name)
  await category(other)
  const first = await createRequest(about, 'The lamp at the bridge is dark since Sunday.')
  const second = await createRequest(about, 'No light at the bridge, and somebody painted the wall.')
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?request=${second.id}`)
  const panel = slideOut(page, second.number)

  await fromMenu(panel, 'Split request')
  const split = page.getByRole('dialog', { name: `Split ${second.number}` })
  await split.getByLabel('Second problem').fill('The wall under the bridge was painted.')
  await split.getByRole('button', { name: 'Create second request' }).press('Enter')
  await expect(split.getByText('Choose a category.').first()).toBeVisible()
  await split.getByLabel('Category').selectOption(name)
  await split.getByRole('button', { name: 'Create second request' }).press('Enter')
  await expect(page.getByText(`${second.number} was split.`)).toBeVisible()
  await expect(split).toHaveCount(0)
  await panel.getByRole('link', { name: /^R-\d{4}-\d+$/ }).press('Enter')

  // The second request has the same category as the first.
  const wall = page.getByRole('dialog', { name: /^Request R-/ })
  await expect(wall.getByText('The wall under the bridge was painted.')).toBeVisible()
  await fromMenu(wall, 'Change category')
  const dialog = page.getByRole('dialog', { name: /^Change category for / })
  await dialog.getByLabel('Category').selectOption(other)
  await dialog.getByRole('button', { name: 'Change category' }).press('Enter')
  await expect(wall.getByText(other, { exact: true })).toBeVisible()

  await page.goto(at(HOST, `${INBOX}?request=${second.id}`))
  await fromMenu(panel, 'Merge request')
  const merge = page.getByRole('dialog', { name: `Merge ${second.number}` })
  const number = merge.getByLabel('Number of the other request')
  await number.fill('the other one')
  await number.press('Enter')
  await expect(merge.getByText('Enter the number of a request, such as R-2026-000123.').first()).toBeVisible()
  await expect(number).toHaveValue('the other one')
  await expectGood(page, accessible, 'a merge with a wrong number')
  await number.fill(first.number)
  await number.press('Enter')
  await expect(page.getByText(`${second.number} and its followers were merged into ${first.number}.`)).toBeVisible()
  await expect(panel.getByText(/This request was merged into/)).toBeVisible()
  await expectGood(page, accessible, 'a request that was merged')

  // The work order assigns the task to the crew. Completing the work order completes the request.
  await panel.getByRole('link', { name: first.number }).press('Enter')
  const lamp = slideOut(page, first.number)
  await lamp.getByRole('button', { name: 'Work order' }).press('Enter')
  const order = page.getByRole('dialog', { name: `Open a work order from ${first.number}` })
  await order.getByRole('button', { name: 'Open work order' }).press('Enter')
  await expect(lamp.getByRole('link', { name: /^WO-/ })).toBeVisible()
  const { request } = await callOn(HOST, staffRequest, { subjectId: first.id }, await tokenOf(STAFF_EMAIL))
  expect(request.workOrders).toHaveLength(1)
})

test('shows who answers a request, and keeps both texts if two people send @whole', async ({
  page,
  browser,
  accessible,
}) => {
  test.slow()
  const about = await category(word('Leaning sign'))
  const { number, id } = await createRequest(about, 'The sign at the school leans into the road.')
  const open = `${INBOX}?search=${number}`
  await openAs(page, HOST, STAFF_EMAIL, open)
  const row = page.getByRole('row').filter({ hasText: number })
  await expect(row).toBeVisible()
  const other = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await openAs(other, HOST, 'manager@maplegrove.example', `${INBOX}?request=${id}`)
  const panelOf = (one: Page) => one.getByRole('dialog', { name: `Request ${number}` })
  await expect(row.getByText(/ is viewing$/)).toBeVisible()
  await panelOf(other).getByLabel('Reply', { exact: true }).last().fill('We will straighten the sign on Friday.')
  await expect(row.getByText(/ is answering$/)).toBeVisible({ timeout: 2000 })
  await expectGood(page, accessible, 'a list with a person who answers')

  await page.goto(at(HOST, `${INBOX}?request=${id}`))
  const panel = panelOf(page)
  await expect(panel.getByText(/ is answering$/)).toBeVisible()
  await accessible(page, 'a request that another person answers')
  const reply = panel.getByLabel('Reply', { exact: true }).last()
  await reply.fill('A crew comes tomorrow.')
  await expect(panelOf(other).getByText(/ is answering$/)).toBeVisible()
  await panelOf(other).getByRole('button', { name: 'Send reply' }).click()
  await expect(panelOf(other).getByText('We will straighten the sign on Friday.').first()).toBeVisible()
  await expect(panel.getByText('We will straighten the sign on Friday.').first()).toBeVisible()
  const send = panel.getByRole('button', { name: 'Send reply' })
  await send.click()
  await expect(panel.getByRole('alert')).toContainText('Someone wrote a new message.')
  await expect(reply).toHaveValue('A crew comes tomorrow.')
  await send.click()
  await expect(reply).toHaveValue('')
  await expect(panel.getByText('A crew comes tomorrow.')).toBeVisible()
  await expect(panel.getByText('We will straighten the sign on Friday.')).toBeVisible()

  // A browser that ends without a word counts as gone after 40 seconds.
  await expect(panel.getByText(/ is viewing$/)).toBeVisible()
  await other.context().close()
  await expect(panel.getByText(/ is viewing$/)).toHaveCount(0, { timeout: 45_000 })
})
