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

const ask = (call: { path: string }, body: object, who = 'admin@maplegrove.example') => {
  const host = who.endsWith('mainstreet.example') ? ADMIN : who.endsWith('harborcity.example') ? HARBOR : MAPLE
  return portal.post(host, call.path, { list, ...body }, { token: tokens[who] ?? '' })
}
const viewsOf = async (who?: string): Promise<SavedView[]> => (await ask(savedViews.list, {}, who)).body.views

test('a view is saved, renamed, removed, and nobody else’s', async () => {
  const saved = await ask(savedViews.save, { name: ' Refused ', query })
  expect(saved.body.views).toEqual([{ id: expect.any(Number), name: 'Refused', query }])
  const { id } = saved.body.views[0]
  for (const who of ['staff@maplegrove.example', 'admin@harborcity.example', 'super@mainstreet.example']) {
    expect(await viewsOf(who)).toEqual([])
    expect((await ask(savedViews.rename, { id, name: 'Taken' }, who)).status).toBe(404)
    await ask(savedViews.remove, { id }, who)
  }
  // Neither another list's.
  expect((await ask(savedViews.list, { list: 'another/list' })).body.views).toEqual([])
  expect((await ask(savedViews.rename, { id, name: 'Turned away' })).body.views[0].name).toBe('Turned away')
  expect((await ask(savedViews.remove, { id })).body.views).toEqual([])
  expect((await ask(savedViews.remove, { id })).status).toBe(200)
})

test('the platform’s people have their own, as company 0', async () => {
  const who = 'super@mainstreet.example'
  expect((await ask(savedViews.save, { name: 'Mine', query }, who)).status).toBe(200)
  const { rows } = await portal.owner.query("SELECT company_id FROM saved_view WHERE name = 'Mine'")
  expect(rows).toEqual([{ company_id: 0 }])
  await ask(savedViews.remove, { id: (await viewsOf(who))[0]?.id }, who)
})

test('a name is one’s own once, and is said so under its field', async () => {
  await ask(savedViews.save, { name: 'Mondays', query })
  await ask(savedViews.save, { name: 'Tuesdays', query: '' })
  const twice = await ask(savedViews.save, { name: 'mondays', query })
  expect(twice).toMatchObject({
    status: 422,
    body: { details: { fields: { name: expect.stringContaining('already') } } },
  })
  const [, tuesdays] = await viewsOf()
  expect((await ask(savedViews.rename, { id: tuesdays?.id, name: 'MONDAYS' })).status).toBe(422)
  // Its own name, written otherwise.
  expect((await ask(savedViews.rename, { id: tuesdays?.id, name: 'TUESDAYS' })).status).toBe(200)
  for (const view of await viewsOf()) await ask(savedViews.remove, { id: view.id })
})

test.each([
  [{ name: '', query }, /Enter a name/],
  [{ name: 'x'.repeat(61), query }, /at most 60/],
  [{ name: 'Long', query: 'x'.repeat(2001) }, /too long/],
  [{ name: 'Elsewhere', query, list: 'https://example.org' }, /list/],
])('%o is refused with a sentence', async (body, says) => {
  const answer = await ask(savedViews.save, body)
  expect(answer.status).toBe(400)
  expect(answer.body.message).toMatch(says)
})

test('no more than a list holds, also of many that come at once', async () => {
  const all = Array.from({ length: MAX_VIEWS + 5 }, (_, i) => ask(savedViews.save, { name: `View ${i}`, query }))
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_VIEWS)
  expect(await viewsOf()).toHaveLength(MAX_VIEWS)
})
