import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { randomFrom } from '../../database/random.ts'
import type { Call } from '../../server/call.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { noLocation } from '../../shared/places.ts'
import { rights } from '../../shared/privileges.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { seed } from '../../test/seed.ts'
import { openWorkOrder } from './server/open-work-order.ts'
import { openPlanned } from './server/open-planned.ts'
import { defineWorkOrderSource, type OrderTransition } from './server/source.ts'

/**
 * Tests the life cycle of a work order: open, assign, schedule, reschedule in the calendar, and complete. Also tests
 * orders that plans open.
 */

const HOST = 'maplegrove.localhost'
const NIGHTLY = Boolean(process.env['NIGHTLY'])
const portal = await testPortal()
let company: CompanyId
const tokens: Record<string, string> = {}
const people: Record<string, number> = {}

/** Transitions that the test source has received, by source id. */
const heard = new Map<number, OrderTransition[]>()
defineWorkOrderSource({
  kind: 'test_source',
  onMoved: async (_tx, _context, _company, id, moved) => void heard.set(id, [...(heard.get(id) ?? []), moved]),
  label: async (_tx, _company, ids) => new Map(ids.map((id) => [id, { text: `Request ${id}`, path: '/municipality' }])),
})

beforeAll(async () => {
  portal.clock.set('2026-11-22T17:00:00.000Z')
  company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  for (const role of ['staff', 'admin', 'resident']) {
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
    const { rows } = await portal.owner.query('SELECT id FROM person WHERE email = $1', [`${role}@maplegrove.example`])
    people[role] = Number(rows[0].id)
  }
})

const callAs = (path: string, body: object, role = 'staff') =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })
const usual = {
  title: 'Fill the pothole',
  description: '',
  kind: 'repair',
  severity: 1,
  location: noLocation,
  assetName: '',
  dueOn: '2026-11-25',
  departmentId: null,
  assignedTo: null,
}
const open = async (more: object = {}) => (await callAs('muni/open/work/order', { ...usual, ...more })).body
const read = async (orderId: number, role = 'staff') => (await callAs('muni/return/work/order', { orderId }, role)).body
const step = (orderId: number, event: string, role = 'staff', reason = 'It is as it was.') =>
  callAs('muni/change/work/order/status', { orderId, event, reason }, role)
const at = { day: '2026-11-24', time: '09:00', minutes: 120 }
const schedule = (orderId: number, when: object | null) =>
  callAs('muni/schedule/work/order', { orderId, schedule: when })
const items = async (fromDate: string, toDate = fromDate) =>
  (await callAs('muni/return/municipality/scheduled/items', { selectedOption: 'calendar', fromDate, toDate })).body.data

test('assigns consecutive numbers of the company’s year to concurrent orders', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => open()))
  const numbers = made.map(({ number }) => number).toSorted()
  expect(numbers).toEqual(Array.from({ length: 8 }, (_, n) => `WO-2026-${String(n + 1).padStart(6, '0')}`))
  const invalid = await callAs('muni/open/work/order', { ...usual, title: 'x', dueOn: '2026-02-30' })
  expect(invalid.status).toBe(400)
  expect((await callAs('muni/open/work/order', { ...usual, assignedTo: people['resident'] })).body.message).toBe(
    'This person no longer works here. Choose someone else.',
  )
  expect((await callAs('muni/open/work/order', usual, 'resident')).status).toBe(403)
})

test('shows dashboard figures equal to the lists they link to', async () => {
  const figures = async () => (await callAs('muni/return/work/figures', {})).body
  const before = await figures()
  const far = { dueOn: '2036-01-15' }
  await open(far)
  const { orderId: late } = await open({ dueOn: '2026-11-20' })
  const { orderId: done } = await open(far)
  await step(late, 'start')
  await step(done, 'start')
  await step(done, 'complete')
  const { new: created, inProgress, overdue, completed, open: all } = before
  expect(await figures()).toEqual({
    new: created + 1,
    inProgress: inProgress + 1,
    overdue: overdue + 1,
    completed: completed + 1,
    open: all + 2,
  })
  const counted = async (filters: object) => (await callAs('muni/return/work/orders', { filters })).body.rows.length
  expect(await counted({ status: 'created' })).toBe(created + 1)
  expect(await counted({ late: true })).toBe(overdue + 1)
  expect(await counted({ status: 'open' })).toBe(all + 2)
  expect((await callAs('muni/return/work/figures', {}, 'resident')).status).toBe(403)
})

