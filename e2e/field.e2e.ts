import { type Browser, expect as equal, type Locator, type Page } from '@playwright/test'
import { addHydrant, returnHydrant, saveHydrant } from '../features/hydrants/contract.ts'
import { returnConflict } from '../features/field/contract.ts'
import { conflicts } from '../features/field/list.ts'
import { changeOrderStatus, openOrder, returnOrder, saveOrder } from '../features/work-orders/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { allOrFirst, at, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'

const ADMIN = 'admin@maplegrove.example'
const STAFF = 'staff@maplegrove.example'
const FIELD = '/municipality/field'
const location = { text: 'Main Street', addressId: null, lat: null, lon: null, metres: null }

/** Opens a work order that no other test uses, for one assignee. */
async function opened(title: string, email = ADMIN, checklist: string[] = ['Close the lane']) {
  const { token, user } = await sessionOf('maplegrove', email)
  const hydrantDetails = {
    title,
    description: 'As it was',
    kind: 'repair',
    severity: 1,
    location,
    assetName: '',
    dueOn: '',
  } as const
  const workInput = { departmentId: null, assignedTo: user.id, checklist }
  const { orderId } = await callOn('maplegrove', openOrder, { ...hydrantDetails, ...workInput }, token)
  return { orderId, token, read: () => callOn('maplegrove', returnOrder, { orderId }, token) }
}

/** Returns a unique photo of noise, large enough to be sent in parts. */
const photoOf = (page: Page, side: number): Promise<Buffer> =>
  page
    .evaluate((pixels) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: pixels, height: pixels })
      const context = canvas.getContext('2d')
      const noise = new ImageData(pixels, pixels)
      for (let from = 0; from < noise.data.length; from += 65_536)
        crypto.getRandomValues(noise.data.subarray(from, from + 65_536))
      for (let n = 3; n < noise.data.length; n += 4) noise.data[n] = 255
      context?.putImageData(noise, 0, 0)
      return canvas.toDataURL('image/jpeg', 0.8).split(',')[1] ?? ''
    }, side)
    .then((text) => Buffer.from(text, 'base64'))

/** Waits until the screen has a copy of the day's work and can run offline. */
async function waitForOfflineCopy(page: Page): Promise<void> {
  await expect(page.getByText(/^As of /)).toBeVisible()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 50))
  })
}

const notSent = (count: number): string => (count === 1 ? '1 change not sent' : `${count} changes not sent`)

async function openRecord(page: Page, part: string, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: part }).click()
  const back = page.getByRole('button', { name: 'Back to the list' })
  if (await back.isVisible()) await back.click()
  await page.getByLabel('Search').fill(name)
  await page.getByRole('list', { name: part }).getByRole('link', { name }).click()
}

test('keeps offline work and photos over a reload and sends them once', async ({ page, context, accessible }) => {
  const title = `Mend the bench ${unique()}`
  const order = await opened(title)
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, FIELD)
  await waitForOfflineCopy(page)
  const photo = { name: 'bench.jpg', mimeType: 'image/jpeg', buffer: await photoOf(page, 900) }
  equal(photo.buffer.length).toBeGreaterThan(256 * 1024)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('No connection')).toBeVisible()
  await openRecord(page, 'Work orders', title)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('checkbox', { name: 'Close the lane' }).click()
  await page.getByLabel('Add “after” photo').setInputFiles(photo)
  await expect(page.getByText('3 changes not sent')).toBeVisible()
  await expectGood(page, accessible, 'a work order without a connection')
  await page.setViewportSize(PHONE)
  await page.reload()
  await expect(page.getByText('3 changes not sent')).toBeVisible()
  await expect(page.getByText('In progress')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('All changes sent')).toBeVisible()
  const { status, tasks, photos, history } = await order.read()
  equal({ status, photos: photos.length, steps: history.length }).toEqual({ status: 1, photos: 1, steps: 2 })
  equal(tasks[0]?.doneAt).not.toBeNull()
})

