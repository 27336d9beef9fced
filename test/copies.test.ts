import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harborCity } from '../database/towns/harbor-city.ts'
import { allCalls } from '../portal/server.ts'
import { usualType as usualForm } from '../features/forms/rules.ts'
import { blankField, blankStep } from '../shared/fields/blank.ts'
import { noLocation } from '../shared/places.ts'
import { openTestCompany } from './company.ts'
import { expectOk, HOST, openRentals } from './rentals.ts'

/** Tests the copies of all records that staff build (`server/copies.ts`). */

const { portal, owner, company, as, send, signInAt, addResource, publishQuestions } = await openRentals()
let personId = 0
let departmentId = 0

beforeAll(async () => {
  await openTestCompany(portal, harborCity)
  const { rows: people } = await owner.query(
    `SELECT id FROM person WHERE company_id = $1 AND email = 'admin@maplegrove.example'`,
    [company],
  )
  const { rows: departments } = await owner.query(
    `INSERT INTO department (company_id, name) VALUES ($1, 'Streets') RETURNING id`,
    [company],
  )
  personId = Number(people[0].id)
  departmentId = Number(departments[0].id)
})
beforeEach(() => signInAt())

const admin = (path: string, body: object = {}) => expectOk(as('admin', path, body))
const question = { ...blankField('text', 'breed'), label: 'Breed' }
const published = { steps: [{ ...blankStep('dog'), title: 'The dog', fields: [question] }] }
const draft = {
  steps: [{ ...published.steps[0], fields: [question, { ...blankField('text', 'color'), label: 'Color' }] }],
}

/** Publishes questions of a record, then changes their draft. */
async function defineQuestions(kind: string, of: object): Promise<void> {
  await admin(`muni/save/${kind}`, { ...of, definition: published })
  await admin(`muni/publish/${kind}`, { ...of, definition: published })
  await admin(`muni/save/${kind}`, { ...of, definition: draft, basis: published })
}

interface View {
  name: string
  /** Settings without the name. */
  settings: Record<string, unknown>
  draft?: unknown
  latestVersion?: number
  /** Records that staff built below this one, such as spaces and photos. */
  parts?: unknown
}
interface Kind {
  /** Creates a record with each part of its kind. @returns its id */
  create: (name: string) => Promise<number>
  read: (id: number) => Promise<View>
  /** Settings that differ in the copy: its state, and people. */
  differs: Record<string, unknown>
  /** True if the default permissions of staff include this copy. */
  staffMay?: true
  maxLength: number
}