test('merges edits of different fields and reports conflicts on the same field', async () => {
  const { orderId } = await open()
  const { details } = await read(orderId)
  const save = (changed: object, role: string) =>
    callAs('muni/save/work/order', { ...details, ...changed, orderId, basis: details }, role)
  expect((await save({ title: 'Fill two potholes' }, 'staff')).status).toBe(200)
  expect((await save({ severity: 0 }, 'admin')).status).toBe(200)
  expect((await read(orderId)).details).toMatchObject({ title: 'Fill two potholes', severity: 0 })
  expect((await save({ title: 'Fill three potholes' }, 'admin')).body.code).toBe('edit_conflict')
})

test('opens an order with its start in the calendar', async () => {
  const start = { startsOn: '2026-12-03', startTime: '08:30', minutes: 90 }
  const { orderId, message } = await open({ title: 'Grease the hoist', ...start })
  expect(message).toContain('was opened and scheduled for')
  expect((await read(orderId)).schedule).toMatchObject({
    startsAt: '2026-12-03T13:30:00.000Z',
    endsAt: '2026-12-03T15:00:00.000Z',
  })
  expect(await items('2026-12-03')).toEqual([expect.objectContaining({ calendar_date: '2026-12-03T13:30:00.000Z' })])
  const refused = async (body: object) => (await callAs('muni/open/work/order', { ...usual, ...body })).body
  expect(await refused({ startsOn: '2026-12-03' })).toMatchObject({ code: 'malformed' })
  expect(await refused({ startTime: '08:30' })).toMatchObject({ code: 'malformed' })
  expect(await refused({ dueOn: '', repeat: true })).toMatchObject({ code: 'malformed' })
  expect(await refused({ startsOn: '2024-12-03', startTime: '08:30' })).toMatchObject({
    details: { fields: { startsOn: 'This date is more than a year ago. Check the year.' } },
  })
})

test('opens a repeating order once, with its maintenance plan', async () => {
  const repeats = { unit: 'week', every: 1, weekdays: [], by: 'day', until: '' }
  const start = { startsOn: '2026-11-27', startTime: '08:00', minutes: 60, repeat: true, repeats, leadDays: 10 }
  const { orderId, message } = await open({ title: 'Test the siren', ...start, checklist: ['Warn dispatch'] })
  expect(message).toContain('A maintenance plan opens the next work orders.')
  const { source } = await read(orderId)
  expect(source).toMatchObject({ text: 'Test the siren' })
  const planId = Number(new URL(source.path, 'http://portal').searchParams.get('plan'))
  const { form } = (await callAs('muni/return/work/plan', { planId })).body
  expect(form).toMatchObject({
    title: 'Test the siren',
    ...{ startsOn: '2026-11-27', startTime: '08:00' },
    leadDays: 10,
  })
  expect(form).toMatchObject({ checklist: 'Warn dispatch', repeats, active: true })
  const days = async () => {
    const { rows } = await portal.owner.query(
      'SELECT plan_day::text AS day FROM work_order WHERE plan_id = $1 ORDER BY 1',
      [planId],
    )
    return rows.map(({ day }) => day)
  }
  expect(await days()).toEqual(['2026-11-27'])
  await openPlanned(portal.context)
  expect(await days()).toEqual(['2026-11-27'])
  await portal.owner.query('UPDATE work_plan SET lead_days = 14 WHERE id = $1', [planId])
  await openPlanned(portal.context)
  expect(await days()).toEqual(['2026-11-27', '2026-12-04'])
  const ended = { ...start, repeats: { ...repeats, until: '2026-11-20' } }
  const refusal = (await callAs('muni/open/work/order', { ...usual, ...ended })).body
  expect(refusal.details.fields['repeats.until']).toContain('This schedule has no dates.')
  await portal.owner.query('UPDATE work_plan SET is_active = 0 WHERE id = $1', [planId])
})

test('refuses a maintenance plan of staff who may only open work orders', async () => {
  const { rows } = await portal.owner.query('SELECT privileges FROM person WHERE id = $1', [people['staff']])
  const setPrivileges = (privileges: object) =>
    portal.owner.query('UPDATE person SET privileges = $2 WHERE id = $1', [people['staff'], JSON.stringify(privileges)])
  await setPrivileges({ ...rows[0].privileges, work_orders: rights.view | rights.create })
  const start = { startsOn: '2026-12-04', startTime: '08:30' }
  expect((await callAs('muni/open/work/order', { ...usual, ...start, repeat: true })).status).toBe(403)
  expect((await callAs('muni/open/work/order', { ...usual, ...start })).status).toBe(200)
  await setPrivileges(rows[0].privileges)
})