const invalidate = ({ orderId, token }: { orderId: number; token: string }) =>
  callOn('maplegrove', changeOrderStatus, { orderId, event: 'invalidate', reason: 'Not ours' }, token)

test('creates a sync conflict for a photo of an invalidated work order', async ({ page, context }) => {
  const title = `Fill the hole ${unique()}`
  const order = await opened(title)
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, FIELD)
  await waitForOfflineCopy(page)
  const photo = { name: 'hole.jpg', mimeType: 'image/jpeg', buffer: await photoOf(page, 900) }
  await context.setOffline(true)
  await openRecord(page, 'Work orders', title)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByLabel('Add “before” photo').setInputFiles(photo)
  await expect(page.getByText('2 changes not sent')).toBeVisible()
  await invalidate(order)
  await context.setOffline(false)
  await expect(page.getByText('All changes sent')).toBeVisible()
  const { number } = await order.read()
  const { rows } = await callOn('maplegrove', conflicts.call, { pageSize: 100 }, order.token)
  const ours = rows.filter(({ subject }) => subject.includes(number))
  const details = await Promise.all(
    ours.map(({ id }) => callOn('maplegrove', returnConflict, { conflictId: id }, order.token)),
  )
  equal(details.map(({ preview }) => preview !== null).toSorted()).toEqual([false, true])
})

test('replaces or discards items that the portal permanently refuses', async ({ page, context, accessible }) => {
  const title = `Cut the hedge ${unique()}`
  const order = await opened(title)
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', ADMIN, FIELD)
  await waitForOfflineCopy(page)
  const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photoOf(page, 60) })
  const [first, second] = [await photo('first.jpg'), await photo('second.jpg')]
  await context.setOffline(true)
  await openRecord(page, 'Work orders', title)
  for (const [at, one] of [first, second].entries()) {
    await page.getByLabel('Add “before” photo').setInputFiles(one)
    await expect(page.getByText(notSent(at + 1))).toBeVisible()
  }
  await invalidate(order)
  const refused = '**/api/v2/muni/attach/field/photo'
  const json = { success: false, code: 'refused', message: 'Not this photo.', requestId: '', details: {} }
  await context.route(refused, (route) => route.fulfill({ status: 409, json }))
  await context.setOffline(false)
  await page.getByText('2 unsent changes').click()
  await expect(page.getByText('Not this photo.')).toHaveCount(2)
  await expectGood(page, accessible, 'photos that the portal refused')
  await page.setViewportSize(PHONE)
  await page
    .getByRole('button', { name: /^Discard/ })
    .last()
    .click()
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toContainText('The portal rejected this change.')
  await confirmation.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('1 change not sent')).toBeVisible()
  await context.unroute(refused)
  await page.getByLabel('Choose another photo').setInputFiles(await photo('third.jpg'))
  await expect(page.getByText('All changes sent')).toBeVisible()
})

