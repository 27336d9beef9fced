import { beforeAll, expect, test } from 'vitest'
import { MAX_VIEWS, savedViews, type SavedView } from '../shared/saved-views.ts'
import { type TestPortal, testPortal } from '../test/harness.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'
const list = 'muni/return/login/report'
const query = 'outcome=refused&dates=last-month'

let portal: TestPortal
const tokens: Record<string, string> = {}
beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const [host, email] of [
    [MAPLE, 'admin@maplegrove.example'],
    [MAPLE, 'staff@maplegrove.example'],
    [HARBOR, 'admin@harborcity.example'],
    [ADMIN, 'super@mainstreet.example'],
  ] as const)
    tokens[email] = await portal.signIn(host, email)
})

const callApi = (call: { path: string }, body: object, email = 'admin@maplegrove.example') => {
  const host = email.endsWith('mainstreet.example') ? ADMIN : email.endsWith('harborcity.example') ? HARBOR : MAPLE
  return portal.post(host, call.path, { list, ...body }, { token: tokens[email] ?? '' })
}
const viewsOf = async (email?: string): Promise<SavedView[]> => (await callApi(savedViews.list, {}, email)).body.views

test('saves, renames and removes a person’s own view', async () => {
  const saved = await callApi(savedViews.save, { name: ' Refused ', query })
  expect(saved.body.views).toEqual([{ id: expect.any(Number), name: 'Refused', query }])
  const { id } = saved.body.views[0]
  for (const email of ['staff@maplegrove.example', 'admin@harborcity.example', 'super@mainstreet.example']) {
    expect(await viewsOf(email)).toEqual([])
    expect((await callApi(savedViews.rename, { id, name: 'Taken' }, email)).status).toBe(404)
    await callApi(savedViews.remove, { id }, email)
  }
  // The list does not show the saved views of another list either.
  expect((await callApi(savedViews.list, { list: 'another/list' })).body.views).toEqual([])
  expect((await callApi(savedViews.rename, { id, name: 'Turned away' })).body.views[0].name).toBe('Turned away')
  expect((await callApi(savedViews.remove, { id })).body.views).toEqual([])
  expect((await callApi(savedViews.remove, { id })).status).toBe(200)
})

test('stores views of platform staff under company 0', async () => {
  const email = 'super@mainstreet.example'
  expect((await callApi(savedViews.save, { name: 'Mine', query }, email)).status).toBe(200)
  const { rows } = await portal.owner.query("SELECT company_id FROM saved_view WHERE name = 'Mine'")
  expect(rows).toEqual([{ company_id: 0 }])
  await callApi(savedViews.remove, { id: (await viewsOf(email))[0]?.id }, email)
})

test('refuses a duplicate name under its field', async () => {
  await callApi(savedViews.save, { name: 'Mondays', query })
  await callApi(savedViews.save, { name: 'Tuesdays', query: '' })
  const twice = await callApi(savedViews.save, { name: 'mondays', query })
  expect(twice).toMatchObject({
    status: 422,
    body: { details: { fields: { name: expect.stringContaining('already') } } },
  })
  const [, tuesdays] = await viewsOf()
  expect((await callApi(savedViews.rename, { id: tuesdays?.id, name: 'MONDAYS' })).status).toBe(422)
  // A person may change only the capitalization of a name.
  expect((await callApi(savedViews.rename, { id: tuesdays?.id, name: 'TUESDAYS' })).status).toBe(200)
  for (const view of await viewsOf()) await callApi(savedViews.remove, { id: view.id })
})

test.each([
  [{ name: '', query }, /Enter a name/],
  [{ name: 'x'.repeat(61), query }, /up to 60/],
  [{ name: 'Long', query: 'x'.repeat(2001) }, /too many filters/],
  [{ name: 'Elsewhere', query, list: 'https://example.org' }, /list/],
])('refuses %o with a message', async (body, message) => {
  const response = await callApi(savedViews.save, body)
  expect(response.status).toBe(400)
  expect(response.body.message).toMatch(message)
})

test('limits the views of a list, also in parallel', async () => {
  const all = Array.from({ length: MAX_VIEWS + 5 }, (_, i) => callApi(savedViews.save, { name: `View ${i}`, query }))
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_VIEWS)
  expect(await viewsOf()).toHaveLength(MAX_VIEWS)
})
