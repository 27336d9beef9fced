import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { blankField, blankStep, whenAll } from '../../shared/fields/blank.ts'
import { testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import { counting, notAsked, resultOf } from './rules.ts'
import type { ItemStatus } from './states.ts'

/** An inspection of a hydrant from its template to its certificate, with an item that fails and is looked at again. */

const TOWN = 'maplegrove.localhost'
const portal = await testPortal()
let [admin, staff, templateId, hydrantId] = ['', '', 0, 0]

const ask = (path: string, body: object = {}, token = admin) =>
  portal.post(TOWN, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })
const noPlace = { text: '', addressId: null, lat: null, lon: null, metres: null }
const when = { dueOn: '2027-03-01', startTime: '09:00', assignedTo: null }
const show = async (inspectionId: number) => (await ask('return/inspection', { inspectionId })).body

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
  await openTestTown(portal, mapleGrove)
  admin = await portal.signIn(TOWN, 'admin@maplegrove.example')
  staff = await portal.signIn(TOWN, 'staff@maplegrove.example')
  const facts = { make: '', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: '' }
  const hydrant = { ...facts, number: 'H-1', place: { ...noPlace, text: 'Elm Street 4' } }
  hydrantId = (await ask('add/hydrant', { ...hydrant, lastInspectedOn: '', nextInspectionOn: '' })).body.hydrantId
  const template = { name: 'Hydrant, yearly', subjectKind: 'hydrant', everyMonths: 6, isActive: true }
  templateId = (await ask('add/inspection/template', { ...template, certificate: 'It was found in order.' })).body
    .templateId
  await ask('save/inspection/items', { templateId, definition })
})

test('what an inspection comes to follows from the items that count', () => {
  const item = (id: number, status: ItemStatus, repeatOf: number | null = null) => ({ id, status, repeatOf })
  expect(resultOf([])).toBeNull()
  expect(resultOf([item(1, 'passed'), item(2, 'complete')])).toBeNull()
  expect(resultOf([item(1, 'passed'), item(2, 'failed')])).toBe('failed')
  expect(resultOf([item(1, 'failed'), item(2, 'passed', 1)])).toBe('passed')
  expect(resultOf([item(1, 'failed'), item(2, 'failed', 1), item(3, 'open', 2)])).toBeNull()
  expect(counting([item(1, 'failed'), item(2, 'passed', 1)]).map(({ id }) => id)).toEqual([2])
})