test.describe('two devices @whole', () => {
  test.setTimeout(300_000)

  async function device(browser: Browser, email: string) {
    const context = await browser.newContext({ viewport: PHONE })
    let page = await context.newPage()
    await openAs(page, 'maplegrove', email, FIELD)
    await waitForOfflineCopy(page)
    await context.setOffline(true)
    return {
      context,
      page: () => page,
      /** Closes the tab and opens another one without a session. */
      kill: async () => {
        await page.close()
        page = await context.newPage()
        await page.goto(at('maplegrove', FIELD))
      },
      /** Closes the tab and opens another one with a session, as after sign-in. */
      killAndEnter: async () => {
        await page.close()
        page = await context.newPage()
        await openAs(page, 'maplegrove', email, FIELD)
      },
    }
  }

  const submitText = async (page: Page, button: string, label: string, text: string) => {
    await page.getByRole('button', { name: button }).click()
    const form = page.getByRole('dialog', { name: button })
    await form.getByLabel(label).fill(text)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
  }

  test('sends 50 actions and 20 photos from two interrupted devices exactly once', async ({ browser }) => {
    const mark = unique()
    const lines = ['One', 'Two', 'Three', 'Four', 'Five']
    const shared = await opened(`Shared ${mark}`, ADMIN, lines)
    const { token } = await sessionOf('maplegrove', ADMIN)
    // Removes the assignee, so that both devices download the work order.
    const { details: orderDetails } = await shared.read()
    await callOn('maplegrove', saveOrder, { ...orderDetails, assignedTo: null, orderId: shared.orderId }, token)
    const own = [await opened(`Own A ${mark}`, ADMIN, lines), await opened(`Own B ${mark}`, STAFF, lines)]
    const plain = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: 'As it was' }
    const days = { lastInspectedOn: '2026-01-01', nextInspectionOn: '2026-01-02' }
    const number = `Z-${mark}`.slice(0, 20)
    const { hydrantId } = await callOn('maplegrove', addHydrant, { ...plain, ...days, number, location }, token)
    const devices = [await device(browser, ADMIN), await device(browser, STAFF)]
    for (const [n, { page, kill }] of devices.entries()) {
      const photo = await photoOf(page(), 700)
      const file = (name: string) => ({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer: photo })
      let count = 0
      const counted = async () => expect(page().getByText(notSent(++count))).toBeVisible()
      const work = async (title: string, more: number, when: string) => {
        await openRecord(page(), 'Work orders', title)
        await page().getByRole('button', { name: 'Start' }).click()
        await counted()
        for (const line of lines) {
          await page().getByRole('checkbox', { name: line, exact: true }).click()
          await counted()
        }
        await page().reload()
        for (let at = 0; at < more; at++) {
          await submitText(page(), 'Add checklist item', 'Task', `Line ${n} ${at} ${mark}`)
          await counted()
        }
        await kill()
        await openRecord(page(), 'Work orders', title)
        for (let at = 0; at < 5; at++) {
          await page()
            .getByLabel(when)
            .setInputFiles(file(`${n}-${at}`))
          await counted()
        }
      }
      await work(`Shared ${mark}`, 6, 'Add “after” photo')
      await submitText(page(), 'Edit notes', 'Notes', `Notes of ${n} ${mark}`)
      await counted()
      await work(n === 0 ? `Own A ${mark}` : `Own B ${mark}`, 4, 'Add “before” photo')
      await openRecord(page(), 'Hydrants', number)
      await page().getByRole('button', { name: 'Edit notes and details' }).click()
      const form = page().getByRole('dialog')
      await form.getByLabel('Notes').fill(`Hydrant notes of ${n} ${mark}`)
      await form.getByRole('button', { name: 'Save' }).click()
      await counted()
      await page().getByRole('button', { name: 'Take out of service' }).click()
      await form.getByLabel('Reason').fill(`Leaks, says ${n}`)
      await form.getByRole('button', { name: 'Take out of service' }).click()
      await counted()
      equal(count).toBe(35)
      await kill()
      await expect(page().getByText('35 changes not sent')).toBeVisible()
    }
    for (const { context } of devices) await context.setOffline(false)
    // Both devices return with a session. Then one tab is closed while it sends.
    for (const { killAndEnter } of devices) await killAndEnter()
    await expect(devices[1]?.page().getByText('35 changes not sent') as Locator).toBeHidden()
    await devices[1]?.killAndEnter()
    for (const { page } of devices) await expect(page().getByText('All changes sent')).toBeVisible({ timeout: 30_000 })
    const now = await shared.read()
    equal(now.tasks.map(({ text }) => text).toSorted()).toEqual(
      [...lines, ...[0, 1].flatMap((n) => [0, 1, 2, 3, 4, 5].map((line) => `Line ${n} ${line} ${mark}`))].toSorted(),
    )
    equal(now.tasks.filter(({ doneAt }) => doneAt !== null)).toHaveLength(5)
    equal(now.photos).toHaveLength(10)
    for (const [n, { read }] of own.entries()) {
      const { status, tasks, photos } = await read()
      equal({ status, tasks: tasks.length, photos: photos.length }).toEqual({ status: 1, tasks: 9, photos: 5 })
      equal(tasks.filter(({ text }) => text.startsWith(`Line ${n}`))).toHaveLength(4)
    }
    // Fields that both devices changed: start and notes of the work order, notes and service of the hydrant.
    const { rows } = await callOn('maplegrove', conflicts.call, { filters: { status: 'open' } }, token)
    const ours = rows.filter(({ subject }) => subject.includes(number) || subject.includes(now.number))
    equal(ours.map(({ label }) => label).toSorted()).toEqual([
      ...['Notes and details changed', 'Notes changed', 'Started', 'Taken out of service'],
    ])
    const { form } = await callOn('maplegrove', returnHydrant, { hydrantId }, token)
    const details = await Promise.all(
      ours.map(({ id }) => callOn('maplegrove', returnConflict, { conflictId: id }, token)),
    )
    const all = JSON.stringify([now.details.description, form.notes, details])
    for (const n of [0, 1])
      for (const expectedText of [`Notes of ${n} ${mark}`, `Hydrant notes of ${n} ${mark}`])
        equal(all).toContain(expectedText)
  })

  for (const width of allOrFirst([390, 1280]))
    test(`resolves changes of two people by keyboard at ${width} px`, async ({ page, context, accessible }) => {
      const number = `K-${unique()}`.slice(0, 20)
      const { token } = await sessionOf('maplegrove', STAFF)
      const plain = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: 'As it was' }
      const days = { lastInspectedOn: '2026-01-01', nextInspectionOn: '2026-01-02' }
      const { token: admin } = await sessionOf('maplegrove', ADMIN)
      const { hydrantId } = await callOn('maplegrove', addHydrant, { ...plain, ...days, number, location }, admin)
      await page.setViewportSize({ width, height: 844 })
      await openAs(page, 'maplegrove', ADMIN, FIELD)
      await waitForOfflineCopy(page)
      await context.setOffline(true)
      await openRecord(page, 'Hydrants', number)
      await page.getByRole('button', { name: 'Edit notes and details' }).press('Enter')
      const form = page.getByRole('dialog')
      await form.getByLabel('Notes').fill('From the field')
      await form.getByLabel('Make').fill('Clow')
      await form.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(page.getByText('1 change not sent')).toBeVisible()
      const { form: now } = await callOn('maplegrove', returnHydrant, { hydrantId }, token)
      await callOn('maplegrove', saveHydrant, { ...now, notes: 'From the office', make: 'Mueller', hydrantId }, token)
      await context.setOffline(false)
      await expect(page.getByText('One change conflicts with changes by other staff.').first()).toBeVisible()
      await page.getByRole('link', { name: 'Sync Conflicts' }).press('Enter')
      await page.getByRole('button', { name: `View Notes and details changed, Hydrant ${number}` }).press('Enter')
      const chooser = page.getByRole('dialog', { name: `Hydrant ${number}` })
      await expect(chooser).toContainText('From the office')
      await expectGood(page, accessible, 'a conflict')
      await page.setViewportSize({ width, height: 844 })
      await chooser.getByRole('button', { name: 'Save decision' }).press('Enter')
      await expect(chooser.getByText('Choose a version.', { exact: true })).toBeVisible()
      const notes = chooser.getByRole('group', { name: 'Notes' })
      const make = chooser.getByRole('group', { name: 'Make' })
      await notes.getByRole('radio', { name: /Both/ }).press('Space')
      await expect(make.getByText('Choose which value to use.')).toBeVisible()
      await make.getByRole('radio', { name: /From the field/ }).press('Space')
      await chooser.getByRole('button', { name: 'Save decision' }).press('Enter')
      await expect(chooser).toBeHidden()
      const { form: after } = await callOn('maplegrove', returnHydrant, { hydrantId }, token)
      equal(after).toMatchObject({ notes: 'From the office\n\nFrom the field', make: 'Clow' })
    })
})
