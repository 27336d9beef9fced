import { CompiledQuery } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { openTestCompany } from '../../test/company.ts'
import { testClock, testDatabase } from '../../test/harness.ts'
import type { TestDatabase } from '../../test/databases.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { PLATFORM } from '../audit.ts'
import { type CompanyId, outsideCompanies, tenancyOn, type Tx } from '../tenancy.ts'
import { acceptAnswers } from './accept-answers.ts'
import { dropDraft, saveDraft, readDraft, markChangesRead } from './drafts.ts'
import {
  createFieldSet,
  latestVersion,
  listFieldSets,
  publishFieldSet,
  readFieldSet,
  saveFieldSet,
  versionOf,
  type FieldSetContext,
} from './sets.ts'

const TODAY = '2026-11-20'
const clock = testClock()
let database: TestDatabase
let maple: CompanyId
let harbor: CompanyId

beforeAll(async () => {
  database = await testDatabase()
  maple = await openTestCompany({ db: database.pools, clock }, mapleGrove)
  harbor = await openTestCompany({ db: database.pools, clock }, harborCity)
})

const actor = { session: null, requestId: 'r1', kind: 'system' as const }
const inCompany = <T>(work: (work: FieldSetContext) => Promise<T>, company = maple): Promise<T> =>
  tenancyOn(database.pools.app)(company, (tx) => work({ tx, clock, actor, company }))
const onPlatform = <T>(work: (work: FieldSetContext) => Promise<T>): Promise<T> =>
  outsideCompanies(database.pools.platform)((tx: Tx) => work({ tx, clock, actor, company: PLATFORM }))

const name = { ...blankField('text', 'name'), label: 'Name of the dog', required: true }
const size = { ...blankField('choice', 'size'), label: 'Size' }
const steps = (...fields: Definition['steps'][number]['fields']) => [{ ...blankStep('dog'), title: 'The dog', fields }]

/** Creates a definition and publishes its first version. */
const published = (...fields: Parameters<typeof steps>) =>
  inCompany(async (work) => {
    const id = await createFieldSet(work, 'form', { name: 'Dog license', steps: steps(...fields) })
    await publishFieldSet(work, id)
    return id
  })

const publish = (id: number, ...fields: Parameters<typeof steps>) =>
  inCompany(async (work) => {
    await saveFieldSet(work, id, { name: 'Dog license', steps: steps(...fields) })
    return publishFieldSet(work, id)
  })

