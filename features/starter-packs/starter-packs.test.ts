import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { randomFrom } from '../../database/random.ts'
import { addTestPlatformStaff, openAccounts, openTestCompany } from '../../test/company.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testPortal } from '../../test/harness.ts'
import { demoForms } from '../forms/demo-forms.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const portal = await testPortal({ env: { TRUST_PROXY: 'loopback' } })
const tokens = { admin: '', resident: '', harbor: '', platform: '' }
let [maple, harbor, guests] = [0, 0, 0]

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  harbor = await openTestCompany(portal, { ...harborCity, modulesOff: [] })
  await liftLimits(portal.owner)
  await openAccounts(portal)
  await addTestPlatformStaff(portal)
})
beforeEach(async () => {
  tokens.admin = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  tokens.resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  tokens.harbor = await portal.signIn(HARBOR, 'admin@harborcity.example')
  tokens.platform = await portal.signIn('admin.localhost', 'super@mainstreet.example')
})

const callAs = (token: string, path: string, body: object = {}, host = MAPLE): Promise<ApiResponse> =>
  portal.post(host, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
const guest = (path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, {
    headers: { 'x-forwarded-for': `10.9.${(guests += 1) >> 8}.${guests & 255}`, 'idempotency-key': randomUUID() },
  })
async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}
interface Summary {
  pack: string
  count: number
  added: number
  needs: string
}
const packsOf = async (language = 'en', host = MAPLE, token = tokens.admin): Promise<Summary[]> =>
  (await expectOk(callAs(token, 'muni/return/starter/packs', { language }, host))).packs
const add = (pack: string, language = 'en') =>
  expectOk(callAs(tokens.admin, 'muni/add/starter/pack', { pack, language }))
const count = async (table: string, company: number): Promise<number> =>
  (await portal.owner.query(`SELECT count(*)::int AS n FROM ${table} WHERE company_id = $1`, [company])).rows[0].n

const TABLES: Readonly<Record<string, string>> = {
  'request-categories': 'request_category',
  'saved-replies': 'saved_reply',
  faqs: 'faq',
  forms: 'form_type',
  'alert-texts': 'alert_template',
  'inspection-templates': 'inspection_template',
  'work-order-plans': 'work_plan',
  'rental-examples': 'rental_resource',
  'violation-codes': 'parking_violation',
}