const kinds: Record<string, Kind> = {
  'muni/copy/form/type': {
    maxLength: 120,
    differs: { reviewerId: null, status: 'draft' },
    async create(title) {
      const form = {
        ...usualForm,
        title,
        category: 'licenses',
        description: 'For dogs.',
        departmentId,
        reviewerId: personId,
      }
      const fee = { feeKind: 'fixed', feeCents: 850, glAccount: '321.9', issues: 'Dog license', validMonths: 12 }
      const { typeId } = await admin('muni/create/form/type', { form: { ...form, ...fee } })
      await defineQuestions('form/fields', { typeId })
      await admin('muni/change/form/type/status', { typeId, event: 'publish' })
      const { rows } = await owner.query(
        `INSERT INTO form_pdf (company_id, type_id, kind, mapping, added_at, added_by)
         VALUES ($1, $2, 'flat', '[]', now(), 'Marcus') RETURNING id`,
        [company, typeId],
      )
      const { path, bytes, sha256 } = await portal.context.files.write(company, Buffer.from('%PDF-1.7'))
      await owner.query(
        `INSERT INTO attachment (company_id, kind, subject_kind, subject_id, nth, state, name, content_type, bytes, sha256,
           path, created_at, created_by_kind)
         VALUES ($1, 'form_pdf', 'form_pdf', $2, 1, 'clean', 'dogs.pdf', 'application/pdf', $3, $4, $5, now(), 'system')`,
        [company, rows[0].id, bytes, sha256, path],
      )
      return typeId
    },
    async read(typeId) {
      const { form, status, draft: steps, latestVersion } = await admin('muni/return/form/type', { typeId })
      const { title, ...settings } = form
      const { rows } = await owner.query(
        `SELECT p.kind, a.name, a.bytes, encode(a.sha256, 'hex') AS sha256
         FROM form_pdf p JOIN attachment a ON a.company_id = p.company_id AND a.subject_kind = 'form_pdf' AND a.subject_id = p.id
         WHERE p.company_id = $1 AND p.type_id = $2`,
        [company, typeId],
      )
      expect(rows).toHaveLength(1)
      return { name: title, settings: { ...settings, status }, draft: steps, latestVersion, parts: rows }
    },
  },
  'muni/copy/rental/resource': {
    maxLength: 80,
    differs: { status: 'draft', door: '' },
    async create(name) {
      const season = { from: '05-01', until: '09-30', days: [6, 7], opens: '08:00', closes: '20:00', percent: 125 }
      const addons = [{ name: 'Grill', cents: 1500 }]
      const prices = { residentCents: 2500, otherCents: 4000, depositCents: 5000, addons, seasons: [season] }
      const { id } = await addResource({ name, ...prices, door: 'hall-east' }, ['North half', 'South half'])
      await publishQuestions(id, published)
      await admin('muni/save/rental/fields', { resourceId: id, definition: draft, basis: published })
      const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#8a1c3c' } })
        .jpeg()
        .toBuffer()
      const { file_id: photoId } = await expectOk(
        send('admin', 'muni/add/rental/photo', { resourceId: String(id) }, image),
      )
      await admin('muni/describe/rental/photo', { resourceId: id, photoId, alt: 'From the north' })
      await admin('muni/add/rental/blackout', {
        resourceId: id,
        from: '2027-06-01',
        until: '2027-06-02',
        reason: 'Repairs',
      })
      return id
    },
    async read(resourceId) {
      const { form, spaces } = await admin('muni/return/rental/resource', { resourceId })
      const { draft: steps, latestVersion } = await admin('muni/return/rental/fields', { resourceId })
      const { photos } = await admin('muni/return/rental/photos', { resourceId })
      const { name, ...settings } = form
      return {
        ...{ name, settings, draft: steps, latestVersion },
        parts: {
          spaces: spaces.map(({ id: _id, ...space }: { id: number }) => space),
          photos: photos.map(({ id: _id, ...photo }: { id: string }) => photo),
        },
      }
    },
  },
  'muni/copy/request/category': {
    staffMay: true,
    maxLength: 80,
    differs: { active: 0, escalateTo: null },
    async create(name) {
      const form = { name, hint: 'A hole in a street.', sortNo: 7, active: true, departmentId, targetDays: 3 }
      const more = { escalateTo: personId, forGuests: true, needsLocation: true, onMap: false, categoryId: null }
      const { categoryId } = await admin('muni/save/request/category', { ...form, ...more })
      await defineQuestions('request/category/fields', { categoryId })
      return categoryId
    },
    async read(categoryId) {
      const { rows } = await owner.query(
        `SELECT name, hint, sort_no, is_active AS active, department_id, target_days, escalate_to AS "escalateTo",
           for_guests, needs_location, on_map FROM request_category WHERE company_id = $1 AND id = $2`,
        [company, categoryId],
      )
      const { draft: steps, latestVersion } = await admin('muni/return/request/category/fields', { categoryId })
      const { name, ...settings } = rows[0]
      return { name, settings, draft: steps, latestVersion }
    },
  },
  'muni/copy/inspection/template': {
    maxLength: 120,
    differs: { isActive: false },
    async create(name) {
      const form = { name, subjectKind: 'hydrant', everyMonths: 12, certificate: 'It works.', isActive: true }
      const { templateId } = await admin('muni/add/inspection/template', form)
      await defineQuestions('inspection/items', { templateId })
      return templateId
    },
    async read(templateId) {
      const { form, draft: steps, latestVersion } = await admin('muni/return/inspection/template', { templateId })
      const { name, ...settings } = form
      return { name, settings, draft: steps, latestVersion }
    },
  },
  'muni/copy/work/plan': {
    staffMay: true,
    maxLength: 120,
    differs: { assignedTo: null, active: false },
    async create(title) {
      const repeats = { unit: 'week', every: 2, weekdays: [1, 3], by: 'day', until: '' }
      const work = { title, description: 'Grease it.', kind: 'maintenance', severity: 1, location: noLocation }
      const when = { repeats, startsOn: '2027-04-05', startTime: '09:30', minutes: 90, leadDays: 5, active: true }
      const people = { departmentId: null, assignedTo: personId, crewId: null }
      const { planId } = await admin('muni/save/work/plan', {
        ...{ ...work, ...when, ...people, checklist: 'Check the pump\nGrease it', planId: null },
      })
      return planId
    },
    async read(planId) {
      const { form } = await admin('muni/return/work/plan', { planId })
      const { title, ...settings } = form
      return { name: title, settings }
    },
  },
  'muni/copy/work/template': {
    staffMay: true,
    maxLength: 120,
    differs: { active: false },
    async create(title) {
      const work = { title, description: 'Grease it.', kind: 'maintenance', severity: 1, minutes: 45 }
      const parts = [{ text: 'Grease, tube', quantity: 2, unitCents: 899 }]
      const form = { ...work, parts, checklist: 'Check the pump', departmentId: null, crewId: null, active: true }
      return (await admin('muni/save/work/template', { ...form, templateId: null })).templateId
    },
    async read(templateId) {
      const { form } = await admin('muni/return/work/template', { templateId })
      const { title, ...settings } = form
      return { name: title, settings }
    },
  },
}

