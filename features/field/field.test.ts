import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { FieldConflict } from '../../shared/edits.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import { noting, type Statement } from '../../test/noting.ts'
import { openTestCompany } from '../../test/company.ts'
import { sampleOf } from '../../test/layers.ts'

/** Tests two people who change one hydrant and one work order offline. Their actions arrive in every possible order. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
let [admin, staff, resident, elsewhere] = ['', '', '', '']
const noLocation = { text: '', addressId: null, lat: null, lon: null, metres: null }

const newId = () => randomBytes(16).toString('hex')
const callApi = (path: string, body: object = {}, token = admin, key = newId()) =>
  portal.post(HOST, `muni/${path}`, body, { token, headers: { 'idempotency-key': key } })

beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  admin = await portal.signIn(HOST, 'admin@maplegrove.example')
  staff = await portal.signIn(HOST, 'staff@maplegrove.example')
  resident = await portal.signIn(HOST, 'resident@maplegrove.example')
  elsewhere = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
})

let made = 0
async function createRecords() {
  const plain = { make: 'Clow', model: '', madeYear: '', sizeInches: '', mainInches: '', notes: 'As it was' }
  const days = { lastInspectedOn: '', nextInspectionOn: '' }
  const hydrant = (await callApi('add/hydrant', { ...plain, number: `F-${++made}`, location: noLocation, ...days }))
    .body.hydrantId
  const orderData = { title: 'Mend it', description: 'As it was', kind: 'repair', severity: 1, location: noLocation }
  const orderDefaults = { assetName: '', dueOn: '', departmentId: null, assignedTo: null }
  const opened = await callApi('open/work/order', {
    ...orderData,
    ...orderDefaults,
    checklist: ['Close the lane', 'Dig'],
  })
  return { hydrantId: hydrant as number, orderId: opened.body.orderId as number }
}
type FieldRecords = Awaited<ReturnType<typeof createRecords>>
const hydrantOf = async ({ hydrantId }: FieldRecords) => (await callApi('return/hydrant', { hydrantId })).body
const orderOf = async ({ orderId }: FieldRecords) => (await callApi('return/work/order', { orderId })).body

interface Action {
  id: string
  token: string
  path: string
  body: object
  part: 'hydrant' | 'order'
  subjectId: number
  /** Texts that must not get lost. */
  requiredTexts: string[]
}

/**
 * Sends an action with its id, as the phone does. If the server refuses the action, saves it as a conflict. `twice`
 * repeats each call, as after a lost response.
 */
async function send(
  { id, token, path, body, part, subjectId }: Action,
  { twice }: { twice: boolean },
): Promise<ApiResponse> {
  const first = await callApi(path, body, token, id)
  const response = twice ? await callApi(path, body, token, id) : first
  if (response.status === 200) return response
  expect([409, 422]).toContain(response.status)
  const conflictInput = {
    ...{ id, part, subjectId, subjectName: `${part} ${subjectId}`, label: path, call: `muni/${path}`, body },
    ...{ refusal: response.body.message, fieldConflicts: response.body.details?.fieldConflicts ?? [] },
    madeAt: '2026-11-20T08:00:00.000Z',
  }
  const transferred = await callApi('save/field/conflict', conflictInput, token, id)
  expect(transferred.status).toBe(200)
  if (twice)
    expect((await callApi('save/field/conflict', conflictInput, token, newId())).body).toEqual(transferred.body)
  return response
}

