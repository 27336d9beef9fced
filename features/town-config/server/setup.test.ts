import { beforeAll, expect, it } from 'vitest'
import { testPortal } from '../../../test/harness.ts'
import { moduleUrls } from '../../../shared/modules.ts'
import type { SetupStepView } from '../contract-setup.ts'

const ADMIN = 'admin.localhost'
const HOST = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })
let platform = ''
let own = ''
let companyId = 0

beforeAll(async () => {
  platform = await portal.signIn(ADMIN, 'super@mainstreet.example')
  own = await portal.signIn(HOST, 'admin@maplegrove.example')
  companyId = (await sql(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)).rows[0].id
})

const sql = (text: string) => portal.owner.query(text.replaceAll('$C', String(companyId)))
const callOwn = (path: string, body: object = {}, token = own) => portal.post(HOST, path, body, { token })
const callPlatform = (path: string, body: object = {}) =>
  portal.post(ADMIN, path, { companyId, ...body }, { token: platform })
const choose = async (step: string, choice: string | null) => {
  const { status, body } = await callOwn('muni/save/setup/choice', { step, choice })
  expect(status, body.message).toBe(200)
}

/** Loads the steps as both sites see them. Their states and the percentage are equal. */
async function setup() {
  portal.context.hosts.forget()
  const [ours, others] = [await callOwn('muni/return/setup'), await callPlatform('muni/return/setup')]
  expect(ours.status, ours.body.message).toBe(200)
  const states = (steps: SetupStepView[]) => steps.map(({ key, state, detail }) => [key, state, detail])
  expect(states(ours.body.steps)).toEqual(states(others.body.steps))
  expect(ours.body.percent).toBe(others.body.percent)
  return ours.body as { steps: SetupStepView[]; percent: number; isOnline: boolean; mayGoOnline: boolean }
}
const stateOf = async (key: string) => (await setup()).steps.find((step) => step.key === key)?.state

/** For each step: a change that undoes it, the state after that, and a change that completes it. */
const changes: Record<string, [undo: string, state: string, complete: string]> = {
  administrator: [
    `UPDATE person SET is_active = 0 WHERE company_id = $C AND role_id = 5 AND email <> 'admin@maplegrove.example';
     UPDATE person SET locked_at = NULL, password_hash = NULL WHERE company_id = $C AND role_id = 5`,
    'waiting',
    `UPDATE person SET password_hash = 'x', is_active = 1 WHERE company_id = $C AND role_id = 5`,
  ],
  tiles: [
    `UPDATE company SET modules_off = '{/resource-rentals}' WHERE id = $C`,
    'started',
    `UPDATE company SET modules_off = '{}' WHERE id = $C`,
  ],
  staff: [
    `UPDATE person SET signed_in_at = NULL WHERE company_id = $C AND role_id BETWEEN 3 AND 5`,
    'waiting',
    `UPDATE person SET signed_in_at = '2026-11-20' WHERE company_id = $C AND role_id BETWEEN 3 AND 5`,
  ],
  accounts: [
    `UPDATE utility_bill SET bill_date = '2025-01-01' WHERE company_id = $C`,
    'started',
    `UPDATE utility_bill SET bill_date = '2026-11-10' WHERE company_id = $C`,
  ],
  categories: [
    `UPDATE request_category SET is_active = 0 WHERE company_id = $C AND id > (SELECT min(id) + 2 FROM request_category WHERE company_id = $C)`,
    'started',
    `UPDATE request_category SET is_active = 1, department_id = (SELECT min(id) FROM department WHERE company_id = $C) WHERE company_id = $C`,
  ],
  forms: [
    `UPDATE form_type SET status = 'closed' WHERE company_id = $C`,
    'to_do',
    `UPDATE form_type SET status = 'published' WHERE company_id = $C`,
  ],
  faqs: [
    `UPDATE faq SET status = 'draft' WHERE company_id = $C AND id > (SELECT min(id) + 3 FROM faq WHERE company_id = $C)`,
    'started',
    `UPDATE faq SET status = 'published' WHERE company_id = $C`,
  ],
  resources: [
    `UPDATE rental_resource SET status = 'draft' WHERE company_id = $C`,
    'to_do',
    `UPDATE rental_resource SET status = 'open' WHERE company_id = $C`,
  ],
  violations: [
    `UPDATE parking_violation SET is_active = 0 WHERE company_id = $C`,
    'to_do',
    `UPDATE parking_violation SET is_active = 1 WHERE company_id = $C`,
  ],
  provider: [
    `UPDATE provider_onboarding SET may_charge = false, owed_by = 'provider' WHERE company_id = $C`,
    'waiting',
    `UPDATE provider_onboarding SET may_charge = true, owed_by = 'none', test_passed = true, tested_at = now() WHERE company_id = $C`,
  ],
  fees: [
    `UPDATE fee_rule SET made_by = '' WHERE company_id = $C`,
    'started',
    `UPDATE fee_rule SET made_by = 'Ann Reese' WHERE company_id = $C`,
  ],
  preview: [
    `UPDATE setup_choice SET choice = 'find pay' WHERE company_id = $C AND step = 'preview'`,
    'started',
    `INSERT INTO setup_choice (company_id, step, choice, at, by_name) VALUES ($C, 'preview', 'find pay report form phone', '2026-11-20', 'Ann Reese')
     ON CONFLICT (company_id, step) DO UPDATE SET choice = excluded.choice`,
  ],
}