test('saves templates with parts and refuses the same task twice', async () => {
  const parts = [{ text: 'Stop sign', quantity: 1, unitCents: 8900 }]
  const form = {
    ...{ title: 'Replace a stop sign', description: '', kind: 'repair', severity: 0, minutes: 45, parts },
    ...{ departmentId: null, crewId: null, checklist: 'Close the lane\nMount the sign', active: true },
  }
  const save = (more: object = {}, role = 'staff') =>
    callAs('muni/save/work/template', { ...form, templateId: null, ...more }, role)
  const { templateId } = (await save()).body
  expect((await save({ title: 'REPLACE A STOP SIGN' })).body.message).toBe('A template with this task already exists.')
  expect((await save({ title: 'Other', crewId: 999_999 })).body.details.fields).toHaveProperty('crewId')
  expect((await save({ parts: Array.from({ length: 21 }, () => parts[0]) })).status).toBe(400)
  expect((await save({}, 'resident')).status).toBe(403)
  const choices = async () => (await callAs('muni/return/work/template/choices', {})).body.templates
  expect(await choices()).toEqual([{ id: templateId, form }])
  await save({ templateId, active: false, basis: form })
  expect(await choices()).toEqual([])
  expect((await callAs('muni/return/work/templates', { filters: { active: 0 } })).body.rows).toMatchObject([
    { title: 'Replace a stop sign', tasks: 2, parts: 1, minutes: 45 },
  ])
})

test('keeps the parts of an order and of its plan', async () => {
  const parts = [{ text: 'Cold patch, bag', quantity: 6, unitCents: 1899 }]
  const repeats = { unit: 'week', every: 1, weekdays: [], by: 'day', until: '' }
  const { orderId } = await open({
    title: 'Patch the lot',
    parts,
    repeat: true,
    repeats,
    dueOn: '2026-11-26',
    leadDays: 7,
  })
  const { details, source } = await read(orderId)
  expect(details.parts).toEqual(parts)
  await openPlanned(portal.context)
  const planId = Number(new URL(source.path, 'http://portal').searchParams.get('plan'))
  const { rows } = await portal.owner.query('SELECT parts FROM work_order WHERE plan_id = $1', [planId])
  expect(rows).toEqual([{ parts }])
  await portal.owner.query('UPDATE work_plan SET lead_days = 14 WHERE id = $1', [planId])
  await openPlanned(portal.context)
  const later = await portal.owner.query('SELECT parts FROM work_order WHERE plan_id = $1', [planId])
  expect(later.rows).toEqual([{ parts }, { parts }])
  await portal.owner.query('UPDATE work_plan SET is_active = 0 WHERE id = $1', [planId])
  // An older client sends no parts.
  const { parts: _parts, ...older } = details
  expect((await callAs('muni/save/work/order', { ...older, orderId, title: 'Patch both lots' })).status).toBe(200)
  expect((await read(orderId)).details).toMatchObject({ title: 'Patch both lots', parts })
  expect((await callAs('muni/print/work/order', { orderId })).status).toBe(200)
})

