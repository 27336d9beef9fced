import type { Page } from '@playwright/test'
import { saveCategory } from '../features/service-requests/contract-settings.ts'
import { enterForCaller } from '../features/service-requests/contract-intake.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, tabTo, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

/** Tests how staff turn a call into a request. Each test uses its own category and location. */

const HOST = 'maplegrove'
const STAFF_EMAIL = 'admin@maplegrove.example'
const INBOX = '/municipality/manage/customer-communication'
/** Maximum number of acts of a person who turns a call into a request. */
const MAX_ACTS = 7

const token = async () => (await sessionOf(HOST, STAFF_EMAIL)).token

async function category(): Promise<{ id: number; name: string }> {
  const name = `Loose sign ${unique()}`
  const data = { hint: '', sortNo: 99, active: true, departmentId: null, targetDays: 5, escalateTo: null }
  const flags = { forGuests: true, needsLocation: true, onMap: false }
  const { categoryId } = await callOn(HOST, saveCategory, { ...data, ...flags, name, categoryId: null }, await token())
  return { id: categoryId, name }
}

/** Enters a request at a location in the river, where no other test enters one. */
async function enterNearby(categoryId: number) {
  const location = { text: `Pier ${unique()}`, addressId: null, lat: null, lon: null, metres: null }
  const caller = { name: 'Rosa Ortiz', email: '', phone: '717-555-0177', personId: null }
  const made = { channel: 'counter' as const, description: 'A sign hangs loose.', version: 0, answers: {}, files: [] }
  const body = { ...made, ...caller, location, categoryId: String(categoryId) }
  return { ...(await callOn(HOST, enterForCaller, body, await token())), pier: location.text }
}

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'New request' })

test(`turns a call into a request with at most ${MAX_ACTS} acts`, async ({ page, context, accessible }) => {
  const { name } = await category()
  const acts = await countActs(context)
  await openAs(page, HOST, STAFF_EMAIL, INBOX)
  await expect(page.getByRole('heading', { name: 'Customer Communications' })).toBeVisible()
  acts.list.length = 0
  await page.getByRole('button', { name: 'New request' }).click()
  const panel = panelOf(page)
  await panel.getByLabel('Category').selectOption({ label: name })
  await panel.getByRole('combobox', { name: 'Location' }).fill(`Old mill dam ${unique()}`)
  await panel.getByLabel('Description').fill('A sign hangs loose over the path.')
  await expect(panel.getByRole('status').filter({ hasText: 'No open requests' })).toBeVisible()
  await panel.getByRole('combobox', { name: /Find the caller/ }).fill('resident')
  await panel.getByRole('listbox', { name: 'Callers' }).getByRole('option', { name: 'Naomi Whitaker' }).click()
  await expect(panel.getByLabel('Email')).not.toHaveValue('')
  await expectGood(page, accessible, 'the panel of a new request')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Request R-\d{4}-\d+ was created for /)).toBeVisible()
  const record = page.getByRole('dialog', { name: /^Request R-/ })
  await expect(record.getByText('A sign hangs loose over the path.').first()).toBeVisible()
  await expect(record.getByText('Phone').first()).toBeVisible()
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(MAX_ACTS)
  test.info().annotations.push({ type: 'acts', description: String(acts.list.length) })
})

test('enters two requests by keyboard and keeps typed text after a reload @whole', async ({ page, accessible }) => {
  const { name } = await category()
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?new=request`)
  const panel = panelOf(page)
  await expect(panel.getByLabel('Category')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText('Choose a category.').first()).toBeVisible()
  await panel.getByLabel('Category').selectOption({ label: name })
  await tabTo(page, panel.getByRole('combobox', { name: 'Location' }))
  await page.keyboard.type('Old mill dam')
  await tabTo(page, panel.getByLabel('Description'))
  await page.keyboard.type('A sign hangs loose.')
  await tabTo(page, panel.getByLabel('Caller’s name'))
  await page.keyboard.type('Ann Lee')
  await tabTo(page, panel.getByLabel('Phone'))
  await page.keyboard.type('7175550101')
  await page.reload()
  await expect(panel.getByLabel('Description')).toHaveValue('A sign hangs loose.')
  await expect(panel.getByLabel('Caller’s name')).toHaveValue('Ann Lee')
  await expect(panel.getByText('Without an email address, each answer is marked “Call back”.')).toBeVisible()
  await tabTo(page, panel.getByLabel('Channel'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Shift+Enter')
  await expect(page.getByText(/^Request R-\d{4}-\d+ was created for Ann Lee\.$/)).toBeVisible()
  await expect(panel.getByLabel('Category')).toBeFocused()
  await expect(panel.getByLabel('Description')).toHaveValue('')
  await expect(panel.getByLabel('Channel')).toHaveValue('counter')
  await expectGood(page, accessible, 'the panel of the next request')
})

test('adds a caller as a follower instead of a second request @whole', async ({ page, accessible }) => {
  const { id } = await category()
  const { number, pier } = await enterNearby(id)
  await page.setViewportSize(PHONE)
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?new=request`)
  const panel = panelOf(page)
  const location = panel.getByRole('combobox', { name: 'Location' })
  await location.fill(pier)
  await panel.getByLabel('Description').fill('The sign is nearly down.')
  const follow = panel.getByRole('button', { name: `Add the caller as follower of ${number}` })
  await follow.click()
  await expect(panel.getByText('Enter the caller’s name.').first()).toBeVisible()
  await panel.getByLabel('Caller’s name').fill('Bo Park')
  await panel.getByLabel('Email').fill(`bo.${unique().toLowerCase()}@example.org`)
  await expectGood(page, accessible, 'open requests near a new request on a phone')
  await follow.click()
  const record = page.getByRole('dialog', { name: `Request ${number}` })
  await expect(record.getByText('Bo Park reported the same problem and was added as a follower.')).toBeVisible()
  await expect(record.getByRole('textbox', { name: 'Note' })).toHaveValue('The sign is nearly down.')
})

test('marks an answer to a caller without an email address until staff call @whole', async ({ page, accessible }) => {
  const { id } = await category()
  const { requestId, number } = await enterNearby(id)
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?request=${requestId}`)
  const record = page.getByRole('dialog', { name: `Request ${number}` })
  await record.getByRole('textbox', { name: 'Reply' }).fill('The sign is fixed.')
  await record.getByRole('button', { name: 'Send reply' }).click()
  const done = record.getByRole('button', { name: 'Called back' })
  await expect(done).toBeVisible()
  await expectGood(page, accessible, 'a request whose requester must be called')
  await done.click()
  await expect(record.getByText('Called back: (717) 555-0177.')).toBeVisible()
  await expect(done).toHaveCount(0)
  await page.goto(at(HOST, `${INBOX}?search=${number}`))
})
