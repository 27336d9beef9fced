import { expect, test } from 'vitest'
import { personSettings } from '../shared/person-settings.ts'
import { testPortal } from '../test/harness.ts'

const MAPLE = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })
const [admin, staff, platform] = await Promise.all([
  portal.signIn(MAPLE, 'admin@maplegrove.example'),
  portal.signIn(MAPLE, 'staff@maplegrove.example'),
  portal.signIn('admin.localhost', 'super@mainstreet.example'),
])

const save = (name: string, value: unknown, token = admin, host = MAPLE) =>
  portal.post(host, personSettings.save.path, { name, value }, { token })
const settings = async (token = admin, host = MAPLE) =>
  (await portal.post(host, personSettings.list.path, {}, { token })).body.settings

test('keeps the last value of a setting for one person only', async () => {
  for (const value of [true, 'compact', ['/municipality/work-orders'], { status: false }]) {
    expect((await save('density', value)).status).toBe(200)
    expect(await settings()).toEqual({ density: value })
  }
  expect(await settings(staff)).toEqual({})
  expect((await save('density', 'normal', platform, 'admin.localhost')).status).toBe(200)
  expect(await settings(platform, 'admin.localhost')).toEqual({ density: 'normal' })
  expect(await settings()).toEqual({ density: { status: false } })
})

test.each([
  ['a name with a space', 'two words', true],
  ['an empty name', '', true],
  ['a number', 'density', 44],
  ['nothing', 'density', null],
  ['objects in an object', 'density', { a: { b: true } }],
  ['a long text', 'density', 'x'.repeat(201)],
  ['many texts', 'density', Array.from({ length: 101 }, String)],
])('refuses %s', async (_, name, value) => {
  expect((await save(name, value)).status).toBe(400)
})

test('refuses residents and guests', async () => {
  const resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  expect((await save('density', 'compact', resident)).status).toBe(403)
  expect((await portal.post(MAPLE, personSettings.list.path, {})).status).toBe(401)
})
