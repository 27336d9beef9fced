import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { packFile } from '../../server/packs.ts'
import { openTestCompany } from '../../test/company.ts'
import { liftLimits } from '../../test/databases.ts'
import { testPortal } from '../../test/harness.ts'

const MAPLE = 'maplegrove.localhost'
const portal = await testPortal()
const maple = await openTestCompany(portal, mapleGrove)
await liftLimits(portal.owner)
let token = ''
beforeEach(async () => void (token = await portal.signIn(MAPLE, 'admin@maplegrove.example')))

const post = (path: string, body: object) =>
  portal.post(MAPLE, `muni/${path}`, body, { token, headers: { 'idempotency-key': randomUUID() } })
const ok = async (path: string, body: object) => {
  const { status, body: response } = await post(path, body)
  expect({ status, message: response.message }).toMatchObject({ status: 200 })
  return response
}
const row = async (text: string, values: unknown[] = []) => (await portal.owner.query(text, values)).rows[0]

/** Content of the files as delivered, which each test changes and the next test needs again. */
const files = ['request-categories', 'inspection-templates', 'work-order-plans', 'rental-examples', 'forms']
const delivered = new Map(files.map((pack) => [pack, structuredClone(packFile(pack))]))
afterEach(async () => {
  for (const [pack, file] of delivered) Object.assign(packFile(pack), structuredClone(file))
  await portal.owner.query('DELETE FROM starter_item WHERE company_id = $1', [maple])
})

/** Delivers a newer file of a pack in which the first entry is changed. */
function deliver(pack: string, change: (entry: Record<string, never>) => object): void {
  const file = packFile(pack)
  file.version += 1
  Object.assign(file.entries[0] as object, change(file.entries[0] as never))
}
const body = (pack: string) => ({ pack, language: 'en' })
const compare = async (pack: string) => (await ok('compare/starter/pack', body(pack))).items
const hasNewer = async (pack: string) =>
  (await ok('return/starter/packs', { language: 'en' })).packs.find((one: { pack: string }) => one.pack === pack)
    .hasNewer

/** Adds the categories and returns the first one. */
async function addCategories() {
  // Removes the categories of the municipality, because an item with the same name counts as added.
  await portal.owner.query('UPDATE request_category SET name = gen_random_uuid() WHERE company_id = $1', [maple])
  await ok('add/starter/pack', body('request-categories'))
  const { subject_id: id, key } = await row(
    `SELECT subject_id, key FROM starter_item WHERE company_id = $1 AND pack = 'request-categories' AND key = $2`,
    [maple, packFile('request-categories').entries[0]?.key],
  )
  return { id: Number(id), key: String(key) }
}
const category = (id: number) => row('SELECT name, hint, target_days FROM request_category WHERE id = $1', [id])

it('offers nothing while the items have the version of the pack', async () => {
  await addCategories()
  expect(await hasNewer('request-categories')).toBe(false)
  expect(await compare('request-categories')).toEqual([])
})

it('takes a newer text and keeps what staff changed', async () => {
  const { id, key } = await addCategories()
  await portal.owner.query(`UPDATE request_category SET target_days = 33 WHERE id = $1`, [id])
  deliver('request-categories', () => ({ hint: { en: 'A newer hint.', es: 'Otra.' } }))
  expect(await hasNewer('request-categories')).toBe(true)
  const before = await row('SELECT count(*)::int AS n FROM request_category WHERE company_id = $1', [maple])
  const [item, ...others] = await compare('request-categories')
  expect(others).toEqual([])
  expect(item).toMatchObject({ key, differences: [{ label: 'Hint', after: 'A newer hint.', isConflict: false }] })
  // The comparison creates each entry and takes the creation back.
  expect(await row('SELECT count(*)::int AS n FROM request_category WHERE company_id = $1', [maple])).toEqual(before)
  const take = { ...body('request-categories'), key, take: true, digest: item.digest }
  expect((await ok('update/starter/item', take)).message).toMatch(/has the newer text/)
  expect(await category(id)).toMatchObject({ hint: 'A newer hint.', target_days: 33 })
  expect(await hasNewer('request-categories')).toBe(false)
  expect((await post('update/starter/item', take)).status).toBe(404)
  const { detail } = await row(`SELECT detail FROM audit_event WHERE action = 'company.starter_item_updated'`)
  expect(detail).toMatchObject({ pack: 'request-categories', id, taken: true })
})