test('keeps an order and its calendar item at the same time', async () => {
  const { orderId, number } = await open()
  expect((await schedule(orderId, { ...at, assignedTo: people['staff'] })).status).toBe(200)
  const [item] = await items(at.day)
  expect(item).toMatchObject({
    title: `${number} Fill the pothole`,
    status: 'not_started',
    path: `/municipality/work-orders?order=${orderId}`,
    moves: { start: true, complete: false, reopen: false, reschedule: true },
  })
  // The calendar item starts at nine o'clock in the company's time zone and makes its assignee busy for two hours.
  const free = await callAs('muni/return/staff/at', { day: at.day, time: '10:30', minutes: 60 })
  const busy = (id: number) => free.body.people.find((person: { id: number }) => person.id === id).busy.length
  expect([busy(people['staff'] ?? 0), busy(people['admin'] ?? 0)]).toEqual([1, 0])
  const later = await callAs('muni/return/staff/at', { day: at.day, time: '11:00', minutes: 60 })
  expect(later.body.people.flatMap((person: { busy: unknown[] }) => person.busy)).toEqual([])

  const move = (was: string) => callAs('muni/transition/scheduled/item', { itemId: item.id, day: '2026-11-26', was })
  expect((await move(item.calendar_date)).status).toBe(200)
  const again = await move(item.calendar_date)
  expect([again.status, again.body.code]).toEqual([409, 'edit_conflict'])
  expect((await read(orderId)).schedule.form).toEqual({ ...at, day: '2026-11-26', assignedTo: people['staff'] })
  expect(await items(at.day)).toEqual([])

  expect((await callAs('muni/change/scheduled/item/status', { itemId: item.id, event: 'start' })).status).toBe(200)
  expect((await read(orderId)).status).toBe(1)
  expect((await callAs('muni/change/scheduled/item/status', { itemId: item.id, event: 'complete' })).status).toBe(200)
  expect((await read(orderId)).status).toBe(2)
  expect((await items('2026-11-26'))[0]).toMatchObject({ status: 'completed', moves: { reschedule: false } })
  expect((await schedule(orderId, null)).status).toBe(409)
  expect((await step(orderId, 'reopen')).status).toBe(200)
  expect((await schedule(orderId, null)).status).toBe(200)
  expect(await items('2026-11-26')).toEqual([])
  expect((await schedule(orderId, { ...at, assignedTo: null })).status).toBe(200)
  expect((await step(orderId, 'invalidate')).status).toBe(200)
  expect(await items(at.day)).toEqual([])
})

test('adds up labor and parts and ignores voided costs', async () => {
  const { orderId } = await open({ checklist: ['Close the lane', 'Fill it'] })
  await callAs('muni/add/work/task', { orderId, text: 'Open the lane' })
  await callAs('muni/tick/work/task', { orderId, no: 2, done: true })
  const cost = (body: object) => callAs('muni/add/work/cost', { orderId, ...body })
  await cost({ kind: 'labor', text: 'Two people', quantity: 90, unitCents: 4250 })
  await cost({ kind: 'part', text: 'Cold patch', quantity: 4, unitCents: 1899 })
  await cost({ kind: 'other', text: 'Typed wrong', quantity: 1, unitCents: 999_99 })
  expect((await callAs('muni/void/work/cost', { orderId, no: 3 })).status).toBe(200)
  expect((await callAs('muni/void/work/cost', { orderId, no: 3 })).status).toBe(404)
  const order = await read(orderId)
  expect([order.minutes, order.costCents]).toEqual([90, 6375 + 7596])
  expect(order.tasks.map(({ doneAt }: { doneAt: string | null }) => doneAt !== null)).toEqual([false, true, false])
  const [row] = (await callAs('muni/return/work/orders', { search: order.number, filters: {} })).body.rows
  expect(row).toMatchObject({ cost: 6375 + 7596, due: '2026-11-25', late: false })
})

