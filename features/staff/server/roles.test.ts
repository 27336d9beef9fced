import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { levels, officeAreas } from '../../../shared/areas.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { masksOf, presetKeys, rolePresets } from '../role-presets.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const portal = await testPortal({ clock: testClock() })
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
let maple = 0

interface Role {
  key: string
  name: string
  roleId: number
  people: number
  masks: Record<string, number>
  can: Record<string, boolean>
  why: string
}

const callAs = (path: string, body: object, by = 'admin', host = MAPLE) =>
  portal.post(host, `muni/${path}`, body, { token: tokens[by] ?? '' })
const rolesFor = async (by = 'admin'): Promise<Role[]> => (await callAs('return/municipality/roles', {}, by)).body.roles
const roleNamed = async (name: string): Promise<Role> => {
  const role = (await rolesFor()).find((one) => one.name === name)
  expect(role, name).toBeDefined()
  return role as Role
}
const save = (role: Omit<Partial<Role>, 'key'> & { key: string | null }, changes: object = {}, by = 'admin') =>
  callAs(
    'save/municipality/role',
    { ...role.masks, name: role.name, roleId: role.roleId, role: role.key, ...changes },
    by,
  )
const member = async (name: string) =>
  (await callAs('return/municipality/staff/member', { personId: ids[name] }, 'boss')).body
const give = (name: string, roleId: string | number, by = 'admin') =>
  callAs(
    'save/municipality/staff',
    { personId: ids[name], firstName: name, lastName: 'Second', roleId, position: 1, departmentId: null },
    by,
  )
const stored = async (name: string) =>
  (await portal.owner.query('SELECT role_id, staff_role_id, privileges FROM person WHERE id = $1', [ids[name]])).rows[0]

async function addMember(name: string, roleId: number): Promise<void> {
  const { rows } = await portal.owner.query(
    `INSERT INTO person (company_id, email, role_id, first_name, last_name, password_hash, position)
     SELECT company_id, $1, $2, $3, 'Second', password_hash, 1 FROM person WHERE email = 'admin@maplegrove.example' RETURNING id`,
    [`${name}@maplegrove.example`, roleId, name],
  )
  ids[name] = rows[0].id
  tokens[name] = await portal.signIn(MAPLE, `${name}@maplegrove.example`)
}

beforeAll(async () => {
  maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, harborCity)
  await addTestPlatformStaff(portal)
  tokens['admin'] = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  tokens['harbor'] = await portal.signIn(HARBOR, 'admin@harborcity.example')
  await addMember('boss', 5)
  for (const name of ['clerk', 'fire', 'crew']) await addMember(name, 3)
})