it('requires a choice if staff changed the same part', async () => {
  const { id, key } = await addCategories()
  await portal.owner.query(`UPDATE request_category SET hint = 'Our own hint.' WHERE id = $1`, [id])
  deliver('request-categories', () => ({ hint: { en: 'A newer hint.', es: 'Otra.' } }))
  const [{ digest, differences }] = await compare('request-categories')
  expect(differences).toMatchObject([{ before: 'Our own hint.', after: 'A newer hint.', isConflict: true }])
  const take = { ...body('request-categories'), key, take: true, digest }
  const refused = await post('update/starter/item', take)
  expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(/^Choose a text/) } })
  await ok('update/starter/item', { ...take, choices: { [differences[0].part]: 'own' } })
  expect(await category(id)).toMatchObject({ hint: 'Our own hint.' })
})

it('keeps an item as it is and does not offer the text again', async () => {
  const { id, key } = await addCategories()
  const before = await category(id)
  deliver('request-categories', () => ({ targetDays: 77 }))
  const [{ digest }] = await compare('request-categories')
  await ok('update/starter/item', { ...body('request-categories'), key, take: false, digest })
  expect(await category(id)).toEqual(before)
  expect(await hasNewer('request-categories')).toBe(false)
})

it('refuses a text that changed after the comparison', async () => {
  const { key } = await addCategories()
  deliver('request-categories', () => ({ targetDays: 77 }))
  const [{ digest }] = await compare('request-categories')
  deliver('request-categories', () => ({ targetDays: 78 }))
  expect((await post('update/starter/item', { ...body('request-categories'), key, take: true, digest })).status).toBe(
    409,
  )
})

it('counts items that already have the newer text as updated, and leaves out removed items', async () => {
  const { id } = await addCategories()
  deliver('request-categories', () => ({ targetDays: 77 }))
  await portal.owner.query('UPDATE request_category SET target_days = 77 WHERE id = $1', [id])
  expect(await compare('request-categories')).toEqual([])
  expect(await hasNewer('request-categories')).toBe(false)
  deliver('request-categories', () => ({ targetDays: 78 }))
  await portal.owner.query('UPDATE starter_item SET subject_id = 999999 WHERE company_id = $1 AND subject_id = $2', [
    maple,
    id,
  ])
  expect(await compare('request-categories')).toEqual([])
})

it('offers the newer questions of a form and publishes them', async () => {
  await portal.owner.query('UPDATE form_type SET title = gen_random_uuid() WHERE company_id = $1', [maple])
  await ok('add/starter/pack', body('forms'))
  const [first] = packFile('forms').entries
  const { subject_id: id } = await row(
    `SELECT subject_id FROM starter_item WHERE company_id = $1 AND pack = 'forms' AND key = $2`,
    [maple, first?.key],
  )
  const versions = () =>
    row(
      `SELECT s.latest_version FROM form_type f JOIN field_set s ON s.company_id = f.company_id AND s.id = f.field_set_id
       WHERE f.id = $1`,
      [id],
    )
  const { latest_version: version } = await versions()
  deliver('forms', ({ steps }: Record<string, { fields: object[] }[]>) => {
    const copy = structuredClone(steps) as unknown as { fields: object[] }[]
    copy[0]?.fields.push({ name: 'newer_question', type: 'text', label: { en: 'A newer question?', es: '¿Otra?' } })
    return { steps: copy }
  })
  const [item] = await compare('forms')
  expect(item.differences).toMatchObject([{ change: 'added', label: expect.stringContaining('A newer question?') }])
  await ok('update/starter/item', { ...body('forms'), key: first?.key, take: true, digest: item.digest })
  expect((await versions()).latest_version).toBe(version === 0 ? 0 : version + 1)
  expect(await compare('forms')).toEqual([])
})

it.each(files.slice(1, 4))('compares the items of the pack %s', async (pack) => {
  await ok('add/starter/pack', body(pack))
  deliver(pack, ({ name, title }: Record<string, object>) =>
    name ? { name: { en: 'Newer name', es: 'Otro' } } : { title: { ...title, en: 'Newer name', es: 'Otro' } },
  )
  const items = await compare(pack)
  expect(items).toMatchObject([{ differences: [{ after: 'Newer name' }] }])
  const [{ key, digest }] = items
  await ok('update/starter/item', { ...body(pack), key, take: true, digest })
  expect(await compare(pack)).toEqual([])
})
