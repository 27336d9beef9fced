import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { harborCity } from '../database/towns/harbor-city.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { packFile } from '../server/packs.ts'
import type { CompanyId } from '../server/tenancy.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import type { Definition } from '../shared/fields/definition.ts'
import { openAccounts, openTestCompany } from './company.ts'
import { liftLimits } from './databases.ts'
import { type ApiResponse, testPortal } from './harness.ts'

/** Tests JSON files and copies between municipalities for all kinds of records that staff build. */

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const portal = await testPortal({})
const tokens: Record<string, string> = {}
let [maple, harbor] = [0, 0]

beforeAll(async () => {
  maple = await openTestCompany(portal, { ...mapleGrove, sharesRecords: false })
  harbor = await openTestCompany(portal, { ...harborCity, modulesOff: [] })
  await liftLimits(portal.owner)
  await openAccounts(portal)
})
beforeEach(async () => {
  tokens[MAPLE] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  tokens[HARBOR] = await portal.signIn(HARBOR, 'admin@harborcity.example')
})

const callAt = (host: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(host, path, body, { token: tokens[host] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function okAt(host: string, path: string, body: object = {}) {
  const { status, body: response } = await callAt(host, path, body)
  expect({ path, status, message: response.message, details: response.details }).toMatchObject({ status: 200 })
  return response
}
async function exported(host: string, kind: string, id: number): Promise<string> {
  const { url } = await okAt(host, 'muni/export/record', { kind, id })
  const { statusCode, body } = await portal.app.inject({ url, headers: { host } })
  expect(statusCode).toBe(200)
  return body
}
async function imported(host: string, kind: string, content: string, id: number | null = null) {
  const { digest } = await okAt(host, 'muni/compare/record/file', { kind, content, id })
  return okAt(host, 'muni/import/record/file', { kind, content, id, digest })
}
const idsOf = async (table: string, company: number): Promise<number[]> => {
  const { rows } = await portal.owner.query(`SELECT id FROM ${table} WHERE company_id = $1 ORDER BY id`, [company])
  return rows.map(({ id }) => Number(id))
}

/** Kinds of records with the starter pack that adds examples. */
const kinds: Readonly<Record<string, { pack: string; table: string }>> = {
  form: { pack: 'forms', table: 'form_type' },
  'rental-resource': { pack: 'rental-examples', table: 'rental_resource' },
  'request-category': { pack: 'request-categories', table: 'request_category' },
  'inspection-template': { pack: 'inspection-templates', table: 'inspection_template' },
  'maintenance-plan': { pack: 'work-order-plans', table: 'work_plan' },
}

describe('a JSON file', () => {
  it.each(Object.entries(kinds))(
    'keeps the content of each %s after an import elsewhere',
    async (kind, { pack, table }) => {
      await okAt(MAPLE, 'muni/add/starter/pack', { pack, language: 'en' })
      const ids = await idsOf(table, maple)
      expect(ids.length).toBe(packFile(pack).entries.length)
      for (const id of ids) {
        const content = await exported(MAPLE, kind, id)
        const { id: copy, path } = await imported(HARBOR, kind, content)
        expect(path).toContain(String(copy))
        const { department: _own, ...before } = JSON.parse(content)
        const { department: _other, ...after } = JSON.parse(await exported(HARBOR, kind, copy))
        expect(after).toEqual(before)
      }
    },
  )
})

const question = (name: string, label: string) => ({ ...blankField('text', name), label })
const definitionWith = (...fields: Definition['steps'][0]['fields']): Definition => ({
  steps: [{ ...blankStep('dog'), title: 'The dog', fields }],
})
const record = (settings: object, definition: Definition | null = null, more: object = {}) =>
  JSON.stringify({ format: 'mainstreet-record', version: 1, kind: 'form', settings, questions: definition, ...more })
const settings = { title: 'Dog walker', category: 'licenses', description: 'For people who walk dogs.' }

describe('a JSON file for an existing form', () => {
  let typeId = 0
  const importInto = (content: string) => imported(MAPLE, 'form', content, typeId)
  const compare = (content: string) => okAt(MAPLE, 'muni/compare/record/file', { kind: 'form', content, id: typeId })
  const draftOf = async () => (await okAt(MAPLE, 'muni/return/form/type', { typeId })).draft

  beforeAll(async () => {
    tokens[MAPLE] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
    const before = definitionWith(question('breed', 'Breed'), question('color', 'Color'))
    typeId = (await imported(MAPLE, 'form', record(settings, before))).id
    await okAt(MAPLE, 'muni/publish/form/fields', { typeId, definition: before })
  })

  it('shows the differences before it changes anything', async () => {
    const file = record(
      { ...settings, description: 'For dog walkers.' },
      definitionWith(question('breed', 'Breed or mix'), question('age', 'Age')),
    )
    const { differences } = await compare(file)
    expect(
      differences.map(({ change, label, before, after }: Record<string, string>) => [change, label, before, after]),
    ).toEqual([
      ['changed', 'Description', 'For people who walk dogs.', 'For dog walkers.'],
      ['changed', 'Field “Breed”', 'Question: Breed', 'Question: Breed or mix'],
      ['added', 'Field “Age”', '', expect.stringContaining('Question: Age')],
      ['removed', 'Field “Color”', expect.stringContaining('Question: Color'), ''],
    ])
    expect((await draftOf()).steps[0].fields).toHaveLength(2)
  })

  it('matches the questions by field name', async () => {
    const after = definitionWith(question('breed', 'Breed or mix'), question('age', 'Age'))
    const file = record({ ...settings, description: 'For dog walkers.' }, after)
    for (let round = 0; round < 2; round += 1) {
      await importInto(file)
      expect((await draftOf()).steps).toEqual(after.steps)
    }
    const { published, form } = await okAt(MAPLE, 'muni/return/form/type', { typeId })
    expect(published.steps[0].fields.map(({ name }: { name: string }) => name)).toEqual(['breed', 'color'])
    expect(form.description).toBe('For dog walkers.')
    expect((await compare(file)).differences).toEqual([])
  })

  it('refuses a save if the form has changed since the preview', async () => {
    const content = record(settings, definitionWith(question('breed', 'Kind of dog')))
    const { digest } = await compare(content)
    await importInto(record(settings, definitionWith(question('breed', 'Breed of the dog'))))
    const late = await callAt(MAPLE, 'muni/import/record/file', { kind: 'form', content, id: typeId, digest })
    expect([late.status, late.body.code]).toEqual([409, 'seen_otherwise'])
  })

  it('refuses a form of another municipality', async () => {
    const body = { kind: 'form', content: record(settings), id: typeId }
    expect((await callAt(HARBOR, 'muni/compare/record/file', body)).status).toBe(404)
    expect((await callAt(HARBOR, 'muni/import/record/file', { ...body, digest: '' })).status).toBe(404)
    expect((await callAt(HARBOR, 'muni/export/record', { kind: 'form', id: typeId })).status).toBe(404)
  })
})

describe('a file that is not a record', () => {
  const deep = `${'['.repeat(70)}${']'.repeat(70)}`
  const twice = definitionWith(question('breed', 'Breed'), question('breed', 'Breed again'))
  it.each([
    ['damaged', '{"format":', 'This file is not complete JSON. Download it as JSON again.'],
    [
      'foreign',
      '{"title":"Dog license"}',
      'This file has no record of Mainstreet. Choose a file that was downloaded as JSON.',
    ],
    ['deep', deep, 'This file is nested too deeply. Download it as JSON again.'],
    ['huge', ' '.repeat(500_001), 'This file is too large. The limit is 500,000 characters.'],
    [
      'newer',
      record(settings, null, { version: 2 }),
      'This file comes from a newer version of Mainstreet. This portal reads version 1.',
    ],
    [
      'another kind',
      record(settings, null, { kind: 'maintenance-plan' }),
      'This file has another kind of record: Maintenance plan.',
    ],
    [
      'an unknown kind',
      record(settings, null, { kind: 'zoo' }),
      'This file has a kind of record that this portal does not have.',
    ],
    ['two equal questions', record(settings, twice), 'The file has two questions or steps with the name “breed”.'],
    ['a wrong setting', record({ ...settings, category: 'zoo' }), 'Category: Choose a category.'],
    ['no title', record({ ...settings, title: '' }), 'Title: Enter a title.'],
    [
      'a NUL character',
      record({ ...settings, description: 'a\0b' }),
      'This file contains a character that cannot be saved.',
    ],
  ])('is refused with a sentence: %s', async (_name, content, message) => {
    const { status, body } = await callAt(MAPLE, 'muni/compare/record/file', { kind: 'form', content, id: null })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.message).toBe(message)
  })

  it('needs the permission to create such records', async () => {
    const token = await portal.signIn(MAPLE, 'staff@maplegrove.example')
    const body = { kind: 'form', content: record(settings), id: null }
    expect((await portal.post(MAPLE, 'muni/compare/record/file', body, { token })).status).toBe(403)
  })
})

describe('sharing', () => {
  const share = (host: string, shares_records: number) =>
    okAt(host, 'admin/save/company/config', { section: 'sharing', values: { shares_records } })
  const listed = async (host: string, kind: string, search = '') =>
    (await okAt(host, 'muni/return/shared/records', { kind, search })).records as {
      id: number
      title: string
      municipality: string
      municipalityId: number
    }[]
  const preview = (host: string, body: object) => callAt(host, 'muni/return/shared/record', body)

  it('is off by default', async () => {
    for (const kind of Object.keys(kinds)) expect(await listed(HARBOR, kind)).toEqual([])
    for (const [kind, { table }] of Object.entries(kinds)) {
      const [id] = await idsOf(table, maple)
      expect([kind, (await preview(HARBOR, { kind, municipalityId: maple, id })).status]).toEqual([kind, 404])
    }
  })

  it('lists records in use, and refuses all others', async () => {
    await share(MAPLE, 1)
    const forms = await listed(HARBOR, 'form')
    expect(forms).toHaveLength(20)
    expect(
      forms.every(({ municipality, municipalityId }) => municipality === 'Maple Grove' && municipalityId === maple),
    ).toBe(true)
    expect((await listed(HARBOR, 'form', 'Dog')).map(({ title }) => title)).toEqual(['Dog license'])
    expect(await listed(MAPLE, 'form')).toEqual([])
    const { rows } = await portal.owner.query(`SELECT id FROM form_type WHERE company_id = $1 AND status = 'draft'`, [
      maple,
    ])
    expect(rows.length).toBeGreaterThan(0)
    for (const { id } of rows) {
      expect((await preview(HARBOR, { kind: 'form', municipalityId: maple, id: Number(id) })).status).toBe(404)
      const body = { kind: 'form', municipalityId: maple, id: Number(id), digest: '' }
      expect((await callAt(HARBOR, 'muni/take/shared/record', body)).status).toBe(404)
    }
    const [own] = await idsOf('form_type', harbor)
    expect((await preview(HARBOR, { kind: 'form', municipalityId: harbor, id: own })).status).toBe(404)
    expect((await preview(HARBOR, { kind: 'form', municipalityId: 999_999, id: own })).status).toBe(404)
  })

  it.each(Object.keys(kinds))('copies each shared %s as a draft', async (kind) => {
    const { table } = kinds[kind] as { table: string }
    if (kind === 'rental-resource')
      await portal.owner.query(`UPDATE rental_resource SET status = 'open' WHERE company_id = $1`, [maple])
    if (kind === 'maintenance-plan')
      await portal.owner.query(`UPDATE work_plan SET is_active = 1 WHERE company_id = $1`, [maple])
    const rows = await listed(HARBOR, kind)
    expect(rows.length).toBeGreaterThan(5)
    const before = await idsOf(table, harbor)
    for (const { id } of rows) {
      const { body } = await preview(HARBOR, { kind, municipalityId: maple, id })
      expect(JSON.stringify([body.preview, body.mentions])).not.toMatch(/Maple|555-0(?!178)|@/)
      await okAt(HARBOR, 'muni/take/shared/record', { kind, municipalityId: maple, id, digest: body.digest })
    }
    const made = (await idsOf(table, harbor)).slice(before.length)
    expect(made).toHaveLength(rows.length)
    const { rows: copies } = await portal.owner.query(
      `SELECT to_jsonb(t) AS t, f.draft, f.latest_version AS latest FROM ${table} t
       LEFT JOIN field_set f ON f.company_id = t.company_id AND f.id = ${table === 'work_plan' ? 'NULL' : 't.field_set_id'}
       WHERE t.company_id = $1 AND t.id = ANY ($2)`,
      [harbor, made],
    )
    for (const { t, draft, latest } of copies) {
      expect([t.status ?? 'draft', t.is_active ?? 0, latest ?? 0]).toEqual(['draft', 0, 0])
      expect([t.department_id ?? null, t.reviewer_id ?? null, t.escalate_to ?? null, t.assigned_to ?? null]).toEqual([
        null,
        null,
        null,
        null,
      ])
      expect(JSON.stringify([t, draft])).not.toMatch(/Maple Grove/)
    }
  })

  it('takes no facts about the other municipality', async () => {
    const description =
      'Maple Grove asks: call (717) 555-0100 or 717.555.0142, write to clerk@maplegrove.example, see https://www.maplegrove.example/dogs. Ask in Maple.'
    await portal.owner.query(
      `UPDATE company SET phone_no = '7175550100', website_url = 'www.maplegrove.example', city = 'Maple' WHERE id = $1`,
      [maple],
    )
    await portal.owner.query(
      `UPDATE company SET phone_no = '7175550999', website_url = 'www.harborcity.example' WHERE id = $1`,
      [harbor],
    )
    const { id } = await imported(
      MAPLE,
      'form',
      record({ ...settings, title: 'Maple Grove dogs', description }, definitionWith(question('a', 'Who?'))),
    )
    const definition = definitionWith(question('a', 'Who?'))
    await okAt(MAPLE, 'muni/publish/form/fields', { typeId: id, definition })
    await okAt(MAPLE, 'muni/change/form/type/status', { typeId: id, event: 'publish' })
    const { body } = await preview(HARBOR, { kind: 'form', municipalityId: maple, id })
    expect(body.preview.title).toBe('Harbor City dogs')
    const text =
      'Harbor City asks: call (717) 555-0999 or [phone number], write to [email], see www.harborcity.example Ask in Maple.'
    expect(body.preview.settings).toContainEqual({ label: 'Description', text })
    expect(body.mentions).toEqual([text])
    expect(body.replaced).toContainEqual({ before: 'Maple Grove', after: 'Harbor City', count: 2 })
    const taken = await okAt(HARBOR, 'muni/take/shared/record', {
      kind: 'form',
      municipalityId: maple,
      id,
      digest: body.digest,
    })
    const { form, status } = await okAt(HARBOR, 'muni/return/form/type', { typeId: taken.id })
    expect([form.title, form.description, status, form.departmentId]).toEqual(['Harbor City dogs', text, 'draft', null])
  })

  it('refuses a copy if the record has changed since the preview', async () => {
    const [row] = await listed(HARBOR, 'form', 'yard sale')
    const body = { kind: 'form', municipalityId: maple, id: row?.id }
    const { digest } = (await preview(HARBOR, body)).body
    await portal.owner.query(`UPDATE form_type SET description = 'New' WHERE company_id = $1 AND id = $2`, [
      maple,
      row?.id,
    ])
    const late = await callAt(HARBOR, 'muni/take/shared/record', { ...body, digest })
    expect([late.status, late.body.code]).toEqual([409, 'seen_otherwise'])
  })

  it('ends immediately', async () => {
    const [row] = await listed(HARBOR, 'form')
    const body = { kind: 'form', municipalityId: maple, id: row?.id }
    const { digest } = (await preview(HARBOR, body)).body
    await share(MAPLE, 0)
    expect(await listed(HARBOR, 'form')).toEqual([])
    expect((await preview(HARBOR, body)).status).toBe(404)
    expect((await callAt(HARBOR, 'muni/take/shared/record', { ...body, digest })).status).toBe(404)
    const { rows } = await portal.owner.query(
      `SELECT count(*)::int AS n FROM audit_event WHERE company_id = $1 AND action = 'company.config_saved' AND detail->'fields' ? 'shares_records'`,
      [maple],
    )
    expect(rows[0].n).toBeGreaterThan(0)
  })

  it('is enforced by the database', async () => {
    const count = (company: number) =>
      portal.context.readingShared(company as CompanyId, async (tx) => {
        const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM form_type`.execute(tx)
        return rows[0]?.n
      })
    expect(await count(maple)).toBe(0)
    await share(MAPLE, 1)
    expect(await count(maple)).toBeGreaterThan(0)
    const { rows } = await portal.owner.query('SELECT count(*)::int AS n FROM form_type WHERE company_id = $1', [maple])
    expect(await count(maple)).toBe(rows[0].n)
    await expect(
      portal.context.readingShared(maple as CompanyId, (tx) => sql`DELETE FROM form_type`.execute(tx)),
    ).rejects.toThrow('read-only transaction')
  })
})