test('shows files of the order and its source, and prints a PDF', async () => {
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#777' } })
    .png()
    .toBuffer()
  const first = await open()
  const send = async (path: string, orderId: number) => {
    const head = `--x\r\nContent-Disposition: form-data; name="orderId"\r\n\r\n${orderId}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="hole.png"\r\nContent-Type: image/png\r\n\r\n`
    const response = await portal.app.inject({
      method: 'POST',
      url: `/api/v2/${path}`,
      payload: Buffer.concat([Buffer.from(head), photo, Buffer.from('\r\n--x--\r\n')]),
      headers: {
        host: HOST,
        'content-type': 'multipart/form-data; boundary=x',
        authorization: `Bearer ${tokens['staff']}`,
      },
    })
    expect(response.statusCode).toBe(200)
    return response.json() as { file_id: string }
  }
  const before = await send('muni/attach/work/photo/before', first.orderId)
  await send('muni/attach/work/photo/after', first.orderId)
  const sourceFile = before.file_id
  const second = await portal.context.inCompany(company, async (tx) => {
    const companyRecord = await portal.context.hosts.byId(company, tx)
    const call = { company: companyRecord, context: portal.context, session: null, requestId: '', kind: 'guest' }
    return openWorkOrder(tx, { ...call, session: await sessionOf(tx) } as unknown as Call, {
      ...usual,
      kind: 'repair',
      severity: 1,
      location: null,
      asset: null,
      source: { kind: 'test_source', id: 7 },
      fileIds: [sourceFile, randomUUID()],
    })
  })
  const { photos, source } = await read(second.id)
  expect(photos.map(({ id, when }: { id: string; when: string }) => [id, when])).toEqual([[sourceFile, 'fromRequest']])
  expect(source).toEqual({ text: 'Request 7', path: '/municipality' })
  expect((await callAs('muni/remove/work/photo', { orderId: second.id, photoId: sourceFile })).status).toBe(404)
  expect((await read(first.orderId)).photos.map(({ when }: { when: string }) => when)).toEqual(['before', 'after'])
  const { body } = await callAs('muni/print/work/order', { orderId: first.orderId })
  expect(body.url).toMatch(/^\//)
  const removed = await callAs('muni/remove/work/photo', { orderId: first.orderId, photoId: sourceFile })
  expect(removed.status).toBe(200)
  expect((await read(second.id)).photos).toEqual([])

  async function sessionOf(tx: Parameters<typeof openWorkOrder>[0]) {
    const { rows } = await sql<{ id: number }>`SELECT id FROM person WHERE id = ${people['staff']}`.execute(tx)
    return { kind: 'municipality', personId: rows[0]?.id, firstName: 'Ann', lastName: 'Lee', privileges: {} }
  }
})

test('keeps order, source and item consistent under random concurrent transitions', async () => {
  const random = randomFrom(seed)
  const orders: number[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const { orderId } = await open()
    await portal.owner.query(`UPDATE work_order SET source_kind = 'test_source', source_id = $2 WHERE id = $1`, [
      orderId,
      100 + nth,
    ])
    await schedule(orderId, { ...at, assignedTo: null })
    orders.push(orderId)
  }
  const leads: Record<string, [from: number[], to: number]> = {
    ...{ start: [[0, 3], 1], complete: [[1], 2], reopen: [[2], 3], invalidate: [[0, 1, 3], 4] },
  }
  let accepted = 0
  for (let round = 0; round < (NIGHTLY ? 300 : 24); round += 1) {
    const results = await Promise.all(
      ['staff', 'admin'].map(async (role) => {
        const orderId = random.pick(orders)
        // The event that leads to the final state has a low weight. Otherwise, the random sequence would end too early.
        const event = random.weighted({ start: 3, complete: 3, reopen: 3, invalidate: 0.1 })
        return { orderId, event, status: (await step(orderId, event, role)).status }
      }),
    )
    for (const { status } of results) expect([200, 409]).toContain(status)
    accepted += results.filter(({ status }) => status === 200).length
  }
  expect(accepted).toBeGreaterThan(8)
  for (const [nth, orderId] of orders.entries()) {
    const order = await read(orderId)
    const { rows } = await portal.owner.query(
      `SELECT from_state, to_state, event FROM status_history WHERE machine = 'work_order' AND subject_id = $1 AND from_state <> '' ORDER BY seq`,
      [orderId],
    )
    let state = 0
    for (const { from_state, to_state, event } of rows) {
      expect(Number(from_state)).toBe(state)
      expect(leads[event]?.[0]).toContain(state)
      state = leads[event]?.[1] ?? -1
      expect(Number(to_state)).toBe(state)
    }
    expect(order.status).toBe(state)
    const updates = heard.get(100 + nth) ?? []
    expect(updates.map(({ to }) => String(to))).toEqual(rows.map(({ to_state }) => to_state))
    const { rows: items } = await portal.owner.query(
      `SELECT status FROM scheduled_item WHERE source_kind = 'work_order' AND source_id = $1`,
      [orderId],
    )
    const text = ['not_started', 'in_progress', 'completed', 'not_started'][state]
    expect(items.map(({ status }) => status)).toEqual(text ? [text] : [])
  }
})

const plan = {
  ...{ title: 'Check the pumps', description: '', kind: 'maintenance', severity: 1, location: noLocation },
  ...{ departmentId: null, assignedTo: null, checklist: 'Listen\nGrease', startsOn: '2026-11-23', startTime: '08:00' },
  ...{ minutes: 60, leadDays: 14, active: true },
  repeats: { unit: 'week', every: 1, weekdays: [1], by: 'day', until: '' },
}

test('opens each day of a plan once, however often the job runs', async () => {
  const { planId } = (await callAs('muni/save/work/plan', { ...plan, planId: null })).body
  const days = async () =>
    (
      await portal.owner.query('SELECT plan_day, item_id FROM work_order WHERE plan_id = $1 ORDER BY plan_day', [
        planId,
      ])
    ).rows.map(({ plan_day, item_id }) => [plan_day, item_id !== null])
  await Promise.all([openPlanned(portal.context), openPlanned(portal.context), openPlanned(portal.context)])
  const first = [
    ['2026-11-23', true],
    ['2026-11-30', true],
  ]
  expect(await days()).toEqual(first)
  await openPlanned(portal.context)
  expect(await days()).toEqual(first)
  // If the job did not run for some weeks, it opens the missed days in its next run.
  portal.clock.set('2026-12-10T17:00:00.000Z')
  for (const role of ['staff', 'admin']) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  await openPlanned(portal.context)
  expect((await days()).map(([day]) => day)).toEqual([
    ...['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21'],
  ])
  // After the weekdays of a plan change, the plan opens no second order for a day that already has an order.
  const { form } = (await callAs('muni/return/work/plan', { planId })).body
  const save = (changed: object) => callAs('muni/save/work/plan', { ...form, ...changed, planId, basis: form })
  expect((await save({ repeats: { ...form.repeats, weekdays: [1, 3] } })).status).toBe(200)
  await openPlanned(portal.context)
  expect((await days()).map(([day]) => day)).toEqual([
    ...['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14', '2026-12-16', '2026-12-21', '2026-12-23'],
  ])
  const preview = { repeats: plan.repeats, startsOn: '2026-11-23' }
  expect((await callAs('muni/preview/work/plan', preview)).body.days[1]).toBe('2026-11-30')
  expect(
    (await callAs('muni/save/work/plan', { ...plan, planId: null, repeats: { ...plan.repeats, until: '2026-11-01' } }))
      .status,
  ).toBe(422)
})

const crew = (name: string, role: string[], more: object = {}) =>
  callAs('muni/save/work/crew', { name, people: role.map((one) => people[one]), active: true, crewId: null, ...more })
const ownOf = async (role: string) => {
  const { body } = await callAs('muni/return/work/orders', { filters: { person: people[role] } })
  return body.rows.map(({ id }: { id: number }) => id)
}
const onPhoneOf = async (role: string) =>
  (await callAs('muni/return/field/day', {}, role)).body.records.order.map(({ id }: { id: number }) => id)
const notifiedOf = async (orderId: number) => {
  const { rows } = await portal.owner.query(
    `SELECT address FROM pending_notice WHERE event = 'work.given' AND data->'orders'->0->>'id' = $1 ORDER BY address`,
    [String(orderId)],
  )
  return rows.map(({ address }) => address)
}

test('shows crew orders to each member and notifies them', async () => {
  const { crewId } = (await crew('Streets', ['staff', 'admin'])).body
  const { orderId } = await open({ crewId })
  expect((await read(orderId)).crew.people.split(', ')).toHaveLength(2)
  for (const role of ['staff', 'admin']) {
    expect(await ownOf(role)).toContain(orderId)
    expect(await onPhoneOf(role)).toContain(orderId)
  }
  // The person who assigns an order gets no notification.
  expect(await notifiedOf(orderId)).toEqual(['admin@maplegrove.example'])

  const form = (await callAs('muni/return/work/crew', { crewId })).body.form
  await crew('Streets', ['staff'], { crewId, basis: form })
  expect(await ownOf('admin')).not.toContain(orderId)
  expect(await onPhoneOf('admin')).not.toContain(orderId)
  expect(await ownOf('staff')).toContain(orderId)
})

test('notifies only the new assignees of a reassigned order', async () => {
  const { crewId } = (await crew('Lights', ['staff', 'admin'])).body
  const { orderId } = await open({ assignedTo: people['admin'] })
  expect(await notifiedOf(orderId)).toEqual(['admin@maplegrove.example'])
  await portal.owner.query('DELETE FROM pending_notice')
  const { details } = await read(orderId)
  const sourceFile = await callAs('muni/save/work/order', { ...details, crewId, orderId, basis: details }, 'admin')
  expect(sourceFile.status).toBe(200)
  expect(await notifiedOf(orderId)).toEqual(['staff@maplegrove.example'])
  // A request without a crew leaves the crew unchanged.
  const { crewId: _crew, ...old } = details
  await callAs('muni/save/work/order', { ...old, title: 'Mend the lamp', orderId, basis: old })
  expect((await read(orderId)).details).toMatchObject({ title: 'Mend the lamp', crewId })
})

test('requires active members and unique crew names, and refuses inactive crews', async () => {
  expect((await crew('Parks', ['resident'])).body.message).toContain('no longer works here')
  const { crewId } = (await crew('Parks', ['staff'])).body
  expect((await crew('parks', ['admin'])).status).toBe(422)
  const atOnce = await Promise.all(['Trees', 'trees'].map((name) => crew(name, ['staff'])))
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 422])
  const renamed = await Promise.all(
    [crewId, atOnce.find(({ status }) => status === 200)?.body.crewId].map((id) =>
      crew('Gardens', ['staff'], { crewId: id }),
    ),
  )
  expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 422])
  const form = (await callAs('muni/return/work/crew', { crewId })).body.form
  const { orderId } = await open({ crewId })
  await crew('Parks', ['staff'], { crewId, active: false, basis: form })
  expect((await callAs('muni/open/work/order', { ...usual, crewId })).body.message).toBe(
    'This crew is no longer in use. Choose another one.',
  )
  const { details } = await read(orderId)
  expect((await callAs('muni/save/work/order', { ...details, title: 'Mow', orderId, basis: details })).status).toBe(200)
  expect((await crew('Walks', ['staff'], {})).status).toBe(200)
  expect((await callAs('muni/save/work/crew', { name: 'X', people: [], active: true, crewId: null })).status).toBe(400)
})