/** Returns the actions of one device, based on the data that the device had downloaded. */
async function doneBy(name: 'Ada' | 'Bo', token: string, on: FieldRecords, tall: boolean): Promise<Action[]> {
  const [{ form }, { details }] = [await hydrantOf(on), await orderOf(on)]
  const mark = `${name} ${newId().slice(0, 8)}`
  const hydrant = (path: string, body: object, texts: string[]): Action => ({
    ...{ id: newId(), token, path, part: 'hydrant', subjectId: on.hydrantId, requiredTexts: texts },
    body: { hydrantId: on.hydrantId, ...body },
  })
  const order = (path: string, body: object, texts: string[]): Action => ({
    ...{ id: newId(), token, path, part: 'order', subjectId: on.orderId, requiredTexts: texts },
    body: { orderId: on.orderId, ...body },
  })
  const own = name === 'Ada' ? { make: `${mark} M` } : { model: `${mark} M` }
  return [
    hydrant('save/hydrant', { ...form, ...own, notes: `${mark} N`, basis: form }, [`${mark} N`, `${mark} M`]),
    order('save/work/order', { ...details, description: `${mark} D`, basis: details }, [`${mark} D`]),
    order('add/work/task', { text: `${mark} T` }, [`${mark} T`]),
    ...(tall ? [order('change/work/order/status', { event: 'start' }, [])] : []),
  ]
}

/** Returns every interleaving of two people's actions that keeps each person's order. */
function orders<T>(one: readonly T[], other: readonly T[]): T[][] {
  const [[a, ...as], [b, ...bs]] = [one, other]
  if (a === undefined || b === undefined) return [[...one, ...other]]
  return [...orders(as, other).map((rest) => [a, ...rest]), ...orders(one, bs).map((rest) => [b, ...rest])]
}

/**
 * Returns everything stored about the hydrant and the work order as JSON text: their rows, the order's tasks and the
 * sync conflicts of both.
 */
async function written({ hydrantId, orderId }: FieldRecords): Promise<string> {
  const { rows } = await portal.owner.query<{ text: string }>(
    `SELECT row_to_json(x)::text AS text FROM hydrant x WHERE id = $1
     UNION ALL SELECT row_to_json(x)::text FROM work_order x WHERE id = $2
     UNION ALL SELECT row_to_json(x)::text FROM work_order_task x WHERE order_id = $2
     UNION ALL SELECT row_to_json(x)::text FROM field_conflict x WHERE (part, subject_id) IN (('hydrant', $1::bigint), ('order', $2::bigint))`,
    [hydrantId, orderId],
  )
  return rows.map(({ text }) => text).join('\n')
}

test('loses and repeats no action, in whatever order two devices sync', async () => {
  const tall = Boolean(process.env['NIGHTLY'])
  const interleavings = orders(
    ['Ada', 'Ada', 'Ada', ...(tall ? ['Ada'] : [])],
    ['Bo', 'Bo', 'Bo', ...(tall ? ['Bo'] : [])],
  )
  expect(interleavings).toHaveLength(tall ? 70 : 20)
  for (const [index, names] of sampleOf(interleavings).entries()) {
    const on = await createRecords()
    const [ada, bo] = [await doneBy('Ada', admin, on, tall), await doneBy('Bo', staff, on, tall)]
    const rest = { Ada: [...ada], Bo: [...bo] }
    for (const [n, name] of names.entries()) {
      const action = rest[name as 'Ada' | 'Bo'].shift()
      if (action) await send(action, { twice: (n + index) % 2 === 0 })
    }
    const writtenText = await written(on)
    for (const { requiredTexts } of [...ada, ...bo])
      for (const text of requiredTexts) expect(writtenText).toContain(text)
    const { tasks, details } = await orderOf(on)
    expect(tasks).toHaveLength(4)
    const first = (path: string) => (names[0] === 'Ada' ? ada : bo).find((one) => one.path === path)
    if (first('save/work/order') && names[0] === names[1])
      expect(details.description).toBe(first('save/work/order')?.requiredTexts[0])
    const { rows } = await portal.owner.query(
      `SELECT part, count(*)::int FROM field_conflict WHERE (part, subject_id) IN (('hydrant', $1::bigint), ('order', $2::bigint)) GROUP BY part ORDER BY 1`,
      [on.hydrantId, on.orderId],
    )
    expect(rows).toEqual([
      { part: 'hydrant', count: 1 },
      { part: 'order', count: tall ? 2 : 1 },
    ])
  }
})