describe('starter packs', () => {
  it('are added once', async () => {
    const before = await packsOf()
    expect(before.map(({ pack }) => pack).toSorted()).toEqual(Object.keys(TABLES).toSorted())
    for (const { pack, count: size } of before) {
      expect(await add(pack), pack).toMatchObject({ added: size, drafts: 0, existing: 0 })
      expect(await add(pack), pack).toMatchObject({ added: 0, existing: 0 })
      expect(await count(TABLES[pack] ?? '', maple), pack).toBe(size)
    }
    expect((await packsOf()).every(({ added, count: size }) => added === size)).toBe(true)
    expect((await packsOf('en', HARBOR, tokens.harbor)).every(({ added }) => added === 0)).toBe(true)
    const { items } = await expectOk(callAs(tokens.admin, 'muni/return/starter/pack', { pack: 'faqs', language: 'en' }))
    expect(items.every(({ status }: { status: string }) => status === 'added')).toBe(true)
  })

  it('fill in the settings', async () => {
    const { rows } = await portal.owner.query(
      `SELECT answer_text FROM faq WHERE company_id = $1 AND question = 'When is the office open?'`,
      [maple],
    )
    const { rows: companies } = await portal.owner.query('SELECT address1 FROM company WHERE id = $1', [maple])
    expect(rows[0].answer_text).toContain(companies[0].address1)
    const { rows: texts } = await portal.owner.query(`SELECT answer_text FROM faq WHERE company_id = $1`, [maple])
    expect(texts.filter(({ answer_text: text }) => /[[\]{}]/.test(text))).toEqual([])
  })

  it('change no edited or removed item', async () => {
    const { rows } = await portal.owner.query(
      `UPDATE faq SET question = 'Edited by staff' WHERE company_id = $1 AND question = 'How do I pay my bill online?' RETURNING id`,
      [maple],
    )
    await portal.owner.query(`DELETE FROM saved_reply WHERE company_id = $1 AND title = 'Please call us'`, [maple])
    expect(await add('faqs')).toMatchObject({ added: 0 })
    expect(await add('saved-replies')).toMatchObject({ added: 0 })
    const edited = await portal.owner.query('SELECT question FROM faq WHERE company_id = $1 AND id = $2', [
      maple,
      rows[0].id,
    ])
    expect(edited.rows).toEqual([{ question: 'Edited by staff' }])
  })

  it('keep an item that the municipality has under the same name', async () => {
    const form = { hint: 'Ours', sortNo: 1, active: true, departmentId: null, targetDays: 9, escalateTo: null }
    const more = { forGuests: true, needsLocation: true, onMap: true, name: 'POTHOLE', categoryId: null }
    await expectOk(callAs(tokens.harbor, 'muni/save/request/category', { ...form, ...more }, HARBOR))
    const body = { pack: 'request-categories', language: 'en' }
    expect(await expectOk(callAs(tokens.harbor, 'muni/add/starter/pack', body, HARBOR))).toMatchObject({
      added: 19,
      existing: 1,
    })
    expect(await count('request_category', harbor)).toBe(20)
  })

  it('add the departments of the categories to a municipality without departments', async () => {
    const oakdale = { ...mapleGrove.company, subdomain: 'oakdale', companyName: 'Oakdale' }
    const bare = await openTestCompany(portal, { ...mapleGrove, company: oakdale })
    const body = { companyId: bare, pack: 'request-categories', language: 'en' }
    const addBare = () => expectOk(callAs(tokens.platform, 'muni/add/starter/pack', body, 'admin.localhost'))
    expect(await addBare()).toMatchObject({ added: 20, departments: 5 })
    expect(await addBare()).toMatchObject({ added: 0, departments: 0 })
    const { rows } = await portal.owner.query(
      `SELECT count(*)::int AS n FROM request_category WHERE company_id = $1 AND is_active = 1 AND department_id IS NULL`,
      [bare],
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  it('exist in Spanish next to English', async () => {
    expect(await add('saved-replies', 'es')).toMatchObject({ added: 25 })
    expect((await packsOf('es')).find(({ pack }) => pack === 'saved-replies')).toMatchObject({ added: 25 })
  })

  it('stay drafts while a setting is empty', async () => {
    await portal.owner.query(`UPDATE company SET website_url = '' WHERE id = $1`, [harbor])
    const { added, drafts } = await expectOk(
      callAs(tokens.harbor, 'muni/add/starter/pack', { pack: 'faqs', language: 'es' }, HARBOR),
    )
    expect(added).toBe(100)
    expect(drafts).toBeGreaterThan(3)
    const { rows } = await portal.owner.query(
      `SELECT status, answer_text LIKE '%[sitio web]%' AS blank, count(*)::int AS n FROM faq WHERE company_id = $1 GROUP BY 1, 2 ORDER BY 1`,
      [harbor],
    )
    expect(rows).toEqual([
      { status: 'draft', blank: true, n: drafts },
      { status: 'published', blank: false, n: 100 - drafts },
    ])
  })

  it('need the level manage in their area', async () => {
    await portal.owner.query(
      `UPDATE person SET privileges = privileges || '{"faqs": 13, "settings": 31}' WHERE company_id = $1 AND email = 'manager@maplegrove.example'`,
      [maple],
    )
    const manager = await portal.signIn(MAPLE, 'manager@maplegrove.example')
    expect((await packsOf('en', MAPLE, manager)).find(({ pack }) => pack === 'faqs')?.needs).toBe('FAQs')
    const refused = await callAs(manager, 'muni/add/starter/pack', { pack: 'faqs', language: 'es' })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'To add this pack, you need the level “Manage” in FAQs.',
    ])
    const staff = await portal.signIn(MAPLE, 'staff@maplegrove.example')
    expect((await callAs(staff, 'muni/return/starter/packs', { language: 'en' })).status).toBe(403)
    expect((await callAs(tokens.admin, 'muni/add/starter/pack', { pack: 'unknown', language: 'en' })).status).toBe(404)
  })

  it('are open to platform staff for each municipality', async () => {
    const body = { language: 'en', companyId: harbor }
    const { packs } = await expectOk(callAs(tokens.platform, 'muni/return/starter/packs', body, 'admin.localhost'))
    expect(packs.find(({ pack }: Summary) => pack === 'request-categories')).toMatchObject({ added: 20, needs: '' })
    for (const { pack, count: size } of packs) {
      await expectOk(
        callAs(tokens.platform, 'muni/add/starter/pack', { pack, ...body, language: 'es' }, 'admin.localhost'),
      )
      const { packs: after } = await expectOk(
        callAs(tokens.platform, 'muni/return/starter/packs', { ...body, language: 'es' }, 'admin.localhost'),
      )
      expect(after.find((one: Summary) => one.pack === pack)).toMatchObject({ added: size })
    }
  })
})

describe('a resident', () => {
  it('sends all forms of the pack', async () => {
    const resident = (path: string, body: object) => expectOk(callAs(tokens.resident, path, body))
    const { rows } = await portal.owner.query(
      `SELECT slug, title FROM form_type WHERE company_id = $1 AND status = 'published' ORDER BY id`,
      [maple],
    )
    expect(rows).toHaveLength(20)
    for (const { slug, title } of rows) {
      const { submissionId } = await resident('start/form', { slug })
      const { raw, version } = await resident('return/form/draft', { submissionId })
      const form = demoForms.find((one) => one.form.title === title)
      const answers = { ...raw, ...form?.answer(randomFrom(7)) }
      const contact = { name: 'Ada Quill', email: 'ada@example.com', phone: '' }
      const signer = form?.form.cosigned ? { name: 'Bea Finch', email: 'bea@example.com' } : { name: '', email: '' }
      await resident('send/form', { submissionId, version, answers, contact, signer })
    }
  })

  it('reports a problem in every category', async () => {
    const { categories } = await expectOk(callAs(tokens.resident, 'return/communication/choices', {}))
    expect(categories).toHaveLength(20)
    for (const { id } of categories) {
      const { definition, version } = await expectOk(
        callAs(tokens.resident, 'return/communication/questions', { categoryId: id }),
      )
      const fields = definition?.steps?.flatMap(({ fields: of }: { fields: object[] }) => of) ?? []
      const answers = Object.fromEntries(
        fields.map(({ name, options }: { name: string; options?: { value: string }[] }) => [
          name,
          options?.[0]?.value ?? 'Blue',
        ]),
      )
      await expectOk(
        callAs(tokens.resident, 'send/communication/request', {
          ...{ description: 'Please look at this soon.', name: 'Ann Lee', email: 'ann@example.org', phone: '' },
          ...{
            categoryId: id,
            location: { text: 'At the school', addressId: null, lat: null, lon: null, metres: null },
          },
          ...{ version: version ?? 0, answers, files: [] },
        }),
      )
    }
  })

  it.each([
    ['where do I pay in person', 'Where can I pay in person?'],
    ['no water because I did not pay', 'My water was shut off. How do I get it back?'],
    ['mattress pickup', 'How do I get rid of a couch or other large items?'],
    ['my builder license', 'How do I choose a contractor?'],
  ])('finds the answer to “%s”', async (text, question) => {
    const { body } = await guest('search/faqs', { text })
    expect(JSON.stringify(body)).toContain(question)
  })
})
