import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { workDayBefore } from '../../shared/working-time.ts'
import { openTestCompany } from '../../test/company.ts'
import { testClock, testPortal } from '../../test/harness.ts'

/** Tests the start values of a work order from a request. */

const MAPLE = 'maplegrove.localhost'

test('starts a work order with the answers, the crew and an earlier due day', async () => {
  // A Monday.
  const clock = testClock('2026-03-02T15:00:00Z')
  const portal = await testPortal({ clock })
  await openTestCompany(portal, mapleGrove)
  const token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  const done = async (path: string, body: object = {}) => {
    const headers = { 'idempotency-key': randomUUID() }
    const { status, body: response } = await portal.post(MAPLE, path, body, { token, headers })
    expect(status, `${path}: ${response.message}`).toBe(200)
    return response
  }
  const { people } = await done('muni/return/work/choices')
  const crew = { name: 'Streets', people: [people[0].id], active: true, crewId: null }
  const { crewId } = await done('muni/save/work/crew', crew)
  const { categoryId } = await done('muni/save/request/category', {
    ...{ hint: '', sortNo: 1, active: true, departmentId: null, targetDays: 5, escalateTo: null, crewId },
    ...{ forGuests: true, needsLocation: false, onMap: true, name: 'Pothole', categoryId: null },
  })
  const lane = { ...blankField('text', 'lane'), label: 'Lane', required: true }
  const definition = { steps: [{ ...blankStep('hole'), title: 'The hole', fields: [lane] }] }
  await done('muni/save/request/category/fields', { categoryId, definition })
  await done('muni/publish/request/category/fields', { categoryId, definition })
  const location = { text: '12 Oak Street', addressId: null, lat: null, lon: null, metres: null }
  const { requestId } = await done('muni/enter/communication/request', {
    ...{ channel: 'phone', categoryId: String(categoryId), location, description: 'A deep hole.', version: 1 },
    ...{ name: 'Ann Lee', email: '', phone: '', personId: null, answers: { lane: 'Right' }, files: [] },
  })
  const { order, request } = await done('muni/return/communication/request', { subjectId: requestId })
  expect(request.dueAt.slice(0, 10)).toBe('2026-03-09')
  expect(order).toEqual({ crewId, dueOn: '2026-03-06', description: 'A deep hole.\n\nLane: Right' })
  const { orderId } = await done('muni/open/communication/work/order', {
    ...{ ...order, title: 'Fill the hole', severity: '1', assignedTo: null, withFiles: true, subjectId: requestId },
  })
  const { rows } = await portal.owner.query('SELECT * FROM work_order WHERE id = $1', [orderId])
  expect(rows[0]).toMatchObject({ description: order.description, location: '12 Oak Street' })
  expect(Number(rows[0].crew_id)).toBe(crewId)

  // A second request about the same hole has the same work order.
  const second = await done('muni/enter/communication/request', {
    ...{ channel: 'counter', categoryId: String(categoryId), location, description: 'The hole again.', version: 1 },
    ...{ name: 'Bo Park', email: '', phone: '', personId: null, answers: { lane: 'Right' }, files: [] },
  })
  const number = rows[0].number.toLowerCase()
  await done('muni/add/communication/to/work/order', { subjectId: second.requestId, order: number })
  for (const event of ['start', 'complete']) await done('muni/change/work/order/status', { orderId, event })
  for (const subjectId of [requestId, second.requestId]) {
    const { request: its } = await done('muni/return/communication/request', { subjectId })
    expect(its).toMatchObject({ status: 2, workOrders: [{ id: orderId }] })
  }

  // Once the target date has passed, the due day is today.
  clock.set('2026-03-20T15:00:00Z')
  const later = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  const overdue = await portal.post(
    MAPLE,
    'muni/return/communication/request',
    { subjectId: requestId },
    { token: later },
  )
  expect(overdue.body.order.dueOn).toBe('2026-03-20')
})

test('skips days off on the way back to a working day', () => {
  const days = { workDays: [1, 2, 3, 4, 5], holidays: [{ on: '2026-03-06', name: 'Closed' }] }
  expect(workDayBefore(days, '2026-03-09')).toBe('2026-03-05')
})
