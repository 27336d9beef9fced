import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, blankStep, whenAll } from '../../shared/fields/blank.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import { counting, skippedItems, resultOf } from './rules.ts'
import type { ItemStatus } from './states.ts'

/** Follows a hydrant inspection from template to certificate, with one failed and re-inspected item. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
let [admin, staff, templateId, hydrantId] = ['', '', 0, 0]

const callApi = (path: string, body: object = {}, token = admin) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })
const noLocation = { text: '', addressId: null, lat: null, lon: null, metres: null }
const when = { dueOn: '2027-03-01', startTime: '09:00', assignedTo: null }
const loadInspection = async (inspectionId: number) => (await callApi('return/inspection', { inspectionId })).body

const definition = {
  steps: [
    {
      ...blankStep('valve'),
      title: 'Valve',
      fields: [{ ...blankField('number', 'turns'), label: 'Turns to open', required: true }],
    },
    { ...blankStep('caps'), title: 'Caps', fields: [{ ...blankField('checkbox', 'greased'), label: 'Greased' }] },
  ],
}

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
  const hydrantDetails = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: '' }
  const hydrant = { ...hydrantDetails, number: 'H-1', location: { ...noLocation, text: 'Elm Street 4' } }
  hydrantId = (await callApi('add/hydrant', { ...hydrant, lastInspectedOn: '', nextInspectionOn: '' })).body.hydrantId
  const template = { name: 'Hydrant, yearly', subjectKind: 'hydrant', everyMonths: 6, isActive: true }
  templateId = (await callApi('add/inspection/template', { ...template, certificate: 'It was found in order.' })).body
    .templateId
  await callApi('save/inspection/items', { templateId, definition })
})

test('derives the result of an inspection from the items that count', () => {
  const item = (id: number, status: ItemStatus, repeatOf: number | null = null) => ({ id, status, repeatOf })
  expect(resultOf([])).toBeNull()
  expect(resultOf([item(1, 'passed'), item(2, 'complete')])).toBeNull()
  expect(resultOf([item(1, 'passed'), item(2, 'failed')])).toBe('failed')
  expect(resultOf([item(1, 'failed'), item(2, 'passed', 1)])).toBe('passed')
  expect(resultOf([item(1, 'failed'), item(2, 'failed', 1), item(3, 'open', 2)])).toBeNull()
  expect(counting([item(1, 'failed'), item(2, 'passed', 1)]).map(({ id }) => id)).toEqual([2])
})

test('runs from the template to re-inspection, work order and certificate', async () => {
  const request = { templateId, subjectId: hydrantId, location: noLocation, ...when }
  expect((await callApi('schedule/inspection', request)).status).toBe(404)
  expect((await callApi('publish/inspection/items', { templateId, definition })).body.version).toBe(1)
  expect((await callApi('publish/inspection/items', { templateId, definition }, staff)).status).toBe(403)
  expect((await callApi('schedule/inspection', { ...request, subjectId: 4711 })).status).toBe(404)
  expect((await callApi('schedule/inspection', { ...request, assignedTo: 4711 })).status).toBe(422)
  const { inspectionId } = (await callApi('schedule/inspection', request, staff)).body
  const { rows: scheduled } = await portal.owner.query(
    `SELECT title, status FROM scheduled_item WHERE source_kind = 'inspection' AND source_id = $1`,
    [inspectionId],
  )
  expect(scheduled).toEqual([{ title: 'Hydrant, yearly: Hydrant H-1', status: 'not_started' }])
  const [valve, caps] = (await loadInspection(inspectionId)).items
  const step = (item: { id: number }, event: string) =>
    callApi('transition/inspection/item', { itemId: item.id, event }, staff)

  // An item needs its required answers before `complete`, and `complete` before `pass`.
  expect((await step(valve, 'complete')).status).toBe(422)
  expect((await step(valve, 'pass')).status).toBe(409)
  const saveTurns = (turns: unknown) =>
    callApi('answer/inspection/item', { itemId: valve.id, answers: { turns }, note: 'Stiff' })
  expect((await saveTurns('many')).status).toBe(422)
  expect((await saveTurns(14)).status).toBe(200)
  expect((await step(valve, 'complete')).status).toBe(200)
  expect((await callApi('transition/inspection', { inspectionId, event: 'finish' })).status).toBe(409)
  await step(valve, 'pass')
  await step(caps, 'complete')
  const fail = { itemId: caps.id, reason: 'A cap is missing', openOrder: true, severity: 0 }
  const failed = await Promise.all([callApi('fail/inspection/item', fail), callApi('fail/inspection/item', fail)])
  expect(failed.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { rows: orders } = await portal.owner.query(
    `SELECT title, severity, location, asset_kind, asset_id::int, source_id::int FROM work_order`,
  )
  expect(orders).toEqual([
    {
      ...{ title: 'Caps: Hydrant H-1', severity: 0, location: 'Elm Street 4' },
      ...{ asset_kind: 'hydrant', asset_id: hydrantId, source_id: caps.id },
    },
  ])

  expect((await callApi('transition/inspection', { inspectionId, event: 'finish' })).body.message).toContain('Failed')
  expect((await step(caps, 'complete')).status).toBe(409)
  expect((await callApi('print/inspection/certificate', { inspectionId })).status).toBe(409)
  const hydrant = async () => (await callApi('return/hydrant', { hydrantId })).body.form
  expect(await hydrant()).toMatchObject({ nextInspectionOn: '' })
  const again = await Promise.all([1, 2].map(() => callApi('repeat/inspection', { inspectionId, ...when })))
  expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const secondId = again.find(({ status }) => status === 200)?.body.inspectionId
  const { items, again: linked } = await loadInspection(secondId)
  expect(linked.of.id).toBe(inspectionId)
  expect(items).toMatchObject([
    { title: 'Caps', status: 'open', repeats: { status: 'failed', reason: 'A cap is missing' } },
  ])

  // Repeating an item creates one linked open item. Only the new item counts.
  await step(items[0], 'complete')
  await callApi('fail/inspection/item', { ...fail, itemId: items[0].id, openOrder: false })
  const repeats = await Promise.all([1, 2].map(() => callApi('repeat/inspection/item', { itemId: items[0].id })))
  expect(repeats.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const repeated = { id: repeats.find(({ status }) => status === 200)?.body.itemId }
  expect((await callApi('transition/inspection', { inspectionId: secondId, event: 'finish' })).status).toBe(409)
  await step(repeated, 'complete')
  await step(repeated, 'pass')
  expect((await callApi('transition/inspection', { inspectionId: secondId, event: 'finish' })).body.message).toContain(
    'Passed',
  )
  const { lastInspectedOn, nextInspectionOn } = await hydrant()
  expect(lastInspectedOn).not.toBe('')
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  expect(months(nextInspectionOn) - months(lastInspectedOn)).toBe(6)
  const { url } = (await callApi('print/inspection/certificate', { inspectionId: secondId })).body
  const pdf = await portal.app.inject({ url, headers: { host: HOST } })
  expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
})

test('names the unanswered question of an incomplete item', async () => {
  const request = { templateId, subjectId: hydrantId, location: noLocation, ...when }
  const { inspectionId } = (await callApi('schedule/inspection', request)).body
  const [valve] = (await loadInspection(inspectionId)).items
  const { status, body } = await callApi('transition/inspection/item', { itemId: valve.id, event: 'complete' })
  expect([status, body.message]).toEqual([422, 'One answer needs correction: “Turns to open”.'])
  expect(Object.keys(body.details.fields)).toEqual(['turns'])
})

test('shows equal counts of decided items in list and details', async () => {
  const request = { templateId, subjectId: hydrantId, location: noLocation, ...when }
  const { inspectionId } = (await callApi('schedule/inspection', request)).body
  const [, caps] = (await loadInspection(inspectionId)).items
  for (const event of ['complete', 'pass']) await callApi('transition/inspection/item', { itemId: caps.id, event })
  expect(await loadInspection(inspectionId)).toMatchObject({ countedItems: 2, doneItems: 1 })
  const { rows } = (await callApi('return/inspections', { filters: { status: 'scheduled' }, pageSize: 100 })).body
  const row = rows.find(({ id }: { id: number }) => id === inspectionId)
  expect(row).toMatchObject({ openItems: 1, doneItems: 1 })
})

test('refuses answers and decisions on a repeated item', async () => {
  const request = { templateId, subjectId: hydrantId, location: noLocation, ...when }
  const { inspectionId } = (await callApi('schedule/inspection', request)).body
  const [, caps] = (await loadInspection(inspectionId)).items
  await callApi('transition/inspection/item', { itemId: caps.id, event: 'complete' })
  expect((await callApi('repeat/inspection/item', { itemId: caps.id })).status).toBe(200)
  const tries = await Promise.all([
    callApi('transition/inspection/item', { itemId: caps.id, event: 'pass' }),
    callApi('fail/inspection/item', { itemId: caps.id, reason: 'Loose', openOrder: true, severity: 1 }),
    callApi('answer/inspection/item', { itemId: caps.id, answers: { greased: true }, note: 'Overdue' }),
    callApi('repeat/inspection/item', { itemId: caps.id }),
  ])
  for (const { status, body } of tries)
    expect([status, body.message]).toEqual([
      409,
      '“Caps” was rechecked later. Only the newer result counts, so you cannot change the earlier result.',
    ])
  const { items } = await loadInspection(inspectionId)
  expect(items[1]).toMatchObject({ status: 'complete', note: '', can: { edit: false, repeat: false } })
  expect(Object.values(items[1].can.steps)).toEqual([false, false, false])
  expect(items[2].repeats.status).toBe('complete')
})

test('updates the calendar when an inspection moves or is cancelled', async () => {
  const request = { templateId, subjectId: hydrantId, location: noLocation, ...when }
  const { inspectionId } = (await callApi('schedule/inspection', request)).body
  const item = async () =>
    (
      await portal.owner.query(
        `SELECT starts_at FROM scheduled_item WHERE source_kind = 'inspection' AND source_id = $1`,
        [inspectionId],
      )
    ).rows
  await callApi('save/inspection', { inspectionId, ...when, dueOn: '2027-04-02', startTime: '14:30' })
  expect((await item())[0].starts_at.toISOString()).toBe('2027-04-02T18:30:00.000Z')
  const inspections = (
    await callApi('return/inspections', { filters: { fromDate: '2027-04-01', status: 'scheduled' } })
  ).body.rows
  expect(inspections.map(({ id }: { id: number }) => id)).toEqual([inspectionId])
  expect((await callApi('transition/inspection', { inspectionId, event: 'cancel' })).status).toBe(422)
  expect((await callApi('transition/inspection', { inspectionId, event: 'cancel', reason: 'Not needed' })).status).toBe(
    200,
  )
  expect(await item()).toEqual([])
  expect((await callApi('save/inspection', { inspectionId, ...when })).status).toBe(409)
})

test('asks a conditional item only when needed, and can finish without it', async () => {
  const leak = { ...blankField('checkbox', 'leaks'), label: 'It leaks' }
  const definition = {
    steps: [
      { ...blankStep('barrel'), title: 'Barrel', fields: [leak] },
      {
        ...blankStep('gasket'),
        title: 'Gasket',
        showWhen: whenAll({ filled: [{ var: 'leaks' }] }),
        fields: [{ ...blankField('number', 'size'), label: 'Size', required: true }],
      },
    ],
  }
  const template = { name: 'Barrel', subjectKind: 'hydrant', everyMonths: 6, isActive: true, certificate: '' }
  const { templateId: id } = (await callApi('add/inspection/template', template)).body
  await callApi('save/inspection/items', { templateId: id, definition })
  expect((await callApi('publish/inspection/items', { templateId: id, definition })).status).toBe(200)
  const request = { templateId: id, subjectId: hydrantId, location: noLocation, ...when }
  const { inspectionId } = (await callApi('schedule/inspection', request)).body
  const [barrel, gasket] = (await loadInspection(inspectionId)).items
  expect(gasket).toMatchObject({
    skipReason: 'Not applicable because of the answer to: It leaks',
    can: { edit: false },
  })
  const step = (item: { id: number }, event: string) =>
    callApi('transition/inspection/item', { itemId: item.id, event })
  const answerLeaks = (leaks: boolean) =>
    callApi('answer/inspection/item', { itemId: barrel.id, answers: { leaks }, note: '' })
  const finish = () => callApi('transition/inspection', { inspectionId, event: 'finish' })
  const size = { itemId: gasket.id, answers: { size: 5 }, note: '' }
  expect((await callApi('answer/inspection/item', size)).body.message).toContain('“Gasket”: Not applicable')
  expect((await step(gasket, 'complete')).status).toBe(409)

  // The gasket item is required only while the hydrant leaks.
  await answerLeaks(true)
  expect((await loadInspection(inspectionId)).items[1]).toMatchObject({ skipReason: '', can: { edit: true } })
  expect((await callApi('answer/inspection/item', size)).status).toBe(200)
  await step(barrel, 'complete')
  await step(barrel, 'pass')
  expect((await finish()).status).toBe(409)
  const { inspectionId: dry } = (await callApi('schedule/inspection', request)).body
  const [dryBarrel] = (await loadInspection(dry)).items
  await step(dryBarrel, 'complete')
  await step(dryBarrel, 'pass')
  expect((await loadInspection(dry)).can.steps.finish).toBe(true)
  expect((await callApi('transition/inspection', { inspectionId: dry, event: 'finish' })).status).toBe(200)

  const answeredItem = { id: 9, step: 'gasket', answers: {}, status: 'open' as const, repeatOf: null }
  expect([...skippedItems(definition, [answeredItem], '2027-03-01').keys()]).toEqual([])
  const first = { ...answeredItem, id: 8, step: 'barrel' }
  expect([...skippedItems(definition, [first, answeredItem], '2027-03-01').keys()]).toEqual([9])
  expect(skippedItems(definition, [first, { ...answeredItem, status: 'failed' }], '2027-03-01').size).toBe(0)
})

test('passes an open item with the numbers of its row, and records that it was complete', async () => {
  const { inspectionId } = (
    await callApi('schedule/inspection', { templateId, subjectId: hydrantId, location: noLocation, ...when })
  ).body
  const [valve, caps] = (await loadInspection(inspectionId)).items
  expect([valve.can.steps.fail, caps.can.steps.fail]).toEqual([true, true])
  const pass = (item: { id: number }, row: object = {}) =>
    callApi('pass/inspection/item', { itemId: item.id, ...row }, staff)
  // Nothing is saved if a required answer is missing, and the sentence names the answer.
  expect((await pass(valve)).body.message).toContain('“Turns to open”')
  expect((await pass(valve, { answers: { turns: 'many' } })).status).toBe(422)
  // The rest leaves out the item without its answer.
  const rest = await callApi('pass/inspection/items', { inspectionId }, staff)
  expect(rest.body).toMatchObject({ passed: 1, skipped: ['Valve'] })
  expect(rest.body.message).toBe('1 item passed. These items need an answer first: Valve.')
  const basis = { answers: {}, note: '' }
  const both = await Promise.all([14, 15].map((turns) => pass(valve, { answers: { turns }, basis })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { items, doneItems } = await loadInspection(inspectionId)
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['passed', 'passed'])
  expect([14, 15]).toContain(items[0].answers.turns)
  expect(doneItems).toBe(2)
  const { rows } = await portal.owner.query(
    `SELECT subject_id::int AS id, event FROM status_history WHERE machine = 'checklist_item' AND subject_id = ANY ($1) ORDER BY id`,
    [[valve.id, caps.id]],
  )
  for (const { id } of [valve, caps])
    expect(rows.filter((row) => row.id === id).map(({ event }) => event)).toEqual(['add', 'complete', 'pass'])
  expect((await callApi('pass/inspection/items', { inspectionId }, staff)).body).toMatchObject({
    passed: 0,
    skipped: [],
  })
  await callApi('transition/inspection', { inspectionId, event: 'finish' })
  expect((await pass(caps)).status).toBe(409)
})

test('fails an open item together with the numbers of its row', async () => {
  const { inspectionId } = (
    await callApi('schedule/inspection', { templateId, subjectId: hydrantId, location: noLocation, ...when })
  ).body
  const [valve] = (await loadInspection(inspectionId)).items
  const fail = { itemId: valve.id, reason: 'It leaks', openOrder: false, severity: 1 }
  expect((await callApi('fail/inspection/item', fail)).status).toBe(422)
  const answers = { answers: { turns: 9 }, basis: { answers: {}, note: '' } }
  expect((await callApi('fail/inspection/item', { ...fail, ...answers })).status).toBe(200)
  expect((await loadInspection(inspectionId)).items[0]).toMatchObject({ status: 'failed', answers: { turns: 9 } })
})

test.each([
  ['pass', {}],
  ['fail', { reason: 'It leaks', openOrder: false, severity: 1 }],
  ['transition', { event: 'complete' }],
])('offers both numbers at %s if another person saved a number since the row was opened', async (step, rest) => {
  const { inspectionId } = (
    await callApi('schedule/inspection', { templateId, subjectId: hydrantId, location: noLocation, ...when })
  ).body
  const [valve] = (await loadInspection(inspectionId)).items
  await callApi('answer/inspection/item', { itemId: valve.id, answers: { turns: 12 }, note: '' })
  const late = { ...rest, itemId: valve.id, answers: { turns: 14 }, basis: { answers: {}, note: '' } }
  expect(await callApi(`${step}/inspection/item`, late, staff)).toMatchObject({
    status: 409,
    body: { code: 'edit_conflict', details: { fieldConflicts: [{ field: 'turns', own: 14, others: 12 }] } },
  })
  expect((await loadInspection(inspectionId)).items[0]).toMatchObject({ status: 'open', answers: { turns: 12 } })
  const seen = { ...late, basis: { answers: { turns: 12 }, note: '' } }
  expect((await callApi(`${step}/inspection/item`, seen, staff)).status).toBe(200)
  expect((await loadInspection(inspectionId)).items[0].answers).toEqual({ turns: 14 })
})