test('shows crew orders in members’ calendars and marks them as busy', async () => {
  const { crewId } = (await crew('Signs', ['staff'])).body
  const { orderId } = await open({ title: 'Straighten the sign', crewId })
  await schedule(orderId, { ...at, day: '2026-12-16', assignedTo: null })
  const feed = (await callAs('muni/make/calendar/feed', { departmentId: null })).body.url
  expect((await portal.get(HOST, new URL(feed).pathname)).body).toContain('Straighten the sign')
  const busy = async (role: string) =>
    (await callAs('muni/return/staff/at', { day: '2026-12-16', time: '09:30', minutes: 30 })).body.people.find(
      ({ id }: { id: number }) => id === people[role],
    ).busy
  expect((await busy('staff')).map(({ title }: { title: string }) => title)).toEqual([
    expect.stringContaining('Straighten the sign'),
  ])
  expect(await busy('admin')).toEqual([])
  const form = (await callAs('muni/return/work/crew', { crewId })).body.form
  await crew('Signs', ['admin'], { crewId, basis: form })
  expect([(await busy('staff')).length, (await busy('admin')).length]).toEqual([0, 1])
  const query = { selectedOption: 'all', fromDate: '2026-12-16', toDate: '2026-12-17' }
  const { data } = (await callAs('muni/return/municipality/scheduled/items', query)).body
  expect(data.find(({ title }: { title: string }) => title.endsWith('Straighten the sign')).assignee).toBe('Signs')
  const { details } = await read(orderId)
  await callAs('muni/save/work/order', { ...details, crewId: null, orderId, basis: details }, 'admin')
  expect(await busy('admin')).toEqual([])
})