test('from the template to the re-inspection, its work order and its certificate', async () => {
  const wanted = { templateId, subjectId: hydrantId, place: noPlace, ...when }
  expect((await ask('schedule/inspection', wanted)).status).toBe(404)
  expect((await ask('publish/inspection/items', { templateId, definition })).body.version).toBe(1)
  expect((await ask('publish/inspection/items', { templateId, definition }, staff)).status).toBe(403)
  expect((await ask('schedule/inspection', { ...wanted, subjectId: 4711 })).status).toBe(404)
  expect((await ask('schedule/inspection', { ...wanted, assignedTo: 4711 })).status).toBe(422)
  const { inspectionId } = (await ask('schedule/inspection', wanted, staff)).body
  const { rows: scheduled } = await portal.owner.query(
    `SELECT title, status FROM scheduled_item WHERE source_kind = 'inspection' AND source_id = $1`,
    [inspectionId],
  )
  expect(scheduled).toEqual([{ title: 'Hydrant, yearly: Hydrant H-1', status: 'not_started' }])
  const [valve, caps] = (await show(inspectionId)).items
  const step = (item: { id: number }, event: string) => ask('move/inspection/item', { itemId: item.id, event }, staff)

  // What has to be answered is answered first; pass comes after complete alone.
  expect((await step(valve, 'complete')).status).toBe(422)
  expect((await step(valve, 'pass')).status).toBe(409)
  const answered = (turns: unknown) =>
    ask('answer/inspection/item', { itemId: valve.id, answers: { turns }, note: 'Stiff' })
  expect((await answered('many')).status).toBe(422)
  expect((await answered(14)).status).toBe(200)
  expect((await step(valve, 'complete')).status).toBe(200)
  expect((await ask('move/inspection', { inspectionId, event: 'finish' })).status).toBe(409)
  await step(valve, 'pass')
  await step(caps, 'complete')
  const fail = { itemId: caps.id, reason: 'A cap is missing', openOrder: true, severity: 0 }
  const failed = await Promise.all([ask('fail/inspection/item', fail), ask('fail/inspection/item', fail)])
  expect(failed.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { rows: orders } = await portal.owner.query(
    `SELECT title, severity, place, asset_kind, asset_id::int, source_id::int FROM work_order`,
  )
  expect(orders).toEqual([
    {
      ...{ title: 'Caps: Hydrant H-1', severity: 0, place: 'Elm Street 4' },
      ...{ asset_kind: 'hydrant', asset_id: hydrantId, source_id: caps.id },
    },
  ])

  expect((await ask('move/inspection', { inspectionId, event: 'finish' })).body.message).toContain('Failed')
  expect((await step(caps, 'complete')).status).toBe(409)
  expect((await ask('print/inspection/certificate', { inspectionId })).status).toBe(409)
  const hydrant = async () => (await ask('return/hydrant', { hydrantId })).body.form
  expect(await hydrant()).toMatchObject({ nextInspectionOn: '' })
  const again = await Promise.all([1, 2].map(() => ask('inspect/again', { inspectionId, ...when })))
  expect(again.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const secondId = again.find(({ status }) => status === 200)?.body.inspectionId
  const { items, again: linked } = await show(secondId)
  expect(linked.of.id).toBe(inspectionId)
  expect(items).toMatchObject([
    { title: 'Caps', status: 'open', repeats: { status: 'failed', reason: 'A cap is missing' } },
  ])

  // Repeat makes a linked new open item, once, and it is what counts.
  await step(items[0], 'complete')
  await ask('fail/inspection/item', { ...fail, itemId: items[0].id, openOrder: false })
  const repeats = await Promise.all([1, 2].map(() => ask('repeat/inspection/item', { itemId: items[0].id })))
  expect(repeats.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const repeated = { id: repeats.find(({ status }) => status === 200)?.body.itemId }
  expect((await ask('move/inspection', { inspectionId: secondId, event: 'finish' })).status).toBe(409)
  await step(repeated, 'complete')
  await step(repeated, 'pass')
  expect((await ask('move/inspection', { inspectionId: secondId, event: 'finish' })).body.message).toContain('Passed')
  const { lastInspectedOn, nextInspectionOn } = await hydrant()
  expect(lastInspectedOn).not.toBe('')
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  expect(months(nextInspectionOn) - months(lastInspectedOn)).toBe(6)
  const { url } = (await ask('print/inspection/certificate', { inspectionId: secondId })).body
  const pdf = await portal.app.inject({ url, headers: { host: TOWN } })
  expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
})

test('an incomplete item names the question that lacks an answer', async () => {
  const wanted = { templateId, subjectId: hydrantId, place: noPlace, ...when }
  const { inspectionId } = (await ask('schedule/inspection', wanted)).body
  const [valve] = (await show(inspectionId)).items
  const { status, body } = await ask('move/inspection/item', { itemId: valve.id, event: 'complete' })
  expect([status, body.message]).toEqual([422, 'One answer needs another look: “Turns to open”.'])
  expect(Object.keys(body.details.fields)).toEqual(['turns'])
})

test('counts the decided items of an inspection in the list as on its page', async () => {
  const wanted = { templateId, subjectId: hydrantId, place: noPlace, ...when }
  const { inspectionId } = (await ask('schedule/inspection', wanted)).body
  const [, caps] = (await show(inspectionId)).items
  for (const event of ['complete', 'pass']) await ask('move/inspection/item', { itemId: caps.id, event })
  expect(await show(inspectionId)).toMatchObject({ askedItems: 2, doneItems: 1 })
  const { rows } = (await ask('return/inspections', { filters: { status: 'scheduled' }, pageSize: 100 })).body
  const row = rows.find(({ id }: { id: number }) => id === inspectionId)
  expect(row).toMatchObject({ openItems: 1, doneItems: 1 })
})

test('a repeated item accepts no further answer or decision', async () => {
  const wanted = { templateId, subjectId: hydrantId, place: noPlace, ...when }
  const { inspectionId } = (await ask('schedule/inspection', wanted)).body
  const [, caps] = (await show(inspectionId)).items
  await ask('move/inspection/item', { itemId: caps.id, event: 'complete' })
  expect((await ask('repeat/inspection/item', { itemId: caps.id })).status).toBe(200)
  const tries = await Promise.all([
    ask('move/inspection/item', { itemId: caps.id, event: 'pass' }),
    ask('fail/inspection/item', { itemId: caps.id, reason: 'Loose', openOrder: true, severity: 1 }),
    ask('answer/inspection/item', { itemId: caps.id, answers: { greased: true }, note: 'Late' }),
    ask('repeat/inspection/item', { itemId: caps.id }),
  ])
  for (const { status, body } of tries)
    expect([status, body.message]).toEqual([
      409,
      '“Caps” was repeated. The repetition decides, so this item stays as it is.',
    ])
  const { items } = await show(inspectionId)
  expect(items[1]).toMatchObject({ status: 'complete', note: '', can: { edit: false, repeat: false } })
  expect(Object.values(items[1].can.steps)).toEqual([false, false, false])
  expect(items[2].repeats.status).toBe('complete')
})

test('an inspection that is cancelled leaves the calendar, and one that moves takes its item along', async () => {
  const wanted = { templateId, subjectId: hydrantId, place: noPlace, ...when }
  const { inspectionId } = (await ask('schedule/inspection', wanted)).body
  const item = async () =>
    (
      await portal.owner.query(
        `SELECT starts_at FROM scheduled_item WHERE source_kind = 'inspection' AND source_id = $1`,
        [inspectionId],
      )
    ).rows
  await ask('save/inspection', { inspectionId, ...when, dueOn: '2027-04-02', startTime: '14:30' })
  expect((await item())[0].starts_at.toISOString()).toBe('2027-04-02T18:30:00.000Z')
  const found = (await ask('return/inspections', { filters: { fromDate: '2027-04-01', status: 'scheduled' } })).body
    .rows
  expect(found.map(({ id }: { id: number }) => id)).toEqual([inspectionId])
  expect((await ask('move/inspection', { inspectionId, event: 'cancel' })).status).toBe(422)
  expect((await ask('move/inspection', { inspectionId, event: 'cancel', reason: 'Not needed' })).status).toBe(200)
  expect(await item()).toEqual([])
  expect((await ask('save/inspection', { inspectionId, ...when })).status).toBe(409)
})

test('an item whose step depends on another answer is asked only then, and keeps nobody from finishing', async () => {
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
  const { templateId: id } = (await ask('add/inspection/template', template)).body
  await ask('save/inspection/items', { templateId: id, definition })
  expect((await ask('publish/inspection/items', { templateId: id, definition })).status).toBe(200)
  const wanted = { templateId: id, subjectId: hydrantId, place: noPlace, ...when }
  const { inspectionId } = (await ask('schedule/inspection', wanted)).body
  const [barrel, gasket] = (await show(inspectionId)).items
  expect(gasket).toMatchObject({ notAsked: 'Not asked, by what is answered to: It leaks.', can: { edit: false } })
  const step = (item: { id: number }, event: string) => ask('move/inspection/item', { itemId: item.id, event })
  const says = (leaks: boolean) => ask('answer/inspection/item', { itemId: barrel.id, answers: { leaks }, note: '' })
  const finish = () => ask('move/inspection', { inspectionId, event: 'finish' })
  const size = { itemId: gasket.id, answers: { size: 5 }, note: '' }
  expect((await ask('answer/inspection/item', size)).body.message).toContain('“Gasket”: Not asked')
  expect((await step(gasket, 'complete')).status).toBe(409)

  // While it leaks the gasket has to be looked at; once it does not, the inspection comes to its end without it.
  await says(true)
  expect((await show(inspectionId)).items[1]).toMatchObject({ notAsked: '', can: { edit: true } })
  expect((await ask('answer/inspection/item', size)).status).toBe(200)
  await step(barrel, 'complete')
  await step(barrel, 'pass')
  expect((await finish()).status).toBe(409)
  const { inspectionId: dry } = (await ask('schedule/inspection', wanted)).body
  const [dryBarrel] = (await show(dry)).items
  await step(dryBarrel, 'complete')
  await step(dryBarrel, 'pass')
  expect((await show(dry)).can.steps.finish).toBe(true)
  expect((await ask('move/inspection', { inspectionId: dry, event: 'finish' })).status).toBe(200)

  const asked = { id: 9, step: 'gasket', answers: {}, status: 'open' as const, repeatOf: null }
  expect([...notAsked(definition, [asked], '2027-03-01').keys()]).toEqual([])
  const first = { ...asked, id: 8, step: 'barrel' }
  expect([...notAsked(definition, [first, asked], '2027-03-01').keys()]).toEqual([9])
  expect(notAsked(definition, [first, { ...asked, status: 'failed' }], '2027-03-01').size).toBe(0)
})