test('applies one choice: the phone’s value, the current value, or both', async () => {
  const on = await createRecords()
  const [ada, bo] = [await doneBy('Ada', admin, on, false), await doneBy('Bo', staff, on, false)]
  for (const action of [...ada, ...bo]) await send(action, { twice: false })
  const list = await callApi('return/field/conflicts', { filters: { status: 'open' } })
  expect(list.body.rows[0]).toMatchObject({ status: 'open' })
  const openConflicts = await portal.owner.query<{ id: number; subject_name: string }>(
    'SELECT id::int, subject_name FROM field_conflict',
  )
  const about = (subject: string) => openConflicts.rows.find(({ subject_name }) => subject_name === subject)?.id
  const ofHydrant = about(`hydrant ${on.hydrantId}`)
  const conflict = (await callApi('return/field/conflict', { conflictId: ofHydrant })).body
  expect(conflict).toMatchObject({ status: 'open', by: 'Elena Kowalski', can: { decide: true } })
  expect(conflict.fieldConflicts).toMatchObject([
    { field: 'notes', own: bo[0]?.requiredTexts[0], others: ada[0]?.requiredTexts[0] },
  ])
  // Another person writes a third value. A value that the staff member has not seen is never overwritten.
  const { form } = await hydrantOf(on)
  await callApi('save/hydrant', { ...form, notes: 'A third', hydrantId: on.hydrantId, basis: form })
  const late = await callApi('resolve/field/conflict', { conflictId: ofHydrant, choice: 'own' })
  expect(late.status).toBe(409)
  expect(late.body.details.fieldConflicts).toMatchObject([{ field: 'notes', others: 'A third' }])
  const both = { conflictId: ofHydrant, choice: 'own', seen: { notes: 'A third' } }
  const responses = await Promise.all([
    callApi('resolve/field/conflict', both),
    callApi('resolve/field/conflict', both, staff),
  ])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  // The other changes of both people remain.
  expect((await hydrantOf(on)).form).toMatchObject({
    notes: bo[0]?.requiredTexts[0],
    make: ada[0]?.requiredTexts[1],
    model: bo[0]?.requiredTexts[1],
  })
  const ofOrder = about(`order ${on.orderId}`)
  expect(
    (await callApi('resolve/field/conflict', { conflictId: ofOrder, choices: { description: 'both' } })).status,
  ).toBe(200)
  expect((await orderOf(on)).details.description).toBe(`${ada[1]?.requiredTexts[0]}\n\n${bo[1]?.requiredTexts[0]}`)
  const { rows } = await portal.owner.query(
    `SELECT action FROM audit_event WHERE action LIKE 'field.%' AND subject_kind = 'field_conflict' AND subject IN ($1, $2) ORDER BY id`,
    [String(ofHydrant), String(ofOrder)],
  )
  expect(rows.map(({ action }) => action)).toEqual([
    ...['field.conflict_recorded', 'field.conflict_recorded'],
    ...['field.change_applied', 'field.both_applied'],
  ])
})