test('serves a calendar only by its secret address while its person is active', async () => {
  const { orderId } = await open({
    title: 'Paint, sand; and a line that is so long that a calendar has to fold it over',
  })
  await schedule(orderId, { ...at, day: '2026-12-15', assignedTo: people['staff'] })
  const { url } = (await callAs('muni/make/calendar/feed', { departmentId: null })).body
  const get = (address: string) => portal.get(HOST, new URL(address).pathname)
  const calendar = await get(url)
  expect([calendar.status, calendar.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(calendar.body).toContain('DTSTART:20261215T140000Z\r\nDTEND:20261215T160000Z\r\n')
  expect(calendar.body.replaceAll('\r\n ', '')).toContain(String.raw`Paint\, sand\; and a line that is so long`)
  for (const line of calendar.body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const { url: newer } = (await callAs('muni/make/calendar/feed', { departmentId: null })).body
  expect([(await get(url)).status, (await get(newer)).status]).toEqual([404, 200])
  await portal.owner.query('UPDATE person SET is_active = 0 WHERE id = $1', [people['staff']])
  expect((await get(newer)).status).toBe(404)
})

test('refuses a day of more than a year ago as a mistyped year', async () => {
  portal.clock.set('2026-11-22T17:00:00.000Z')
  // The previous test deactivated the staff member.
  tokens['staff'] = await portal.signIn(HOST, 'admin@maplegrove.example')
  const invalid = { status: 422, message: 'This date is more than a year ago. Check the year.' }
  const outcome = ({ status, body }: Awaited<ReturnType<typeof callAs>>) => ({ status, message: body.message })
  expect(outcome(await callAs('muni/open/work/order', { ...usual, dueOn: '2025-11-21' }))).toEqual(invalid)
  const { orderId } = await open({ dueOn: '2025-11-22' })
  const { details } = await read(orderId)
  const save = (more: object) => callAs('muni/save/work/order', { orderId, ...details, ...more, basis: details })
  expect(outcome(await save({ dueOn: '2020-01-01' }))).toEqual(invalid)
  expect(outcome(await schedule(orderId, { ...at, day: '2020-05-05', assignedTo: null }))).toEqual(invalid)
  await portal.owner.query(`UPDATE work_order SET due_on = '2020-01-01' WHERE id = $1`, [orderId])
  const old = (await read(orderId)).details
  const renamed = { orderId, ...old, title: 'Fill the old pothole', basis: old }
  expect((await callAs('muni/save/work/order', renamed)).status).toBe(200)
})

test('schedules several orders one after another and prints their sheets', async () => {
  const ids: number[] = []
  for (const title of ['First', 'Second', 'Third', 'Done'])
    ids.push((await open({ title: `${title} job`, assignedTo: people['admin'] })).orderId)
  const [first = 0, second = 0, third = 0, done = 0] = ids
  await step(done, 'start')
  await step(done, 'complete')
  const when = { day: '2026-12-09', time: '20:00', minutes: 120 }
  const { body } = await callAs('muni/schedule/work/orders', { ids, ...when, oneAfterAnother: true })
  expect(body).toMatchObject({ message: '2 work orders were scheduled.', changed: 2 })
  expect(body.refused.map(({ id }: { id: number }) => id)).toEqual([third, done])
  expect(body.refused[0].message).toContain('The day has no time left for work order')
  const startOf = async (id: number) => (await read(id)).schedule?.form
  expect(await startOf(first)).toMatchObject({ time: '20:00', assignedTo: people['admin'] })
  expect(await startOf(second)).toMatchObject({ time: '22:00' })
  expect(await startOf(third)).toBeUndefined()
  await callAs('muni/schedule/work/orders', { ids: [first, third], ...when, time: '07:00', oneAfterAnother: false })
  expect([await startOf(first), await startOf(third)]).toMatchObject([{ time: '07:00' }, { time: '07:00' }])
  expect((await items('2026-12-09')).length).toBe(3)
  expect((await callAs('muni/schedule/work/orders', { ids, ...when, oneAfterAnother: true }, 'resident')).status).toBe(
    403,
  )

  const print = async (printed: number[]) => {
    const { url } = (await callAs('muni/print/work/orders', { ids: printed })).body
    return portal.app.inject({ url, headers: { host: HOST } })
  }
  const pdf = await print([third, first])
  expect(pdf.headers['content-disposition']).toContain('work-orders-2026-')
  expect(pdf.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBe(2)
  expect((await print([first, 999_999])).statusCode).toBe(404)
})

test('assigns, dates and completes several orders and returns the refused ones', async () => {
  const [first, second] = [await open(), await open({ title: 'Paint the crosswalk' })]
  const ids = [first.orderId, second.orderId]
  const assigned = (await callAs('muni/assign/work/orders', { ids, assignedTo: people['admin'] })).body
  expect(assigned).toMatchObject({ changed: 2, refused: [], message: '2 work orders were assigned.' })
  const gone = (await callAs('muni/assign/work/orders', { ids: [first.orderId], assignedTo: people['resident'] })).body
  expect(gone.refused).toEqual([
    { id: first.orderId, message: 'This person no longer works here. Choose someone else.' },
  ])
  expect((await callAs('muni/set/work/orders/due', { ids, dueOn: '2026-12-04' })).body.changed).toBe(2)
  expect((await callAs('muni/set/work/orders/due', { ids, dueOn: '2020-01-01' })).body.refused).toHaveLength(2)
  expect((await read(second.orderId)).details).toMatchObject({
    title: 'Paint the crosswalk',
    dueOn: '2026-12-04',
    assignedTo: people['admin'],
  })
  await step(first.orderId, 'start')
  const completed = (await callAs('muni/complete/work/orders', { ids })).body
  expect(completed).toMatchObject({ changed: 1, refused: [{ id: second.orderId }] })
  expect((await read(first.orderId)).status).toBe(2)
  const { rows } = await portal.owner.query(
    `SELECT count(*)::int AS n FROM audit_event WHERE action = 'work_order.changed' AND subject = $1`,
    [second.number],
  )
  expect(rows[0].n).toBe(2)
  expect((await callAs('muni/complete/work/orders', { ids }, 'resident')).status).toBe(403)
})
