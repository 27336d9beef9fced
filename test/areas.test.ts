import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { areas, isArea, levelOf, levels, officeAreas, staffPrivileges, withAreas } from '../shared/areas.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import {
  areaIds,
  areaNames,
  defaultsOf,
  may,
  type Permission,
  policies,
  type PolicyName,
  policyNames,
  privilegesFrom,
  privilegesText,
  type Privileges,
  rights,
} from '../shared/privileges.ts'
import { testPortal } from './harness.ts'
import { seed } from './seed.ts'

/** Permission of a policy that each call for staff required before the areas existed. */
const before = Object.entries(
  JSON.parse(readFileSync(new URL('policies-of-calls.json', import.meta.url), 'utf8')) as Record<string, string>,
).map(([path, permission]) => ({ path, needs: permission.split('.') as [PolicyName, Permission] }))

const privilegeNow = new Map(allCalls.map(({ endpoint: { path, access } }) => [path, access.privilege]))

const masksOf = (privileges: Privileges) =>
  before.filter(({ needs }) => may(privileges, ...needs)).map(({ path }) => path)
function allowedNow(masks: Privileges): string[] {
  const privileges = withAreas(masks)
  return before
    .filter(({ path }) => {
      const needs = privilegeNow.get(path)
      return needs && may(privileges, ...needs)
    })
    .map(({ path }) => path)
}

test('permits every demo account the same calls as before the areas', async () => {
  const portal = await testPortal({ demo: true })
  const { rows } = await portal.owner.query<{ role_id: number; privileges: Privileges }>(
    'SELECT role_id, privileges FROM person WHERE role_id >= 3 UNION ALL SELECT role_id, privileges FROM platform_person',
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(before.length).toBeGreaterThan(500)
  for (const { role_id, privileges } of rows) {
    const masks = { ...defaultsOf(role_id), ...privileges }
    expect(allowedNow(masks)).toEqual(masksOf(masks))
  }
})

test('permits any masks of policies the same calls as before the areas', () => {
  const masks = fc.record(Object.fromEntries(policyNames.map((name) => [name, fc.integer({ min: 0, max: 31 })])))
  fc.assert(
    fc.property(masks, (privileges) => {
      expect(allowedNow(privileges)).toEqual(masksOf(privileges))
      const complete = withAreas(privileges)
      for (const name of policyNames) expect(complete[name]).toBe(privileges[name])
      expect(withAreas(complete)).toEqual(complete)
    }),
    { numRuns: 200, seed },
  )
})

test('gives a policy exactly the permissions of its areas', () => {
  const own = fc.record(Object.fromEntries(areaNames.map((name) => [name, fc.constantFrom(...Object.values(levels))])))
  fc.assert(
    fc.property(own, fc.constantFrom(3, 4, 5), (privileges, roleId) => {
      const complete = staffPrivileges(roleId, privileges)
      for (const name of areaNames) expect(complete[name]).toBe(privileges[name])
      const sources = areaNames.flatMap((name) =>
        (Object.keys(rights) as Permission[]).map((permission) => ({
          name,
          permission,
          from: areas[name].from[permission],
        })),
      )
      for (const { from } of sources)
        expect(may(complete, ...from)).toBe(
          sources.some((one) => one.from.join('.') === from.join('.') && may(complete, one.name, one.permission)),
        )
    }),
    { numRuns: 100, seed },
  )
})

test('keeps the 34 masks of the specification at their place in the header', () => {
  const privileges = staffPrivileges(4, {})
  const text = privilegesText(privileges)
  expect(text).toHaveLength(34 + areaNames.length)
  expect(privilegesFrom(text)).toEqual({ ...Object.fromEntries(policyNames.map((name) => [name, 0])), ...privileges })
  expect(privilegesText({ requests: 31 }).slice(0, 34)).toBe('0'.repeat(34))
  // An older browser reads 34 masks, and a newer browser reads zeros from an older portal.
  expect(privilegesFrom(text.slice(0, 34))).toMatchObject({ requests: 0, dashboard: privileges.dashboard })
})

test('gives each area an id above 100, a label and a call', () => {
  const ids = Object.values(areaIds)
  expect(new Set(ids).size).toBe(ids.length)
  expect(Math.min(...ids)).toBeGreaterThan(100)
  expect(Object.keys(policies)).toHaveLength(34)
  const called = new Set(
    allCalls
      .filter(({ endpoint }) => audiencesOf(endpoint.access).includes('municipality'))
      .map(({ endpoint }) => endpoint.access.privilege?.[0])
      .filter((name) => name !== undefined && isArea(name)),
  )
  expect(officeAreas.filter((name) => !called.has(name))).toEqual([])
  expect(new Set(officeAreas.map((name) => areas[name].label)).size).toBe(officeAreas.length)
})

test('opens view, do and manage in this order', () => {
  expect((Object.keys(rights) as Permission[]).map((permission) => [permission, levelOf(permission)])).toEqual([
    ['view', 'view'],
    ['deactivate', 'manage'],
    ['create', 'do'],
    ['update', 'do'],
    ['delete', 'manage'],
  ])
})