test('resolves each collided field separately and applies the phone’s other changes', async () => {
  const on = await createRecords()
  const { form } = await hydrantOf(on)
  const { hydrantId } = on
  const save = (changes: object, token = admin) =>
    callApi('save/hydrant', { ...form, ...changes, hydrantId, basis: form }, token)
  await save({ notes: 'Office', make: 'Office', model: 'Office' })
  const phones = { notes: 'Field', make: 'Field', model: 'Field', sizeInches: '6' }
  const body = { ...form, ...phones, hydrantId, basis: form }
  const storeConflict = async (refused: ApiResponse) => {
    const about = { part: 'hydrant', subjectId: hydrantId, subjectName: 'H', label: 'Changed', refusal: 'No' }
    const { fieldConflicts } = refused.body.details
    const made = { ...about, call: 'muni/save/hydrant', body, fieldConflicts, madeAt: '2026-11-20T08:00:00.000Z' }
    return (await callApi('save/field/conflict', { ...made, id: newId() }, staff)).body.conflictId as number
  }
  const conflictId = await storeConflict(await save(phones, staff))
  const resolveConflict = (more: object) => callApi('resolve/field/conflict', { conflictId, ...more })
  expect((await resolveConflict({ choices: { notes: 'both', make: 'others' } })).status).toBe(400)
  expect((await resolveConflict({ choices: { notes: 'both', make: 'both', model: 'own' } })).status).toBe(400)
  const choices = { notes: 'both', make: 'others', model: 'own' }
  // Another person changed a second field that the phone's action also changes. That field needs a choice too.
  const { form: now } = await hydrantOf(on)
  await callApi('save/hydrant', { ...now, sizeInches: '8', hydrantId, basis: now })
  const late = await resolveConflict({ choices })
  expect(late.body.details.fieldConflicts).toMatchObject([{ field: 'sizeInches', own: '6', others: '8' }])
  expect((await hydrantOf(on)).form).toMatchObject({ notes: 'Office', model: 'Office' })
  const all = { choices: { ...choices, sizeInches: 'own' }, seen: { sizeInches: '8' } }
  expect((await resolveConflict(all)).status).toBe(200)
  expect((await hydrantOf(on)).form).toMatchObject({
    ...{ notes: 'Office\n\nField', make: 'Office', model: 'Field', sizeInches: '6' },
  })
  const conflict = (await callApi('return/field/conflict', { conflictId })).body
  expect(conflict.status).toBe('both')
  expect(
    Object.fromEntries(
      conflict.fieldConflicts.map((one: FieldConflict & { chosen: string }) => [one.field, one.chosen]),
    ),
  ).toEqual({
    ...all.choices,
  })
})

test('applies only the phone’s other changes if the other values are chosen', async () => {
  const on = await createRecords()
  const { form } = await hydrantOf(on)
  const { hydrantId } = on
  await callApi('save/hydrant', { ...form, notes: 'Office', hydrantId, basis: form })
  const decidedWith = async (phones: object, choice: object) => {
    const body = { ...form, ...phones, hydrantId, basis: form }
    const { fieldConflicts } = (await callApi('save/hydrant', body, staff)).body.details
    const about = { part: 'hydrant', subjectId: hydrantId, subjectName: 'H', label: 'Changed', refusal: 'No' }
    const made = { ...about, call: 'muni/save/hydrant', body, fieldConflicts, madeAt: '2026-11-20T08:00:00.000Z' }
    const { conflictId } = (await callApi('save/field/conflict', { ...made, id: newId() }, staff)).body
    expect((await callApi('resolve/field/conflict', { conflictId, ...choice })).status).toBe(200)
    const { notes, model } = (await hydrantOf(on)).form
    return [(await callApi('return/field/conflict', { conflictId })).body.status, notes, model]
  }
  const choosingOthers = { choices: { notes: 'others' } }
  expect(await decidedWith({ notes: 'Field' }, choosingOthers)).toEqual(['others', 'Office', ''])
  expect(await decidedWith({ notes: 'Field', model: 'M1' }, { choice: 'others' })).toEqual(['others', 'Office', ''])
  expect(await decidedWith({ notes: 'Field', model: 'M2' }, choosingOthers)).toEqual(['both', 'Office', 'M2'])
})

test('keeps an unseen tick, and accepts two ticks of one line', async () => {
  const { orderId } = await createRecords()
  const tick = (done: boolean, doneBy: string, token = admin) =>
    callApi('tick/work/task', { orderId, no: 1, done, basis: { doneBy } }, token)
  expect((await tick(true, '')).status).toBe(200)
  expect((await tick(true, '', staff)).status).toBe(200)
  const refused = await tick(false, 'Elena Kowalski', staff)
  expect(refused.status).toBe(409)
  expect(refused.body.details.fieldConflicts).toMatchObject([{ field: 'doneBy', own: '', label: 'Close the lane' }])
  const id = newId()
  const conflictInput = {
    id,
    part: 'order',
    subjectId: orderId,
    subjectName: 'Order',
    label: 'Not done',
    refusal: 'No',
  }
  const body = { orderId, no: 1, done: false, basis: { doneBy: 'Elena Kowalski' } }
  const fieldConflicts = refused.body.details.fieldConflicts
  const made = {
    ...conflictInput,
    call: 'muni/tick/work/task',
    body,
    fieldConflicts,
    madeAt: '2026-11-20T08:00:00.000Z',
  }
  const { conflictId } = (await callApi('save/field/conflict', made, staff)).body
  expect((await callApi('resolve/field/conflict', { conflictId, choice: 'own' })).status).toBe(200)
  expect((await callApi('return/work/order', { orderId })).body.tasks[0].doneAt).toBeNull()
})