describe('copies', () => {
  it('have a case for each call', () => {
    const paths = allCalls.map(({ endpoint }) => endpoint.path).filter((path) => path.startsWith('muni/copy/'))
    expect(paths.toSorted()).toEqual(Object.keys(kinds).toSorted())
  })
})

describe.each(Object.entries(kinds))('%s', (path, { create, read, differs, maxLength, staffMay }) => {
  it('copies what staff built, but no people and no submissions', async () => {
    const id = await create('Main one')
    const before = await read(id)
    const { id: copyId, message } = await admin(path, { id })
    expect(message).toBe('“Copy of Main one” was created.')
    const copy = await read(copyId)
    expect(copy).toEqual({
      ...before,
      name: 'Copy of Main one',
      settings: { ...before.settings, ...differs },
      ...(before.latestVersion !== undefined && { latestVersion: 1 }),
    })
    expect(await read(id)).toEqual(before)
    const { rows } = await owner.query(
      `SELECT detail FROM audit_event WHERE company_id = $1 AND detail->>'copiedFrom' = $2 ORDER BY id DESC LIMIT 1`,
      [company, String(id)],
    )
    expect(rows[0].detail).toMatchObject({ copiedFrom: id })
  })

  it('gives each copy its own name of a valid length', async () => {
    const id = await create('Second one')
    for (const name of ['Copy of Second one', 'Copy of Second one (2)', 'Copy of Second one (3)'])
      expect((await read((await admin(path, { id })).id)).name).toBe(name)
    const long = 'Long name '.repeat(12).slice(0, maxLength).trim().padEnd(maxLength, 'x')
    const longId = await create(long)
    const names = []
    for (let n = 0; n < 2; n += 1) names.push((await read((await admin(path, { id: longId })).id)).name)
    expect(names[0]).toBe(`Copy of ${long}`.slice(0, maxLength))
    expect(names[1]).toMatch(/ \(2\)$/)
    expect(names.map((name) => name.length).every((length) => length <= maxLength)).toBe(true)
  })

  it('refuses people without the permission and records of others', async () => {
    const id = await create('Third one')
    expect((await as('staff', path, { id })).status).toBe(staffMay ? 200 : 403)
    expect((await as('resident', path, { id })).status).toBe(403)
    expect((await as('admin', path, { id: 999_999 })).status).toBe(404)
    const token = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    const headers = { 'idempotency-key': randomUUID() }
    expect((await portal.post('harborcity.localhost', path, { id }, { token, headers })).status).toBe(404)
  })
})

describe('a copy of a resource', () => {
  it('keeps its photo if the photo of the original is removed', async () => {
    const kind = kinds['muni/copy/rental/resource'] as Kind
    const resourceId = await kind.create('Photographed')
    const { id: copyId } = await admin('muni/copy/rental/resource', { id: resourceId })
    const { photos } = await admin('muni/return/rental/photos', { resourceId })
    await admin('muni/remove/rental/photo', { resourceId, photoId: photos[0].id })
    const { photos: left } = await admin('muni/return/rental/photos', { resourceId: copyId })
    const response = await portal.app.inject({
      url: `/rental-photos/${company}/${left[0].id}`,
      headers: { host: HOST },
    })
    expect(response.statusCode).toBe(200)
    expect((await sharp(response.rawPayload).metadata()).format).toBe('jpeg')
  })
})