describe('roles', () => {
  it('are the presets at first, with the people who have roles from before', async () => {
    const { body } = await callAs('return/municipality/roles', {})
    expect(body.roles.map(({ name }: Role) => name).toSorted()).toEqual(
      presetKeys.map((key) => rolePresets[key].name).toSorted(),
    )
    expect(body.before).toBeGreaterThan(3)
    expect(await portal.owner.query('SELECT FROM staff_role').then(({ rowCount }) => rowCount)).toBe(0)
  })

  it('give exactly the levels of the preset, and other calls are refused', async () => {
    expect((await give('fire', 'preset:fire')).status).toBe(200)
    const { person, privileges } = await member('fire')
    expect(person).toMatchObject({ role: 'Fire', roleId: 3, differs: 0 })
    for (const area of officeAreas)
      expect([area, privileges[area]]).toEqual([area, masksOf(rolePresets.fire.levels)[area]])
    expect((await callAs('return/hydrants', { filters: {} }, 'fire')).status).toBe(200)
    expect((await callAs('return/inspections', { filters: {} }, 'fire')).status).toBe(200)
    const refused = await callAs('return/work/orders', { filters: {} }, 'fire')
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This action requires the privilege “View” in “Work orders”, which you do not have. A Municipality Admin can grant it to you under Manage Municipality.',
    ])
    // The policies on the wire have the permissions of the areas, and no others.
    expect(privileges).toMatchObject({
      communication_management: 13,
      transaction_management: 0,
      household_registration: 13,
    })
  })

  it('link only the scheduled items with a screen that the role may open', async () => {
    await portal.owner.query(
      `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at, status, source_kind, source_id)
       SELECT $1, 1, kind, '2026-11-20T15:00:00Z', '2026-11-20T16:00:00Z', 'not_started', kind, 7 FROM unnest(ARRAY['work_order', 'inspection']) AS kind`,
      [maple],
    )
    const { body } = await callAs('return/municipality/scheduled/items', { selectedOption: 'all' }, 'fire')
    expect(
      body.data.map(({ title, path }: { title: string; path: string }) => [title, path !== '']).toSorted(),
    ).toEqual([
      ['inspection', true],
      ['work_order', false],
    ])
  })

  it('are invited with, and named in the invitation', async () => {
    const body = {
      email: 'new@maplegrove.example',
      firstName: 'New',
      lastName: 'Cashier',
      position: 1,
      departmentId: null,
    }
    const { status, body: answer } = await callAs('invite/municipality/staff', { ...body, roleId: 'preset:cashier' })
    expect(status).toBe(200)
    ids['new'] = answer.personId
    expect((await member('new')).person).toMatchObject({ role: 'Cashier', differs: 0 })
    expect((await portal.emails()).at(-1)?.text_body).toContain('with the role Cashier')
    expect(
      (await callAs('invite/municipality/staff', { ...body, email: 'x@maplegrove.example', roleId: 'preset:king' }))
        .status,
    ).toBe(422)
    expect(
      (await callAs('invite/municipality/staff', { ...body, email: 'x@maplegrove.example', roleId: 'role:0' })).status,
    ).toBe(400)
  })

  it('change for all people who have them, but not their own changes', async () => {
    await give('crew', 'preset:crew')
    await give('clerk', 'preset:crew')
    const before = (await member('clerk')).privileges
    const own = { ...before, faqs: levels.view }
    expect(
      (await callAs('save/municipality/staff/privileges', { personId: ids['clerk'], privileges: own, basis: before }))
        .status,
    ).toBe(200)
    expect((await member('clerk')).person.differs).toBe(1)
    const crew = await roleNamed('Crew')
    expect(crew.people).toBe(2)
    const changes = { assets: levels.none, work_orders: levels.manage, name: 'Street crew' }
    expect((await save(crew, changes)).body.message).toBe('The role Street crew was saved.')
    for (const [name, faqs] of [
      ['crew', 0],
      ['clerk', 1],
    ] as const)
      expect((await member(name)).privileges).toMatchObject({ assets: 0, work_orders: 31, faqs })
    expect((await member('crew')).person).toMatchObject({ role: 'Street crew', differs: 0 })
    const { rows } = await portal.owner.query(
      `SELECT detail FROM audit_event WHERE action = 'staff.role_saved' ORDER BY id DESC LIMIT 1`,
    )
    expect(rows[0].detail).toEqual({
      assets: { from: 1, to: 0 },
      work_orders: { from: 13, to: 31 },
      name: { from: 'Crew', to: 'Street crew' },
    })
    // Resetting a person's own changes gives the levels of the role.
    await callAs('save/municipality/staff/privileges', { personId: ids['clerk'], privileges: null })
    expect((await stored('clerk')).privileges).toEqual((await stored('crew')).privileges)
  })

  it('are made, copied and removed by the municipality while unused', async () => {
    const { masks } = await roleNamed('Parking')
    const made = await save({ key: null, name: 'Meter reader', roleId: 3, masks })
    expect(made.status).toBe(200)
    expect((await save({ key: null, name: 'METER reader', roleId: 3, masks })).status).toBe(422)
    expect((await save({ key: null, name: ' ', roleId: 3, masks })).status).toBe(400)
    expect((await save({ key: null, name: 'Odd', roleId: 9, masks })).status).toBe(400)
    await give('clerk', made.body.role)
    const inUse = await callAs('remove/municipality/role', { role: made.body.role })
    expect([inUse.status, inUse.body.message]).toEqual([
      409,
      '1 person has the role Meter reader. First give them another role.',
    ])
    await give('clerk', 'preset:staff')
    expect((await callAs('remove/municipality/role', { role: made.body.role })).status).toBe(200)
    expect((await rolesFor()).some(({ key }) => key === made.body.role)).toBe(false)
    expect((await give('clerk', made.body.role)).status).toBe(422)
  })

  it('belong to one municipality', async () => {
    const { key } = await roleNamed('Fire')
    const other = await callAs('remove/municipality/role', { role: key }, 'harbor', HARBOR)
    expect(other.status).toBe(422)
    const { body } = await callAs('return/municipality/roles', {}, 'harbor', HARBOR)
    expect(body.roles.some((role: Role) => role.key === key)).toBe(false)
  })
})