test('adds a photo once, and lets staff accept a late one', async () => {
  const { orderId } = await createRecords()
  const path = 'muni/attach/work/photo/after'
  const photo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const attach = (to: string, fields: Record<string, string>, key: string) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([new Uint8Array(photo)]), 'after.png')
    return portal.post(HOST, to, form, { token: staff, headers: { 'idempotency-key': key } })
  }
  const id = newId()
  const first = await attach(path, { orderId: String(orderId) }, id)
  expect(first.status).toBe(200)
  expect((await attach(path, { orderId: String(orderId) }, id)).body).toEqual(first.body)
  await callApi('change/work/order/status', { orderId, event: 'invalidate', reason: 'Twice' })
  const late = newId()
  const refused = await attach(path, { orderId: String(orderId) }, late)
  expect(refused.status).toBe(409)
  const about = { part: 'order', subjectId: orderId, subjectName: 'Order', label: 'Photo', refusal: 'Invalid' }
  const made = { ...about, id: late, call: path, body: {}, fieldConflicts: [], madeAt: '2026-11-20T08:00:00.000Z' }
  const { conflictId } = (await callApi('save/field/conflict', made, staff)).body
  for (let n = 0; n < 2; n++) expect((await attach('muni/attach/field/photo', { id: late }, late)).status).toBe(200)
  expect((await callApi('return/field/conflict', { conflictId })).body.preview).toMatch(/^data:image/)
  expect((await callApi('resolve/field/conflict', { conflictId, choice: 'own' })).status).toBe(409)
  await portal.owner.query('UPDATE work_order SET status = 0 WHERE id = $1', [orderId])
  expect((await callApi('resolve/field/conflict', { conflictId, choice: 'own' })).status).toBe(200)
  expect((await callApi('return/work/order', { orderId })).body.photos).toHaveLength(2)
})

test('lists open conflicts only to authorized staff of the company', async () => {
  const on = await createRecords()
  await portal.owner.query(`UPDATE work_order SET due_on = '2020-01-01' WHERE id = $1`, [on.orderId])
  const day = (await callApi('return/field/day')).body
  expect(day.records.order.map(({ id }: { id: number }) => id)).toContain(on.orderId)
  expect(day.records.hydrant.find(({ id }: { id: number }) => id === on.hydrantId)).toMatchObject({
    service: 'in_service',
  })
  expect((await callApi('return/field/day', {}, resident)).status).toBe(403)
  expect((await callApi('resolve/field/conflict', { conflictId: 1, choice: 'own' }, resident)).status).toBe(403)
  const { rows } = await portal.owner.query('SELECT id::int FROM field_conflict LIMIT 1')
  const there = (path: string) =>
    portal.post(
      'harborcity.localhost',
      `muni/${path}`,
      { conflictId: rows[0].id, choice: 'others' },
      { token: elsewhere },
    )
  expect((await there('return/field/conflict')).status).toBe(404)
  expect((await there('resolve/field/conflict')).status).toBe(404)
  const odd = { id: newId(), part: 'order', subjectId: 1, subjectName: '', label: '', refusal: '', fieldConflicts: [] }
  const made = { ...odd, call: 'muni/save/inspection/template', body: {}, madeAt: '2026-11-20T08:00:00.000Z' }
  expect((await callApi('save/field/conflict', made)).status).toBe(400)
})

