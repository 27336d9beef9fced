import { openOrder } from '../features/work-orders/contract.ts'
import { sendRequest } from '../features/service-requests/contract.ts'
import { saveCategory } from '../features/service-requests/contract-settings.ts'
import { changeStatus } from '../features/service-requests/contract-staff.ts'
import { idIn } from '../features/service-requests/rules.ts'
import { noLocation } from '../shared/places.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { expect, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

/** Tests actions on several records of a list. */

const HOST = 'maplegrove'
const STAFF_EMAIL = 'admin@maplegrove.example'
const INBOX = '/municipality/manage/customer-communication'
const tokenOf = async (email: string) => (await sessionOf(HOST, email)).token

/** Sends requests of a new category, and returns their numbers. */
async function sendRequests(count: number): Promise<{ name: string; numbers: string[] }> {
  const name = `Bench ${unique()}`
  const token = await tokenOf(STAFF_EMAIL)
  const { categoryId } = await callOn(
    HOST,
    saveCategory,
    {
      ...{ hint: '', sortNo: 99, active: true, departmentId: null, targetDays: 5, escalateTo: null },
      ...{ forGuests: true, needsLocation: false, onMap: false, name, categoryId: null },
    },
    token,
  )
  const numbers: string[] = []
  for (let n = 0; n < count; n++) {
    const person = { name: 'Rosa Ortiz', email: `rosa-${unique().toLowerCase()}@example.org`, phone: '' }
    const description = `Board ${n + 1} of the bench is loose.`
    const input = { ...person, location: noLocation, categoryId, description, version: 0, answers: {}, files: [] }
    numbers.push((await callOn(HOST, sendRequest, input)).number)
  }
  return { name, numbers }
}

test('assigns five requests to a department in four acts', async ({ page, accessible }) => {
  const { name, numbers } = await sendRequests(5)
  const acts = await countActs(page.context())
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?search=${encodeURIComponent(name)}`)
  const boxes = page.getByRole('checkbox', { name: /^Select R-/ })
  await expect(boxes).toHaveCount(5)
  await boxes.first().click()
  await boxes.nth(4).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await expect(bar).toContainText('5 requests selected')
  const choice = bar.getByLabel('Assign to')
  const department = await choice.locator('option', { hasText: 'Department: ' }).first().innerText()
  await choice.selectOption({ label: department })
  await bar.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText('5 requests were assigned.')).toBeVisible()
  const keysOnly = acts.list.filter((act) => !act.startsWith('presses Shift'))
  expect(keysOnly.length, acts.list.join('\n')).toBeLessThanOrEqual(4)
  await expect(bar).toHaveCount(0)
  for (const number of numbers)
    await expect(page.getByRole('row').filter({ hasText: number })).toContainText(
      department.replace('Department: ', ''),
    )
  await boxes.first().press('Space')
  await expectGood(page, accessible, 'a selected request')
})

test('completes several requests with one reply and keeps the refused one selected', async ({ page, accessible }) => {
  const { name, numbers } = await sendRequests(3)
  await openAs(page, HOST, STAFF_EMAIL, `${INBOX}?search=${encodeURIComponent(name)}`)
  await expect(page.getByRole('checkbox', { name: /^Select R-/ })).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  // Someone else completes one of the requests.
  const token = await tokenOf('manager@maplegrove.example')
  await page.route('**/muni/return/communications', (route) => route.abort())
  await callOn(HOST, changeStatus, { subjectId: idIn(numbers[0] ?? '') ?? 0, event: 'complete' }, token)
  await page.unroute('**/muni/return/communications')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Reply and complete' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reply and complete' })
  await dialog.getByRole('button', { name: 'Send and complete' }).press('Enter')
  await expect(dialog.getByText('Enter a reply.')).toBeVisible()
  await expectGood(page, accessible, 'the reply to several requests')
  await dialog.getByRole('textbox', { name: 'Reply' }).fill('The boards are new.')
  await dialog.getByRole('button', { name: 'Send and complete' }).press('Enter')
  await expect(page.getByText('2 requests were completed.')).toBeVisible()
  await expect(bar.getByText(`${numbers[0]}: Completed.`)).toBeVisible()
  await expect(bar).toContainText('1 request selected')
})

test('dates, schedules and prints several work orders', async ({ page, accessible }) => {
  const title = `Mow ${unique()}`
  const token = await tokenOf(STAFF_EMAIL)
  for (let n = 0; n < 2; n++)
    await callOn(
      HOST,
      openOrder,
      {
        ...{ title, description: '', kind: 'repair', severity: 1, location: noLocation, assetName: '', dueOn: '' },
        ...{ departmentId: null, assignedTo: null, crewId: null, checklist: [] },
      },
      token,
    )
  await openAs(page, HOST, STAFF_EMAIL, `/municipality/work-orders?search=${encodeURIComponent(title)}`)
  await expect(page.getByRole('checkbox', { name: /^Select WO-/ })).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByLabel('New due date').fill(dayFromNow(9))
  await accessible(page, 'selected work orders')
  await bar.getByRole('button', { name: 'Set due date' }).press('Enter')
  await expect(page.getByText('2 due dates were set.')).toBeVisible()
  await expect(page.getByRole('cell', { name: /^Nov 27, 2026/ })).toHaveCount(2)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  await bar.getByRole('button', { name: 'Schedule' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Schedule work orders' })
  await dialog.getByRole('button', { name: 'Go back' }).press('Enter')
  await expect(bar).toContainText('2 work orders selected')
  await bar.getByRole('button', { name: 'Schedule' }).press('Enter')
  await dialog.getByLabel('Day', { exact: true }).fill(dayFromNow(9))
  await expectGood(page, accessible, 'the schedule of several work orders')
  await page.setViewportSize({ width: 1280, height: 900 })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Schedule' }).press('Enter')
  await expect(page.getByText('2 work orders were scheduled.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  await bar.getByRole('button', { name: 'Print sheets' }).press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^work-orders-.*\.pdf$/)
  await expect(page.getByText('2 sheets were printed.')).toBeVisible()
})