describe('versions', () => {
  it('publishes the draft and lets staff continue it', async () => {
    const id = await published(name)
    expect(await inCompany((work) => readFieldSet(work, id))).toMatchObject({ latestVersion: 1, isChanged: false })
    await inCompany((work) => saveFieldSet(work, id, { name: 'Dog license', steps: steps(name, size) }))
    expect(await inCompany((work) => readFieldSet(work, id))).toMatchObject({ latestVersion: 1, isChanged: true })
    expect((await inCompany((work) => latestVersion(work, id))).definition.steps[0]?.fields).toHaveLength(1)
    expect(await inCompany((work) => publishFieldSet(work, id))).toBe(2)
    expect((await inCompany((work) => versionOf(work, id, 1))).definition).toEqual({ steps: steps(name) })
    await expect(inCompany((work) => publishFieldSet(work, id))).rejects.toMatchObject({
      status: 409,
      code: 'unchanged',
    })
    const { rows } = await database.pools.platform.query(
      `SELECT action, detail FROM audit_event WHERE subject_kind = 'field_set' AND subject = $1 ORDER BY id`,
      [String(id)],
    )
    expect(rows.map(({ action, detail }) => [action, detail.version])).toEqual([
      ['fields.created', undefined],
      ['fields.published', 1],
      ['fields.published', 2],
    ])
  })

  it('refuses every database role a change of a published version', async () => {
    const id = await published(name)
    for (const change of [
      `UPDATE field_set_version SET definition = '{}' WHERE field_set_id = ${id}`,
      `DELETE FROM field_set_version WHERE field_set_id = ${id}`,
      `TRUNCATE field_set_version CASCADE`,
      `DELETE FROM field_set WHERE id = ${id}`,
    ])
      for (const run of [
        () => tenancyOn(database.pools.app)(maple, (tx) => runSql(tx, change)),
        () => outsideCompanies(database.pools.platform)((tx) => runSql(tx, change)),
      ])
        await expect(run(), change).rejects.toMatchObject({ code: '42501' })
    await expect(
      inCompany(({ tx }) =>
        runSql(
          tx,
          `INSERT INTO field_set_version SELECT company_id, field_set_id, 1, '{}', now(), '' FROM field_set_version`,
        ),
      ),
    ).rejects.toMatchObject({ code: '23505' })
  })

  it('publishes only complete drafts and reports each mistake by its position', async () => {
    const unfinished = steps({ ...size, options: [] }, { ...name, label: '' })
    const id = await inCompany((work) => createFieldSet(work, 'form', { name: 'Unfinished', steps: unfinished }))
    await expect(inCompany((work) => publishFieldSet(work, id))).rejects.toMatchObject({
      status: 422,
      message: 'Fix 2 problems before you publish.',
      details: {
        fields: {
          'steps.0.fields.0.options': 'Add answers to choose from.',
          'steps.0.fields.1.label': 'Enter a label for this field.',
        },
      },
    })
    await expect(inCompany((work) => latestVersion(work, id))).rejects.toMatchObject({ status: 404 })
  })

  it('numbers parallel publications in order', async () => {
    const id = await published(name)
    await inCompany((work) => saveFieldSet(work, id, { name: 'Dog license', steps: steps(name, size) }))
    const tries = await Promise.allSettled([1, 2, 3].map(() => inCompany((work) => publishFieldSet(work, id))))
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await inCompany((work) => latestVersion(work, id))).version).toBe(2)
  })

  it('refuses malformed definitions with 400 or 422', async () => {
    const make = (sent: unknown) => inCompany((work) => createFieldSet(work, 'form', sent as never))
    await expect(make({ name: 'x', steps: [{ id: 'a' }] })).rejects.toMatchObject({ status: 400 })
    await expect(make({ name: 'x\0', steps: [] })).rejects.toMatchObject({ status: 400 })
    await expect(make({ name: ' ', steps: [] })).rejects.toMatchObject({ status: 422 })
  })

  it('merges edits by step and names the author of a conflict', async () => {
    const second = { ...blankStep('owner'), title: 'Owner', fields: [size] }
    const initial = [...steps(name), second]
    const id = await inCompany((work) => createFieldSet(work, 'form', { name: 'Dog license', steps: initial }))
    const basis = { name: 'Dog license', steps: initial }
    const [first] = initial as [(typeof initial)[0]]
    const others = { name: 'Dog license', steps: [{ ...first, title: 'Your dog' }, second] }
    await inCompany((work) => saveFieldSet(work, id, others, basis))
    const own = { name: 'Dogs', steps: [first, { ...second, title: 'You' }] }
    const merged = await inCompany((work) => saveFieldSet(work, id, own, basis))
    expect([merged.name, merged.steps.map(({ title }) => title)]).toEqual(['Dogs', ['Your dog', 'You']])
    const again = { name: 'Dog license', steps: [{ ...first, title: 'A dog' }, second] }
    await expect(inCompany((work) => saveFieldSet(work, id, again, basis))).rejects.toMatchObject({
      status: 409,
      code: 'edit_conflict',
      details: { fieldConflicts: [{ field: 'step dog', label: 'Step “Your dog”', by: 'Mainstreet' }] },
    })
  })

  it('belongs to one company, or to the platform', async () => {
    const id = await published(name)
    await expect(inCompany((work) => readFieldSet(work, id), harbor)).rejects.toMatchObject({ status: 404 })
    expect((await inCompany((work) => listFieldSets(work, 'form'), harbor)).rows).toEqual([])
    const own = await onPlatform((work) =>
      createFieldSet(work, 'checklist', { name: 'Going live', steps: steps(name) }),
    )
    expect(await onPlatform((work) => publishFieldSet(work, own))).toBe(1)
    const { rows } = await onPlatform((work) => listFieldSets(work, 'checklist'))
    expect(rows).toMatchObject([{ id: own, latest_version: 1 }])
    expect((await onPlatform((work) => listFieldSets(work, 'form'))).rows).toEqual([])
    await expect(inCompany((work) => readFieldSet(work, own))).rejects.toMatchObject({ status: 404 })
  })
})

it('pages through field sets both ways, even with equal names', async () => {
  const names = ['Birds', 'Cats', 'Cats', 'Dogs', 'Élan', 'Fish', 'Goats']
  for (const set of names) await inCompany((work) => createFieldSet(work, 'animals', { name: set, steps: steps(name) }))
  const page = (cursor?: string | null) =>
    inCompany((work) => listFieldSets(work, 'animals', { pageSize: 3, ...(cursor && { cursor }) }))
  const [first, second] = [await page(), await page((await page()).next)]
  const third = await page(second.next)
  expect([...first.rows, ...second.rows, ...third.rows].map((row) => row.name).toSorted()).toEqual(names.toSorted())
  expect(new Set([...first.rows, ...second.rows, ...third.rows].map(({ id }) => id)).size).toBe(7)
  expect(third.next).toBeNull()
  expect((await page(third.previous)).rows).toEqual(second.rows)
  expect((await page(second.previous)).rows).toEqual(first.rows)
  await expect(page('made-up')).rejects.toMatchObject({ status: 400 })
})