describe('a change of a role', () => {
  it('never gives more than the actor has', async () => {
    await give('crew', 'preset:staff')
    const lead = await roleNamed('Municipality Staff')
    // A person who may change staff, but has few other levels.
    const own = { ...masksOf({ staff: 'manage', requests: 'do' }) }
    await portal.owner.query('UPDATE person SET privileges = $2, role_id = 4 WHERE id = $1', [ids['clerk'], own])
    const beyond = await save({ key: null, name: 'More', roleId: 3, masks: { ...lead.masks, faqs: 31 } }, {}, 'clerk')
    expect([beyond.status, beyond.body.message]).toEqual([403, expect.stringContaining("You can't grant permissions")])
    expect((await give('crew', 'preset:administrator', 'clerk')).status).toBe(403)
    expect((await give('crew', 'preset:fire', 'clerk')).body.message).toContain('Hydrants')
    // Policies that several areas share give no way around.
    const basis = Object.fromEntries(Object.entries((await member('crew')).privileges))
    const all = { personId: ids['crew'], basis, privileges: { ...basis, alerts: 31, forms: 1 } }
    expect((await callAs('save/municipality/staff/privileges', all, 'clerk')).status).toBe(403)
    expect((await give('crew', 5, 'clerk')).status).toBe(403)
    expect((await give('crew', 4, 'clerk')).body.message).toContain("You can't grant permissions")
  })

  it('is refused for the own role and for a higher rank', async () => {
    await portal.owner.query(`UPDATE person SET role_id = 3, privileges = '{}' WHERE id = $1`, [ids['clerk']])
    await give('clerk', 'preset:public_works_lead')
    await portal.owner.query(`UPDATE person SET privileges = privileges || '{"staff": 31}' WHERE id = $1`, [
      ids['clerk'],
    ])
    const lead = await roleNamed('Public Works Lead')
    const own = await save(lead, { faqs: 0 }, 'clerk')
    expect([own.status, own.body.message]).toEqual([409, 'This is your own role. Someone else must change it.'])
    const admin = await save(await roleNamed('Municipality Admin'), { faqs: 0 }, 'clerk')
    expect([admin.status, admin.body.message]).toEqual([
      409,
      'This role is higher than yours. Someone with that role must change it.',
    ])
  })

  it('never takes the levels of the last administrator away', async () => {
    await give('boss', 'preset:administrator')
    await portal.owner.query('UPDATE person SET is_active = 0 WHERE role_id = 5 AND id <> $1 AND company_id = $2', [
      ids['boss'],
      maple,
    ])
    const role = await roleNamedBy('boss', 'Municipality Admin')
    const platform = await portal.signIn('admin.localhost', 'super@mainstreet.example')
    const { status, body } = await portal.post(
      'admin.localhost',
      'muni/save/municipality/role',
      { companyId: maple, ...role.masks, name: role.name, roleId: 5, role: role.key, staff: 0 },
      { token: platform },
    )
    expect([status, body.code]).toEqual([409, 'last_administrator'])
    expect((await stored('boss')).privileges.staff).toBe(31)
  })
})

const roleNamedBy = async (by: string, name: string): Promise<Role> =>
  (await rolesFor(by)).find((one) => one.name === name) as Role

it('lists what each level of each area opens', async () => {
  const { body } = await callAs('return/municipality/areas', {}, 'boss')
  expect(Object.keys(body.areas).toSorted()).toEqual(officeAreas.toSorted())
  expect(body.areas.alerts.view.screens).toEqual(['Alerts', 'Alerts Report', 'External Alerts', 'Notifications'])
  expect(body.areas.counter.manage).toEqual({
    screens: [],
    calls: ['Records a correction to the count of a closed drawer'],
  })
  for (const area of officeAreas)
    expect([
      area,
      Object.values(body.areas[area]).some((level) => (level as { calls: string[] }).calls.length > 0),
    ]).toEqual([area, true])
})
