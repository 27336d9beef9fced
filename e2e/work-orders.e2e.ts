import { openOrder, scheduleOrder } from '../features/work-orders/contract.ts'
import { countActs } from './acts.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { at, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const ADMIN = 'admin@maplegrove.example'
const OFFICE = '/municipality/work-orders'

/** Returns the date that is `days` days from now, in Maple Grove's time zone. */
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(Date.now() + days * 86_400_000)

/** Opens a work order that no other test uses. */
async function opened(title: string): Promise<{ id: number; number: string; token: string }> {
  const { token } = await sessionOf('maplegrove', ADMIN)
  const location = { text: 'Main Street', addressId: null, lat: null, lon: null, metres: null }
  const { orderId, number } = await callOn(
    'maplegrove',
    openOrder,
    {
      ...{ title, description: '', kind: 'repair', severity: 1, location, assetName: '', dueOn: dayIn(3) },
      ...{ departmentId: null, assignedTo: null, checklist: ['Close the lane'] },
    },
    token,
  )
  return { id: orderId, number, token }
}

test('opens, schedules, performs and completes a work order on a phone', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, OFFICE)
  const title = `Mend the bench ${unique()}`
  await page.getByRole('button', { name: 'New work order' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'New work order' })
  await form.getByRole('button', { name: 'Open work order' }).press('Enter')
  await expect(form.getByText('Describe the task in 3 to 120 characters.').first()).toBeVisible()
  await form.getByLabel('Task').fill(title)
  await form.getByLabel('Checklist 1').fill('Take the old planks off')
  await form.getByLabel('Checklist 1').press('Enter')
  await page.keyboard.type('Paint')
  await expectGood(page, accessible, 'a new work order')
  await page.setViewportSize(PHONE)
  await form.getByRole('button', { name: 'Open work order' }).press('Enter')
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await expect(order).toContainText(title)
  await order.getByRole('checkbox', { name: 'Paint' }).click()
  await expect(order.getByRole('checkbox', { name: 'Paint' })).toBeChecked()

  await order.getByRole('button', { name: 'Schedule' }).press('Enter')
  const schedule = page.getByRole('dialog', { name: /^Schedule work order/ })
  await schedule.getByLabel('Day', { exact: true }).fill(dayIn(2))
  await expect(schedule.getByRole('heading', { name: 'Staff availability' })).toBeVisible()
  await expectGood(page, accessible, 'who is free')
  await page.setViewportSize(PHONE)
  await schedule.getByRole('button', { name: 'Schedule' }).press('Enter')
  await expect(order.getByRole('button', { name: 'Remove from calendar' })).toBeVisible()
  await expect(schedule).toHaveCount(0)

  await order.getByRole('button', { name: 'Add hours or parts' }).press('Enter')
  const cost = page.getByRole('dialog', { name: 'Add hours or parts' })
  await cost.getByLabel('Purpose').fill('Two people')
  await cost.getByLabel('Minutes').fill('90')
  await cost.getByLabel('Cost per hour').fill('40.00')
  await cost.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await expect(order.getByText('Total, including 1 h 30 min of labor')).toBeVisible()
  await expect(cost).toHaveCount(0)
  const start = order.getByRole('button', { name: 'Start', exact: true })
  await start.press('Enter')
  await expect(start).toHaveCount(0)
  await order.getByRole('button', { name: 'Complete', exact: true }).press('Enter')
  await expect(order.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expectGood(page, accessible, 'a completed work order')
})

test('opens a work order with start and crew in seven acts', async ({ page, accessible }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const acts = await countActs(page.context())
  await openAs(page, 'maplegrove', ADMIN, '/municipality')
  acts.list.length = 0
  const title = `Replace the stop sign ${unique()}`
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work Orders' }).click()
  await page.getByRole('button', { name: 'New work order' }).click()
  const form = page.getByRole('dialog', { name: 'New work order' })
  await form.getByLabel('Task').fill(title)
  await form.getByLabel('Crew').selectOption('Public Works crew')
  await form.getByLabel(/^Start/).fill(dayIn(2))
  await form.getByLabel(/^Time/).fill('09:30')
  await form.getByRole('button', { name: 'Open work order' }).click()
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await expect(order).toContainText(title)
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(7)
  await expect(order).toContainText('9:30 AM')
  await expect(order).toContainText('Public Works crew')

  // Repeats another work order with a maintenance plan.
  await page.goto(at('maplegrove', `${OFFICE}?panel=new`))
  await form.getByLabel('Task').fill(`Sweep the lot ${unique()}`)
  await form.getByRole('checkbox', { name: 'Repeat' }).check()
  await form.getByLabel('Unit').selectOption('Weeks')
  await form.getByRole('button', { name: 'Open work order' }).click()
  await expect(form.getByText('Enter the start or the due date of the first work order.').first()).toBeVisible()
  await form.getByLabel(/^Start/).fill('2030-01-07')
  await form.getByLabel(/^Time/).fill('07:00')
  await expect(form.getByText('January 7, 2030; January 14, 2030')).toBeVisible()
  await expectGood(page, accessible, 'a new work order that repeats')
  await page.setViewportSize({ width: 1280, height: 900 })
  await form.getByRole('button', { name: 'Open work order' }).click()
  await expect(page.getByText('A maintenance plan opens the next work orders.')).toBeVisible()
  await order.getByRole('link', { name: /^Sweep the lot/ }).click()
  await expect(page.getByRole('dialog', { name: 'Maintenance plan' }).getByLabel(/^Time/)).toHaveValue('07:00')
})