describe('drafts', () => {
  const draftOf = (set: number, owner = 'person 7') => ({ set, owner, subject: '' })
  const store = (set: number, version: number, raw: unknown) =>
    inCompany((work) => saveDraft(work, draftOf(set), version, raw))
  const read = (set: number, owner?: string) => inCompany((work) => readDraft(work, draftOf(set, owner), TODAY))

  it('returns the inputs as typed to their owner only', async () => {
    const id = await published(name, size)
    await store(id, 1, { name: '', size: 'huge', junk: 1 })
    await store(id, 1, { name: ' Rex', size: 'yes' })
    expect(await read(id)).toMatchObject({ version: 1, raw: { name: ' Rex', size: 'yes' }, changes: [] })
    expect(await read(id, 'person 8')).toBeNull()
    await inCompany((work) => dropDraft(work, draftOf(id)))
    expect(await read(id)).toBeNull()
  })

  it('carries drafts into a new version and lists changes until seen', async () => {
    const id = await published(name, size)
    await store(id, 1, { name: 'Rex', size: 'yes' })
    await publish(id, { ...name, label: 'Its name' })
    const lost = '“Size” was removed. Your answer was: Yes.'
    const changes = [lost, '“Name of the dog” is now called “Its name”.']
    expect(await read(id)).toMatchObject({ version: 2, raw: { name: 'Rex' }, changes })
    // The list of changes still shows the removed answer after another save and a third version.
    await store(id, 2, { name: 'Rex II' })
    await publish(id, { ...name, label: 'Its name' }, { ...blankField('email', 'mail'), label: 'Email' })
    expect(await read(id)).toMatchObject({ version: 3, changes: [...changes, '“Email” is a new question.'] })
    await inCompany((work) => markChangesRead(work, draftOf(id)))
    expect(await read(id)).toMatchObject({ version: 3, raw: { name: 'Rex II' }, changes: [] })
  })

  it('carries over inputs of another tab in the older version', async () => {
    const id = await published(name, size)
    await publish(id, name)
    await store(id, 1, { name: 'Rex', size: 'no' })
    expect(await read(id)).toMatchObject({ version: 2, raw: { name: 'Rex' } })
  })

  it('refuses inputs that it cannot store, each with a message', async () => {
    const id = await published(name)
    let deep: unknown = 'x'
    for (let level = 0; level < 5000; level++) deep = [deep]
    for (const raw of [
      null,
      'text',
      [],
      { name: 'x\0' },
      { name: '\ud800' },
      { name: deep },
      { name: 'x'.repeat(400_001) },
    ])
      await expect(store(id, 1, raw)).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^[A-Z].+\.$/),
      })
    await expect(store(id, 2, {})).rejects.toMatchObject({ status: 404 })
  })
})

describe('answers', () => {
  const image = { ...blankField('file', 'photo'), label: 'Photo', maxMegabytes: 1 }
  const definition = { steps: steps(name, image) }
  const file = { owner: 'person-7', id: '12', name: 'dog.png' }
  const accept = (sent: unknown, stored: { kind: 'image' | 'document'; bytes: number } | null) =>
    acceptAnswers(definition, sent, {
      ...{ today: TODAY, findFile: async ({ id }: { id: string }) => (id === file.id ? stored : null), signer: null },
    })

  it('saves cleaned answers with existing files', async () => {
    const sent = { name: ' Rex ', photo: [file], more: 1 }
    expect(await accept(sent, { kind: 'image', bytes: 10 })).toEqual({ name: 'Rex', photo: [file] })
  })

  it.each([
    [
      { name: 'Rex', photo: [{ ...file, id: '13' }] },
      null,
      { photo: '“dog.png” is no longer available. Remove it and add it again.' },
    ],
    [
      { name: 'Rex', photo: [file] },
      { kind: 'document', bytes: 1 } as const,
      { photo: '“dog.png” is not an image. Add a JPEG or PNG.' },
    ],
    [
      { name: 'Rex', photo: [file] },
      { kind: 'image', bytes: 1e7 } as const,
      { photo: '“dog.png” is larger than 1 MB. Add a smaller file.' },
    ],
    ['nothing', null, { name: 'Enter an answer.' }],
  ])('refuses %j under its field', async (sent, stored, fields) => {
    await expect(accept(sent, stored)).rejects.toMatchObject({ status: 422, details: { fields } })
  })
})

const runSql = (tx: Tx, text: string) => tx.executeQuery(CompiledQuery.raw(text))