it.each(Object.entries(changes))('changes the state of %s both ways', async (key, [undo, state, complete]) => {
  await sql(complete)
  expect(await stateOf(key)).toBe('done')
  await sql(undo)
  const left = await setup()
  expect(left.steps.find((step) => step.key === key)?.state).toBe(state)
  await sql(complete)
  const after = await setup()
  expect(after.steps.find((step) => step.key === key)?.state).toBe('done')
  if (state !== 'done') expect(after.percent).toBeGreaterThan(left.percent)
})

/** For each step that a choice completes: the choice, and the state without it. */
const choiceSteps = [
  ['details', 'confirmed', 'to_do'],
  ['modules', 'confirmed', 'to_do'],
  ['look', 'confirmed', 'started'],
] as const

it.each(choiceSteps)('completes %s by a choice, and undoes it', async (key, choice, open) => {
  await sql(`UPDATE company SET file_path = '/logo.png' WHERE id = $C`)
  expect(await stateOf(key)).toBe(open)
  await choose(key, choice)
  expect(await stateOf(key)).toBe('done')
  await choose(key, null)
  expect(await stateOf(key)).toBe(open)
})

/** For each step that needs a record: the tables of the record. */
const recordSteps = { addresses: ['street', 'address'], hydrants: ['hydrant'] }