test('opens a work order from a template and records the use of its part', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 900 })
  const title = `Reset the stop sign ${unique()}`
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?tab=templates`)
  await page.getByRole('button', { name: 'New template' }).press('Enter')
  const template = page.getByRole('dialog', { name: 'New work order template' })
  await template.getByLabel('Task', { exact: true }).fill(title)
  await template.getByLabel('Crew').selectOption('Public Works crew')
  await template.getByLabel('Duration in minutes').fill('45')
  await template.getByLabel('Checklist 1').fill('Dig the hole')
  await template.getByRole('button', { name: 'Add a part' }).press('Enter')
  await template.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(template.getByText('Enter the part.').first()).toBeVisible()
  await template.getByLabel('Part', { exact: true }).fill('Sign post')
  await template.getByLabel('Cost per unit').fill('42.50')
  await expectGood(page, accessible, 'a new template of work orders')
  await page.setViewportSize({ width: 1280, height: 900 })
  await template.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText(`Template “${title}” was created.`)).toBeVisible()
  await expectGood(page, accessible, 'the templates of work orders')
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.goto(at('maplegrove', OFFICE))
  const acts = await countActs(page.context())
  await page.reload()
  await page.getByRole('button', { name: 'New work order' }).click()
  const form = page.getByRole('dialog', { name: 'New work order' })
  await form.getByLabel('Template').selectOption(title)
  await expect(form.getByLabel('Task', { exact: true })).toHaveValue(title)
  await expect(form.getByLabel('Checklist 1')).toHaveValue('Dig the hole')
  await form.getByLabel(/^Start/).fill(dayIn(2))
  await form.getByLabel(/^Time/).fill('10:00')
  await form.getByRole('button', { name: 'Open work order' }).click()
  const order = page.getByRole('dialog', { name: /^Work order WO-/ })
  await expect(order).toContainText('1 × Sign post')
  expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(5)
  await expectGood(page, accessible, 'a work order with parts to bring')
  await page.setViewportSize({ width: 1280, height: 900 })
  await order.getByRole('button', { name: 'Record use of Sign post' }).press('Enter')
  await expect(order.getByRole('listitem').filter({ hasText: '1 × Sign post' })).toContainText('Used')
  await expect(order.getByText('$42.50').last()).toBeVisible()

  await page.goto(at('maplegrove', `${OFFICE}?tab=plans&plan=new`))
  const plan = page.getByRole('dialog', { name: 'New maintenance plan' })
  await plan.getByLabel('Task', { exact: true }).fill('A text that staff typed')
  await plan.getByLabel('Template').selectOption(title)
  await expect(plan.getByLabel('Task', { exact: true })).toHaveValue('A text that staff typed')
  await expect(plan.getByLabel('Duration in minutes')).toHaveValue('45')
  await expect(plan.getByLabel('Part', { exact: true })).toHaveValue('Sign post')
})

test('moves a work order on board, map and calendar @whole', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize({ width: 1280, height: 900 })
  const title = `Paint the crossing ${unique()}`
  const { id, number, token } = await opened(title)
  const times = { time: '09:00', minutes: 60, assignedTo: null }
  await callOn('maplegrove', scheduleOrder, { orderId: id, schedule: { day: dayIn(2), ...times } }, token)
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?search=${number}`)
  await expect(page.getByRole('row', { name: new RegExp(number) })).toBeVisible()
  await expectGood(page, accessible, 'the list of work orders')
  await page.setViewportSize({ width: 1280, height: 900 })

  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: 'Board' }).press('Enter')
  const column = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name }) })
  const card = page.getByRole('listitem').filter({ hasText: number }).last()
  await card.dragTo(column('In progress'))
  await expect(column('In progress')).toContainText(number)
  await expectGood(page, accessible, 'the board of work orders')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: `Complete ${number}` }).press('Enter')
  await expect(column('Completed')).toContainText(number)

  await sections.getByRole('link', { name: 'Map' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'On the map' })).toBeVisible()
  await expectGood(page, accessible, 'the map of work orders')
  await page.setViewportSize({ width: 1280, height: 900 })

  // Staff can also move a scheduled work order in the company's calendar.
  const other = await opened(`Check the valve ${unique()}`)
  await callOn('maplegrove', scheduleOrder, { orderId: other.id, schedule: { day: dayIn(2), ...times } }, other.token)
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?search=${other.number}&tab=calendar&from=${dayIn(2)}`)
  const event = page.getByRole('button', { name: new RegExp(other.number) })
  await event.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.locator(`[data-day="${dayIn(3)}"]`)).toContainText(other.number)
  await expect(event).toBeFocused()
  await event.dragTo(page.locator(`[data-day="${dayIn(2)}"]`))
  await expect(page.locator(`[data-day="${dayIn(2)}"]`)).toContainText(other.number)
  await expectGood(page, accessible, 'the calendar of work orders')
})

test('shows starts and due dates in time order in each calendar @whole', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const { token } = await sessionOf('maplegrove', ADMIN)
  const day = '2031-03-12'
  const name = unique()
  const location = { text: 'Main Street', addressId: null, lat: null, lon: null, metres: null }
  const usual = { description: '', kind: 'repair', severity: 1, location, assetName: '', departmentId: null } as const
  const add = (title: string, more: { startTime?: string; dueOn?: string }) =>
    callOn(
      'maplegrove',
      openOrder,
      {
        ...usual,
        title: `${title} ${name}`,
        assignedTo: null,
        startsOn: more.startTime ? day : '',
        dueOn: '',
        ...more,
      },
      token,
    )
  await add('Noon', { startTime: '12:00', dueOn: '2031-03-11' })
  await add('Nine', { startTime: '09:00', dueOn: '2031-03-20' })
  await add('No start', { dueOn: day })
  await add('Ten', { startTime: '10:00' })
  const inOrder = ['9:00 AM', '10:00 AM', '12:00 PM']
  const calendars = [
    { path: `${OFFICE}?tab=calendar&search=${name}&from=${day}`, times: ['All day', ...inOrder] },
    { path: `/municipality/schedule?from=${day}`, times: inOrder },
    { path: `/municipality?from=${day}`, times: inOrder },
  ]
  await openAs(page, 'maplegrove', ADMIN, '/municipality')
  for (const { path, times } of calendars) {
    await page.goto(at('maplegrove', path))
    const events = page.locator(`[data-day="${day}"] [data-event]`)
    await expect(events, path).toHaveCount(times.length)
    for (const [index, time] of times.entries()) await expect(events.nth(index), path).toContainText(time)
  }
})

test('shows first days of a maintenance plan and creates a calendar link @whole', async ({ page, accessible }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?tab=plans`)
  await page.getByRole('button', { name: 'New maintenance plan' }).press('Enter')
  const plan = page.getByRole('dialog', { name: 'New maintenance plan' })
  const title = `Flush the mains ${unique()}`
  await plan.getByLabel('Task').fill(title)
  await plan.getByLabel('Unit').selectOption('Weeks')
  await plan.getByRole('checkbox', { name: 'Mon' }).check()
  await plan.getByLabel('First day').fill('2030-01-07')
  await expect(plan.getByText('January 7, 2030; January 14, 2030')).toBeVisible()
  await expectGood(page, accessible, 'a new plan')
  await page.setViewportSize({ width: 1280, height: 900 })
  await plan.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByText(`Maintenance plan “${title}” was created.`)).toBeVisible()

  await page.goto(at('maplegrove', '/municipality/schedule'))
  await page.getByRole('button', { name: 'Add calendar to phone' }).press('Enter')
  const feeds = page.getByRole('dialog', { name: 'Add calendar to phone' })
  await feeds
    .getByRole('button', { name: /address for Public Works/ })
    .first()
    .press('Enter')
  const address = await feeds.getByLabel('Secret calendar address for Public Works').inputValue()
  await expectGood(page, accessible, 'the addresses of calendars')
  const calendar = await page.evaluate(async (path) => (await fetch(path)).text(), new URL(address).pathname)
  expect(calendar).toContain('BEGIN:VEVENT')
})