test('downloads the day in a constant number of queries with complete records', async () => {
  const template = { name: 'Yearly', subjectKind: 'location', everyMonths: 12, isActive: true, certificate: 'In order' }
  const { templateId } = (await callApi('add/inspection/template', template)).body
  const checklistFields = [{ ...blankField('checkbox', 'greased'), label: 'Greased' }]
  const definition = {
    steps: [
      { ...blankStep('valve'), title: 'Valve', fields: checklistFields },
      { ...blankStep('caps'), title: 'Caps', fields: [{ ...blankField('checkbox', 'tight'), label: 'Tight' }] },
    ],
  }
  await callApi('save/inspection/items', { templateId, definition })
  expect((await callApi('publish/inspection/items', { templateId, definition })).status).toBe(200)
  const { rows } = await portal.owner.query<{ id: number }>(
    `SELECT id::int FROM person WHERE lower(email) = 'admin@maplegrove.example'`,
  )
  const me = rows[0]?.id ?? 0
  const { crewId } = (await callApi('save/work/crew', { crewId: null, name: 'Night crew', people: [me], active: true }))
    .body
  let sequence = 0
  /**
   * Creates a work order for a person or a crew, and an inspection with a failed item that opens another work order.
   */
  const more = async () => {
    const location = { ...noLocation, text: `Pier ${++sequence}` }
    const assignment = sequence % 2 === 0 ? { assignedTo: me, crewId: null } : { assignedTo: null, crewId }
    const orderData = {
      title: `Mend ${sequence}`,
      description: '',
      kind: 'repair',
      severity: 1,
      location,
      assetName: '',
      dueOn: '',
    }
    const checklist = [`Dig ${sequence}`, `Fill ${sequence}`]
    const { orderId } = (
      await callApi('open/work/order', { ...orderData, departmentId: null, ...assignment, checklist })
    ).body
    const cost = { orderId, kind: 'part', text: `Sand ${sequence}`, quantity: 2, unitCents: 100 + sequence }
    expect((await callApi('add/work/cost', cost)).status).toBe(200)
    await callApi('change/work/order/status', { orderId, event: 'start' })
    const when = { dueOn: '2027-03-01', startTime: '09:00', assignedTo: me }
    const { inspectionId } = (await callApi('schedule/inspection', { templateId, subjectId: null, location, ...when }))
      .body
    const [valve] = (await callApi('return/inspection', { inspectionId })).body.items
    await callApi('transition/inspection/item', { itemId: valve.id, event: 'complete' })
    const fail = { itemId: valve.id, reason: `It leaks ${sequence}`, openOrder: true, severity: 0 }
    expect((await callApi('fail/inspection/item', fail)).status).toBe(200)
    expect((await callApi('repeat/inspection/item', { itemId: valve.id })).status).toBe(200)
    return { orderId: orderId as number, inspectionId: inspectionId as number }
  }
  const loadDay = async () => {
    const sent: Statement[] = []
    const stop = noting(portal.db.app, sent)
    const { body } = await callApi('return/field/day')
    stop()
    return { records: body.records, statements: sent.length }
  }
  const made = [await more(), await more()]
  await loadDay()
  const few = await loadDay()
  for (let n = 0; n < 6; n++) made.push(await more())
  const many = await loadDay()
  expect(many.records.inspection.length - few.records.inspection.length).toBe(6)
  expect(many.statements).toBe(few.statements)
  expect(many.statements).toBeLessThanOrEqual(30)
  const along = (kind: string, id: number) => many.records[kind].find((record: { id: number }) => record.id === id)
  for (const { orderId, inspectionId } of made) {
    expect(along('order', orderId)).toEqual((await callApi('return/work/order', { orderId })).body)
    expect(along('inspection', inspectionId)).toEqual((await callApi('return/inspection', { inspectionId })).body)
  }
  const [first] = made
  expect(along('order', first?.orderId ?? 0)).toMatchObject({
    crew: { name: 'Night crew', people: 'Judith Sawyer' },
    tasks: [{ text: 'Dig 1' }, { text: 'Fill 1' }],
    costs: [{ text: 'Sand 1' }],
  })
})