/** Copies a row of Maple Grove to another municipality. An address belongs to the street that was copied before. */
async function copyRow(table: string, to: number): Promise<void> {
  const { columns } = (
    await sql(
      `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
       WHERE table_name = '${table}' AND is_generated = 'NEVER' AND is_identity = 'NO'`,
    )
  ).rows[0]
  const changed = `jsonb_build_object('company_id', ${to}, 'street_id', (SELECT max(id) FROM street WHERE company_id = ${to}))`
  await sql(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM (
       SELECT (jsonb_populate_record(one, ${changed})).* FROM ${table} one WHERE company_id = $C LIMIT 1) AS copied`,
  )
}

it.each(Object.entries(recordSteps))('completes %s by a first record, and undoes it', async (key, tables) => {
  const { id } = (await sql(`SELECT id FROM company WHERE subdomain = 'oldmill'`)).rows[0]
  const stateThere = async () => {
    const { steps } = (await callPlatform('muni/return/setup', { companyId: id })).body
    return (steps as SetupStepView[]).find((step) => step.key === key)?.state
  }
  await sql(`UPDATE company SET modules_off = '{}' WHERE id = ${id}`)
  portal.context.hosts.forget()
  expect(await stateThere()).toBe('to_do')
  for (const table of tables) await copyRow(table, id)
  expect(await stateThere()).toBe('done')
  for (const table of tables.toReversed()) await sql(`DELETE FROM ${table} WHERE company_id = ${id}`)
  expect(await stateThere()).toBe('to_do')
})

it('leaves a recommended step out, but not a required one', async () => {
  await choose('hydrants', 'not_for_us')
  expect(await stateOf('hydrants')).toBe('not_for_us')
  await choose('hydrants', null)
  expect((await callOwn('muni/save/setup/choice', { step: 'forms', choice: 'not_for_us' })).status).toBe(400)
  expect((await callOwn('muni/save/setup/choice', { step: 'nothing', choice: 'confirmed' })).status).toBe(400)
})

it('completes the alerts with a test alert that arrived', async () => {
  expect(await stateOf('alerts')).toBe('started')
  const { rows } = await sql(`SELECT id FROM alert WHERE company_id = $C AND status = 'draft' ORDER BY id LIMIT 1`)
  expect((await callOwn('muni/test/alert', { alertId: Number(rows[0].id) })).status).toBe(200)
  expect(await stateOf('alerts')).toBe('done')
  await sql(`UPDATE alert_service SET is_active = false WHERE company_id = $C`)
  expect(await stateOf('alerts')).toBe('to_do')
  await sql(`UPDATE alert_service SET is_active = true WHERE company_id = $C`)
})

it('tests the state of each step', async () => {
  const tested = [...Object.keys(changes), ...Object.keys(recordSteps), ...choiceSteps.map(([key]) => key), 'alerts']
  expect((await setup()).steps.map(({ key }) => key).filter((key) => !tested.includes(key))).toEqual([])
})

it('has no step of a module that is off', async () => {
  await sql(`UPDATE company SET modules_off = '{${moduleUrls.join(',')}}' WHERE id = $C`)
  const { steps } = await setup()
  expect(steps.map(({ key }) => key)).toEqual([
    ...['administrator', 'details', 'look', 'modules', 'tiles', 'staff', 'addresses', 'preview'],
  ])
  await sql(`UPDATE company SET modules_off = '{}' WHERE id = $C`)
})

it('charges the usual fees only after a person chose them', async () => {
  await sql(`DELETE FROM fee_rule WHERE company_id = $C`)
  await choose('fees', 'none')
  const rules = async () => (await sql(`SELECT made_by FROM fee_rule WHERE company_id = $C`)).rows
  expect(await rules()).toEqual([])
  expect(await stateOf('fees')).toBe('done')
  await choose('fees', null)
  expect(await stateOf('fees')).toBe('to_do')
  await choose('fees', 'usual')
  expect((await rules()).map(({ made_by }) => made_by)).toEqual(Array.from({ length: 3 }, () => 'Judith Sawyer'))
  expect((await setup()).steps.find(({ key }) => key === 'fees')?.detail).toBe(
    'For $100.00 online, residents pay a fee of $2.95 by card and $1.50 by eCheck.',
  )
})

it('goes online after all required steps, and offline with a message', async () => {
  await sql(`UPDATE company SET is_online = 0, online_reserved = 0 WHERE id = $C`)
  await sql(`UPDATE form_type SET status = 'closed' WHERE company_id = $C`)
  await sql(`DELETE FROM setup_choice WHERE company_id = $C AND step = 'preview'`)
  await choose('details', 'confirmed')
  await choose('modules', 'confirmed')
  portal.context.hosts.forget()
  const early = await callOwn('muni/go/online')
  expect(early).toMatchObject({ status: 409, body: { code: 'setup_open' } })
  expect(early.body.message).toBe('To go online, complete these steps: Forms, Preview as a resident.')
  await sql(`UPDATE form_type SET status = 'published' WHERE company_id = $C`)
  await sql(changes['preview']?.[2] ?? '')

  await sql(`UPDATE company SET online_reserved = 1 WHERE id = $C`)
  expect((await callOwn('muni/go/online')).status).toBe(403)
  expect((await setup()).mayGoOnline).toBe(false)
  await sql(`UPDATE company SET online_reserved = 0 WHERE id = $C`)

  expect((await callOwn('muni/go/online')).status).toBe(200)
  expect((await portal.get(HOST, '/')).status).toBe(200)
  expect((await setup()).isOnline).toBe(true)
  const { rows } = await sql(`SELECT origin FROM company_config_version WHERE company_id = $C ORDER BY id DESC LIMIT 1`)
  expect(rows).toEqual([{ origin: 'go_online' }])

  expect((await callOwn('muni/go/offline', { message: '' })).status).toBe(400)
  expect((await callOwn('muni/go/offline', { message: 'Back on Monday.' })).status).toBe(200)
  expect((await portal.post(HOST, 'return/company/selections', {})).body).toMatchObject({
    code: 'offline',
    message: 'Back on Monday.',
  })
})

it('refuses staff without the level “manage” in the settings', async () => {
  await sql(
    `UPDATE person SET privileges = '{"settings": 13}' WHERE company_id = $C AND email = 'admin@maplegrove.example'`,
  )
  expect((await callOwn('muni/go/online')).status).toBe(403)
  await sql(`UPDATE person SET privileges = '{}' WHERE company_id = $C AND email = 'admin@maplegrove.example'`)
})
